"""The progress bar of Keras: in a fit it prints times, and values that are in the history; the program may use it for values of its own."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from .hooks import own

if TYPE_CHECKING:
    from types import FrameType, ModuleType

    from .tape import Tape


def instrument(tape: Tape, keras: ModuleType) -> None:
    """Let bars of Keras print nothing, and those of the program one line for each update, for the rest of this process."""

    def update(self: Any, current: Any, values: Any = None, *_: Any, **__: Any) -> None:
        self._seen_so_far = current  # `add` counts on from there
        if _is_own(tape, sys._getframe(1)):
            told = [f"{name}: {_shown(value)}" for name, value in values or ()]
            print(" ".join([f"{current} of {self.target}", *told]))

    keras.utils.Progbar.update = update


def _is_own(tape: Tape, frame: FrameType | None) -> bool:
    """Whether the program asks for it, itself or through the bar's `add`."""
    if frame is not None and frame.f_code.co_name == "add":
        frame = frame.f_back
    return frame is not None and own(tape, str(frame.f_globals.get("__name__", "")))


def _shown(value: Any) -> str:
    try:
        return f"{float(value):.4g}"
    except (TypeError, ValueError):
        return str(value)
