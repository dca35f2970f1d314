"""The Keras in use: which of the measured lines of Keras a file can run on, and how that is known."""

from seqlint.facts.keras.code import backends
from seqlint.facts.keras.in_use import Declarations, KerasInUse, keras_in_use, parse_range

__all__ = ["Declarations", "KerasInUse", "backends", "keras_in_use", "parse_range"]
