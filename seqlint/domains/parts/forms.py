"""What the form of a term says of rows: a number, a mask, one side of a fold, a collection of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.domains.parts.part import Part, Take
from seqlint.domains.rows.terms import are_names, identity
from seqlint.knowledge.rows_kept import LOADS, SUMMARIES
from seqlint.run import Constant, External, Function, Result, Setting, Value

if TYPE_CHECKING:
    from seqlint.run import Object, Run

_OPPOSITES = {"==": "!=", "<": ">=", ">": "<=", "in": "not in"}


def root(found: Result) -> Part:
    """A collection that nothing here derives from another: what a file holds is the same each time."""
    loaded = _loaded(found)
    return Part(("loaded", found.term) if loaded else identity(found), (), found)


def _loaded(found: Object | None) -> bool:
    for _ in range(6):
        if not isinstance(found, Result):
            return False
        if found.op == "call":
            return found.name.startswith(LOADS) and not found.fresh
        found = found.receiver
    return False


def is_number(value: Value) -> bool:
    """Whether a value is a number or a summary, and no rows."""
    only = value.only
    if isinstance(only, (Constant, Setting, External, Function)):
        return True
    if not isinstance(only, Result):
        return False
    if only.op == "operator":
        return only.name != "slice" and bool(only.args) and all(is_number(each) for each in only.args)
    return only.method in SUMMARIES or only.name in ("builtins.float", "builtins.int") or only.op == "parameter"


def side_of_fold(index: Object) -> Take | None:
    """One side of a fold: what a loop over `folds.split(x)` takes, counted or not."""
    if not isinstance(index, Result) or index.op != "item" or not isinstance(index.receiver, Result):
        return None
    inner, side = index.receiver, index.args[0].constant
    if inner.op == "item" and isinstance(inner.receiver, Result) and inner.receiver.op == "each":
        inner = inner.receiver  # of `enumerate(folds.split(x))`
    if inner.op != "each" and inner.name != "builtins.next":
        return None
    source = inner.receiver if inner.op == "each" else inner.args[0].only if inner.args else None
    if isinstance(source, Result) and source.name in ("builtins.enumerate", "builtins.zip") and source.args:
        source = source.args[-1].only
    maker = source.receiver if isinstance(source, Result) and source.method == "split" else None
    return Take(("fold", maker.method if isinstance(maker, Result) else "", inner.serial), (side,))


def side_of_mask(index: Result) -> Take:
    """`x[mask]` and `x[~mask]`, `x[fold == 1]` and `x[fold != 1]`."""
    side, inner = True, index
    while inner.op == "operator" and inner.name in ("~", "not", "-") and len(inner.args) == 1:
        only = inner.args[0].only
        if not isinstance(only, Result):
            break
        side, inner = not side, only
    if inner.op == "operator" and len(inner.args) == 2:
        terms = tuple(value.term for value in inner.args)
        for plain, opposite in _OPPOSITES.items():
            if inner.name in (plain, opposite):
                return Take(("mask", plain, *terms), (side is (inner.name == plain),))
    return Take(("mask", inner.term), (side,))


def is_every_number(index: Part) -> bool:
    """Whether an index has each row once: `np.random.permutation(n)`, `np.arange(len(x))`."""
    made = index.source
    if not isinstance(made, Result) or made.method not in ("permutation", "permuted", "arange", "range"):
        return False
    if made.method.startswith("permut"):
        return True
    counted = made.args[0].only if len(made.args) == 1 else None
    return isinstance(counted, Result) and (counted.op == "item" or counted.method in ("len", "shape", "size"))


def axis_of(found: Result) -> object:
    """The axis along which collections are put together: 0 by default, `...` where nobody knows."""
    given = found.keyword("axis") or (found.args[1] if len(found.args) > 1 and found.method == "concatenate" else None)
    return given.constant if given is not None else 0


def leaves_columns_out(run: Run, found: Result) -> bool:
    """Whether a `drop` is one of columns."""
    if found.keyword("columns") is not None or found.keyword("index") is not None:
        return found.keyword("columns") is not None
    axis = found.argument("axis", 1)
    first = found.args[0] if found.args else found.keyword("labels")
    if axis is not None and axis.constant in (1, "columns"):
        return found.method in ("drop", "dropna")
    return found.method == "drop" and first is not None and (isinstance(first.constant, str) or are_names(run, first))


def first_of_zip(iterable: Value) -> Value:
    """What a loop takes its rows from: `zip(a, b)`, `enumerate(a)`, `range(len(a))`."""
    only = iterable.only
    for _ in range(4):
        if not isinstance(only, Result) or only.op != "call" or not only.args:
            break
        if (
            only.name in ("builtins.zip", "builtins.enumerate", "builtins.len")
            or only.method == "tqdm"
            or (only.name == "builtins.range" and len(only.args) == 1 and isinstance(only.args[0].only, Result))
        ):
            iterable = only.args[0]
        else:
            break
        only = iterable.only
    return iterable
