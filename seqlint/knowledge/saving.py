"""The paths that Keras takes when it saves and loads, by how they end.

Measured on Keras 3.3, Keras 3.15 and tf-keras 2.21; what tf-keras refuses is not listed.
"""

from __future__ import annotations

from typing import Literal

SaveKind = Literal["checkpoint", "save", "save_weights", "load_model", "load_weights"]
"""How a model is saved or loaded: by ModelCheckpoint, `save`, `save_weights`, `load_model`, `load_weights`."""

MODEL_SUFFIX = ".keras"
WEIGHTS_SUFFIX = ".weights.h5"
WHOLE = (".keras", ".h5", ".hdf5")
"""What `save` and `load_model` take on Keras 3."""
CHECKPOINT = (".keras", ".h5")
"""What ModelCheckpoint takes for whole models on Keras 3.10 and later; before, `.keras` alone."""
WEIGHTS = (".weights.h5",)
"""What is taken for weights."""
LOADED_WEIGHTS = (".keras", ".h5", ".hdf5", ".weights.json")
REMOTE = "hf://"
"""How a path on Hugging Face begins: it needs no suffix."""
OLD_SUFFIXES = (
    ".weights.hdf5",
    ".weights.ckpt",
    ".hdf5",
    ".hdf",
    ".h5",
    ".ckpt",
    ".tf",
    ".pb",
    ".model",
    ".weights",
    ".keras",
)
"""Suffixes that say how something was saved: another one takes their place."""

CHECKPOINT_PARAMETERS = ("filepath", "monitor", "verbose", "save_best_only", "save_weights_only", "mode", "save_freq")
KINDS: dict[str, SaveKind] = {
    "keras.callbacks.ModelCheckpoint": "checkpoint", "keras.callbacks.ModelCheckpoint.__init__": "checkpoint",
    "keras.save_model": "save", "keras.saving.save_model": "save", "keras.load_model": "load_model",
    "keras.saving.load_model": "load_model", "keras.saving.save_weights": "save_weights", "keras.saving.load_weights": "load_weights",
}  # fmt: skip
METHODS: dict[str, SaveKind] = {"save": "save", "save_weights": "save_weights", "load_weights": "load_weights"}
REMOVED: dict[SaveKind, tuple[str, ...]] = {
    "save": ("save_traces", "signatures", "options"), "save_weights": ("save_format", "options"), "load_model": ("options",),
    "load_weights": ("options",), "checkpoint": (),
}  # fmt: skip
"""Arguments that Keras 3 refuses, whatever the path is."""
