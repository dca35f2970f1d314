"""The fit that callbacks are driven with: a tiny classifier on tiny arrays."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from types import ModuleType

_ROWS, _FEATURES, _CLASSES = 12, 8, 3


def fit_callback(callback: Any, eagerly: bool = False) -> None:
    """Train for two epochs, with validation, with this callback; eagerly is quicker where nothing is compared."""
    keras = line_of(callback)
    model = keras.Sequential([keras.Input((_FEATURES,)), keras.layers.Dense(_CLASSES, activation="softmax")])
    model.compile("sgd", "sparse_categorical_crossentropy", metrics=["accuracy"], run_eagerly=eagerly)
    random = np.random.Generator(np.random.PCG64(5))
    x, y = random.random((_ROWS, _FEATURES), dtype=np.float32), np.arange(_ROWS) % _CLASSES
    model.fit(x, y, batch_size=4, epochs=2, validation_data=(x, y), callbacks=[callback], verbose=0)


def line_of(*things: Any) -> ModuleType:
    """The Keras that made these; where none did, the one that `tf.keras` is."""
    for thing in things:
        for base in type(thing).__mro__:
            package = base.__module__.partition(".")[0]
            if package in ("keras", "tf_keras"):
                return importlib.import_module(package)
    import tensorflow as tf

    return importlib.import_module(tf.keras.Model.__module__.partition(".")[0])
