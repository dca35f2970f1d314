"""Failures on the way to a batch that functions of other files hide."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from seqlint.facts.flow.call_frames import Frame
from seqlint.facts.project.callee_summaries import CalleeSummaries

if TYPE_CHECKING:
    import libcst as cst

    from seqlint.facts.batches.batches import Batches, Maker
    from seqlint.facts.external.files import Files
    from seqlint.facts.failures.swallows import Outcome, Swallows


@dataclass(frozen=True, eq=False)
class ExternalSwallow:
    """A call of a function of another file that hides a failure and returns None.

    Attributes:
        outcome: what happens to the None: "batch", "sample" or "ends".
        caught: what its handler catches, as it is written; empty for a bare `except`.
    """

    call: cst.Call
    maker: Maker
    outcome: Outcome
    caught: str


class ExternalSwallows:
    """The failures that the batches of a file hide in other files."""

    def __init__(self, batches: Batches, swallows: Swallows, files: Files) -> None:
        self._batches = batches
        self._swallows = swallows
        self._files = files
        self._tree = batches.flow.tree
        self._names = batches.flow.names
        self._callees = CalleeSummaries(batches.flow.names.project)

    @cached_property
    def all(self) -> tuple[ExternalSwallow, ...]:
        """The calls of functions of other files that hide failures, in reading order."""
        found: dict[cst.Call, ExternalSwallow] = {}
        for maker, frame, call in self._batches.calls:
            caught = self._caught_externally(call) if call not in found else None
            if caught is None:
                continue
            outcome = self._swallows.nothing(maker, Frame(None, None, None, call, frame))
            if outcome is not None:
                found[call] = ExternalSwallow(call, maker, outcome, caught)
        return self._tree.order.sorted(found.values(), lambda each: each.call)

    def _caught_externally(self, call: cst.Call) -> str | None:
        """What a function of another file catches before it returns None; None where it surely does not."""
        name = self._names.qualified(call.func)
        other = self._files.defining(name) if name is not None and self._callees.may_hide(name) else None
        return other.swallows.hidden_by(name.rpartition(".")[2]) if other is not None and name is not None else None
