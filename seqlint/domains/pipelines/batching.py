"""Batches that are batched again, and the models that get them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from seqlint.domains.pipelines.pipelines import Pipelines
from seqlint.run import Bound, Constant, Container, External, Function, Instance, Result, Tuple, Unknown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.domains.pipelines.pipelines import Reading
    from seqlint.run import Object, Run, Value

_BATCHES = ("batch", "padded_batch", "ragged_batch")
_LOADERS = frozenset({
    "image_dataset_from_directory", "text_dataset_from_directory", "audio_dataset_from_directory", "timeseries_dataset_from_array",
})  # fmt: skip
_KEEP = frozenset({
    "prefetch", "cache", "shuffle", "repeat", "take", "skip", "shard", "with_options", "ignore_errors", "snapshot", "filter", "concatenate",
})  # fmt: skip
"""Steps that leave the axes of an element as they are."""
_CUTS = (
    "squeeze",
    "reshape",
    "gather",
    "unstack",
    "split",
    "reduce",
    "slice",
    "crop",
    "map_fn",
    "function",
    "func",
    "transpose",
    "stack",
    "fit",
)
"""Parts of the names of calls that may take an axis away, or add one."""
_OF_RANK = (
    "Conv",
    "Flatten",
    "LSTM",
    "GRU",
    "SimpleRNN",
    "RNN",
    "MaxPool",
    "AveragePool",
    "Global",
    "Bidirectional",
    "SeparableConv",
    "DepthwiseConv",
)
"""Layers that take inputs with one number of axes alone, or make an error of unknown lengths."""
_MODELS = frozenset({"trained", "validated", "evaluated", "predicted"})


@dataclass(frozen=True, eq=False)
class Twice:
    """A second `batch`.

    Attributes:
        step: that step.
        first: what gives batches already.
        fails: whether the model surely refuses it; else Dense layers may train without a word.
        always: whether the place gets batches each time that it is reached.
    """

    step: Result
    first: Result
    fails: bool
    always: bool


class Batching:
    """Which steps make batches of batches."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._pipelines = run.domain(Pipelines)

    @cached_property
    def twice(self) -> tuple[Twice, ...]:
        """Each step that batches the batches of a loader, where a model gets the result."""
        return tuple(self._twice())

    def _twice(self) -> Iterator[Twice]:
        for step in self._pipelines.named(*_BATCHES):
            first = self._batched_by(step)
            readings = [each for each in self._pipelines.reached(step) if self._keeps_axes(step, each)]
            if first is not None and readings:
                fails = first.method == "image_dataset_from_directory" or any(map(self._is_of_rank, readings))
                same = [each for each in self._pipelines.steps if each.node is step.node]
                yield Twice(step, first, fails, all(self._batched_by(each) is not None for each in same))

    def _batched_by(self, step: Result) -> Result | None:
        """The loader whose batches a step gets; None where it may get something else."""
        for above in self._pipelines.line(step)[1:]:
            if above.method in _LOADERS:
                size = self._pipelines.argument(above, "batch_size")
                known = size is None or (isinstance(size.only, Constant) and size.only.value is not None)
                return above if known and not self._pipelines.hides_arguments(above) else None
            if above.op == "call" and not self._keeps(above):
                return None
        return None

    def _keeps_axes(self, step: Result, reading: Reading) -> bool:
        """Whether a model gets what a step gives, with all its axes."""
        if reading.role not in _MODELS:
            return False
        line = self._pipelines.line(reading.dataset)
        return step in line and all(self._keeps(each) for each in line[: line.index(step)])

    def _keeps(self, step: Result) -> bool:
        if step.method in _KEEP:
            return True
        found = self._run.returned(step)
        return step.method == "map" and bool(found) and all(self._is_plain(value, 12) for value in found)

    def _is_plain(self, value: Value, depth: int) -> bool:
        """Whether a function of `map` surely gives its rows with the axes that it got."""
        return bool(value.options) and all(self._is_plain_object(each, depth) for each in value)

    def _is_plain_object(self, found: Object, depth: int) -> bool:
        if depth == 0 or isinstance(found, Unknown):
            return False
        if isinstance(found, (Constant, External, Function, Bound, Instance)):
            return True
        if isinstance(found, (Tuple, Container)):
            items = self._run.items(found)
            if isinstance(found, Container) and found.kind == "dict":
                items = [self._run.at_key(found, key.constant) for key in items or ()]  # type: ignore[misc]
            return bool(items) and all(item is not None and self._is_plain(item, depth - 1) for item in items or ())
        if not isinstance(found, Result) or found.op in ("item", "display", "each"):
            return False
        if found.op in ("element", "parameter"):
            return True
        if found.op == "call" and any(part in found.method for part in _CUTS):
            return False
        parts = (*found.args, *(value for name, value in found.keywords if name != "axis"))
        return all(self._is_plain(part, depth - 1) for part in parts)

    # -- models -----------------------------------------------------------------------------------------------------

    def _is_of_rank(self, reading: Reading) -> bool:
        """Whether the model has a layer that refuses another axis."""
        model = reading.trainer.result.receiver if reading.trainer is not None else None
        return any(name.startswith(_OF_RANK) for name in self._layers(model))

    def _layers(self, model: Object | None) -> Iterator[str]:
        """The names of the classes of the layers of a Sequential that the program makes."""
        if not isinstance(model, Result) or model.method != "Sequential":
            return
        listed = [*(item for value in model.args[:1] for item in self._run.items(value) or ())]
        added = [
            call.result.args[0]
            for call in self._run.methods("add")
            if call.result.receiver is model and call.result.args
        ]
        for value in (*listed, *added):
            yield from (each.method for each in value if isinstance(each, Result))
