"""Which steps of a pipeline bring its rows into a random order, and whether each reading has another one.

Measured with TensorFlow 2.16 and 2.21: `shuffle` and `list_files` draw a new order at each reading, with a seed too, unless they are told
otherwise; the loaders of Keras do so, too, but for the second dataset of `subset="both"`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from seqlint.domains.pipelines.pipelines import Pipelines
from seqlint.knowledge.tf_data import LOADERS, SOURCES, TFDS
from seqlint.run import constant

if TYPE_CHECKING:
    from seqlint.run import Result, Run, Value

Order = Literal["each reading", "once", "kept", "unknown"]

_BY_DEFAULT = {"list_files", "make_csv_dataset", "make_batched_features_dataset", *LOADERS} - {
    "timeseries_dataset_from_array",
    "split_dataset",
}
_ON_DEMAND = {"timeseries_dataset_from_array"}
_DRAWS = frozenset({"shuffle", "permutation", "permuted", "sample", "choice", "choices", "randint", "integers"})
BATCHES = ("batch", "padded_batch", "ragged_batch", "sparse_batch")


class Shuffles:
    """The random orders of a run's pipelines."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._pipelines = run.domain(Pipelines)

    def order(self, step: Result) -> Order:
        """What a step does to the order of rows: *kept* is that of what it is made from, or of the files."""
        name = step.method
        if name not in {"shuffle", *_BY_DEFAULT, *_ON_DEMAND} or step.op != "call":
            return "kept"
        if self._pipelines.hides_arguments(step):
            return "unknown"
        if name == "shuffle":
            return self._of_shuffle(step)
        return _when(self._pipelines.argument(step, "shuffle"), left_out=name in _BY_DEFAULT)

    def may_be_mixed(self, step: Result) -> bool:
        """Whether rows may come from a step in a random order: one is drawn there or above, or nobody knows."""
        return any(
            self.order(each) != "kept" or each.method in _MIXERS or self._may_come_mixed(each)
            for each in (step, *self._pipelines.ancestors(step))
        )

    def _may_come_mixed(self, step: Result) -> bool:
        """Whether a source may give its rows in a random order: unknown code, and a generator that draws one."""
        if not self._pipelines.is_source(step) or step.op == "item":
            return False
        if step.method == "from_generator":
            return any(
                call.result.method in _DRAWS
                for call in self._run.calls
                if any(phase.owner is step for phase in call.context.phases)
            )
        return step.method not in SOURCES and step.method not in LOADERS and step.name != TFDS

    def _of_shuffle(self, step: Result) -> Order:
        size = self._pipelines.argument(step, "buffer_size")
        if size is not None and constant(size) == 1:
            return "kept"
        again = _when(self._pipelines.argument(step, "reshuffle_each_iteration"), left_out=True)
        return "once" if again == "kept" else again


_MIXERS = frozenset({"interleave", "sample_from_datasets", "choose_from_datasets", "rejection_resample", "random"})
"""Steps after which rows are mixed without a shuffle."""


def _when(value: Value | None, *, left_out: bool) -> Order:
    """The order under a flag: each reading has its own where it is on."""
    found = left_out if value is None else constant(value)
    if found is None:
        found = left_out
    if found is ...:
        return "unknown"
    return "each reading" if found else "kept"
