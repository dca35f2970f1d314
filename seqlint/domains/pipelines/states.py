"""What a reader of a dataset meets: batches, which order, whether it ends."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from seqlint.domains.pipelines.pipelines import Pipelines
from seqlint.knowledge.tf_data import LOADERS
from seqlint.run.objects import constant

if TYPE_CHECKING:
    from seqlint.run import Result, Run

Order = Literal["kept", "once", "again", "unknown"]
"""*kept*: that of the source; *once*: shuffled, and the same each time; *again*: shuffled anew for each reader and epoch."""
_BATCHES = frozenset({"batch", "padded_batch", "ragged_batch", "bucket_by_sequence_length", "dense_to_ragged_batch"})
_OPEN = frozenset(
    {"apply", "interleave", "flat_map", "group_by_window", "window", "choose_from_datasets", "sample_from_datasets"}
)
"""Steps after which the grouping or the order can be any."""


@dataclass(frozen=True)
class State:
    """A dataset as its reader meets it.

    Attributes:
        batched: how often; None: not known.
        cached: whether a step before keeps what was read.
        repeated: how often it is repeated: 1, or more; 0: for ever; None: not known.
        prefetched: whether its last step prefetches.
        drops_remainder: whether a short last batch is left out.
    """

    batched: int | None = 0
    order: Order = "kept"
    cached: bool = False
    repeated: int | None = 1
    prefetched: bool = False
    drops_remainder: bool = False


UNKNOWN = State(None, "unknown", repeated=None)


class States:
    """The states of the datasets of a run."""

    def __init__(self, run: Run) -> None:
        self._pipelines = run.domain(Pipelines)
        self._known: dict[Result, State] = {}

    def of(self, step: Result) -> State:
        """What a reader of a dataset meets."""
        for each in reversed(self._pipelines.line(step)):
            if each not in self._known:
                self._known[each] = self._after(each)
        return self._known[step]

    def _after(self, step: Result) -> State:
        above = self._pipelines.parents(step)
        if not above or step.op == "item":
            return self._of_source(step) if step.op == "call" else UNKNOWN
        before = self._known.get(above[0], UNKNOWN)
        if step.method in ("zip", "concatenate") and len(above) > 1:
            before = _both([self.of(each) for each in above])
        return self._step(replace(before, prefetched=False), step)

    def _step(self, before: State, step: Result) -> State:
        method = step.method
        if method == "shuffle":
            again = constant(self._pipelines.argument(step, "reshuffle_each_iteration")) is not False
            return replace(before, order="again" if again else "once")
        if method in _BATCHES:
            drops = constant(self._pipelines.argument(step, "drop_remainder")) is True
            return replace(before, batched=_more(before.batched, 1), drops_remainder=drops)
        if method == "unbatch":
            return replace(before, batched=_more(before.batched, -1))
        if method in ("cache", "snapshot"):
            order: Order = "once" if before.order == "again" else before.order
            return replace(before, cached=True, order=order)
        if method == "repeat":
            return replace(before, repeated=self._repeated(step))
        if method == "prefetch":
            return replace(before, prefetched=True)
        if method in _OPEN:
            return replace(before, batched=None, order="unknown" if before.order == "kept" else before.order)
        return before

    def _repeated(self, step: Result) -> int | None:
        count = self._pipelines.argument(step, "count")
        if count is None:
            return 0
        found = constant(count)
        if found is None or (isinstance(found, int) and found < 0):
            return 0
        return found if isinstance(found, int) else None

    def _of_source(self, step: Result) -> State:
        if step.method in LOADERS and step.method != "split_dataset":
            return self._of_loader(step)
        if step.method == "list_files":
            shuffles = constant(self._pipelines.argument(step, "shuffle"))
            return State(order="kept" if shuffles is False else "again")
        if step.method in ("make_csv_dataset", "make_batched_features_dataset"):
            epochs = self._pipelines.argument(step, "num_epochs")
            return State(1, "again", repeated=0 if epochs is None or epochs.constant is None else None, prefetched=True)
        if step.method in (
            "from_tensor_slices",
            "from_tensors",
            "range",
            "from_generator",
            "TFRecordDataset",
            "TextLineDataset",
        ):
            return State()
        return UNKNOWN

    def _of_loader(self, step: Result) -> State:
        size = self._pipelines.argument(step, "batch_size")
        batched = 0 if size is not None and constant(size) is None else 1
        shuffles = self._pipelines.argument(step, "shuffle")
        by_default = step.method != "timeseries_dataset_from_array"
        value = constant(shuffles) if shuffles is not None else by_default
        order: Order = "unknown" if value is ... else "again" if value else "kept"
        return State(batched, order, prefetched=True)


def _more(batched: int | None, by: int) -> int | None:
    return None if batched is None else max(batched + by, 0)


def _both(states: list[State]) -> State:
    """What a reader of several datasets together meets."""
    first = states[0]
    batched = {state.batched for state in states}
    orders = {state.order for state in states}
    order: Order = (
        "unknown" if "unknown" in orders else "again" if "again" in orders else "once" if "once" in orders else "kept"
    )
    return State(
        first.batched if len(batched) == 1 else None,
        order,
        cached=all(state.cached for state in states),
        repeated=first.repeated if len({state.repeated for state in states}) == 1 else None,
    )
