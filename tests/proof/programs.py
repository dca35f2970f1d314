"""Small programs that the tests run: a Sequence of ten rows whose label is the number of the row."""

from __future__ import annotations

FEED = """\
import math
import os
import sys
import time

import numpy as np
import tensorflow as tf
from tensorflow import keras


class Feed(keras.utils.Sequence):
    def __init__(self, size=4):
        if keras.__name__ == "keras":
            super().__init__()
        self.rows = np.random.default_rng().normal(size=(10, 3)).astype("float32")
        self.labels = np.arange(10, dtype="float32")
        self.size = size

    def __len__(self):
        return math.ceil(len(self.rows) / self.size)

    def __getitem__(self, index):
        part = slice(index * self.size, (index + 1) * self.size)
        return self.rows[part], self.labels[part]


def network():
    model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    return model


feed = Feed()
model = network()
"""

FIT = FEED + "model.fit(feed, epochs=2, shuffle=False, verbose=0)\n"

HOOKED = FEED + (
    """
calls = 0


class Checked(Feed):
    def on_epoch_end(self):
        global calls
        calls += 1
        model.evaluate(-self.rows, 9 * self.labels, verbose=0)


class Note(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        print("epoch", epoch, "is over")


model.fit(Checked(), epochs=2, shuffle=False, callbacks=[Note()])
"""
)

MOVED = HOOKED.replace(
    """
class Checked(Feed):
    def on_epoch_end(self):
        global calls
        calls += 1
        model.evaluate(-self.rows, 9 * self.labels, verbose=0)
""",
    """
class Checked(Feed):
    pass


class Evaluate(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        global calls
        calls += 1
        self.model.evaluate(-feed.rows, 9 * feed.labels, verbose=0)
""",
).replace("callbacks=[Note()]", "callbacks=[Evaluate(), Note()]")
