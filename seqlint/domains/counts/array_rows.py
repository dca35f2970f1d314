"""How many rows arrays and lists have: made of shapes, loaded, sliced, joined, computed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.knowledge.ranges import length
from seqlint.run import Constant, Container, Result, Tuple, Value
from seqlint.run.objects import constant

if TYPE_CHECKING:
    from seqlint.domains.counts.counts import Counts
    from seqlint.run import Object, Run

_KEEP_ROWS = frozenset({"+", "-", "*", "/", "//", "%", "**", "<", ">", "==", "<=", ">="})
_SHAPED = frozenset({
    "zeros", "ones", "empty", "full", "rand", "randn", "random", "random_sample", "standard_normal", "normal", "uniform", "randint", "integers",
    "choice",
})  # fmt: skip
_SHAPERS = frozenset({"numpy", "numpy.random", "numpy.random.Generator", "tensorflow", "tensorflow.random"})
_SAME_ROWS = frozenset({
    "astype", "copy", "array", "asarray", "zeros_like", "ones_like", "expand_dims", "cast", "convert_to_tensor", "constant", "to_categorical", "sqrt",
    "abs", "exp", "log", "sin", "cos", "tolist", "list", "float32", "round", "clip", "pad",
})  # fmt: skip
_SIZE_PLACES = {"normal": 2, "uniform": 2, "randint": 2, "integers": 2, "choice": 1}
_REDUCES = frozenset({"sum", "mean", "max", "min", "argmax", "std", "reduce_sum", "reduce_mean"})
_DATASETS = {
    "mnist": (60_000, 10_000), "fashion_mnist": (60_000, 10_000), "cifar10": (50_000, 10_000), "cifar100": (50_000, 10_000),
    "imdb": (25_000, 25_000),
}  # fmt: skip


class ArrayRows:
    """The rows of the arrays of a run."""

    def __init__(self, run: Run, counts: Counts) -> None:
        self._run = run
        self._counts = counts

    def of(self, found: Result, depth: int) -> int | None:
        """How many rows a term has; None where that is not known."""
        if found.op == "operator":
            return self._of_operator(found, depth)
        if found.op == "item":
            return self._of_item(found, depth)
        return self._of_array(found, depth) if found.op == "call" else None

    def _of_operator(self, found: Result, depth: int) -> int | None:
        sizes = [self._counts.rows(value.only, depth) for value in found.args]
        if len(sizes) == 2 and any(
            isinstance(value.only, Container) or self._is_list(value.only) for value in found.args
        ):
            return self._of_lists(found, sizes)
        known = {size for size in sizes if size is not None and size > 1}
        return known.pop() if len(known) == 1 and found.name in _KEEP_ROWS else None

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
        times = self._counts.whole(found.args[1])
        return sizes[0] * times if found.name == "*" and sizes[0] is not None and times is not None else None

    def _of_item(self, found: Result, depth: int) -> int | None:
        loaded = self._of_loaded(found)
        index = found.args[0].only if found.args else None
        if loaded is not None or index is None:
            return loaded
        if isinstance(index, Tuple) and index.items:
            index = index.items[0].only
        size = self._counts.rows(found.receiver, depth)
        if isinstance(index, Constant) and index.value is ...:
            return size
        if not isinstance(index, Result) or (index.op == "operator" and index.name != "slice"):
            return None
        if index.op != "operator":
            return self._counts.rows(index, depth)  # the rows that an array of numbers takes
        if size is None:
            return None
        bounds = [self._counts.whole(value) for value in index.args]
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
        if method in _SHAPED and home in _SHAPERS:
            return self._of_shape(found, depth)
        if found.name in ("numpy.arange", "builtins.range", "tensorflow.range") and len(found.args) == 1:
            return self._counts.whole(found.args[0])
        if method == "permutation" and found.args:
            number = self._counts.whole(found.args[0])
            return number if number is not None else self._counts.rows(found.args[0].only, depth)
        if method == "repeat" and len(found.args) == 2 and home == "numpy":
            size, times = self._counts.rows(found.args[0].only, depth), self._counts.whole(found.args[1])
            return size * times if size is not None and times is not None else None
        if method in ("concatenate", "concat", "vstack", "hstack", "append"):
            return self._of_joined(found, depth)
        source = found.receiver if found.receiver is not None else found.args[0].only if found.args else None
        if method == "reshape":
            shape = found.args[-1] if found.receiver is None else found.args[0] if found.args else None
            return self._of_first(shape) or (self._counts.rows(source, depth) if self._is_minus_one(shape) else None)
        if method in _REDUCES:
            axis = found.keyword("axis")
            return self._counts.rows(source, depth) if axis is not None and constant(axis) in (1, -1) else None
        return self._counts.rows(source, depth) if method in _SAME_ROWS else None

    def _is_minus_one(self, shape: Value | None) -> bool:
        only = shape.only if shape is not None else None
        first = self._run.items(only) if isinstance(only, (Tuple, Container)) else [shape]
        return bool(first) and constant(first[0]) == -1 if first else False

    def _of_shape(self, found: Result, depth: int) -> int | None:
        name = "size" if found.name.startswith("numpy.random.") else "shape"
        given = found.keyword(name)
        if given is None and found.method in _SIZE_PLACES and name == "size":
            place = 1 if found.method == "randint" and len(found.args) == 2 else _SIZE_PLACES[found.method]
            given = found.args[place] if place < len(found.args) else None
        elif given is None:
            given = found.args[0] if found.args else None
        return self._of_first(given)

    def _of_first(self, shape: Value | None) -> int | None:
        """The first number of a shape."""
        only = shape.only if shape is not None else None
        items = self._run.items(only) if isinstance(only, (Tuple, Container)) else None
        found = self._counts.whole(items[0] if items else shape)
        return found if found is not None and found >= 0 else None

    def _of_joined(self, found: Result, depth: int) -> int | None:
        given = found.args[0].only if found.args else None
        items = self._run.items(given) if isinstance(given, (Tuple, Container)) else None
        axis = constant(found.keyword("axis")) if found.keyword("axis") is not None else 0
        sizes = [self._counts.rows(item.only, depth) for item in items or ()]
        known = [size for size in sizes if size is not None]
        return sum(known) if items and axis == 0 and len(known) == len(sizes) else None
