"""Standard output and error: the only place where seqlint prints."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from collections.abc import Iterable

    from seqlint.cli.options import Colour
    from seqlint.output.paint import Paint
    from seqlint.sources.discovery import Problem


def say(text: str) -> None:
    """Write text to standard output; characters that it can't show are escaped."""
    _write(sys.stdout, text)


def remark(text: str) -> None:
    """Write text about the run to standard error."""
    _write(sys.stderr, text)


def complain(message: str) -> None:
    """Write an error to standard error, in one line."""
    remark(f"error: {' '.join(message.split())}\n")


def complain_of(problems: Iterable[Problem]) -> None:
    """Write what could not be looked at to standard error."""
    for problem in problems:
        complain(f"{problem.path}: {problem.message}")


def hand_over(data: bytes) -> None:
    """Write bytes to standard output as they are."""
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def take() -> bytes:
    """All bytes of standard input."""
    return sys.stdin.buffer.read()


def paint(when: Colour) -> Paint:
    """Colours as asked for; by themselves on a terminal that has them, unless NO_COLOR is set."""
    from seqlint.output.paint import Paint

    if when.value != "auto":
        return Paint(when.value == "always")
    return Paint(sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb")


def _write(stream: TextIO, text: str) -> None:
    encoding = stream.encoding or "utf-8"
    stream.write(text.encode(encoding, "backslashreplace").decode(encoding))
