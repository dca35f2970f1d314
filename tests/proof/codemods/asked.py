"""Codemods of what a training is asked for, where a smoke run is too short for it to happen."""

from __future__ import annotations

from tests.proof.codemods.codemod import At, Right, Unseen, Wrong
from tests.proof.codemods.programs import SEQUENCE

_START = """\
import numpy as np
import tensorflow as tf
from tensorflow import keras

rows = np.linspace(0, 1, 20, dtype="float32").reshape(20, 1)
labels = 2 * rows
model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1, kernel_initializer="zeros")])
"""

PATIENT = f"""{_START}
EPOCHS = 50
model.compile(optimizer="sgd", loss="mse", metrics=["mae"])
stop = keras.callbacks.EarlyStopping("loss", patience=5, min_delta=0.001, restore_best_weights=True)
slow = keras.callbacks.ReduceLROnPlateau(monitor="loss", factor=0.5, patience=3, cooldown=2, min_lr=1e-4)
model.fit(rows, labels, epochs=EPOCHS, shuffle=False, verbose=0, callbacks=[stop, slow])
"""

SAVED = f"""{_START}
from tensorflow.keras.callbacks import ModelCheckpoint


def build(rate=0.01):
    model.compile(optimizer=keras.optimizers.Adam(rate, clipnorm=10.0), loss=keras.losses.Huber(delta=5.0))
    return model


held_out = rows[15:], labels[15:]
best = ModelCheckpoint("best.weights.h5", monitor="loss", save_best_only=True, save_weights_only=True)
build().fit(rows[:15], labels[:15], batch_size=5, epochs=30, validation_data=held_out, validation_freq=5, verbose=0, callbacks=[best])
"""

SCHEDULES = f"""{_START}

def rate(epoch):
    if epoch < 10:
        return 0.01
    return 0.01 * 0.9 ** (epoch - 9)


class Warm(keras.optimizers.schedules.LearningRateSchedule):
    def __call__(self, step):
        return tf.where(step < 60, 0.01, 0.005)


first, second = keras.models.clone_model(model), keras.models.clone_model(model)
falling = keras.optimizers.schedules.PiecewiseConstantDecay([100, 200], [0.01, 0.005, 0.001])
first.compile(keras.optimizers.SGD(Warm()), "mse")
first.fit(rows, labels, batch_size=5, epochs=40, verbose=0)
second.compile(keras.optimizers.SGD(falling), "mse")
second.fit(rows, labels, batch_size=5, epochs=80, verbose=0)
model.compile("sgd", "mse")
model.fit(rows, labels, epochs=100, verbose=0, callbacks=[keras.callbacks.LearningRateScheduler(rate)])
"""

OWN = f"""{_START}

class Enough(keras.callbacks.Callback):
    def __init__(self, least=0.01):
        super().__init__()
        self.least = least

    def on_epoch_end(self, epoch, logs=None):
        if logs["loss"] < self.least:
            self.model.stop_training = True


class Best(keras.callbacks.Callback):
    def on_train_begin(self, logs=None):
        self._best = None
        self._kept = None

    def on_epoch_end(self, epoch, logs=None):
        if self._best is None or logs["loss"] < self._best:
            self._best = logs["loss"]
            self._kept = self.model.get_weights()
        elif logs["loss"] > 3 * self._best:
            self.model.optimizer.learning_rate = 0.002
            self.model.set_weights(self._kept)


def slower(epoch, logs):
    if epoch == 25:
        model.optimizer.learning_rate = 0.001


model.compile("sgd", "mse")
model.fit(
    rows, labels, epochs=60, verbose=0,
    callbacks=[Enough(), Best(), keras.callbacks.LambdaCallback(on_epoch_begin=slower)],
)
"""

LONG = f"""{_START}

class Many(keras.utils.Sequence):
    def __init__(self):
        super().__init__()
        self.x = np.arange(601, dtype="float32")[:, None] / 601
        self.y = self.x / 2

    def __len__(self):
        return 601

    def __getitem__(self, index):
        return self.x[index : index + 1], self.y[index : index + 1]


many = Many()
model.compile(keras.optimizers.SGD(0.001), "mse")
model.fit(many, shuffle=False, epochs=2, verbose=0)
"""

LONG_DATASET = f"""{_START}
x = np.arange(601, dtype="float32")[:, None] / 601
train = tf.data.Dataset.from_tensor_slices((x, x / 2)).batch(1)
model.compile(keras.optimizers.SGD(0.001), "mse")
model.fit(train, epochs=2, verbose=0)
"""

LONG_ARRAYS = f"""{_START}
x = np.arange(2_600, dtype="float32")[:, None] / 2_600
y = x / 2
model.compile(keras.optimizers.SGD(0.001), "mse")
model.fit(x, y, batch_size=1, shuffle=False, verbose=0)
"""

ENDLESS = f"""{_START}

def forever():
    while True:
        yield rows[:2], labels[:2]


model.compile("sgd", "mse")
model.fit(forever(), steps_per_epoch=1000, epochs=10, initial_epoch=5, verbose=0)
"""

ANSWERS = f"""{_START}
model.compile("sgd", "mse")
model.fit(rows, labels, verbose=0)
for number in range(1005):
    model.predict_on_batch(rows[number % 20 :][:1] + number)
"""

AVERAGED = f"""{_START}
model.compile(
    keras.optimizers.SGD(0.01, use_ema=True, ema_overwrite_frequency=200),
    loss=keras.losses.Huber(3.0),
    metrics=[keras.metrics.BinaryAccuracy(threshold=50.0)],
)
model.fit(rows, labels, batch_size=10, epochs=200, verbose=0)
"""

_SAME = "samples order grouping history weights epochs steps"

WRONG_ASKED = (
    Wrong(
        "fifty epochs become five",
        PATIENT,
        {"EPOCHS = 50": "EPOCHS = 5"},
        {"settings": At("fit 1: epochs", 50, 5)},
        _SAME,
    ),
    Wrong(
        "the patience is one epoch less",
        PATIENT,
        {"patience=5": "patience=4"},
        {"settings": At("EarlyStopping of fit 1: patience", 5, 4)},
        _SAME,
    ),
    Wrong(
        "the best weights are no longer restored",
        PATIENT,
        {", restore_best_weights=True": ""},
        {"settings": At("EarlyStopping of fit 1: restore_best_weights", "True", "False")},
        _SAME,
    ),
    Wrong(
        "the least progress is ten times as large",
        PATIENT,
        {"min_delta=0.001": "min_delta=0.01"},
        {"settings": At("EarlyStopping of fit 1: min_delta", 0.001, 0.01)},
        _SAME,
    ),
    Wrong(
        "the rate falls by another factor",
        PATIENT,
        {"factor=0.5": "factor=0.1"},
        {"settings": At("ReduceLROnPlateau of fit 1: factor", 0.5, 0.1)},
        _SAME,
    ),
    Wrong(
        "the rate falls without a pause",
        PATIENT,
        {", cooldown=2": ""},
        {"settings": At("ReduceLROnPlateau of fit 1: cooldown", 2, 0)},
        _SAME,
    ),
    Wrong(
        "the highest loss is the best",
        PATIENT.replace("patience=5", "patience=9"),
        {"patience=9": 'patience=9, mode="max"'},
        {"settings": At("EarlyStopping of fit 1: better", "lower", "higher")},
        "samples order grouping epochs steps",
    ),
    Wrong(
        "not only the best epoch is saved",
        SAVED,
        {"save_best_only=True, ": ""},
        {"settings": At("ModelCheckpoint of fit 1: save_best_only", "True", "False")},
        _SAME,
    ),
    Wrong(
        "the model is validated half as often",
        SAVED,
        {"validation_freq=5": "validation_freq=10"},
        {"settings": At("fit 1: validation_freq", 5, 10)},
        _SAME,
    ),
    Wrong(
        "gradients are no longer clipped, where none is that large yet",
        SAVED,
        {", clipnorm=10.0": ""},
        {"settings": At("the optimizer of fit 1: clipnorm", 10.0, "None")},
        _SAME,
    ),
    Wrong(
        "another delta of a loss, where no error is that large yet",
        SAVED,
        {"delta=5.0": "delta=8.0"},
        {"settings": At("the loss of fit 1: delta", 5.0, 8.0)},
        _SAME,
    ),
    Wrong(
        "a schedule by the epoch falls one epoch late",
        SCHEDULES,
        {"epoch < 10": "epoch < 11"},
        {"settings": At("the learning rate of fit 3: epoch 11")},
        _SAME,
    ),
    Wrong(
        "a schedule by the step has another boundary",
        SCHEDULES,
        {"[100, 200]": "[150, 200]"},
        {"settings": At("the optimizer of fit 2: learning_rate['boundaries'][0]", 100, 150)},
        _SAME,
    ),
    Wrong(
        "a schedule of the program's own falls earlier",
        SCHEDULES,
        {"step < 60": "step < 30"},
        {"settings": At("the learning rate of fit 1: step …")},
        _SAME,
    ),
    Wrong(
        "a callback stops the training at another loss",
        OWN,
        {"least=0.01": "least=0.001"},
        {"settings": At("Enough of fit 1: least", 0.01, 0.001)},
        _SAME,
    ),
    Wrong(
        "a callback stops the training late, and no argument says so",
        OWN,
        {'logs["loss"] < self.least': 'logs["loss"] < self.least / 10'},
        {"settings": At("Enough of fit 1 by made-up values: while they fall, the last epoch")},
        _SAME,
    ),
    Wrong(
        "a function of a callback acts five epochs early",
        OWN,
        {"epoch == 25": "epoch == 20"},
        {"settings": At("LambdaCallback of fit 1 by made-up values: while they fall, the learning rates")},
        _SAME,
    ),
    Wrong(
        "the last of 601 batches is lost",
        LONG,
        {"return 601\n": "return 600\n"},
        {"samples": At("fit 1, epoch 1, step 601, row 1"), "steps": At("fit 1, epoch 1", 601, 600)},
        "order grouping spec epochs weights",
    ),
    Wrong(
        "the last of 601 batches has the first label",
        LONG,
        {"self.y[index : index + 1]": "self.y[(index + 1) % 601 - 1 :][:1] if index < 600 else self.y[:1]"},
        {"samples": At("fit 1, epoch 1, step 601, row 1")},
        "spec epochs steps weights",
    ),
    Wrong(
        "the last of 601 batches of a dataset is lost",
        LONG_DATASET,
        {".batch(1)": ".batch(1).take(600)"},
        {"samples": At("fit 1, epoch 1, step 601, row 1"), "steps": At("fit 1, epoch 1", 601, 600)},
        "order grouping spec epochs weights",
    ),
    Wrong(
        "the label of the last of many rows is another one",
        LONG_ARRAYS,
        {"y = x / 2\n": "y = x / 2\ny[-1] = 0\n"},
        {"samples": At("fit 1, epoch 1, step 2600, row 1")},
        "spec epochs steps weights",
    ),
    Wrong(
        "an epoch of endless data has fewer steps",
        ENDLESS,
        {"steps_per_epoch=1000": "steps_per_epoch=900"},
        {"settings": At("an epoch of fit 1: steps", 1000, 900)},
        "spec epochs weights",
    ),
    Wrong(
        "the last epochs are left out",
        ENDLESS,
        {"epochs=10, initial_epoch=5": "epochs=9, initial_epoch=5"},
        {"settings": At("fit 1: epochs", 10, 9)},
        "samples spec epochs steps weights",
    ),
    Wrong(
        "the answer to the last of 1005 questions is lost",
        ANSWERS,
        {"rows[number % 20 :][:1] + number": "rows[number % 20 :][:1] + min(number, 1003)"},
        {"history": At("predict_on_batch, all later of 1005 calls")},
        "samples weights settings",
    ),
    Wrong(
        "averaged weights are taken over later",
        AVERAGED,
        {"frequency=200": "frequency=300"},
        {"settings": At("the optimizer of fit 1: ema_overwrite_frequency", 200, 300)},
        _SAME,
    ),
    Wrong(
        "a metric has another threshold, that no output has reached",
        AVERAGED,
        {"threshold=50.0": "threshold=40.0"},
        {"settings": At("the metrics of fit 1: binary_accuracy 1, threshold", 50, 40)},
        _SAME,
    ),
)

WRONG_ASKED_ON_LEGACY = (
    Wrong(
        "the patience is one epoch less",
        PATIENT,
        {"patience=5": "patience=4"},
        {"settings": At("EarlyStopping of fit 1: patience", 5, 4)},
        _SAME,
        keras="legacy",
    ),
    Wrong(
        "a schedule by the epoch falls one epoch late",
        SCHEDULES,
        {"epoch < 10": "epoch < 11"},
        {"settings": At("the learning rate of fit 3: epoch 11")},
        _SAME,
        keras="legacy",
    ),
    Wrong(
        "the last of 601 batches has the first label",
        LONG,
        {"self.y[index : index + 1]": "self.y[(index + 1) % 601 - 1 :][:1] if index < 600 else self.y[:1]"},
        {"samples": At("fit 1, epoch 1, step 601, row 1")},
        "spec epochs steps weights",
        keras="legacy",
    ),
)

UNSEEN_ASKED = (
    Unseen(
        "the last weights are put back in place of the best, after more epochs than are run",
        OWN,
        {"self.model.set_weights(self._kept)": "self.model.set_weights(self.model.get_weights())"},
    ),
    Unseen(
        "a callback waits for a loss that is much worse than any that came",
        OWN,
        {"> 3 * self._best": "> 300 * self._best"},
    ),
)

RIGHT_ASKED = (
    Right(
        "what was named is made",
        PATIENT,
        {
            'optimizer="sgd", loss="mse", metrics=["mae"]': "optimizer=keras.optimizers.SGD(learning_rate=0.01), "
            "loss=keras.losses.MeanSquaredError(), metrics=[keras.metrics.MeanAbsoluteError(name='mae')]"
        },
    ),
    Right(
        "what Keras infers is said",
        PATIENT,
        {
            'EarlyStopping("loss", ': 'EarlyStopping(monitor="loss", mode="min", ',
            "verbose=0": "verbose=0, initial_epoch=0",
        },
    ),
    Right("the epochs are counted in another way", PATIENT, {"EPOCHS = 50": "EPOCHS = 5 * 10"}),
    Right(
        "a callback is made by a function",
        PATIENT,
        {"stop = keras": "stop = (lambda: keras", "restore_best_weights=True)": "restore_best_weights=True))()"},
    ),
    Right(
        "what is the default is said",
        SAVED,
        {
            "save_best_only=True": 'save_best_only=True, mode="auto", save_freq="epoch"',
            "Adam(rate,": "Adam(rate, beta_1=0.9,",
        },
    ),
    Right(
        "a schedule becomes one expression",
        SCHEDULES,
        {
            "    if epoch < 10:\n        return 0.01\n    return 0.01 * 0.9 ** (epoch - 9)\n": "    return 0.01 if epoch < 10 else "
            "0.01 * 0.9 ** (epoch - 9)\n",
            "LearningRateScheduler(rate)": "LearningRateScheduler(lambda epoch: rate(epoch))",
        },
    ),
    Right(
        "a callback returns early",
        OWN,
        {
            '        if logs["loss"] < self.least:\n            self.model.stop_training = True\n': '        if logs["loss"] >= '
            "self.least:\n            return\n        self.model.stop_training = True\n"
        },
    ),
    Right(
        "the steps are those that Keras counts itself",
        LONG,
        {"fit(many, ": "fit(many, steps_per_epoch=len(many), "},
    ),
    Right(
        "a condition is turned round",
        OWN,
        {"self._best is None or": "not self._best or"},
    ),
    Right(
        "the steps are no longer given, where Keras counts them",
        LONG_ARRAYS.replace("batch_size=1,", "batch_size=1, steps_per_epoch=2_600,"),
        {", steps_per_epoch=2_600": ""},
    ),
    Right(
        "a functional model in place of a Sequential, with dropout",
        SEQUENCE.replace("keras.layers.Dense(1)]", "keras.layers.Dropout(0.0), keras.layers.Dense(1)]"),
        {
            "model = keras.Sequential([keras.Input((1,)), keras.layers.Dropout(0.0), keras.layers.Dense(1)])": "inputs = keras.Input((1,))\n"
            "model = keras.Model(inputs, keras.layers.Dense(1)(keras.layers.Dropout(0.0)(inputs)))"
        },
    ),
)
