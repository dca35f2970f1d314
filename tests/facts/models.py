"""Models, metrics and data for programs that train: each begins with this."""

from __future__ import annotations

START = """
import functools
import keras
import numpy as np
import tensorflow as tf
from keras import layers

x = np.random.default_rng(0).random((8, 3)).astype("float32")
y = (x[:, :1] > 0.5).astype("float32")


def one():
    return keras.Sequential([keras.Input((3,)), layers.Dense(1, activation="sigmoid", name="only")])


def two(first="a", second="b"):
    inputs = keras.Input((3,))
    left = layers.Dense(1, name="a", activation="sigmoid")(inputs)
    right = layers.Dense(1, name="b", activation="sigmoid")(inputs)
    return keras.Model(inputs, [left, right])


def f1_m(true, predicted):
    return tf.reduce_mean(true * predicted)


def myF1(true, predicted):
    return tf.reduce_mean(true * predicted)


def R2(true, predicted):
    return tf.reduce_mean(true * predicted)


def IoU_Coef(true, predicted):
    return tf.reduce_mean(true * predicted)


@tf.function
def Graph(true, predicted):
    return tf.reduce_mean(true * predicted)


def within(limit):
    def close(true, predicted):
        return tf.reduce_mean(tf.cast(tf.abs(true - predicted) < limit, "float32"))

    return close


class Count(keras.metrics.Metric):
    def __init__(self, name=None, **kwargs):
        super().__init__(name=name, **kwargs)
        self.seen = self.add_weight(name="seen", initializer="zeros")

    def update_state(self, y_true, y_pred, sample_weight=None):
        self.seen.assign_add(1.0)

    def result(self):
        return self.seen


class Given(Count):
    def __init__(self, **kwargs):
        super().__init__(name="given", **kwargs)


class Both(Count):
    def result(self):
        return {"low": self.seen, "high": self.seen}


class MyAUC(keras.metrics.AUC):
    pass


class MyError(keras.metrics.MeanAbsoluteError):
    pass


class Plus:
    def __call__(self, true, predicted):
        return tf.reduce_mean(true + predicted)


class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = layers.Dense(1, activation="sigmoid")
        self.extra = keras.metrics.Mean(name="extra")

    def call(self, inputs):
        return self.dense(inputs)


class Pair(keras.Model):
    def __init__(self):
        super().__init__()
        self.left = layers.Dense(1, activation="sigmoid")
        self.right = layers.Dense(1, activation="sigmoid")

    def call(self, inputs):
        return self.left(inputs), self.right(inputs)


class Keyed(Pair):
    def call(self, inputs):
        return {"u": self.left(inputs), "v": self.right(inputs)}


class Stepped(Net):
    def train_step(self, data):
        super().train_step(data)
        return {"own": 0.5}


class Compiled(Net):
    def __init__(self):
        super().__init__()
        self.compile("sgd", "mse", metrics=["mae"])


BCE = "binary_crossentropy"
"""
