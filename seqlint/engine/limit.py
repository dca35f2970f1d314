"""A limit of time for the work on one file.

The work is told to stop by an exception that a second thread sets in its own, which works on all systems and on any thread. It stops between
two steps of Python: a single call of a library that never comes back is ended in the processes of a pool alone, with the process.

What counts is the time of the processor, so that a machine with much to do makes no file late.
"""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Result = TypeVar("Result")

_SHORTEST = 0.01  # seconds between two looks at the clock
_AGAIN = 1.0  # seconds; code may swallow any exception, and a thread may end with one that it has not seen
_here = threading.local()


class Late(BaseException):
    """The time for a file is over. No rule that is at work must take it for a fault of its own."""


class Watch:
    """Watches the work of one thread, or of another that it waits for."""

    def __init__(self, seconds: float) -> None:
        self._left = seconds
        self._thread = threading.get_ident()
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._late = False

    def start(self) -> None:
        """Begin to count."""
        threading.Thread(target=self._watch, name="seqlint-watch", daemon=True).start()

    def stop(self) -> None:
        """Count no more. An exception that is on its way does not come any more."""
        while True:
            try:
                with self._lock:
                    self._stopped.set()
                if self._late:
                    _absorb(self._thread)
                return
            except Late:  # it came while this was at work
                continue

    @contextmanager
    def elsewhere(self) -> Iterator[None]:
        """The work is done on this thread now."""
        before, self._thread, _here.watch = self._thread, threading.get_ident(), self
        try:
            yield
        finally:
            with self._lock:
                self._thread = before

    def _watch(self) -> None:
        begun = time.process_time()
        while (left := self._left - (time.process_time() - begun)) > 0:
            if self._stopped.wait(max(left, _SHORTEST)):
                return
        while not self._stopped.is_set():
            with self._lock:
                if not self._stopped.is_set():
                    self._late = True
                    _raise_in(self._thread, Late)
            self._stopped.wait(_AGAIN)


def _raise_in(thread: int, error: type[BaseException]) -> None:
    """Set the exception that a thread raises at its next step."""
    import ctypes  # which hardly any run needs

    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(error))


def _absorb(thread: int) -> None:
    """Let the exception that this thread may still have to raise come here, and no later.

    Python could take it back instead, but would go on to look for it at each step of the process from then on; under
    `sys.setprofile` Python 3.11 then never comes to an end.
    """
    with suppress(Late):
        _raise_in(thread, Late)
        for _ in range(1_000):  # an exception comes where a loop begins anew
            pass


def watch() -> Watch | None:
    """What watches the work of this thread."""
    return getattr(_here, "watch", None)


def within(seconds: float, work: Callable[[], Result]) -> Result | None:
    """What the work gives; None where it takes longer.

    Args:
        seconds: of the processor; 0 for as many as it takes.
    """
    if not seconds:
        return work()
    outer, here = watch(), Watch(seconds)
    _here.watch = here
    try:
        try:
            here.start()
            return work()
        finally:
            here.stop()
    except Late:
        return None
    finally:
        _here.watch = outer
