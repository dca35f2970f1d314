"""What is a callback: of Keras, of a library that makes some for Keras, or of the program."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.run import Instance, Result
from seqlint.run import callbacks as driven
from seqlint.run.objects import constant

if TYPE_CHECKING:
    from seqlint.run import Object

_HOMES = (
    "keras.callbacks.", "horovod.keras.callbacks.", "tensorflow_addons.callbacks.", "wandb.keras.", "wandb.integration.keras.", "tqdm.keras.",
    "livelossplot.PlotLossesKeras", "tensorflow_model_optimization.sparsity.keras.",
)  # fmt: skip
_NONE = frozenset({"History", "BaseLogger", "ProgbarLogger", "CallbackList"})
"""What Keras adds by itself, and what lies among the callbacks without being one."""
_MONITORS = {
    "keras.callbacks.EarlyStopping": 0,
    "keras.callbacks.ReduceLROnPlateau": 0,
    "keras.callbacks.ModelCheckpoint": 1,
}


def is_callback(found: Object) -> bool:
    """Whether an object is a callback that does nothing until a training gets it."""
    if isinstance(found, Instance):
        return driven.is_callback(found.cls)
    if not isinstance(found, Result) or found.op != "call" or found.receiver is not None:
        return False
    last = found.method
    return found.name.startswith(_HOMES) and last[:1].isupper() and last not in _NONE


def name_of(found: Result | Instance) -> str:
    """The name of a callback's class."""
    return found.cls.name if isinstance(found, Instance) else found.method


def monitored(found: Object) -> object:
    """The value of `logs` that a callback of Keras decides by; None for another callback, `...` where it is not known."""
    place = _MONITORS.get(found.name) if isinstance(found, Result) else None
    if place is None or not isinstance(found, Result):
        return None
    given = found.keyword("monitor") or (found.args[place] if place < len(found.args) else None)
    return "val_loss" if given is None else constant(given)
