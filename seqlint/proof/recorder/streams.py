"""The standard error stream, with a copy of what the program itself writes there: libraries hold an older one."""

from __future__ import annotations

import functools
import io
import os
import sys
from typing import Any


class Said(io.TextIOWrapper):
    """Writes to the standard error stream, and to a file next to it."""

    def __init__(self, path: str) -> None:
        super().__init__(open(2, "wb", closefd=False), encoding="utf-8", errors="replace", line_buffering=True)  # noqa: SIM115
        self._copy = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self.copying = True
        self.noted: set[str] = set()

    def write(self, text: str) -> int:
        """Write to both."""
        if self.copying and not any(message in text for message in self.noted):
            os.write(self._copy, text.encode("utf-8", "replace"))
        return super().write(text)


def instrument(path: str) -> None:
    """Let `tf.print` write to the copy: its own way to the error stream passes Python by, among all that TensorFlow itself says there."""
    import tensorflow as tf

    original = tf.print
    copy = f"file://{path}"

    @functools.wraps(original)
    def told(*inputs: Any, **options: Any) -> Any:
        stream = options.get("output_stream", sys.stderr)
        return original(*inputs, **{**options, "output_stream": copy if stream is sys.stderr else stream})

    told.autograph_info__ = {}  # type: ignore[attr-defined]  # AutoGraph leaves such functions alone
    tf.print = told


def note(message: str) -> None:
    """Leave out what repeats a message that is recorded elsewhere: the program may print the logs of libraries."""
    if message and isinstance(sys.stderr, Said):
        sys.stderr.noted.add(message)


def show(error: BaseException) -> None:
    """Show what ended the program as Python does, which is recorded elsewhere."""
    stream = sys.stderr
    if not isinstance(stream, Said):
        sys.excepthook(type(error), error, error.__traceback__)
        return
    stream.copying = False
    try:
        sys.excepthook(type(error), error, error.__traceback__)
    finally:
        stream.copying = True
