"""How far a run is: a line on a terminal, for what takes longer than somebody likes to wait without a word.

It is on standard error alone, and gone when the run ends or says something. It is written by hand, because the libraries for it hide the
cursor of the terminal, and a run that is killed could not show it again.
"""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from seqlint.cli import console

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable, Iterator

AFTER = 2.0
"""Seconds before there is a line."""
_EACH = 0.2
_NARROW = 80


@contextmanager
def shown(doing: str, files: int = 0) -> Iterator[Callable[[int], object]]:
    """Show how far the block is, once it takes long. It gets a function that it tells how many more files are done.

    Args:
        doing: such as "checking".
        files: how many there are; 0: nobody knows, and the time is shown alone.
    """
    if not _is_wanted():
        yield _nobody
        return
    import threading

    done: list[int] = []
    over = threading.Event()
    thread = threading.Thread(target=_show, args=(doing, files, done, over), name="seqlint-progress", daemon=True)
    thread.start()
    try:
        yield done.append
    finally:
        over.set()
        thread.join()


def _nobody(done: int) -> None:
    """Take the number of files that are done, and tell nobody."""


def _is_wanted() -> bool:
    """Whether somebody sits before a terminal that can write over a line; a log would keep each of them."""
    if sys.stderr is None or not sys.stderr.isatty():
        return False
    return os.environ.get("TERM") != "dumb" and not os.environ.get("CI")


def _show(doing: str, files: int, done: list[int], over: threading.Event) -> None:
    import time

    from seqlint.output.text import count

    begun = time.monotonic()
    wait = AFTER
    while not over.wait(wait):
        seconds = f"{time.monotonic() - begun:.0f} s"
        how_far = f"{sum(done)} of {count(files, 'file')}, {seconds}" if files else seconds
        console.status(f"{doing}: {how_far}"[: _width() - 1])
        wait = _EACH
    console.status("")


def _width() -> int:
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or _NARROW
    except (OSError, ValueError):
        return _NARROW


__all__ = ["AFTER", "shown"]
