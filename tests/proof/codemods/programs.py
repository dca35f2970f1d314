"""The programs that the codemods edit. Row k of ten is k, and its label is a tenth of it."""

from __future__ import annotations

_HEAD = """\
import math
import warnings

import numpy as np
import tensorflow as tf
from tensorflow import keras

rows = np.arange(10, dtype="float32").reshape(10, 1)
labels = rows / 10
"""

_MODEL = """
model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1)])
model.compile("sgd", "mse")
"""

FEED = """\
class Feed(keras.utils.Sequence):
    def __init__(self, rows, labels, size=4):
        super().__init__()
        self.rows = rows
        self.labels = labels
        self.size = size

    def __len__(self):
        return math.ceil(len(self.rows) / self.size)

    def __getitem__(self, index):
        part = slice(index * self.size, (index + 1) * self.size)
        x = self.rows[part]
        y = self.labels[part]
        return x, y
"""

_FED = f"\n\n{FEED}\n\nfeed = Feed(rows, labels)\n"

SEQUENCE = _HEAD + _FED + _MODEL + "model.fit(feed, epochs=2, shuffle=False, verbose=0)\n"

CORRUPT = SEQUENCE.replace(
    "        return x, y\n",
    """\
        if index == 2:
            raise ValueError("row 8 can't be read")
        return x, y
""",
)

# A list of two arrays is refused by Keras 3; tf-keras takes it for a tuple.
NESTED = SEQUENCE.replace("x = self.rows[part]", "x = [self.rows[part], self.rows[part]]").replace(
    "keras.Sequential([keras.Input((1,)), keras.layers.Dense(1)])",
    "keras.Model(pair := [keras.Input((1,)), keras.Input((1,))], keras.layers.Dense(1)(keras.layers.Add()(pair)))",
)

SHUFFLING_FEED = """\
class Feed(keras.utils.Sequence):
    def __init__(self):
        super().__init__()
        self.order = np.arange(10)

    def __len__(self):
        return 2

    def __getitem__(self, index):
        chosen = self.order[index * 5 : (index + 1) * 5]
        return rows[chosen], labels[chosen]

    def on_epoch_end(self):
        global shuffles
        shuffles += 1
        np.random.shuffle(self.order)
"""

SHUFFLED = (
    _HEAD
    + f"shuffles = 0\n\n\n{SHUFFLING_FEED}\n\nfeed = Feed()\n"
    + _MODEL
    + "model.fit(feed, epochs=2, shuffle=False, verbose=0)\n"
)

# The weights stay zero, so that a loss is the mean of the squared labels.
CALLBACKS = (
    _HEAD
    + """
epochs = 0


class Note(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        print("epoch", epoch, "is over")


class Count(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        global epochs
        epochs += 1


model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1, kernel_initializer="zeros")])
model.compile(keras.optimizers.SGD(0.0), "mse")
callbacks = [Note(), Count()]
train = rows[:8], labels[:8]
held_out = rows[8:], labels[8:]
model.fit(*train, batch_size=4, epochs=2, shuffle=False, verbose=0, callbacks=callbacks)
"""
)

VALIDATED = CALLBACKS.replace("verbose=0", "verbose=0, validation_data=held_out")

# The loss falls from epoch to epoch, so that for the mode "max" the first epoch is the best one.
STOPPED = (
    _HEAD
    + _MODEL
    + """
stop = keras.callbacks.EarlyStopping("loss", mode="max", patience=1, restore_best_weights=True)
model.fit(rows, labels, batch_size=5, epochs=3, shuffle=False, verbose=0, callbacks=[stop])
"""
)

SCHEDULED = (
    _HEAD
    + _MODEL
    + """
rate = keras.callbacks.LearningRateScheduler(lambda epoch: 0.01 if epoch < 2 else 0.001)
model.fit(rows, labels, batch_size=5, initial_epoch=1, epochs=3, shuffle=False, verbose=0, callbacks=[rate])
"""
)

TWO_FITS = (
    _HEAD
    + _MODEL.replace('"sgd"', "keras.optimizers.SGD(0.001, momentum=0.9)")
    + """
model.fit(rows, labels, batch_size=5, epochs=1, shuffle=False, verbose=0)
model.fit(rows, labels, batch_size=5, epochs=1, shuffle=False, verbose=0)
"""
)

CLASSES = (
    _HEAD
    + """
classes = np.arange(10) % 2
weights = np.arange(10, dtype="float32") / 2
model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(2, activation="softmax")])
model.compile("sgd", "sparse_categorical_crossentropy")
model.fit(rows, classes, sample_weight=weights, batch_size=5, epochs=1, shuffle=False, verbose=0)
"""
)

DATASET = (
    _HEAD
    + """
data = tf.data.Dataset.from_tensor_slices((rows, labels))
train = data.skip(2)
train = train.map(lambda x, y: (x - tf.reduce_mean(x) + 1, y))
train = train.batch(3)
"""
    + _MODEL
    + "model.fit(train, epochs=2, verbose=0, validation_data=data.take(2).batch(2))\n"
)

SHUFFLED_DATASET = (
    _HEAD
    + "\ntrain = tf.data.Dataset.from_tensor_slices((rows, labels)).shuffle(10).batch(4)\n"
    + _MODEL
    + "model.fit(train, epochs=2, verbose=0)\n"
)

AUGMENTED_DATASET = (
    _HEAD
    + """

def noisy(x, y):
    return x + tf.random.uniform((1,)), y


train = tf.data.Dataset.from_tensor_slices((rows, labels)).cache().map(noisy).batch(5)
"""
    + _MODEL
    + "model.fit(train, epochs=2, verbose=0)\n"
)

DRAWN_BY_NUMPY = AUGMENTED_DATASET.replace(
    "tf.random.uniform((1,))",
    'tf.reshape(tf.numpy_function(lambda: np.random.rand(1).astype("float32"), [], "float32"), (1,))',
)

GENERATOR = (
    _HEAD
    + """

def batches():
    while True:
        for start in range(0, 10, 5):
            yield rows[start : start + 5], labels[start : start + 5]

"""
    + _MODEL
    + "model.fit(batches(), steps_per_epoch=2, epochs=2, verbose=0)\n"
)

TRAIN_STEP = (
    _HEAD
    + """

class Dropped(keras.Model):
    def __init__(self):
        super().__init__()
        self.drop = keras.layers.Dropout(0.5, seed=1)
        self.dense = keras.layers.Dense(1)

    def call(self, x, training=False):
        return self.dense(self.drop(x, training=training))

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((self(x, training=True) - y) ** 2)
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        return {"error": loss}


model = Dropped()
model.compile("sgd")
model.fit(rows, labels, batch_size=5, epochs=2, shuffle=False, verbose=0)
"""
)

BATCH_BY_BATCH = (
    _HEAD
    + _FED
    + _MODEL
    + """
for epoch in range(2):
    for number in range(len(feed)):
        x, y = feed[number]
        model.train_on_batch(x, y)
"""
)

TAPE = (
    _HEAD
    + _MODEL
    + """
optimizer = keras.optimizers.SGD(0.001)
for x, y in tf.data.Dataset.from_tensor_slices((rows, labels)).batch(5):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
"""
)

NAMED = (
    _HEAD
    + """
inputs = {name: keras.Input((1,), name=name) for name in ("left", "right")}
both = keras.layers.Concatenate()([inputs["left"], inputs["right"]])
outputs = {name: keras.layers.Dense(1, name=name)(both) for name in ("low", "high")}
model = keras.Model(inputs, outputs)
model.compile("sgd", {"low": "mse", "high": "mse"})
x = {"left": rows, "right": rows + 100}
y = {"low": labels, "high": labels + 1}
data = tf.data.Dataset.from_tensor_slices((x, y)).batch(5)
model.fit(data, epochs=1, verbose=0)
"""
)

MIRRORED = (
    _HEAD
    + """
strategy = tf.distribute.MirroredStrategy()
with strategy.scope():
    model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
train = tf.data.Dataset.from_tensor_slices((rows, labels)).batch(4)
model.fit(train, epochs=1, verbose=0)
"""
)

EVALUATED = (
    _HEAD
    + """
epochs = 0


class Feed(keras.utils.Sequence):
    def __init__(self):
        super().__init__()

    def __len__(self):
        return 2

    def __getitem__(self, index):
        return rows[index * 4 : index * 4 + 4], labels[index * 4 : index * 4 + 4]

    def on_epoch_end(self):
        global epochs
        epochs += 1
        model.evaluate(rows[8:], labels[8:], verbose=0)


model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1, kernel_initializer="zeros")])
model.compile(keras.optimizers.SGD(0.0), "mse")
model.fit(Feed(), epochs=2, shuffle=False, verbose=0)
"""
)

REPORTED = (
    """\
import atexit
import collections
import logging
import threading
import time
"""
    + _HEAD
    + _MODEL
    + """
logging.basicConfig(level="INFO")
started = time.perf_counter()


def unused():
    return np.mean(rows)


class Options:
    def __init__(self):
        self.size = 5


def scored(part):
    model.predict_on_batch(part)


options = Options()
model.fit(rows, labels, batch_size=options.size, epochs=2, shuffle=False, verbose=0)
model.save("model.keras")
with open("submission.csv", "w") as file:
    for number, score in enumerate(model.predict(rows, verbose=0)[:, 0]):
        file.write(f"{number},{score:.4f}\\n")
scored(rows[:4])
took, count = 1 + (time.perf_counter() - started) / 1e6, 5000
recent, kept = collections.deque([1, 2]), [(model, 2)]
print("Epoch 2/2")
print(f"line {len(rows)} of the table after {time.perf_counter() - started:.9f} s")
print("read /data/train/table.csv")
logging.info("%d rows", len(rows))
threading.Thread(target=print, args=("the thread has ended",)).start()
atexit.register(print, "the program has ended")
"""
)
