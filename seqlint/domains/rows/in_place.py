"""Moves in place: the calls that change the order of the rows of each collection, and what is stored into it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from seqlint.domains.rows.steps import moved_by
from seqlint.domains.rows.terms import identity, shown, slice_of
from seqlint.domains.values.random import Draws
from seqlint.knowledge.orders import IN_PLACE, moves_in_place
from seqlint.run import Container, Result

if TYPE_CHECKING:
    from seqlint.domains.rows.steps import Cut, Key, Move
    from seqlint.run import Call, Object, Run
    from seqlint.run.objects import Guards

_DEEPEST = 24


@dataclass(frozen=True, eq=False)
class Moved:
    """One move in place, of all rows or of a part of them."""

    move: Move
    cut: tuple[Cut, ...]
    guards: Guards


class InPlace:
    """The moves in place of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._draws = run.domain(Draws)

    @cached_property
    def moves(self) -> dict[Key, list[Moved]]:
        """The calls that move the rows of each collection, in running order."""
        found: dict[Key, list[Moved]] = {}
        for call in self._run.calls:
            if not call.result.args or not (moves_in_place(call.name) or call.result.method in ("sort", "reverse")):
                self._by_method(call, found)
                continue
            for option in call.result.args[0].options:
                target, cut = self._owner(option.object)
                if target is not None:
                    known = call.name in IN_PLACE and len(call.result.args) == 1
                    draw = self._draws.of(call.result) if known else None
                    move = moved_by(call, draw)
                    found.setdefault(target, []).append(Moved(move, cut, call.context.guards | option.guards))
        return found

    def _by_method(self, call: Call, found: dict[Key, list[Moved]]) -> None:
        """`x.sort()`."""
        receiver = call.result.receiver
        if call.result.method not in ("sort", "reverse") or receiver is None:
            return
        target, cut = self._owner(receiver)
        if target is not None:
            move = moved_by(call, None)
            found.setdefault(target, []).append(Moved(move, cut, call.context.guards))

    def _owner(self, found: Object) -> tuple[Key | None, tuple[Cut, ...]]:
        """The collection whose memory an object shows, and the part of it."""
        cuts: list[Cut] = []
        for _ in range(_DEEPEST):
            if isinstance(found, Result) and (inner := shown(found)) is not None:
                if found.op == "item" and (cut := slice_of(found.args[0])) is not None and cut.key != ("all",):
                    cuts.insert(0, cut)
                found = inner
                continue
            break
        if isinstance(found, (Result, Container)):
            return identity(found), tuple(cuts)
        return None, ()

    @cached_property
    def written(self) -> dict[Key, list[Call]]:
        """What stores rows into each array."""
        found: dict[Key, list[Call]] = {}
        for call in self._run.called("setitem"):
            owner = self._owner(call.result.receiver)[0] if call.result.receiver is not None else None
            if owner is not None:
                found.setdefault(owner, []).append(call)
        return found
