"""Does what Python does once a program has come to its end: waits for threads and processes, and calls what it registered."""

from __future__ import annotations

import atexit
import multiprocessing
import os
import sys
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from . import streams
from .hooks import own

if TYPE_CHECKING:
    from collections.abc import Callable

    from .tape import Tape

_FAILED = 1


class Leaving:
    """The functions that the program has registered for its end; those of libraries wait for threads that may hang."""

    def __init__(self, tape: Tape) -> None:
        self._tape = tape
        self._registered: list[tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]] = []
        self._register, self._unregister = atexit.register, atexit.unregister
        atexit.register, atexit.unregister = self.register, self.unregister

    def register(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Callable[..., Any]:
        """What stands for `atexit.register`."""
        if own(self._tape, str(sys._getframe(1).f_globals.get("__name__", ""))):
            self._registered.append((function, args, kwargs))
        else:
            self._register(function, *args, **kwargs)
        return function

    def unregister(self, function: Callable[..., Any], /) -> None:
        """What stands for `atexit.unregister`."""
        self._registered = [item for item in self._registered if item[0] != function]
        self._unregister(function)

    def leave(self) -> None:
        """Wait and call, in the order of Python."""
        _wait_for_threads()
        while self._registered:
            function, args, kwargs = self._registered.pop()
            try:
                function(*args, **kwargs)
            except SystemExit:
                continue
            except BaseException as error:
                streams.show(error)
        for process in multiprocessing.active_children():
            if not process.daemon:
                process.join()


def _wait_for_threads() -> None:
    with suppress(AttributeError):  # private: pools of threads end themselves there
        for end in reversed(threading._threading_atexits):  # type: ignore[attr-defined]
            end()
    while waited := [
        thread for thread in threading.enumerate() if not thread.daemon and thread is not threading.current_thread()
    ]:
        for thread in waited:
            thread.join()


def leave_fork(error: BaseException | None) -> None:
    """End a process that the program has forked, and that came to the end of the script: its notes are not those of the run."""
    code = getattr(error, "code", _FAILED) if error is not None else None
    if isinstance(code, str):
        sys.stderr.write(f"{code}\n")
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code & 0xFF if isinstance(code, int) else _FAILED if code is not None else 0)
