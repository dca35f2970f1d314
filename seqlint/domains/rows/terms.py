"""What a term says of rows by its form: a slice, a count, a view, a part of `zip`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.domains.rows.steps import Cut, Rows
from seqlint.knowledge.orders import MEASURES, VIEWING_ATTRIBUTES, VIEWS
from seqlint.run import Constant, Container, Result, Setting, Tuple, Value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.domains.rows.steps import Key
    from seqlint.run import Object, Run


def identity(found: Object) -> Key:
    """What tells a collection from others: two calls make two, an attribute is the same each time."""
    if isinstance(found, Container) or (isinstance(found, Result) and found.op == "call"):
        return ("made", found.serial)
    if isinstance(found, Result) and isinstance(found.receiver, (Result, Container)):
        return (found.op, found.name, identity(found.receiver), *(value.term for value in found.args))
    return ("term", found.term)


def root(found: Result) -> Rows:
    """The rows of a collection that nothing here derives from another."""
    unfollowed = found.op in ("call", "each", "item")
    return Rows(identity(found), since=found.clock if unfollowed else 0)


def same(one: Rows, other: Rows) -> bool:
    """Whether rows were taken in the same way."""
    return one.base == other.base and one.steps == other.steps


def is_nothing(found: Object) -> bool:
    """Whether an object is None."""
    return isinstance(found, Constant) and found.value is None


def is_count(value: Value) -> bool:
    """Whether a value is a number: `len(x)`, `x.shape[0]`, a sum of them."""
    only = value.only
    if isinstance(only, (Constant, Setting)):
        return True
    if not isinstance(only, Result):
        return False
    if only.op == "operator":
        return only.name != "slice" and bool(only.args) and all(is_count(each) for each in only.args)
    if only.op == "item":
        return isinstance(only.receiver, Result) and only.receiver.method in MEASURES
    return (
        only.name in MEASURES
        or only.name in ("builtins.int", "builtins.min", "builtins.max", "builtins.sum", "math.floor")
        or (only.op == "attribute" and only.method in MEASURES)
    )


def is_path(found: Object) -> bool:
    """Whether a call makes the path of a file."""
    return isinstance(found, Result) and found.op == "call" and found.name.startswith(("os.path.", "pathlib."))


def shown(found: Result) -> Object | None:
    """What an object is a view of: `x[2:]`, `x[:, 0]`, `x.values`, `np.asarray(x)`."""
    if found.op == "item" and slice_of(found.args[0]) is not None:
        return found.receiver
    if (
        found.op == "attribute"
        and found.method in VIEWING_ATTRIBUTES
        and isinstance(found.receiver, (Result, Container))
    ):
        return found.receiver
    if found.op == "call" and found.name in VIEWS:
        return found.receiver if found.receiver is not None else found.args[0].only if found.args else None
    return None


def slice_of(index: Value) -> Cut | None:
    """The rows of `x[a:b]` and `x[a:b, 0]`; None for other indexes."""
    only = index.only
    if isinstance(only, Tuple):
        return slice_of(only.items[0]) if only.items else None
    if not isinstance(only, Result):
        return None
    if only.op == "operator" and only.name == "slice":
        bounds = list(only.args)
    elif only.op == "call" and only.name == "builtins.slice" and only.args:
        nothing = Value.of(Constant(None))
        bounds = [nothing, only.args[0], nothing] if len(only.args) == 1 else [*only.args, nothing][:3]
    else:
        return None
    return cut_of(bounds)


def is_slice(index: Value) -> bool:
    """Whether an index takes neighbours: `a:b`, `slice(a, b)`, `a:b, 0`."""
    return slice_of(index) is not None


def cut_of(bounds: list[Value]) -> Cut:
    """The rows from a start to a stop."""
    nothing = Value.of(Constant(None))
    start, stop, step = [*bounds, nothing, nothing][:3]
    if start.constant in (None, 0) and stop.constant is None and step.constant in (None, 1):
        return Cut(("all",))
    first = ("constant", 0) if start.constant in (None, 0) else start.term
    upto = stop.only
    long = upto.args[0].only if isinstance(upto, Result) and upto.name == "builtins.len" and upto.args else None
    same = identity(long) if long is not None and first == ("constant", 0) else None
    return Cut(("slice", first, stop.term, ("constant", 1) if step.constant in (None, 1) else step.term), same)


def are_names(run: Run, index: Value) -> bool:
    """Whether an index is a list of column names."""
    only = index.only
    if isinstance(only, Result):
        return _are_columns(only)
    items = run.items(only) if isinstance(only, (Container, Tuple)) else None
    if items is None and isinstance(only, Container):  # `[name for name in frame.columns if ...]`
        pieces = [piece.value.only for piece in run.pieces(only)]
        return bool(pieces) and all(
            isinstance(each, Result) and each.op == "each" and _are_columns(each.receiver) for each in pieces
        )
    return bool(items) and all(isinstance(value.constant, str) for value in items or ())


def _are_columns(found: Object | None) -> bool:
    """Whether a term is the columns of a frame, or some of them: `frame.columns[1:]`, `list(frame.columns)`."""
    for _ in range(6):
        if not isinstance(found, Result):
            return False
        if found.op == "attribute" and found.method == "columns":
            return True
        if found.op == "item" and slice_of(found.args[0]) is None:
            return False
        if found.op == "call" and found.name in ("builtins.list", "builtins.sorted") and found.args:
            found = found.args[0].only
        elif found.op == "item" or found.method in (
            "tolist",
            "to_list",
            "drop",
            "difference",
            "values",
            "to_numpy",
            "copy",
        ):
            found = found.receiver
        else:
            return False
    return False


def zipped(each: Result, key: int) -> Value | None:
    """What a loop over `zip(a, b)` or `enumerate(a)` takes an item from."""
    source = each.receiver
    if not isinstance(source, Result) or source.op != "call":
        return None
    if source.name == "builtins.zip" and key < len(source.args):
        return source.args[key]
    return source.args[0] if source.name == "builtins.enumerate" and key == 1 and source.args else None


def counted(index: Value) -> tuple[Result | None, Value | None]:
    """The `enumerate(rows)` whose counter an index is, and what is added to it: `start + number`."""
    only = index.only
    if not isinstance(only, Result):
        return None, None
    if only.op == "operator" and only.name == "+" and len(only.args) == 2:
        for one, other in (only.args, only.args[::-1]):
            counter, start = counted(one)
            if counter is not None and start is None:
                return counter, other
    each = only.receiver if only.op == "item" and only.args[0].constant == 0 else None
    source = each.receiver if isinstance(each, Result) and each.op == "each" else None
    is_counter = isinstance(source, Result) and source.name == "builtins.enumerate" and len(source.args) == 1
    return (source, None) if isinstance(source, Result) and is_counter and not source.keywords else (None, None)


def within(value: Value, depth: int = 3) -> Iterator[Object]:
    """The objects of a value, those in tuples, too."""
    for each in value:
        yield each
        if isinstance(each, Tuple) and depth:
            for item in each.items:
                yield from within(item, depth - 1)
