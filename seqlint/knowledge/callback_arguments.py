"""Arguments of callbacks that Keras 2 has and Keras 3 does not.

Measured on Keras 3.3, Keras 3.15 and tf-keras 2.21.
"""

from __future__ import annotations

CHECKPOINT = "keras.callbacks.ModelCheckpoint"
PLATEAU = "keras.callbacks.ReduceLROnPlateau"
OF_CHECKPOINT = frozenset({
    "filepath", "monitor", "verbose", "save_best_only", "save_weights_only", "mode", "save_freq", "initial_value_threshold",
})  # fmt: skip
"""All that ModelCheckpoint takes on Keras 3. On Keras 2 it takes anything, and minds some."""
REMOVED: dict[str, frozenset[str]] = {
    "keras.callbacks.TensorBoard": frozenset({"write_grads", "batch_size", "embeddings_data", "embeddings_layer_names"}),
    "keras.callbacks.BackupAndRestore": frozenset({"save_before_preemption"}),
    PLATEAU: frozenset({"epsilon"}),
}  # fmt: skip
"""Keras 3 raises TypeError for these, but for `epsilon`, which it ignores."""
WITHOUT_EFFECT: dict[str, object] = {
    "period": 1, "load_weights_on_restart": False, "options": None, "save_format": ..., "write_grads": False, "batch_size": ...,
    "embeddings_data": None, "embeddings_layer_names": None, "save_before_preemption": ...,
}  # fmt: skip
"""The value with which an argument says nothing, so that it can be left out; `...` for any."""


def removed(name: str, given: list[str]) -> list[str]:
    """The arguments of a callback, by its canonical name, that Keras 3 does not have."""
    name = name.removesuffix(".__init__")
    if name == CHECKPOINT:
        return [each for each in given if each not in OF_CHECKPOINT and each.isidentifier()]
    return [each for each in given if each in REMOVED.get(name, ())]
