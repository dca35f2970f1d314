"""Records the calls of the hooks that the program's own Sequence, PyDataset and Callback classes define."""

from __future__ import annotations

import functools
import os
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from .tape import Tape

_DATA_HOOKS = frozenset({"on_epoch_begin", "on_epoch_end"})


def instrument(tape: Tape, keras: ModuleType) -> None:
    """Have every class that is derived from now on note its hook calls."""
    for name in ("PyDataset", "Sequence"):
        base = getattr(keras.utils, name, None)
        if base is not None and "__init_subclass__" not in vars(base):
            _watch(tape, base, _DATA_HOOKS.__contains__)
    _watch(tape, keras.callbacks.Callback, lambda name: name.startswith("on_"))


def _watch(tape: Tape, base: Any, is_hook: Callable[[str], bool]) -> None:
    def derived(cls: Any, /, **kwargs: Any) -> None:
        super(base, cls).__init_subclass__(**kwargs)
        if own(tape, cls.__module__):
            _wrap(tape, cls, is_hook)

    base.__init_subclass__ = classmethod(derived)


def own(tape: Tape, module: str) -> bool:
    """Whether a module belongs to the program: the script, or a file next to it."""
    if module == "__main__":
        return True
    found = sys.modules.get(module)
    if found is None or tape.imported.get(module) is found:
        return False
    file = getattr(found, "__file__", None)
    return bool(file) and os.path.realpath(str(file)).startswith(os.path.realpath(tape.job["folder"]) + os.sep)


def _wrap(tape: Tape, cls: type, is_hook: Callable[[str], bool]) -> None:
    for name, function in list(vars(cls).items()):
        if is_hook(name) and hasattr(function, "__get__") and callable(function):
            setattr(cls, name, _noted(tape, function))


def _noted(tape: Tape, function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def hook(self: Any, *args: Any, **kwargs: Any) -> Any:
        with tape.once((id(self), function.__name__)) as outermost:
            if outermost:
                tape.hook(f"{type(self).__qualname__}.{function.__name__}")
            return function(self, *args, **kwargs)

    return hook
