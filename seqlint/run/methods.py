"""Methods of lists, dicts, sets and texts."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from seqlint.run import containers
from seqlint.run.objects import Constant, Container, Instance, Result, Setting, Tuple, Value, joined
from seqlint.run.targets import put_attribute

if TYPE_CHECKING:
    import ast
    from collections.abc import Callable

    from seqlint.run.machine import Machine
    from seqlint.run.objects import Object

Args = tuple[Value, ...]
Keywords = tuple[tuple[str, Value], ...]
_NOTHING = Constant(None)
_CHANGES = frozenset(
    {"append", "extend", "insert", "remove", "pop", "sort", "reverse", "clear", "update", "setdefault", "add"}
)
_TEXT = frozenset({
    "format", "lower", "upper", "strip", "split", "replace", "join", "startswith", "endswith", "rstrip", "lstrip", "title", "zfill", "casefold",
    "swapcase", "rsplit", "partition", "rpartition", "removesuffix", "removeprefix", "splitlines", "index", "find", "rfind", "count", "isdigit",
    "capitalize", "ljust", "rjust", "isnumeric", "isalpha",
})  # fmt: skip
_PATH = frozenset({"with_suffix", "with_name", "with_stem", "joinpath", "as_posix"})
"""Methods of `pathlib.Path`, whose objects are texts here."""


def call(machine: Machine, receiver: Object, name: str, args: Args, keywords: Keywords, node: ast.AST) -> Value | None:
    """The value of a method of a container or text; None where the receiver is something else."""
    if isinstance(receiver, (Constant, Setting)):
        return _of_text(machine, receiver, name, args, keywords, node)
    if name == "update" and isinstance(receiver, Result) and receiver.name == "__dict__":
        return _of_attributes(machine, receiver, args, keywords, node)
    if not isinstance(receiver, Container):
        return None
    table = {"list": _LIST, "dict": _DICT, "set": _SET}[receiver.kind]
    work = table.get(name)
    if work is None:
        return None
    if name in _CHANGES:
        machine.store(receiver, name, args[0] if args else Value.of(_NOTHING), node)
    return work(machine, receiver, args, keywords, node)


def _of_attributes(machine: Machine, receiver: Result, args: Args, keywords: Keywords, node: ast.AST) -> Value | None:
    """`self.__dict__.update(settings)`."""
    owner, given = receiver.receiver, containers.made(machine, "dict", [], node)
    for value in args:
        containers.update(machine, given, value, node)
    keys = containers.known_keys(machine, given)
    if not isinstance(owner, Instance) or keys is None:
        return None
    for key, value in [*((str(key), machine.read((given.serial, f"k:{key!r}"))[0]) for key in keys), *keywords]:
        put_attribute(machine, owner, key, value, node)
    return Value.of(_NOTHING)


def _of_text(
    machine: Machine, receiver: Constant | Setting, name: str, args: Args, keywords: Keywords, node: ast.AST
) -> Value | None:
    text = receiver.default.value if isinstance(receiver, Setting) else receiver.value
    objects = [value.only for value in (*args, *(value for _, value in keywords))]
    if not isinstance(text, str) or name not in _TEXT | _PATH:
        return None
    holder = PurePosixPath(text) if name in _PATH else text
    given = [containers.items(machine, each) if isinstance(each, Container) else None for each in objects]
    if name == "join" and given and given[0] is not None:
        parts = [value.constant for value in given[0]]
        if not all(isinstance(part, str) for part in parts):
            return None
        return Value.of(Constant(text.join(parts), machine.result("call", ".join", receiver, args, (), node)))  # type: ignore[arg-type]
    if not all(isinstance(each, (Constant, Setting)) for each in objects):
        return None
    try:
        found = getattr(holder, name)(
            *(value.constant for value in args), **{key: value.constant for key, value in keywords}
        )
    except (TypeError, ValueError, IndexError, KeyError, AttributeError):
        return None
    if isinstance(found, list):
        return Value.of(containers.made(machine, "list", [Value.of(Constant(each)) for each in found], node))
    term = machine.result("call", f".{name}", receiver, args, keywords, node)
    made = Constant(str(found) if isinstance(found, PurePosixPath) else found, term)
    is_set = isinstance(receiver, Setting) or any(isinstance(each, Setting) for each in objects)
    return Value.of(Setting(made, term) if is_set else made)


# -- lists --------------------------------------------------------------------------------------------------------------


def _append(machine: Machine, receiver: Container, args: Args, keywords: Keywords, node: ast.AST) -> Value | None:
    if len(args) != 1:
        return None
    containers.append(machine, receiver, args[0])
    return Value.of(_NOTHING)


def _extend(machine: Machine, receiver: Container, args: Args, keywords: Keywords, node: ast.AST) -> Value | None:
    if len(args) != 1:
        return None
    containers.extend(machine, receiver, args[0], node)
    return Value.of(_NOTHING)


def _insert(machine: Machine, receiver: Container, args: Args, keywords: Keywords, node: ast.AST) -> Value | None:
    known, place = containers.known_here(machine, receiver), args[0].constant if len(args) == 2 else ...
    if known is None or not isinstance(place, int):
        containers.forget(machine, receiver)
        if args:
            containers.piece(machine, receiver, args[-1], "insert")
        return None
    known.insert(place, args[1])
    containers.rewritten(machine, receiver, known)
    return None


def _take(machine: Machine, receiver: Container, args: Args, keywords: Keywords, node: ast.AST) -> Value | None:
    """`rows.pop()`, `rows.pop(0)`."""
    known, place = containers.known_here(machine, receiver), args[0].constant if args else -1
    if not known or not isinstance(place, int) or not -len(known) <= place < len(known):
        containers.forget(machine, receiver)
        return None
    taken = known.pop(place)
    containers.rewritten(machine, receiver, known)
    machine.call(machine.result("call", ".pop", receiver, args, keywords, node))
    return taken


def _clear(machine: Machine, receiver: Container, args: Args, keywords: Keywords, node: ast.AST) -> Value | None:
    if containers.is_in_loop(machine, receiver):
        return _disorder(machine, receiver, args, keywords, node)
    containers.rewritten(machine, receiver, [])
    return None


def _disorder(machine: Machine, receiver: Container, args: Args, keywords: Keywords, node: ast.AST) -> Value | None:
    """A method that moves or takes away items: which one stands where is not known after it."""
    containers.forget(machine, receiver)
    found = [option for value in args for option in value.options]
    if found:
        containers.piece(machine, receiver, joined(found, node), "insert")
    return None


def _copy(machine: Machine, receiver: Container, args: Args, keywords: Keywords, node: ast.AST) -> Value | None:
    return containers.copied(machine, receiver, receiver.kind, node)


# -- dicts --------------------------------------------------------------------------------------------------------------


def _get(machine: Machine, receiver: Container, args: Args, keywords: Keywords, node: ast.AST) -> Value | None:
    if not args or args[0].constant is ...:
        return None
    keys = containers.known_keys(machine, receiver)
    fallback = args[1] if len(args) > 1 else Value.of(_NOTHING)
    if keys is not None and args[0].constant not in keys:
        return fallback
    value, sure = machine.read((receiver.serial, f"k:{args[0].constant!r}"))
    if not value.options:
        return None
    return value if sure else joined([*value.options, *fallback.options], node)


def _items(machine: Machine, receiver: Container, args: Args, keywords: Keywords, node: ast.AST) -> Value | None:
    pairs = _pairs(machine, receiver)
    if pairs is None:
        return None
    rows = [Value.of(Tuple((Value.of(Constant(key)), value), node)) for key, value in pairs]
    return Value.of(containers.made(machine, "list", rows, node))


def _values(machine: Machine, receiver: Container, args: Args, keywords: Keywords, node: ast.AST) -> Value | None:
    pairs = _pairs(machine, receiver)
    return (
        Value.of(containers.made(machine, "list", [value for _, value in pairs], node)) if pairs is not None else None
    )


def _keys(machine: Machine, receiver: Container, args: Args, keywords: Keywords, node: ast.AST) -> Value | None:
    pairs = _pairs(machine, receiver)
    if pairs is None:
        return None
    return Value.of(containers.made(machine, "list", [Value.of(Constant(key)) for key, _ in pairs], node))


def _pairs(machine: Machine, receiver: Container) -> list[tuple[object, Value]] | None:
    keys = containers.known_keys(machine, receiver)
    return None if keys is None else [(key, machine.read((receiver.serial, f"k:{key!r}"))[0]) for key in keys]


def _update(machine: Machine, receiver: Container, args: Args, keywords: Keywords, node: ast.AST) -> Value | None:
    for value in args:
        containers.update(machine, receiver, value, node)
    for name, value in keywords:
        containers.set_item(machine, receiver, Value.of(Constant(name)), value, node)
    return Value.of(_NOTHING)


def _default(machine: Machine, receiver: Container, args: Args, keywords: Keywords, node: ast.AST) -> Value | None:
    if not args or args[0].constant is ...:
        return None
    value, sure = machine.read((receiver.serial, f"k:{args[0].constant!r}"))
    if sure:
        return value
    containers.set_item(machine, receiver, args[0], args[1] if len(args) > 1 else Value.of(_NOTHING), node)
    return machine.read((receiver.serial, f"k:{args[0].constant!r}"))[0]


def _pop(machine: Machine, receiver: Container, args: Args, keywords: Keywords, node: ast.AST) -> Value | None:
    value = _get(machine, receiver, args, keywords, node)
    if args and args[0].constant is not ...:
        machine.put((receiver.serial, f"k:{args[0].constant!r}"), None)
    else:
        containers.forget(machine, receiver)
    return value


def _add(machine: Machine, receiver: Container, args: Args, keywords: Keywords, node: ast.AST) -> Value | None:
    if len(args) == 1:
        containers.piece(machine, receiver, args[0], "append")
    containers.forget(machine, receiver)
    return Value.of(_NOTHING)


_Work = dict[str, "Callable[[Machine, Container, Args, Keywords, ast.AST], Value | None]"]
_LIST: _Work = {
    "append": _append, "extend": _extend, "copy": _copy, "insert": _insert, "remove": _disorder, "pop": _take,
    "sort": _disorder, "reverse": _disorder, "clear": _clear,
}  # fmt: skip
_DICT: _Work = {
    "get": _get, "items": _items, "values": _values, "keys": _keys, "update": _update, "setdefault": _default, "pop": _pop,
    "copy": _copy,
}  # fmt: skip
_SET: _Work = {"add": _add, "copy": _copy}
