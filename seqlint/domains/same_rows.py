"""Whether two datasets hold the same rows."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

from seqlint.domains.draws import contents
from seqlint.run import Bound, Function, Unknown

if TYPE_CHECKING:
    from seqlint.domains.pipelines import Pipelines
    from seqlint.run import Object, Result, Run, Value

_TOUCHES_NO_ROW = ("prefetch", "with_options")


def differ(run: Run, pipelines: Pipelines, one: Result, other: Result) -> bool:
    """Whether two datasets are surely made from other rows, or by other steps.

    A function that is made twice at one place of the text counts as one, and what nobody knows may be anything.
    """
    left, right = (_line(pipelines, each) for each in (one, other))
    if any(
        isinstance(part, Unknown) for step in (*left, *right) for value in step.args for part in contents(run, value)
    ):
        return False
    return any(a is None or b is None or _is_another(a, b) for a, b in zip_longest(left, right))


def _line(pipelines: Pipelines, dataset: Result) -> list[Result]:
    return [step for step in pipelines.line(dataset)[1:] if step.method not in _TOUCHES_NO_ROW]


def _is_another(one: Result, other: Result) -> bool:
    if one is other or one.term == other.term:
        return False
    if one.op != "call" or one.name != other.name or len(one.args) != len(other.args):
        return True
    return any(_differs(a, b) for a, b in zip(one.args, other.args, strict=True))


def _differs(one: Value, other: Value) -> bool:
    if one.term == other.term:
        return False
    left, right = (_function(value.only) for value in (one, other))
    return left is None or left is not right


def _function(found: Object | None) -> object | None:
    """The text of a function."""
    if isinstance(found, Bound):
        return found.function.node
    return found.node if isinstance(found, Function) else None
