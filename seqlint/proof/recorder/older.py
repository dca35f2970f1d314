"""Lets tf-keras take what Keras 2 took before 2.11: `lr`, which it ignores, and `decay`, which it refuses."""

from __future__ import annotations

import functools
import inspect
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from .tape import Tape


def instrument(tape: Tape, keras: ModuleType) -> None:
    """Patch the optimizers of tf-keras for the rest of this process."""
    base = keras.optimizers.Optimizer
    found: set[Any] = {value for value in vars(keras.optimizers).values() if isinstance(value, type)}
    for cls in found:
        if issubclass(cls, base) and "__init__" in vars(cls) and cls is not base:
            cls.__init__ = _as_before(tape, keras, cls.__init__)


def _as_before(tape: Tape, keras: ModuleType, original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def made(self: Any, *args: Any, **kwargs: Any) -> None:
        if "lr" in kwargs and not args and "learning_rate" not in kwargs:
            kwargs["learning_rate"] = kwargs.pop("lr")
            tape.notes["`lr` was taken for `learning_rate`, as Keras did before 2.11; tf-keras ignores it"] = None
        decay = kwargs.pop("decay", None)
        if decay:
            rate = args[0] if args else kwargs.get("learning_rate", _usual(type(self)))
            schedule = keras.optimizers.schedules.InverseTimeDecay(rate, 1, decay)
            args, kwargs = (
                (schedule, *args[1:]) if args else args,
                kwargs if args else {**kwargs, "learning_rate": schedule},
            )
            tape.notes["`decay` was taken for an InverseTimeDecay, which it was before Keras 2.11"] = None
        original(self, *args, **kwargs)

    return made


def _usual(cls: Any) -> Any:
    """The learning rate that an optimizer has by itself."""
    return inspect.signature(cls.__init__).parameters["learning_rate"].default
