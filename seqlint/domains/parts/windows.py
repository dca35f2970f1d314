"""Lists of windows over rows, filled in a loop over numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.knowledge.scalings import NEUTRAL
from seqlint.run import Result, Tuple

if TYPE_CHECKING:
    from seqlint.run import Container, Object, Run, Value

_DEEPEST = 8


def rows_of_windows(run: Run, found: Container, before: int) -> Object | None:
    """The one collection whose slices a list holds; None where it holds anything else."""
    pieces = [each for each in run.pieces(found) if each.context.clock <= before] if found.kind == "list" else []
    if not pieces or any(each.how != "append" or not each.loops for each in pieces):
        return None
    holders = [_sliced(each.value) for each in pieces]
    first = holders[0]
    return first if first is not None and all(each is first for each in holders) else None


def _sliced(value: Value) -> Object | None:
    """What `rows[i : i + n]` is a slice of, whatever its form."""
    only = value.only
    for _ in range(_DEEPEST):
        if not isinstance(only, Result):
            return None
        if only.op == "item" and only.args:
            return _holder(only)
        if only.method not in NEUTRAL and only.method != "values":
            return None
        only = only.receiver if only.receiver is not None else only.args[0].only if only.args else None
    return None


def _holder(item: Result) -> Object | None:
    index = item.args[0].only
    first = index.items[0].only if isinstance(index, Tuple) and index.items else index
    is_slice = isinstance(first, Result) and first.name == "slice" and first.op == "operator"
    bounds = first.args[:2] if is_slice and isinstance(first, Result) else ()
    return item.receiver if bounds and all(_counts(bound) for bound in bounds) else None


def _counts(bound: Value, depth: int = 4) -> bool:
    """Whether a bound is made of the number of a loop."""
    only = bound.only
    if not isinstance(only, Result) or depth == 0:
        return False
    return only.op == "each" or (only.op == "operator" and any(_counts(each, depth - 1) for each in only.args))
