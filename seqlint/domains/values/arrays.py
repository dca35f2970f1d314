"""NumPy arrays: the type of their items, and how many axes they have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from seqlint.run import Constant, Container, External, Result, Tuple
from seqlint.run.objects import constant

if TYPE_CHECKING:
    from seqlint.run import Object, Run, Value

_DEFAULTS_TO_FLOAT64 = frozenset({"zeros", "ones", "empty", "eye", "linspace", "identity"})
_DRAWN = frozenset({"rand", "randn", "random", "normal", "uniform", "standard_normal", "random_sample"})
_SAME = frozenset(
    {"array", "asarray", "ascontiguousarray", "copy", "flip", "fliplr", "flipud", "roll", "squeeze", "sort"}
)
_NAMES = {"float": "float64", "int": "int64", "bool": "bool", "double": "float64", "single": "float32"}
_DEEPEST = 40


@dataclass(frozen=True)
class Array:
    """What is known of an array.

    Attributes:
        dtype: the type of its items, such as "float64".
        rank: the number of its axes; None: not known.
    """

    dtype: str
    rank: int | None = None


class Arrays:
    """The arrays of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def of(self, value: Value, depth: int = 0) -> Array | None:
        """What an array surely is; None for all else."""
        found = [self._of(each, depth) for each in value]
        first = found[0] if found else None
        return first if first is not None and all(each == first for each in found) else None

    def _of(self, found: Object, depth: int) -> Array | None:
        if not isinstance(found, Result) or depth > _DEEPEST:
            return None
        if found.op == "call":
            return self._of_call(found, depth + 1)
        if found.op == "item":
            return self._of_part(found, depth + 1)
        return self._of_operator(found, depth + 1) if found.op == "operator" else None

    def _of_call(self, found: Result, depth: int) -> Array | None:
        module, _, name = found.name.rpartition(".")
        if name == "astype":
            inner = self._of(found.receiver, depth) if found.receiver is not None else None
            dtype = self.dtype(found.args[0]) if found.args else ""
            return Array(dtype, inner.rank if inner is not None else None) if dtype else None
        if module == "numpy.random" and name in _DRAWN:
            return Array("float64", self._rank(found, *found.args))
        if module != "numpy":
            return None
        if name in _DEFAULTS_TO_FLOAT64:
            given = found.keyword("dtype") or (found.args[1] if len(found.args) > 1 and name != "eye" else None)
            dtype = self.dtype(given) if given is not None else "float64"
            rank = 2 if name in ("eye", "identity") else self._rank(found, *found.args[:1])
            return Array(dtype, rank) if dtype else None
        if name in _SAME and found.args:
            inner = self.of(found.args[0], depth)
            given = found.keyword("dtype")
            dtype = self.dtype(given) if given is not None else inner.dtype if inner is not None else ""
            return Array(dtype, inner.rank if inner is not None else None) if dtype else None
        return None

    def _rank(self, found: Result, *shape: Value) -> int | None:
        if len(shape) > 1:
            return len(shape)
        only = shape[0].only if shape else None
        if isinstance(only, Tuple):
            return len(only.items)
        return 1 if isinstance(only, Constant) and isinstance(only.value, int) else None

    def _of_part(self, found: Result, depth: int) -> Array | None:
        """A slice, or rows by their numbers, have the axes of the whole; one row has one less."""
        whole = self._of(found.receiver, depth) if found.receiver is not None else None
        if whole is None or not found.args:
            return None
        index = found.args[0].only
        if isinstance(index, Result) and index.op == "operator" and index.name == "slice":
            return whole
        if isinstance(index, (Container, Tuple)) or not isinstance(index, (Constant, Result)):
            return Array(whole.dtype)
        if isinstance(index, Constant) and isinstance(index.value, int):
            return Array(whole.dtype, whole.rank - 1 if whole.rank is not None else None)
        return Array(whole.dtype)

    def _of_operator(self, found: Result, depth: int) -> Array | None:
        if found.name not in ("/", "+", "-", "*") or len(found.args) != 2:
            return None
        sides = [self.of(value, depth) for value in found.args]
        arrays = [side for side in sides if side is not None]
        numbers = [constant(value) for value, side in zip(found.args, sides, strict=True) if side is None]
        if not arrays or not all(isinstance(number, (int, float)) for number in numbers):
            return None
        dtypes = {side.dtype for side in arrays}
        whole = any(dtype.startswith(("int", "uint")) for dtype in dtypes)
        divides = found.name == "/" or any(isinstance(number, float) for number in numbers)
        dtype = "float64" if "float64" in dtypes or (whole and divides) else dtypes.pop() if len(dtypes) == 1 else ""
        return Array(dtype, max((side.rank or 0 for side in arrays), default=0) or None) if dtype else None

    def dtype(self, value: Value) -> str:
        """The type of items that an argument names; empty where it is not known."""
        only = value.only
        name = only.name.rpartition(".")[2] if isinstance(only, External) else constant(value)
        return _NAMES.get(name, name) if isinstance(name, str) else ""
