"""How many rows an array, a list or a dataset has, where the program says so in numbers."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from seqlint.domains.pipelines.pipelines import Pipelines
from seqlint.knowledge.ranges import length
from seqlint.run import Constant, Container, Result, Tuple, Value, constant

if TYPE_CHECKING:
    from seqlint.run import Object, Run

_BY_SIZES = frozenset({"numpy.random.rand", "numpy.random.randn"})
_BY_SHAPE = frozenset({
    "numpy.zeros", "numpy.ones", "numpy.empty", "numpy.full", "numpy.random.random", "numpy.random.random_sample", "tensorflow.zeros",
    "tensorflow.ones", "tensorflow.random.normal", "tensorflow.random.uniform", "numpy.random.Generator.random",
    "numpy.random.Generator.standard_normal",
})  # fmt: skip
_BY_SIZE_ARGUMENT = frozenset({"normal", "uniform", "randint", "integers", "standard_normal", "choice"})
_SAME = frozenset({"astype", "copy", "cast", "array", "asarray", "convert_to_tensor", "constant"})
_KEEP = frozenset({"map", "cache", "prefetch", "shuffle", "enumerate", "with_options", "scan", "assert_cardinality"})
_BATCHES = frozenset({"batch", "padded_batch", "ragged_batch"})
_DEEPEST = 40


class RowCounts:
    """The numbers of rows of a run's data."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._pipelines = run.domain(Pipelines)

    def of(self, step: Result) -> int | None:
        """How many elements a dataset has: rows, or batches after `batch`; None where nobody knows, or it never ends."""
        return self._of_dataset(step, 0)

    def _of_dataset(self, step: Result, depth: int) -> int | None:
        if depth > _DEEPEST or self._pipelines.hides_arguments(step):
            return None
        if step.method == "from_tensor_slices":
            return self._of_slices(self._pipelines.argument(step, "tensors"))
        if step.method == "range" and len(step.args) == 1:
            return _whole(step.args[0])
        parents = [self._of_dataset(parent, depth + 1) for parent in self._pipelines.parents(step)]
        if not parents or None in parents:
            return None
        known = [count for count in parents if count is not None]
        return sum(known) if step.method == "concatenate" else self._after(step, known[0])

    def _after(self, step: Result, count: int) -> int | None:
        if step.method in _KEEP:
            return count
        if step.method in ("take", "skip"):
            cut = _whole(self._pipelines.argument(step, "count"))
            if cut is None or cut < 0:
                return None
            return min(count, cut) if step.method == "take" else max(count - cut, 0)
        if step.method in _BATCHES:
            size = _whole(self._pipelines.argument(step, "batch_size"))
            drops = constant(self._pipelines.argument(step, "drop_remainder"))
            if not size or (drops is ... and self._pipelines.argument(step, "drop_remainder") is not None):
                return None
            return count // size if drops is True else math.ceil(count / size)
        times = _whole(self._pipelines.argument(step, "count")) if step.method == "repeat" else None
        return count * times if times is not None and times >= 0 else None

    def _of_slices(self, value: Value | None) -> int | None:
        only = value.only if value is not None else None
        if isinstance(only, Tuple):
            counts = [self._of_value(item) for item in only.items]
            return next((count for count in counts if count is not None), None)
        return self._of_object(only, 0) if only is not None else None

    def _of_value(self, value: Value) -> int | None:
        return self._of_object(value.only, 0) if value.only is not None else None

    def _of_object(self, found: Object, depth: int) -> int | None:
        if isinstance(found, (Container, Tuple)):
            items = self._run.items(found) if not isinstance(found, Container) or found.kind == "list" else None
            return len(items) if items is not None else None
        if not isinstance(found, Result) or depth > _DEEPEST:
            return None
        if found.op == "operator":
            return self._of_operator(found, depth + 1)
        if found.op == "item":
            return self._of_item(found, depth + 1)
        return self._of_call(found, depth + 1) if found.op == "call" else None

    def _of_operator(self, found: Result, depth: int) -> int | None:
        """Arrays keep their rows in arithmetic with a number; a list times a number is longer."""
        if len(found.args) != 2 or found.name not in ("+", "-", "*", "/", "//", "%", "**"):
            return None
        left, right = found.args
        numbers = [constant(side) for side in (left, right)]
        arrays = [side.only for side, number in zip((left, right), numbers, strict=True) if number is ...]
        if len(arrays) != 1 or arrays[0] is None:
            return None
        count = self._of_object(arrays[0], depth)
        if not isinstance(arrays[0], Container):
            return count
        times = next((number for number in numbers if isinstance(number, int)), None)
        return count * times if count is not None and times is not None and found.name == "*" else None

    def _of_item(self, found: Result, depth: int) -> int | None:
        """The rows of `x[:30]`, and of `x[:, 0]`."""
        index = found.args[0].only if found.args else None
        if isinstance(index, Tuple) and index.items:
            index = index.items[0].only
        if not isinstance(index, Result) or index.name != "slice" or found.receiver is None:
            return None
        count = self._of_object(found.receiver, depth)
        bounds = [bound for part in index.args if (bound := constant(part)) is None or isinstance(bound, int)]
        if count is None or len(bounds) < 3:
            return None
        return length(range(count)[slice(bounds[0], bounds[1], bounds[2])])

    def _of_call(self, found: Result, depth: int) -> int | None:
        name = found.name
        if name in _BY_SIZES:
            return _whole(found.args[0]) if found.args else None
        if name in _BY_SHAPE:
            return self._first(found.args[0] if found.args else found.keyword("size") or found.keyword("shape"))
        if name in ("numpy.arange", "builtins.range"):
            return _whole(found.args[0]) if len(found.args) == 1 else None
        if name.startswith("numpy.random.") and found.method in _BY_SIZE_ARGUMENT:
            size = found.keyword("size") or (found.args[2] if len(found.args) > 2 else None)
            return self._first(size)
        if found.method == "reshape" and found.receiver is not None and found.args:
            first = self._first(found.args[0])
            return first if first is not None and first > 0 else None
        if found.method in _SAME:
            same = found.receiver or (found.args[0].only if found.args else None)
            return self._of_object(same, depth) if same is not None else None
        return None

    def _first(self, shape: Value | None) -> int | None:
        """The first number of a shape, or the shape itself where it is a number."""
        only = shape.only if shape is not None else None
        if isinstance(only, Constant):
            return only.value if isinstance(only.value, int) else None
        items = self._run.items(only) if isinstance(only, (Tuple, Container)) else None
        return _whole(items[0]) if items else None


def _whole(value: Value | None) -> int | None:
    found = constant(value)
    return found if isinstance(found, int) and not isinstance(found, bool) else None
