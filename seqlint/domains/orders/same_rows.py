"""Whether two datasets hold the same rows."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

from seqlint.domains.pipelines.draws import contents
from seqlint.run import Bound, Constant, Container, Function, Result, Tuple, Unknown, Value

if TYPE_CHECKING:
    from seqlint.domains.pipelines.pipelines import Pipelines
    from seqlint.run import Run

_DEEPEST = 20
_DRAWS = ("numpy.random.", "random.")
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
    return any(a is None or b is None or _is_another(run, a, b) for a, b in zip_longest(left, right))


def _line(pipelines: Pipelines, dataset: Result) -> list[Result]:
    return [step for step in pipelines.line(dataset)[1:] if step.method not in _TOUCHES_NO_ROW]


def _is_another(run: Run, one: Result, other: Result) -> bool:
    """Whether two steps surely do something else; what comes before them is left out."""
    if one is other or one.term == other.term:
        return False
    if one.op != "call" or one.name != other.name or len(one.args) != len(other.args):
        return True
    return any(_differs(run, a, b) for a, b in zip(one.args, other.args, strict=True))


def _differs(run: Run, one: Value, other: Value, depth: int = 0) -> bool:
    """Whether two values surely are not equal."""
    left, right = one.only, other.only
    if one.term == other.term or left is None or right is None or depth > _DEEPEST:
        return False
    if isinstance(left, Constant) and isinstance(right, Constant):
        return left.value != right.value
    if isinstance(left, (Tuple, Container)) and isinstance(right, (Tuple, Container)):
        return _items_differ(run, left, right, depth)
    if isinstance(left, Result) and isinstance(right, Result):
        return _results_differ(run, left, right, depth)
    return (
        isinstance(left, (Function, Bound)) and isinstance(right, (Function, Bound)) and _text(left) is not _text(right)
    )


def _items_differ(run: Run, one: Tuple | Container, other: Tuple | Container, depth: int) -> bool:
    left, right = run.items(one), run.items(other)
    if left is None or right is None:
        return False
    return len(left) != len(right) or any(_differs(run, a, b, depth + 1) for a, b in zip(left, right, strict=True))


def _results_differ(run: Run, one: Result, other: Result, depth: int) -> bool:
    if one.fresh or other.fresh:
        rounds = one.op == other.op == "each"  # of one loop
        return rounds or (one.name.startswith(_DRAWS) and other.name.startswith(_DRAWS))
    if (one.op, one.name, len(one.args), len(one.keywords)) != (
        other.op,
        other.name,
        len(other.args),
        len(other.keywords),
    ):
        return True
    pairs = [*zip(one.args, other.args, strict=True)]
    pairs += [(a, b) for (_, a), (_, b) in zip(one.keywords, other.keywords, strict=True)]
    if one.receiver is not None and other.receiver is not None:
        pairs.append((Value.of(one.receiver), Value.of(other.receiver)))
    return any(_differs(run, a, b, depth + 1) for a, b in pairs)


def _text(found: Function | Bound) -> object:
    """The text of a function."""
    return found.function.node if isinstance(found, Bound) else found.node
