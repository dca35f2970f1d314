"""What one element of a dataset looks like: a value, or a tuple or dict of parts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from seqlint.domains.pipelines.pipelines import Pipelines
from seqlint.knowledge.tf_data import LOADERS
from seqlint.run import Container, Result, Tuple
from seqlint.run.objects import constant

if TYPE_CHECKING:
    from seqlint.run import Run, Value

_KEEPS = frozenset({
    "batch", "padded_batch", "ragged_batch", "rebatch", "unbatch", "shuffle", "repeat", "cache", "prefetch", "take", "skip", "shard", "filter",
    "concatenate", "with_options", "ignore_errors", "snapshot", "unique", "take_while", "rejection_resample", "split_dataset",
    "bucket_by_sequence_length", "sample_from_datasets", "choose_from_datasets", "window",
})  # fmt: skip
"""Steps that leave the structure of an element as it is."""
_DEEPEST = 60


@dataclass(frozen=True)
class Element:
    """The structure of an element.

    Attributes:
        kind: *tuple* or *dict* of parts, *one* value, or *unknown*.
        names: the keys of a dict.
    """

    kind: str = "unknown"
    parts: tuple[Element, ...] = ()
    names: tuple[str, ...] = ()

    def __str__(self) -> str:
        if self.kind == "tuple":
            return f"({', '.join(map(str, self.parts))})"
        if self.kind == "dict":
            return "{" + ", ".join(f"{n}: {p}" for n, p in zip(self.names, self.parts, strict=True)) + "}"
        return "a tensor" if self.kind == "one" else "?"


ONE = Element("one")
ANY = Element()
_PAIR = Element("tuple", (ONE, ONE))


class Elements:
    """The elements of the datasets of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._pipelines = run.domain(Pipelines)

    def of(self, step: Result, depth: int = 0) -> Element:
        """The structure of an element of a dataset."""
        if depth > _DEEPEST:
            return ANY
        method = step.method
        if step.op == "item" and isinstance(step.receiver, Result):
            return self.of(step.receiver, depth + 1)
        if method in _KEEPS:
            above = self._pipelines.parents(step)
            return self.of(above[0], depth + 1) if above else ANY
        if method == "map":
            return self._mapped(step)
        if method in ("zip", "enumerate"):
            return self._joined(step, depth)
        return self._of_source(step)

    def _mapped(self, step: Result) -> Element:
        found = {self._of_value(value) for value in self._run.returned(step)}
        return found.pop() if len(found) == 1 else ANY

    def _joined(self, step: Result, depth: int) -> Element:
        above = self._pipelines.parents(step)
        parts = tuple(self.of(each, depth + 1) for each in above)
        if step.method == "enumerate":
            return Element("tuple", (ONE, *parts))
        given = step.args[0].only if len(step.args) == 1 else None
        if isinstance(given, Container) and given.kind == "dict":
            return ANY
        return Element("tuple", parts) if parts else ANY

    def _of_source(self, step: Result) -> Element:
        if step.method in ("from_tensor_slices", "from_tensors"):
            return self._of_value(step.args[0]) if step.args else ANY
        if step.method in ("list_files", "range", "TFRecordDataset", "TextLineDataset", "FixedLengthRecordDataset"):
            return ONE
        if step.method == "timeseries_dataset_from_array":
            targets = self._pipelines.argument(step, "targets")
            return ONE if targets is not None and targets.constant is None else _PAIR
        if step.method in LOADERS:
            labels, mode = self._pipelines.argument(step, "labels"), self._pipelines.argument(step, "label_mode")
            bare = any(value is not None and constant(value) is None for value in (labels, mode))
            return ONE if bare else _PAIR
        return ANY

    def _of_value(self, value: Value) -> Element:
        """The structure that TensorFlow makes of a value: tuples and dicts are kept, a list is one tensor."""
        only = value.only
        if isinstance(only, Tuple):
            return Element("tuple", tuple(self._of_value(item) for item in only.items))
        if isinstance(only, Container) and only.kind == "dict":
            return self._of_dict(only)
        if isinstance(only, Container):
            return ONE
        if isinstance(only, Result) and only.op in ("element", "parameter"):
            return ANY
        return ONE if isinstance(only, Result) and only.op in ("call", "operator", "item") else ANY

    def _of_dict(self, only: Container) -> Element:
        keys = [constant(key) for key in self._run.items(only) or ()]
        values = [self._run.at_key(only, key) for key in keys]
        if not keys or not all(isinstance(key, str) for key in keys):
            return ANY
        parts = tuple(self._of_value(value) if value is not None else ANY for value in values)
        return Element("dict", parts, tuple(str(key) for key in keys))
