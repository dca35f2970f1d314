"""Which steps of a pipeline bring its rows into a random order, and whether each reading has another one.

Measured with TensorFlow 2.16 and 2.21: `shuffle` and `list_files` draw a new order at each reading, with a seed too, unless they are told
otherwise; the loaders of Keras do so, too, but for the second dataset of `subset="both"`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from seqlint.domains.pipelines import Pipelines
from seqlint.facts.datasets.tfdata import LOADERS
from seqlint.run.run import constant

if TYPE_CHECKING:
    from seqlint.run import Result, Run, Value

Order = Literal["each reading", "once", "kept", "unknown"]

_BY_DEFAULT = {"list_files", "make_csv_dataset", "make_batched_features_dataset", *LOADERS} - {
    "timeseries_dataset_from_array",
    "split_dataset",
}
_ON_DEMAND = {"timeseries_dataset_from_array"}
BATCHES = ("batch", "padded_batch", "ragged_batch", "sparse_batch")


class Shuffles:
    """The random orders of a run's pipelines."""

    def __init__(self, run: Run) -> None:
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

    def is_mixed(self, step: Result) -> bool:
        """Whether rows come from a step in an order that may be random: one is drawn there or above, or is not known."""
        return any(
            self.order(each) != "kept" or each.method in MIXERS for each in (step, *self._pipelines.ancestors(step))
        )

    def _of_shuffle(self, step: Result) -> Order:
        size = self._pipelines.argument(step, "buffer_size")
        if size is not None and constant(size) == 1:
            return "kept"
        again = _when(self._pipelines.argument(step, "reshuffle_each_iteration"), left_out=True)
        return "once" if again == "kept" else again


MIXERS = frozenset({"interleave", "sample_from_datasets", "choose_from_datasets", "rejection_resample", "random"})
"""Steps after which rows are mixed without a shuffle."""


def _when(value: Value | None, *, left_out: bool) -> Order:
    """The order under a flag: each reading has its own where it is on."""
    found = left_out if value is None else constant(value)
    if found is None:
        found = left_out
    if found is ...:
        return "unknown"
    return "each reading" if found else "kept"
