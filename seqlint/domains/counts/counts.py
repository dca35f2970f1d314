"""How many: numbers that a program works out of constants, rows of arrays and lists, elements of datasets."""

from __future__ import annotations

import math
import operator
from typing import TYPE_CHECKING

from seqlint.domains.counts.array_rows import ArrayRows
from seqlint.domains.counts.dataset_elements import DatasetElements
from seqlint.domains.pipelines.draws import contents
from seqlint.domains.pipelines.pipelines import Pipelines
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


class Counts:
    """The numbers of a run that are known without running anything."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._pipelines = run.domain(Pipelines)
        self._arrays = ArrayRows(run, self)
        self._datasets = DatasetElements(run, self._pipelines, self)

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
        if found.op == "item":
            return self._of_shape(found, depth + 1)
        return self._of_call(found, depth + 1) if found.op == "call" else None

    def _of_shape(self, found: Result, depth: int) -> int | None:
        """`x.shape[0]`."""
        shape = found.receiver
        is_first = bool(found.args) and constant(found.args[0]) == 0
        if not is_first or not isinstance(shape, Result) or shape.method != "shape" or shape.receiver is None:
            return None
        return self.rows(shape.receiver, depth)

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
        return _computed(work, left, right)

    def _of_call(self, found: Result, depth: int) -> Number | None:
        if found.name == "builtins.len" and found.args:
            inner = found.args[0].only
            return self.rows(inner, depth) if inner is not None else None
        if found.name in _ROUNDS and len(found.args) == 1:
            given = self.number(found.args[0], depth)
            return _computed(_ROUNDS[found.name], given) if given is not None else None
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

    # -- rows and elements ------------------------------------------------------------------------------------------

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
        return self.elements(found) if self._pipelines.is_dataset(found) else self._arrays.of(found, depth + 1)

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

    def elements(self, step: Result) -> int | None:
        """How many elements a dataset has, each batch as one; None where that is not known, or it never ends."""
        return self._datasets.of(step)


def _computed(work: Callable[..., Number], *given: Number) -> Number | None:
    """What Python computes; None where it raises: `int(1e400)`, `10**400 / 3.0`."""
    try:
        return work(*given)
    except (OverflowError, ValueError):
        return None
