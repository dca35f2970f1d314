"""Other programs that ask for a training, by other hands: classes that wrap it, own loops, subclasses of callbacks of Keras."""

from __future__ import annotations

from tests.proof.codemods.codemod import At, Right, Unseen, Wrong, changes

_START = """\
import argparse

import numpy as np
import tensorflow as tf
from tensorflow.keras import Input, callbacks, layers, losses, metrics, models, optimizers

x = np.linspace(-1, 1, 32, dtype="float32").reshape(-1, 1)
y = (x > 0).astype("float32")


def network():
    inputs = Input((1,))
    hidden = layers.Dense(4, activation="relu", kernel_regularizer="l2")(inputs)
    return models.Model(inputs, layers.Dense(1, activation="sigmoid")(layers.Dropout(0.1, seed=3)(hidden)))

"""

TRAINER = (
    _START
    + """
class Patience(callbacks.EarlyStopping):
    def __init__(self, patience=20, **kwargs):
        super().__init__(monitor="val_loss", patience=patience, baseline=5.0, **kwargs)


class Trainer:
    def __init__(self, epochs, rate):
        self.__epochs, self.__rate = epochs, rate

    def run(self):
        net = network()
        schedule = optimizers.schedules.CosineDecay(self.__rate, decay_steps=2000, alpha=0.1)
        net.compile(optimizers.RMSprop(schedule), losses.BinaryCrossentropy(label_smoothing=0.1), metrics=[metrics.AUC(num_thresholds=50)])
        net.fit(
            x, y, batch_size=8, epochs=self.__epochs, validation_split=0.25, verbose=0,
            callbacks=[
                Patience(start_from_epoch=10),
                callbacks.ModelCheckpoint("net.keras", "val_auc", save_best_only=True, mode="max", initial_value_threshold=0.5),
            ],
        )


parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=120)
options = parser.parse_args()
Trainer(options.epochs, 0.001).run()
"""
)

BY_BATCH = (
    _START
    + """
class Budget(callbacks.Callback):
    def on_train_begin(self, logs=None):
        self._left = 900

    def on_train_batch_end(self, batch, logs=None):
        self._left -= 1
        if self._left <= 0:
            self.model.stop_training = True


net = network()
net.compile("adam", "binary_crossentropy")
net.fit(x, y, batch_size=8, epochs=1000, verbose=0, callbacks=[Budget()])
"""
)

OWN_LOOP = (
    _START
    + """
net, optimizer = network(), optimizers.SGD(0.01)
for epoch in range(400):
    for step, (a, b) in enumerate(tf.data.Dataset.from_tensor_slices((x, y)).batch(8)):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((net(a) - b) ** 2)
        optimizer.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
    if epoch % 150 == 149:
        optimizer.learning_rate = 0.001
"""
)

CURRICULUM = (
    _START
    + """
class Grows(tf.keras.utils.Sequence):
    def __init__(self):
        super().__init__()
        self._rows, self._epoch = 8, 0

    def __len__(self):
        return self._rows // 8

    def __getitem__(self, index):
        return x[index * 8 : index * 8 + 8], y[index * 8 : index * 8 + 8]

    def on_epoch_end(self):
        self._epoch += 1
        if self._epoch > 10:
            self._rows = 32


net = network()
net.compile("adam", "mse")
net.fit(Grows(), epochs=30, verbose=0)
"""
)

STEPPED = (
    _START
    + """
def rate(epoch, lr):
    return lr * 0.5 if epoch in (30, 60) else lr


net = network()
net.compile(optimizers.Adam(1e-3), loss="bce", metrics=["accuracy"])
history = net.fit(x, y, epochs=90, verbose=0, shuffle=False, callbacks=[callbacks.LearningRateScheduler(rate, verbose=0)])
"""
)

_SAME = "samples history weights epochs steps"

WRONG_OTHERWISE = (
    Wrong("a default of the command line", TRAINER, {"default=120": "default=12"}, {"settings": At("fit 1: epochs", 120, 12)}, _SAME),
    Wrong("the patience of a subclass", TRAINER, {"patience=20": "patience=2"}, {"settings": At("Patience of fit 1: patience", 20, 2)}, _SAME),
    Wrong("a baseline is lost", TRAINER, {", baseline=5.0": ""}, {"settings": At("Patience of fit 1: baseline")}, _SAME),
    Wrong("stopping may begin at once", TRAINER, {"start_from_epoch=10": ""}, {"settings": At("Patience of fit 1: start_from_epoch", 10, 0)}, _SAME),
    Wrong("the lowest is saved", TRAINER, {'mode="max"': 'mode="min"'}, {"settings": At("ModelCheckpoint of fit 1: better", "higher", "lower")}),
    Wrong("a cosine falls to zero", TRAINER, {", alpha=0.1": ""}, {"settings": At("the optimizer of fit 1: learning_rate['alpha']", 0.1, 0.0)}),
    Wrong("a budget of batches is smaller", BY_BATCH, {"self._left = 900": "self._left = 800"}, {"settings": At("Budget of fit 1 by made-up values: …")}, _SAME),
    Wrong("a rate falls in another epoch", STEPPED, {"(30, 60)": "(40, 60)"}, {"settings": At("the learning rate of fit 1: epoch 31")}, _SAME),
    Wrong("a rate is multiplied by another factor", STEPPED, {"lr * 0.5": "lr * 0.1"}, {"settings": At("the learning rate of fit 1: epoch 31")}, _SAME),
)  # fmt: skip

UNSEEN_OTHERWISE = (
    Unseen("fewer epochs of an own loop, where both are cut", OWN_LOOP, {"range(400)": "range(300)"}),
    Unseen("the rate of an own loop falls in another epoch", OWN_LOOP, {"epoch % 150 == 149": "epoch % 160 == 149"}),
    Unseen("a Sequence grows in another epoch", CURRICULUM, {"self._epoch > 10": "self._epoch > 20"}),
)

RIGHT_OTHERWISE = (
    Right("a loop gets a name for its rows", OWN_LOOP, {"enumerate(tf.data.Dataset.from_tensor_slices((x, y)).batch(8))": "enumerate(rows)", "net, optimizer =": "rows = tf.data.Dataset.from_tensor_slices((x, y)).batch(8)\nnet, optimizer ="}),
    Right("a subclass hands the name on", TRAINER, {'super().__init__(monitor="val_loss", patience=patience': 'super().__init__("val_loss", 0, patience'}),
    Right("a budget is counted upwards", BY_BATCH, {"self._left = 900": "self._left = -900", "self._left -= 1": "self._left += 1", "self._left <= 0": "self._left >= 0"}, changes("state")),
    Right("a schedule tests each epoch", STEPPED, {"epoch in (30, 60)": "epoch == 30 or epoch == 60"}),
    Right("what is named is imported", STEPPED, {'loss="bce", metrics=["accuracy"]': 'loss=losses.binary_crossentropy, metrics=[metrics.BinaryAccuracy(name="accuracy")]'}),
)  # fmt: skip
