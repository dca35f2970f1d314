"""A small model that trains on any batch: tensors, tuples, dicts, of any shape and any type that a tensor has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import tensorflow as tf

if TYPE_CHECKING:
    from types import ModuleType

_BUCKETS = 997
_FEATURES = 3


def small_model(keras: ModuleType) -> Any:
    """A compiled model of one Keras (`keras` or `tf_keras`).

    Each tensor of `x` becomes three numbers a row, each tensor of `y` one; the loss is the mean squared error between
    them, weighted where there are sample weights. So every value of a batch counts, and no structure is refused.
    """

    class Small(keras.Model):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.kernel = self.add_weight(shape=(_FEATURES, 1), initializer="ones", name="kernel")
            self.bias = self.add_weight(shape=(1,), initializer="zeros", name="bias")
            self.tracker = keras.metrics.Mean(name="loss")
            self.built = True

        def call(self, inputs: Any, training: bool = False) -> Any:
            leaves = _leaves(inputs)
            total = tf.add_n([_features(leaf) / (1.0 + number) for number, leaf in enumerate(leaves)])
            kernel, bias = (tf.convert_to_tensor(weight) for weight in (self.kernel, self.bias))
            return tf.linalg.matmul(total, kernel) + bias

        def train_step(self, data: Any) -> Any:
            with tf.GradientTape() as tape:
                loss = _loss(self, data)
            # Optimizers of Keras 3 take the variables, and those of tf-keras as well.
            weights = self.trainable_variables
            self.optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights, strict=True))
            self.tracker.update_state(loss)
            return {"loss": self.tracker.result()}

        def test_step(self, data: Any) -> Any:
            self.tracker.update_state(_loss(self, data))
            return {"loss": self.tracker.result()}

        @property
        def metrics(self) -> list[Any]:
            return [self.tracker]

    model = Small()
    model.compile(optimizer=keras.optimizers.SGD(0.01))
    return model


def _loss(model: Any, data: Any) -> Any:
    x, y, weight = _parts(data)
    guess = model(x, training=True)[:, 0]
    targets = _leaves(y)
    if not targets:
        return tf.reduce_mean(tf.square(guess))
    errors = [tf.square(guess - _features(target)[:, 0]) for target in targets]
    weights = [tf.reduce_mean(_rows(leaf), axis=1) for leaf in _leaves(weight)]
    if len(weights) == 1:
        weights *= len(errors)
    weights = weights or [tf.ones_like(guess)] * len(errors)
    return tf.add_n([tf.reduce_mean(error * one) for error, one in zip(errors, weights, strict=True)])


def _parts(data: Any) -> tuple[Any, Any, Any]:
    """Inputs, targets and sample weights, as Keras unpacks a batch."""
    if isinstance(data, list):
        data = tuple(data)
    if not isinstance(data, tuple):
        return data, None, None
    return (*data, None, None)[:3] if len(data) <= 3 else (data, None, None)


def _leaves(data: Any) -> list[Any]:
    return [leaf for leaf in tf.nest.flatten(data) if leaf is not None]


def _rows(leaf: Any) -> Any:
    """A tensor as numbers, one row for each sample."""
    if isinstance(leaf, (tf.SparseTensor, tf.RaggedTensor)):
        leaf = tf.sparse.to_dense(leaf) if isinstance(leaf, tf.SparseTensor) else leaf.to_tensor()
    leaf = tf.convert_to_tensor(leaf)
    if leaf.dtype == tf.string:
        leaf = tf.strings.to_hash_bucket_fast(leaf, _BUCKETS)
    if leaf.dtype.is_complex:
        leaf = tf.abs(leaf)
    numbers = tf.cast(leaf, tf.float32)
    return tf.reshape(numbers, tf.stack([tf.shape(numbers)[0], -1]))


def _features(leaf: Any) -> Any:
    """Three numbers a row, kept small: the mean of the values, their spread, and where in the row they are."""
    rows = tf.math.asinh(_rows(leaf))
    places = tf.cos(tf.cast(tf.range(tf.shape(rows)[1]), tf.float32))
    return tf.stack(
        [tf.reduce_mean(rows, axis=1), tf.math.reduce_std(rows, axis=1), tf.reduce_mean(rows * places, axis=1)], axis=1
    )
