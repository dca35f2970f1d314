"""How many: numbers that a program works out of constants, rows of arrays and lists, elements of datasets."""

from __future__ import annotations

import math
import operator
from typing import TYPE_CHECKING

from seqlint.domains.pipelines.draws import contents
from seqlint.domains.pipelines.pipelines import Pipelines
from seqlint.knowledge.ranges import length
from seqlint.run import Constant, Container, Result, Setting, Tuple, Value
from seqlint.run.objects import constant

if TYPE_CHECKING:
    from collections.abc import Callable

    from seqlint.run import Object, Run

Number = int | float
_DEEPEST = 40
_OPERATORS: dict[str, Callable[[Number, Number], Number]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "//": operator.floordiv, "/": operator.truediv, "%": operator.mod,
}  # fmt: skip
_ROUNDS: dict[str, Callable[[Number], Number]] = {
    "math.ceil": math.ceil, "numpy.ceil": math.ceil, "math.floor": math.floor, "numpy.floor": math.floor, "builtins.int": int, "builtins.round": round,
    "numpy.int64": int, "numpy.int32": int, "builtins.float": float,
}  # fmt: skip
_SHAPED = frozenset(
    {
        "zeros",
        "ones",
        "empty",
        "full",
        "rand",
        "randn",
        "random",
        "random_sample",
        "standard_normal",
        "normal",
        "uniform",
        "randint",
    }
)
_SAME_ROWS = frozenset({
    "astype", "copy", "array", "asarray", "zeros_like", "ones_like", "expand_dims", "cast", "convert_to_tensor", "constant", "to_categorical", "sqrt",
    "abs", "exp", "log", "sin", "cos", "tolist", "list", "float32", "round", "clip", "pad",
})  # fmt: skip
_REDUCES = frozenset({"sum", "mean", "max", "min", "argmax", "std", "reduce_sum", "reduce_mean"})
_DATASETS = {
    "mnist": (60_000, 10_000),
    "fashion_mnist": (60_000, 10_000),
    "cifar10": (50_000, 10_000),
    "cifar100": (50_000, 10_000),
    "imdb": (25_000, 25_000),
}
_KEEPS = frozenset({"map", "shuffle", "cache", "prefetch", "enumerate", "with_options", "snapshot", "scan"})


class Counts:
    """The numbers of a run that are known without running anything."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._pipelines = run.domain(Pipelines)

    # -- numbers ----------------------------------------------------------------------------------------------------

    def number(self, value: Value | None, depth: int = 0) -> Number | None:
        """The number that a value is, settings by their defaults; None where that is not known."""
        found = value.only if value is not None and depth < _DEEPEST else None
        if isinstance(found, Setting):
            found = found.default
        if isinstance(found, Constant):
            return found.value if isinstance(found.value, (int, float)) and not isinstance(found.value, bool) else None
        if not isinstance(found, Result):
            return None
        if found.op == "operator":
            return self._worked_out(found, depth + 1)
        if found.op == "item" and found.args and constant(found.args[0]) == 0 and isinstance(found.receiver, Result):
            shape = found.receiver
            return (
                self.rows(shape.receiver, depth + 1) if shape.method == "shape" and shape.receiver is not None else None
            )
        return self._of_call(found, depth + 1) if found.op == "call" else None

    def _worked_out(self, found: Result, depth: int) -> Number | None:
        parts = [self.number(value, depth) for value in found.args]
        left = parts[0] if parts else None
        if left is None:
            return None
        if len(parts) == 1:
            return -left if found.name == "-" else None
        right, work = parts[1], _OPERATORS.get(found.name)
        if len(parts) != 2 or right is None or work is None or (found.name in ("/", "//", "%") and right == 0):
            return None
        return work(left, right)

    def _of_call(self, found: Result, depth: int) -> Number | None:
        if found.name == "builtins.len" and found.args:
            inner = found.args[0].only
            return self.rows(inner, depth) if inner is not None else None
        if found.name in _ROUNDS and len(found.args) == 1:
            given = self.number(found.args[0], depth)
            return _ROUNDS[found.name](given) if given is not None else None
        if found.name in ("builtins.max", "builtins.min") and len(found.args) > 1:
            given_all = [self.number(value, depth) for value in found.args]
            known = [each for each in given_all if each is not None]
            return (max if found.method == "max" else min)(known) if len(known) == len(given_all) else None
        return None

    def is_by_default(self, *values: Value | None) -> bool:
        """Whether something that values are made of is a setting that somebody outside can replace."""
        parts = (part for value in values if value is not None for part in contents(self._run, value))
        return any(isinstance(part, Setting) for part in parts)

    def whole(self, value: Value | None) -> int | None:
        """The int that a value is; None where it is none."""
        found = self.number(value)
        return found if isinstance(found, int) else None

    # -- rows -------------------------------------------------------------------------------------------------------

    def rows(self, found: Object | None, depth: int = 0) -> int | None:
        """How many rows an array, a list or a dataset has."""
        if depth > _DEEPEST:
            return None
        if isinstance(found, Tuple):
            return len(found.items)
        if isinstance(found, Container):
            return self._of_container(found)
        if not isinstance(found, Result):
            return None
        if self._pipelines.is_dataset(found):
            return self.elements(found)
        if found.op == "operator":
            return self._of_operator(found, depth + 1)
        if found.op == "item":
            return self._of_item(found, depth + 1)
        return self._of_array(found, depth + 1) if found.op == "call" else None

    def _of_container(self, found: Container) -> int | None:
        items = self._run.items(found)
        if items is not None:
            return len(items)
        total = 0
        for piece in self._run.pieces(found):
            sizes = [self.rounds(loop.iterable) for loop in piece.loops]
            if piece.how != "append" or None in sizes:
                return None
            total += math.prod(size for size in sizes if size is not None)
        return total or None

    def rounds(self, iterable: Value | None) -> int | None:
        """How often a loop runs."""
        only = iterable.only if iterable is not None else None
        if isinstance(only, Result) and only.name == "builtins.range" and len(only.args) == 1:
            return self.whole(only.args[0])
        return self.rows(only)

    def _of_operator(self, found: Result, depth: int) -> int | None:
        sizes = [self.rows(value.only, depth) for value in found.args]
        if len(sizes) == 2 and any(
            isinstance(value.only, Container) or self._is_list(value.only) for value in found.args
        ):
            return self._of_lists(found, sizes)
        known = {size for size in sizes if size is not None and size > 1}
        return (
            known.pop() if len(known) == 1 and found.name in (*_OPERATORS, "**", "<", ">", "==", "<=", ">=") else None
        )

    def _is_list(self, found: Object | None) -> bool:
        """Whether a term is one of lists: `[0] * 9`, `[0] * 9 + [1] * 9`."""
        if isinstance(found, Container):
            return found.kind == "list"
        return (
            isinstance(found, Result)
            and found.op == "operator"
            and any(self._is_list(value.only) for value in found.args)
        )

    def _of_lists(self, found: Result, sizes: list[int | None]) -> int | None:
        if found.name == "+" and sizes[0] is not None and sizes[1] is not None:
            return sizes[0] + sizes[1]
        times = self.whole(found.args[1])
        return sizes[0] * times if found.name == "*" and sizes[0] is not None and times is not None else None

    def _of_item(self, found: Result, depth: int) -> int | None:
        loaded = self._of_loaded(found)
        index = found.args[0].only if found.args else None
        if loaded is not None or index is None:
            return loaded
        if isinstance(index, Tuple) and index.items:
            index = index.items[0].only
        size = self.rows(found.receiver, depth)
        if isinstance(index, Constant) and index.value is ...:
            return size
        if size is None or not isinstance(index, Result) or index.op != "operator" or index.name != "slice":
            return None
        bounds = [self.whole(value) for value in index.args]
        if any(bound is None and constant(value) is not None for bound, value in zip(bounds, index.args, strict=True)):
            return None
        return length(range(size)[slice(*bounds)])

    def _of_loaded(self, found: Result) -> int | None:
        """`(x, y), (x_test, y_test) = keras.datasets.mnist.load_data()`."""
        part = found.receiver
        if not isinstance(part, Result) or part.op != "item" or not isinstance(part.receiver, Result):
            return None
        name, which = part.receiver.name, constant(part.args[0]) if part.args else None
        if not name.startswith("keras.datasets.") or name.split(".")[2] not in _DATASETS or which not in (0, 1):
            return None
        return _DATASETS[name.split(".")[2]][which]

    def _of_array(self, found: Result, depth: int) -> int | None:
        home, method = found.name.rpartition(".")[0], found.method
        if method in _SHAPED and home in (
            "numpy",
            "numpy.random",
            "numpy.random.Generator",
            "tensorflow",
            "tensorflow.random",
        ):
            return self._of_shape(found, depth)
        if found.name in ("numpy.arange", "builtins.range", "tensorflow.range") and len(found.args) == 1:
            return self.whole(found.args[0])
        if method == "repeat" and len(found.args) == 2 and home == "numpy":
            size, times = self.rows(found.args[0].only, depth), self.whole(found.args[1])
            return size * times if size is not None and times is not None else None
        if method in ("concatenate", "concat", "vstack", "hstack", "append"):
            return self._of_joined(found, depth)
        source = found.receiver if found.receiver is not None else found.args[0].only if found.args else None
        if method == "reshape":
            shape = found.args[-1] if found.receiver is None else found.args[0] if found.args else None
            return self._of_first(shape) or (self.rows(source, depth) if self._is_minus_one(shape) else None)
        if method in _REDUCES:
            axis = found.keyword("axis")
            return self.rows(source, depth) if axis is not None and constant(axis) in (1, -1) else None
        return self.rows(source, depth) if method in _SAME_ROWS else None

    def _is_minus_one(self, shape: Value | None) -> bool:
        only = shape.only if shape is not None else None
        first = self._run.items(only) if isinstance(only, (Tuple, Container)) else [shape]
        return bool(first) and constant(first[0]) == -1 if first else False

    def _of_shape(self, found: Result, depth: int) -> int | None:
        name = "size" if found.name.startswith("numpy.random.") else "shape"
        given = found.keyword(name)
        if given is None and found.method in ("normal", "uniform", "randint") and name == "size":
            place = 1 if found.method == "randint" and len(found.args) == 2 else 2
            given = found.args[place] if place < len(found.args) else None
        elif given is None:
            given = found.args[0] if found.args else None
        return self._of_first(given)

    def _of_first(self, shape: Value | None) -> int | None:
        """The first number of a shape."""
        only = shape.only if shape is not None else None
        items = self._run.items(only) if isinstance(only, (Tuple, Container)) else None
        found = self.whole(items[0] if items else shape)
        return found if found is not None and found >= 0 else None

    def _of_joined(self, found: Result, depth: int) -> int | None:
        given = found.args[0].only if found.args else None
        items = self._run.items(given) if isinstance(given, (Tuple, Container)) else None
        axis = constant(found.keyword("axis")) if found.keyword("axis") is not None else 0
        sizes = [self.rows(item.only, depth) for item in items or ()]
        known = [size for size in sizes if size is not None]
        return sum(known) if items and axis == 0 and len(known) == len(sizes) else None

    # -- datasets ---------------------------------------------------------------------------------------------------

    def elements(self, step: Result) -> int | None:
        """How many elements a dataset has, each batch as one; None where that is not known, or it never ends."""
        total: int | None = None
        for each in reversed(self._pipelines.line(step)):
            total = self._source(each) if each.receiver is None else self._after(each, total)
        return total

    def _source(self, step: Result) -> int | None:
        if step.method == "from_tensor_slices" and step.args:
            return self._of_tensors(step.args[0])
        if step.method == "from_tensors":
            return 1
        if step.method == "range":
            numbers = [self.whole(value) for value in step.args]
            known = [number for number in numbers if number is not None]
            return length(range(*known)) if known and len(known) == len(numbers) and 0 not in known[2:] else None
        if step.method == "zip":
            sizes = [self.elements(each) for each in self._pipelines.parents(step)]
            known = [size for size in sizes if size is not None]
            return min(known) if known and len(known) == len(sizes) else None
        return None

    def _of_tensors(self, value: Value) -> int | None:
        only = value.only
        parts = self._run.items(only) if isinstance(only, Tuple) else None
        if isinstance(only, Container) and only.kind == "dict":
            keys = self._run.items(only)
            found = [self._run.at_key(only, constant(key)) for key in keys] if keys else []
            parts = [part for part in found if part is not None]
        if parts is None:
            return self.rows(only)
        sizes = {size for part in parts if (size := self._of_tensors(part)) is not None}
        return sizes.pop() if len(sizes) == 1 else None

    def _after(self, step: Result, before: int | None) -> int | None:
        if before is None:
            return None
        if step.method in _KEEPS:
            return before
        given = self.whole(self._pipelines.argument(step, "batch_size" if "batch" in step.method else "count"))
        if given is None or given < 0 or self._pipelines.hides_arguments(step):
            return None
        if step.method in ("batch", "padded_batch") and given:
            drops = self._pipelines.argument(step, "drop_remainder")
            if drops is not None and not isinstance(constant(drops), bool):
                return None
            return before // given if drops is not None and constant(drops) is True else -(-before // given)
        if step.method == "take":
            return min(before, given)
        if step.method == "skip":
            return max(before - given, 0)
        return before * given if step.method == "repeat" else None
