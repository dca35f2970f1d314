"""How the batches of a Sequence are cut by their index, wherever the code for it is: `x[index * size : (index + 1) * size]`."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from seqlint.domains.rows.terms import shown
from seqlint.domains.values.reached import MOST, reached
from seqlint.run import Constant, Container, Result, Setting, Tuple, Value
from seqlint.run.objects import constant

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Batch, Object, Run

_RANGES = frozenset({"builtins.range", "numpy.arange"})
_WHOLE = frozenset({"builtins.int", "numpy.int64", "numpy.int32"})
_NEUTRAL = frozenset({"*", "+", "slice"})
"""What a program does with the index of a batch that only cuts."""


@dataclass(frozen=True, eq=False)
class Cut:
    """One place where the index of a batch picks its samples.

    Attributes:
        items: what is cut; None for a range of numbers.
        size: how many samples a full batch has.
        ends_early: whether it gives the samples that are left where a full batch is not.
        limits: numbers that its end is held back to.
    """

    items: Object | None
    size: Value
    ends_early: bool
    limits: tuple[Value, ...] = ()


class Cuts:
    """The cuts of the batches of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def of(self, batch: Batch) -> tuple[Cut, ...]:
        """Each cut on the way to what `__getitem__` gives; none where a batch is, or may be, made in another way."""
        parts = [*parts_of(self._run, batch.value)]
        index = next((each for each in parts if _is_index(each, batch)), None)
        if not isinstance(index, Result) or len(parts) >= MOST or self._asks_which(index):
            return ()
        found = (_cut(each, index) for each in parts if isinstance(each, Result))
        return tuple(cut for cut in found if cut is not None)

    def _asks_which(self, index: Result) -> bool:
        """Whether a batch is made in another way by its number: `if index == len(self) - 1`, `index % 3`; a test that raises aside."""
        asked = (
            each
            for each in self._run.results
            if each.op == "operator"
            and each.name not in _NEUTRAL
            and any(index in _terms(value) for value in each.args)
        )
        return any(not self._raises(each) for each in asked)

    def _raises(self, asked: Result) -> bool:
        """Whether a test stands in an `if` that raises, or in an `assert`."""
        tree = asked.module.tree if asked.module is not None else self._run.tree
        for node in ast.walk(tree):
            if isinstance(node, ast.If) and any(part is asked.node for part in ast.walk(node.test)):
                return isinstance(node.body[0], ast.Raise)
            if isinstance(node, ast.Assert) and any(part is asked.node for part in ast.walk(node.test)):
                return True
        return False


def parts_of(run: Run, value: Value) -> Iterator[Object]:
    """Every object that a value is made of, with what its lists are filled with, and what the loops that fill them go through."""

    def below(each: Object) -> list[Value]:
        if isinstance(each, Result):
            own = [Value.of(each.receiver)] if each.receiver is not None else []
            return [*each.args, *(part for _, part in each.keywords), *own]
        if isinstance(each, Tuple):
            return list(each.items)
        return _held(run, each) if isinstance(each, Container) else []

    return reached(value, below)


def _held(run: Run, found: Container) -> list[Value]:
    items = run.items(found) or []
    keys = items if found.kind == "dict" else ()
    values = [held for key in keys if (held := run.at_key(found, key.constant)) is not None]
    pieces = run.pieces(found)
    gone_through = [loop.iterable for piece in pieces for loop in piece.loops if loop.iterable is not None]
    return [*items, *values, *(piece.value for piece in pieces), *gone_through]


def made(value: Value | None) -> Object | None:
    """The one object that a value is; for numbers that are known, the operation that gives them."""
    found = value.only if value is not None else None
    if isinstance(found, Setting):
        found = found.default
    return found.origin if isinstance(found, Constant) and isinstance(found.origin, Result) else found


def without_int(value: Value) -> Object | None:
    """The x of `int(x)`."""
    found = made(value)
    while isinstance(found, Result) and found.name in _WHOLE and len(found.args) == 1:
        found = made(found.args[0])
    return found


def collection(found: Object | None) -> Object | None:
    """The `x` of `x.iloc`, `x.values` and `np.asarray(x)`."""
    while isinstance(found, Result) and found.op != "item" and (inner := shown(found)) is not None:
        found = inner
    return found


def _is_index(found: Object, batch: Batch) -> bool:
    return isinstance(found, Result) and found.op == "parameter" and found.receiver is batch.source


def _terms(value: Value) -> Iterator[Object]:
    """The objects of a sum or product."""

    def below(each: Object) -> tuple[Value, ...]:
        return each.args if isinstance(each, Result) and each.op == "operator" and each.name in _NEUTRAL else ()

    return reached(value, below)


# -- one cut ----------------------------------------------------------------------------------------------------------


def _cut(found: Result, index: Result) -> Cut | None:
    if found.op == "call" and found.name in _RANGES and len(found.args) == 2:
        return _between(None, *found.args, index)
    bounds = _bounds(found)
    if bounds is None or found.receiver is None:
        return None
    rest = found.receiver
    before = _bounds(rest) if isinstance(rest, Result) else None
    if constant(bounds[0]) in (None, 0) and before is not None and isinstance(rest, Result):  # `x[start:][:size]`
        size = _factor(before[0], index, 0)
        same = size is not None and constant(before[1]) is None and size.term == bounds[1].term
        return Cut(collection(rest.receiver), size, ends_early=True) if size is not None and same else None
    return _between(collection(rest), *bounds, index)


def _bounds(found: Result) -> tuple[Value, Value] | None:
    """The start and stop of `x[start:stop]`, of `x[start:stop, 0]` as well."""
    only = found.args[0].only if found.op == "item" else None
    if isinstance(only, Tuple) and only.items:
        only = only.items[0].only
    if not isinstance(only, Result) or only.op != "operator" or only.name != "slice":
        return None
    return (only.args[0], only.args[1]) if constant(only.args[2]) in (None, 1) else None


def _between(items: Object | None, start: Value, stop: Value, index: Result) -> Cut | None:
    size = _factor(start, index, 0)
    if size is None:
        return None
    end = made(stop)
    if isinstance(end, Result) and end.name in ("builtins.min", "numpy.minimum") and len(end.args) == 2:
        for one, other in (end.args, end.args[::-1]):
            if _is_end(one, start, size, index):
                return Cut(items, size, ends_early=True, limits=(other,))
        return None
    return Cut(items, size, ends_early=items is not None) if _is_end(stop, start, size, index) else None


def _is_end(stop: Value, start: Value, size: Value, index: Result) -> bool:
    """`(index + 1) * size`, `start + size`."""
    factor = _factor(stop, index, 1)
    if factor is not None:
        return factor.term == size.term
    end = without_int(stop)
    if not isinstance(end, Result) or end.name != "+" or len(end.args) != 2:
        return False
    return any(one.term == start.term and other.term == size.term for one, other in (end.args, end.args[::-1]))


def _factor(value: Value, index: Result, plus: int) -> Value | None:
    """The other factor of a product with the index, or with one more than it."""
    found = without_int(value)
    if not isinstance(found, Result) or found.op != "operator" or found.name != "*" or len(found.args) != 2:
        return None
    for one, other in (found.args, found.args[::-1]):
        if without_int(one) is index if plus == 0 else _is_next(one, index):
            return other
    return None


def _is_next(value: Value, index: Result) -> bool:
    found = without_int(value)
    if not isinstance(found, Result) or found.name != "+" or len(found.args) != 2:
        return False
    return any(without_int(one) is index and constant(other) == 1 for one, other in (found.args, found.args[::-1]))
