"""Functions that go through known items: `zip`, `map`, `sorted`, `functools.reduce`, `itertools.chain`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.run import comprehensions, conditions, containers
from seqlint.run.objects import Bound, Constant, External, Function, Tuple, Value

if TYPE_CHECKING:
    import ast
    from collections.abc import Callable

    from seqlint.run.machine import Machine

Args = tuple[Value, ...]
Keywords = tuple[tuple[str, Value], ...]


def _listed(machine: Machine, found: list[Value], node: ast.AST) -> Value:
    return Value.of(containers.made(machine, "list", found, node))


def _columns(machine: Machine, args: Args, node: ast.AST) -> list[list[Value]] | None:
    found = [comprehensions.known_items(machine, value, node) for value in args]
    known = [column for column in found if column is not None]
    return known if known and len(known) == len(found) else None


def _zip(machine: Machine, args: Args, keywords: Keywords, node: ast.AST) -> Value | None:
    columns = _columns(machine, args, node)
    if columns is None or any(name == "*" for name, _ in keywords):
        return None
    rows = [Value.of(Tuple(tuple(row), node)) for row in zip(*columns, strict=False)]
    return _listed(machine, rows, node)


def _enumerate(machine: Machine, args: Args, keywords: Keywords, node: ast.AST) -> Value | None:
    start = args[1] if len(args) == 2 else next((value for name, value in keywords if name == "start"), None)
    first = start.constant if start is not None else 0
    found = comprehensions.known_items(machine, args[0], node) if args else None
    if found is None or not isinstance(first, int):
        return None
    rows = [Value.of(Tuple((Value.of(Constant(number)), value), node)) for number, value in enumerate(found, first)]
    return _listed(machine, rows, node)


def _reversed(machine: Machine, args: Args, keywords: Keywords, node: ast.AST) -> Value | None:
    found = comprehensions.known_items(machine, args[0], node) if args else None
    return _listed(machine, found[::-1], node) if found is not None else None


def _map(machine: Machine, args: Args, keywords: Keywords, node: ast.AST) -> Value | None:
    """`map(f, items)`: run at once, item by item or once for all."""
    work = args[0].only if args else None
    if work is None or len(args) < 2:
        return None
    if len(args) > 2:
        columns = _columns(machine, args[1:], node)
        rows = zip(*columns, strict=False) if columns is not None else None
        return _listed(machine, [machine.invoke(machine, work, row, (), node) for row in rows], node) if rows else None
    made = containers.made(machine, "list", [], node)
    for item in comprehensions.rounds(machine, args[1], node):
        before = machine.way
        containers.append(machine, made, machine.invoke(machine, work, (item,), (), node))
        machine.way = before
    return Value.of(made)


def _filter(machine: Machine, args: Args, keywords: Keywords, node: ast.AST) -> Value | None:
    """`filter(f, items)`, where it is known of each item whether it stays."""
    found = comprehensions.known_items(machine, args[1], node) if len(args) == 2 else None
    work = args[0].only if args else None
    if found is None or not isinstance(work, (Function, Bound)):
        return None
    kept = [conditions.truth(machine, machine.invoke(machine, work, (value,), (), node)) for value in found]
    if None in kept:
        return None
    return _listed(machine, [value for value, stays in zip(found, kept, strict=True) if stays], node)


def _sorted(machine: Machine, args: Args, keywords: Keywords, node: ast.AST) -> Value | None:
    """Known numbers and texts, by what `key` gives for each."""
    found = comprehensions.known_items(machine, args[0], node) if len(args) == 1 else None
    named = dict(keywords)
    backwards = named["reverse"].constant if "reverse" in named else False
    if found is None or not isinstance(backwards, bool) or not named.keys() <= {"key", "reverse"}:
        return None
    if not all(isinstance(value.only, Constant) for value in found):
        return None
    by = named["key"].only if "key" in named else None
    keys = found
    if by is not None:
        if not isinstance(by, (Function, Bound, External)):
            return None
        keys = [machine.invoke(machine, by, (value,), (), node) for value in found]
    if not all(isinstance(value.only, Constant) for value in keys):
        return None
    try:
        places = sorted(range(len(found)), key=lambda place: keys[place].constant, reverse=backwards)  # type: ignore[arg-type, return-value]
    except TypeError:
        return None
    return _listed(machine, [found[place] for place in places], node)


def _reduce(machine: Machine, args: Args, keywords: Keywords, node: ast.AST) -> Value | None:
    """`reduce(lambda rows, step: step(rows), steps, rows)`."""
    found = comprehensions.known_items(machine, args[1], node) if len(args) in (2, 3) else None
    work = args[0].only if args else None
    if found is None or not isinstance(work, (Function, Bound)):
        return None
    given = [*args[2:], *found]
    if not given:
        return None
    here = given[0]
    for value in given[1:]:
        here = machine.invoke(machine, work, (here, value), (), node)
    return here


def _chain(machine: Machine, args: Args, keywords: Keywords, node: ast.AST) -> Value | None:
    columns = _columns(machine, args, node) if not keywords else None
    return _listed(machine, [value for column in columns for value in column], node) if columns is not None else None


def _chain_of(machine: Machine, args: Args, keywords: Keywords, node: ast.AST) -> Value | None:
    found = comprehensions.known_items(machine, args[0], node) if len(args) == 1 else None
    return _chain(machine, tuple(found), (), node) if found else None


WORK: dict[str, Callable[[Machine, Args, Keywords, ast.AST], Value | None]] = {
    "builtins.zip": _zip, "builtins.enumerate": _enumerate, "builtins.reversed": _reversed, "builtins.map": _map,
    "builtins.filter": _filter, "builtins.sorted": _sorted, "functools.reduce": _reduce, "itertools.chain": _chain,
    "itertools.chain.from_iterable": _chain_of,
}  # fmt: skip
