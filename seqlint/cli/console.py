"""Standard output and error: the only place where seqlint prints."""

from __future__ import annotations

import os
import sys
import threading
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, TextIO

from seqlint.model import SeqlintError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from seqlint.cli.choices import Colour
    from seqlint.output.paint import Paint
    from seqlint.sources.discovery import Problem


_writing = threading.Lock()
_status = ""


def say(text: str) -> None:
    """Write text to standard output; characters that it can't show are escaped.

    Raises:
        SeqlintError: it can't be written, as where a disk is full. A reader that has left is no error.
    """
    with _output():
        _write(sys.stdout, text)


def remark(text: str) -> None:
    """Write text about the run to standard error, if that can be."""
    with suppress(OSError):
        _write(sys.stderr, text)


def complain(message: str) -> None:
    """Write an error to standard error, in one line."""
    remark(f"error: {' '.join(message.split())}\n")


def complain_of(problems: Iterable[Problem]) -> None:
    """Write what could not be looked at to standard error."""
    for problem in problems:
        complain(f"{problem.path}: {problem.message}")


def status(text: str) -> None:
    """Write over the line of standard error that says how far a run is; empty: take it away. Anything else that is written does so."""
    with _writing, suppress(OSError):
        _show(text)


def hand_over(data: bytes) -> None:
    """Write bytes to standard output as they are.

    Raises:
        SeqlintError: they can't be written.
    """
    with _output():
        if sys.stdout is not None:
            with _writing:
                _show("")
                sys.stdout.buffer.write(data)
                sys.stdout.buffer.flush()


def finish() -> None:
    """Hand on what standard output still holds, while what goes wrong with it can be told.

    Raises:
        SeqlintError: it can't be written.
    """
    with _output():
        if sys.stdout is not None and not sys.stdout.closed:  # an editor that goes has closed it
            sys.stdout.flush()


def take() -> bytes:
    """All bytes of standard input; none where it is closed."""
    return b"" if sys.stdin is None else sys.stdin.buffer.read()


def ask(question: str) -> str | None:
    """The answer to a question, in lower case and without blanks; None where standard input has come to its end."""
    say(question)
    if sys.stdout is not None:
        sys.stdout.flush()
    line = "" if sys.stdin is None else sys.stdin.readline()
    return line.strip().lower() if line else None


def paint(when: Colour) -> Paint:
    """Colours as asked for; by themselves on a terminal that has them, unless NO_COLOR is set."""
    from seqlint.output.paint import Paint

    if when.value != "auto":
        return Paint(when.value == "always")
    terminal = sys.stdout is not None and sys.stdout.isatty()
    return Paint(terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb")


def width() -> int | None:
    """How many characters a line of the terminal holds; None where standard output is not a terminal."""
    if sys.stdout is None or not sys.stdout.isatty():
        return None
    from shutil import get_terminal_size

    return max(get_terminal_size().columns, 40)


def _write(stream: TextIO | None, text: str) -> None:
    if stream is None:  # a process may be started without one
        return
    encoding = stream.encoding or "utf-8"
    with _writing:
        _show("")
        stream.write(text.encode(encoding, "backslashreplace").decode(encoding))


def _show(text: str) -> None:
    """Show a text in the line of the cursor, and put the cursor after it, on any terminal."""
    global _status
    if text == _status or sys.stderr is None:
        return
    blanks = " " * (len(_status) - len(text))
    _status = text
    sys.stderr.write(f"\r{text}{blanks}" if text else f"\r{blanks}\r")
    sys.stderr.flush()


@contextmanager
def _output() -> Iterator[None]:
    """What is to happen where standard output fails: who reads may have read enough, as `head` does."""
    try:
        yield
    except BrokenPipeError:
        _give_up()
    except OSError as error:
        from seqlint.sources.disk import reason

        _give_up()
        raise SeqlintError(f"standard output can't be written: {reason(error)}") from error


def _give_up() -> None:
    """Point standard output to nowhere, so that what it still holds does not fail again at the end of the process."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
