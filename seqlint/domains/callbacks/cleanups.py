"""What callbacks hold while a training runs, and release in `on_train_end` alone."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from seqlint.domains.callbacks.hooks import hook_of
from seqlint.run import Class, Instance, Result
from seqlint.run.attributes import lineage
from seqlint.run.objects import constant, itself

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Call, Context, Object, Run

_RELEASES = {
    "builtins.open": ("close", "__exit__"),
    "io.open": ("close", "__exit__"),
    "gzip.open": ("close", "__exit__"),
    "h5py.File": ("close", "__exit__"),
    "sqlite3.connect": ("close",),
    "socket.socket": ("close", "shutdown"),
    "subprocess.Popen": ("terminate", "kill", "wait", "communicate"),
    "multiprocessing.Pool": ("close", "terminate", "__exit__"),
    "multiprocessing.pool.ThreadPool": ("close", "terminate", "__exit__"),
    "multiprocessing.Process": ("terminate", "kill", "join"),
    "concurrent.futures.ThreadPoolExecutor": ("shutdown", "__exit__"),
    "concurrent.futures.ProcessPoolExecutor": ("shutdown", "__exit__"),
    "threading.Lock": ("release",),
    "threading.RLock": ("release",),
    "multiprocessing.Lock": ("release",),
    "filelock.FileLock": ("release",),
    "filelock.SoftFileLock": ("release",),
    "fasteners.InterProcessLock": ("release",),
}
"""What has to be released, and by which methods."""
_TAKES = {"release": "acquire"}
"""Locks are held once they are taken."""
_FILES = frozenset({"builtins.open", "io.open", "gzip.open"})
_READS = ("r", "rb", "rt")
_WRITE_ALONE = frozenset(
    {"csv.writer", "csv.DictWriter", "json.dump", "pickle.dump", "builtins.print", "numpy.savetxt", "yaml.dump"}
)
"""What gets a file, and never closes it."""
_LINE_BUFFERED = (0, 1)
_BUFFERING_PLACE = 2


@dataclass(frozen=True, eq=False)
class Cleanup:
    """Something that stays held when a training fails.

    Attributes:
        call: the `close` or `release` in `on_train_end`, or in a function that it calls.
        held: what is released: the last name of what made it, such as "open" or "FileLock".
        owner: the name of the callback's class.
    """

    call: Call
    held: str
    owner: str


class Cleanups:
    """The releases of a run that only the end of a training does."""

    def __init__(self, run: Run) -> None:
        self._run = run

    @cached_property
    def all(self) -> tuple[Cleanup, ...]:
        """One for each thing that is held, in running order."""
        if not self._run.complete:
            return ()
        found: dict[object, Cleanup] = {}
        for call in self._run.calls:
            receiver = itself(call.result.receiver)
            if isinstance(receiver, Result) and self._is_at_end(call, receiver) and receiver.node not in found:
                found.update((receiver.node, one) for one in self._of(call, receiver))
        return tuple(found.values())

    def _is_at_end(self, call: Call, held: Result) -> bool:
        """Whether a call releases something when a training has ended well, in code of this file."""
        if call.result.method not in _RELEASES.get(held.name, ()) or not self._run.is_here(call.context):
            return False
        return _is_end(call.context)

    def _of(self, call: Call, held: Result) -> Iterator[Cleanup]:
        owner = self._owner(call.context)
        if owner is None or not self._is_own(owner, held) or self._cleans_itself(owner):
            return
        if self._is_released_elsewhere(held) or self._is_safe(held):
            return
        yield Cleanup(call, held.method, owner.cls.name)

    def _owner(self, context: Context) -> Instance | None:
        """The callback whose `on_train_end` runs."""
        phase = hook_of(context)
        owners = (each.receiver for each in self._run.entered if phase is not None and each.phase is phase)
        return next((each for each in owners if isinstance(each, Instance)), None)

    def _is_own(self, owner: Instance, held: Result) -> bool:
        """Whether the class of the callback makes it, before the training ends."""
        made = self._run.call_of.get(held)
        classes = (each for each in lineage(owner.cls) if isinstance(each, Class))
        inside = any(held.node is node for each in classes for node in ast.walk(each.node))
        return made is not None and inside and not _is_end(made.context)

    def _is_released_elsewhere(self, held: Result) -> bool:
        """Whether other code releases or flushes it, too, or somebody gets it who may."""
        methods = _RELEASES[held.name]
        asked = (call for call in self._run.calls if _is_made_by(itself(call.result.receiver), held))
        if any(call.result.method in (*methods, "flush") and not _is_end(call.context) for call in asked):
            return True
        return any(_is_handed(each, held) for call in self._run.calls for each in _given(call))

    def _is_safe(self, held: Result) -> bool:
        """Whether nothing is lost while it is held: a file that is only read, or written line by line, or a lock that nobody takes."""
        if held.name in _FILES and _writes_at_once(held):
            return True
        taken = _TAKES.get(_RELEASES[held.name][0])
        takes = (call for call in self._run.calls if call.result.method == taken and not _is_end(call.context))
        return taken is not None and not any(_is_made_by(itself(call.result.receiver), held) for call in takes)

    def _cleans_itself(self, owner: Instance) -> bool:
        """Whether the class says what happens when it is let go."""
        return any(name in owner.cls.frame.own for name in ("__del__", "__exit__"))


def _is_end(context: Context) -> bool:
    phase = hook_of(context)
    return phase is not None and phase.method == "on_train_end"


def _is_made_by(found: Object | None, held: Result) -> bool:
    return isinstance(found, Result) and found.op == "call" and found.node is held.node


def _is_handed(given: Object, held: Result) -> bool:
    """Whether somebody gets a thing, or a method of it."""
    owner = itself(given.receiver) if isinstance(given, Result) else None
    return _is_made_by(given, held) or _is_made_by(owner, held)


def _given(call: Call) -> Iterator[Object]:
    """What code that may release it is given."""
    if call.name not in _WRITE_ALONE:
        yield from (each for value in call.result.args for each in value)
        yield from (each for _, value in call.result.keywords for each in value)


def _writes_at_once(made: Result) -> bool:
    mode = made.argument("mode", 1)
    places = made.args[_BUFFERING_PLACE:]
    buffering = made.keyword("buffering") or (places[0] if places else None)
    reads = mode is None or constant(mode) is ... or constant(mode) in _READS
    return reads or constant(buffering) in _LINE_BUFFERED
