"""Training loops by hand, and how many epochs a reader has."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from seqlint.domains.pipelines.passes import epochs
from seqlint.domains.pipelines.pipelines import Pipelines
from seqlint.run.machine import frame_place

if TYPE_CHECKING:
    from collections.abc import Collection

    from seqlint.domains.pipelines.pipelines import Reading, Role
    from seqlint.run import Result, Run

_TRAINS = frozenset({"apply_gradients", "train_on_batch", "minimize", "gradient"})
_SCORES = frozenset(
    {"test_on_batch", "predict_on_batch", "predict", "evaluate", "update_state", "predict_step", "test_step"}
)
_MEASURES = frozenset({"update_state", "test_on_batch", "test_step"})
_HELD = frozenset({"validated", "evaluated", "predicted", "scored"})


class Loops:
    """What the loops of a run do with the rows of a dataset."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._pipelines = run.domain(Pipelines)

    def role(self, reading: Reading) -> Role:
        """What a reader reads for: a `for` that changes weights trains, one that asks a model scores."""
        if reading.role != "looped":
            return reading.role
        called = self._called.get(id(reading.node), set())
        if called & _TRAINS:
            return "trained"
        return "scored" if called & _SCORES or "keras.Model()" in called else "looped"

    def measures(self, reading: Reading) -> bool:
        """Whether a `for` scores a model by what it reads, and does not train: it fills a metric."""
        called = self._called.get(id(reading.node), set()) if reading.role == "looped" else set()
        return bool(called & _MEASURES) and not called & _TRAINS

    def trained(self, step: Result, without: Collection[str] = ()) -> tuple[Reading, ...]:
        """Who trains on a dataset or on what is made from it.

        Args:
            without: methods that must not come between them.
        """
        return tuple(reading for reading in self._plain(step, without) if self.role(reading) == "trained")

    def trains(self, step: Result, without: Collection[str] = ()) -> Literal["yes", "no", "unknown"]:
        """Whether a model is trained on a dataset; unknown where it is handed to code that is not seen."""
        if self.trained(step, without):
            return "yes"
        down = {step, *self._pipelines.descendants(step)}
        kept = any(store.owner is not None and store.value.only in down for store in self._run.stores)
        readings = self._plain(step, without)
        if any(self.role(reading) in _HELD for reading in readings):
            return "no"
        if kept or any(reading.role == "given" for reading in readings):
            return "unknown"
        return "no" if self._pipelines.reached(step) or not self._is_named(down) else "unknown"

    def _is_named(self, datasets: set[Result]) -> bool:
        """Whether a name of the module holds one of several datasets, for other files to read."""
        machine = self._run.machine
        held = (machine.read(frame_place(machine.main.frame, name))[0] for name in machine.main.frame.own)
        return any(value.only in datasets for value in held)

    def _plain(self, step: Result, without: Collection[str]) -> tuple[Reading, ...]:
        return tuple(
            reading
            for reading in self._pipelines.reached(step)
            if not without
            or any(
                not any(each.method in without for each in way) for way in self._pipelines.ways(step, reading.dataset)
            )
        )

    def epochs(self, reading: Reading) -> int | None:
        """How often a reader goes through a dataset, where that is sure or by default; None where nobody knows."""
        if reading.context.loops:
            return None
        if reading.trainer is None:
            return sum(other.node is reading.node for other in self._pipelines.readings_of(reading.dataset))
        number = epochs(reading.trainer.result, by_default=True)
        return number * self._rounds(reading) if number is not None else None

    def _rounds(self, reading: Reading) -> int:
        """How often the same call reads the same dataset: a fit inside of a loop."""
        return sum(other.node is reading.node for other in self._pipelines.readings_of(reading.dataset)) or 1

    @cached_property
    def _called(self) -> dict[int, set[str]]:
        """What is called in each loop, by the node of the loop."""
        found: dict[int, set[str]] = defaultdict(set)
        for call in self._run.calls:
            for loop in call.context.loops:
                found[id(loop.node)] |= {call.result.method, call.result.name}
        return found
