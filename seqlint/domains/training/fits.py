"""Calls that train: which data they get, and how many steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.run import Constant, Instance, Unknown

if TYPE_CHECKING:
    from seqlint.run import Call, Run, Value

_PLACES = {"x": 0, "y": 1, "generator": 0}


class Fits:
    """The trainer calls of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def argument(self, call: Call, name: str) -> Value | None:
        """An argument of `fit` and its like, by name or by place; None where it is left out."""
        given = call.result.keyword(name)
        place = _PLACES.get(name, -1)
        return call.result.args[place] if given is None and 0 <= place < len(call.result.args) else given

    def counts_its_steps(self, call: Call) -> bool:
        """Whether the steps are worked out as the Sequence that is trained on works out its length."""
        steps, data = self.argument(call, "steps_per_epoch"), self.argument(call, "x")
        only = data.only if data is not None else None
        length = self._run.length(only) if isinstance(only, Instance) else None
        if steps is None or length is None or isinstance(steps.only, (Constant, Unknown)):
            return False  # two numbers may be equal by chance
        return bool(length.options) and steps.term == length.term
