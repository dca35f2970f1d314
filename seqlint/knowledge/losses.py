"""Losses and metrics of Keras under one name each, and what they compare.

Read from the sources of Keras 3.15 and tf-keras 2.21.
"""

from __future__ import annotations

import re

_SHORT = {
    "mse": "mean_squared_error", "mae": "mean_absolute_error", "mape": "mean_absolute_percentage_error",
    "msle": "mean_squared_logarithmic_error", "bce": "binary_crossentropy", "cce": "categorical_crossentropy", "logcosh": "log_cosh",
}  # fmt: skip
CATEGORICAL = frozenset({"categorical_crossentropy", "categorical_focal_crossentropy"})
SPARSE = frozenset({"sparse_categorical_crossentropy"})
BINARY = frozenset({"binary_crossentropy", "binary_focal_crossentropy"})
OF_PROBABILITIES = CATEGORICAL | SPARSE | BINARY
OF_NUMBERS = frozenset({
    "mean_squared_error", "mean_absolute_error", "mean_absolute_percentage_error", "mean_squared_logarithmic_error", "huber", "log_cosh",
    "root_mean_squared_error",
})  # fmt: skip
"""Losses that measure how far two numbers are from each other."""
WITH_LOGITS_FIRST = frozenset({"BinaryCrossentropy", "CategoricalCrossentropy", "SparseCategoricalCrossentropy"})
"""Classes whose first parameter is `from_logits`."""
_WORD = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def plain(name: str) -> str:
    """The one name of a loss or metric: "mean_squared_error" for "mse", "MSE" and "MeanSquaredError"."""
    short = name.rpartition(".")[2]
    return _SHORT.get(short.lower()) or _WORD.sub("_", short).lower()
