"""What the callbacks of each fit watch: one logged value each."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from seqlint.domains.callbacks.fit_logs import FitLogs
from seqlint.domains.callbacks.lists import CallbackLists
from seqlint.domains.values.held import options
from seqlint.run import Class, Constant, Instance, Setting, constant
from seqlint.run.attributes import lineage
from seqlint.run.heap import excluded

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.domains.callbacks.lists import CallbackList, Member
    from seqlint.run import Call, Run
    from seqlint.run.objects import Guards

_KINDS = frozenset({"EarlyStopping", "ReduceLROnPlateau", "ModelCheckpoint"})
_OWN = frozenset({"get_monitor_value", "on_epoch_end", "on_train_begin", "_save_model", "_set_monitor_op"})
_DEFAULT = "val_loss"


@dataclass(frozen=True, eq=False)
class Monitor:
    """A callback of one fit, and the name that it watches.

    Attributes:
        name: the name, such as "val_loss".
        way: the conditions under which it watches that name in this fit.
        decides: whether something depends on the value: ModelCheckpoint reads it for `save_best_only` alone.
        by_default: whether somebody outside can give another name.
        rewritten: whether a class of the program has put its own method in the place of Keras's.
    """

    fit: Call
    member: Member
    name: str
    way: Guards
    decides: bool
    by_default: bool
    rewritten: bool

    @property
    def made(self) -> Call:
        """The call that creates the callback."""
        assert self.member.made is not None
        return self.member.made

    def excludes(self, other: Monitor) -> bool:
        """Whether no way through the program leads to both."""
        return excluded(self.way | self.fit.context.guards, other.way | other.fit.context.guards)

    @property
    def is_written(self) -> bool:
        """Whether the program names it; else it is Keras's own choice."""
        return self.member.argument("monitor") is not None


class Monitors:
    """What the callbacks of a run watch."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._logs = run.domain(FitLogs)
        self._changed = frozenset(
            store.owner for store in run.stores if store.name in ("monitor", "monitor_op", "mode")
        )

    @cached_property
    def all(self) -> tuple[Monitor, ...]:
        """In running order of the fits."""
        fits = set(self._logs.fits)
        lists = (each for each in self._run.domain(CallbackLists).all if each.fit in fits)
        return tuple(monitor for each in lists for monitor in self._of(each))

    def _of(self, listed: CallbackList) -> Iterator[Monitor]:
        for member in listed.members:
            if member.kind not in _KINDS or member.hides_arguments or member.object in self._changed:
                continue
            given = member.argument("monitor")
            found = options(given, listed.fit.context.guards) if given is not None else ()
            decides = member.kind != "ModelCheckpoint" or constant(member.argument("save_best_only")) is True
            rewritten = _is_rewritten(member)
            if given is None:
                yield Monitor(listed.fit, member, _DEFAULT, member.guards, decides, False, rewritten)
            for option in found:
                each = option.object
                name = each.default.value if isinstance(each, Setting) else getattr(each, "value", None)
                if isinstance(each, (Constant, Setting)) and isinstance(name, str):
                    way = member.guards | option.guards
                    yield Monitor(listed.fit, member, name, way, decides, isinstance(each, Setting), rewritten)


def _is_rewritten(member: Member) -> bool:
    if not isinstance(member.object, Instance):
        return False
    own = [each for each in lineage(member.object.cls) if isinstance(each, Class)]
    return any(name in each.frame.own for each in own for name in _OWN)


def monitor_node(call: Call) -> ast.expr | None:
    """What is written for the monitor; None where it is left out, or is in `**settings`."""
    node = call.node
    if not isinstance(node, ast.Call):
        return None
    place = 1 if call.name.endswith("ModelCheckpoint") else 0
    plain = node.args[place] if place < len(node.args) else None
    if any(isinstance(each, ast.Starred) for each in node.args[: place + 1]):
        plain = None
    return next((keyword.value for keyword in node.keywords if keyword.arg == "monitor"), plain)
