"""Lists, dicts, sets and tuples: item by item as long as that can be known, else what they are filled with."""

from __future__ import annotations

import ast
import math
from typing import TYPE_CHECKING

from seqlint.knowledge.ranges import length
from seqlint.run import protocols
from seqlint.run.machine import MOST_ITEMS, Piece
from seqlint.run.objects import (
    Constant,
    Container,
    Generator,
    Instance,
    Option,
    Result,
    Setting,
    Tuple,
    Value,
    joined,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from seqlint.run.frames import Frame
    from seqlint.run.machine import Machine
    from seqlint.run.objects import Kind, Object

_MOST_KNOWN = 64


def made(machine: Machine, kind: Kind, found: Sequence[Value] | None, node: ast.AST) -> Container:
    """A new container with items; None where they are not known."""
    container = Container(kind, node)
    machine.made_in[container.serial] = len(machine.loops)
    machine.containers.append(container)
    machine.born[container.serial] = machine.clock
    if found is None or len(found) > _MOST_KNOWN:
        forget(machine, container)
        for value in found or ():
            piece(machine, container, value, "append")
        return container
    for number, value in enumerate(found):
        machine.put((container.serial, _at(number)), value)
    machine.put((container.serial, "len"), Value.of(Constant(len(found))))
    return container


def _at(number: int) -> str:
    return f"[{number}]"


def displayed(machine: Machine, nodes: Sequence[ast.expr], frame: Frame) -> list[Value] | None:
    """The items of a display, stars unpacked; None where a star hides how many there are."""
    found: list[Value] | None = []
    for node in nodes:
        value = machine.evaluate(machine, node, frame)
        if not isinstance(node, ast.Starred):
            if found is not None:
                found.append(value)
            continue
        more = unpacked(machine, value.only, node)
        found = [*found, *more] if found is not None and more is not None else None
    return found


def forget(machine: Machine, container: Container) -> None:
    """Nobody knows any more how many items there are."""
    machine.put((container.serial, "len"), machine.unknown("its length is not known"))


def piece(machine: Machine, container: Container, value: Value, how: str) -> None:
    """Note something that a container gets, without its place."""
    loops = machine.loops[machine.made_in.get(container.serial, 0) :]
    machine.pieces[container.serial].append(Piece(value, how, machine.context, loops))


# -- reading ----------------------------------------------------------------------------------------------------------


def items(machine: Machine, found: Object | None) -> list[Value] | None:
    """The items of a list or tuple, the keys of a dict; None where they are not all known."""
    if isinstance(found, Tuple):
        return list(found.items)
    if isinstance(found, Constant) and isinstance(found.value, (tuple, list)):
        return [Value.of(Constant(each)) for each in found.value]
    if isinstance(found, Instance):
        return protocols.as_tuple(machine, found)
    if not isinstance(found, Container):
        return _items_of_call(found) if isinstance(found, Result) else None
    if found.kind == "dict":
        keys = known_keys(machine, found)
        return None if keys is None else [Value.of(Constant(key)) for key in keys]
    length, sure = machine.read((found.serial, "len"))
    if not sure or not isinstance(length.constant, int):
        return None
    return [machine.read((found.serial, _at(number)))[0] for number in range(length.constant)]


def unpacked(machine: Machine, found: Object | None, node: ast.AST) -> list[Value] | None:
    """The items that `*found` gives, also those of a generator or of an object that goes through its own; None where they are not known."""
    if isinstance(found, Generator):
        return machine.drain(machine, found, node)
    return protocols.known_items(machine, found, node) if isinstance(found, Instance) else items(machine, found)


def _items_of_call(found: Result) -> list[Value] | None:
    """The numbers of a short `range`."""
    if found.op != "call" or found.name != "builtins.range":
        return None
    if not all(isinstance(value.only, Constant) for value in found.args):
        return None
    bounds = [bound for value in found.args if isinstance(bound := value.constant, int)]
    if not bounds or len(bounds) != len(found.args) or bounds[2:] == [0]:
        return None
    numbers = range(*bounds)
    return [Value.of(Constant(number)) for number in numbers] if length(numbers) <= MOST_ITEMS else None


def known_keys(machine: Machine, found: Container) -> list[object] | None:
    """The keys of a dict, in order; None where there may be others."""
    length, sure = machine.read((found.serial, "len"))
    if not sure or isinstance(length.only, (Result,)) or length.constant is ...:
        return None
    return some_keys(machine, found)


def some_keys(machine: Machine, found: Container) -> list[object]:
    """The keys that a dict surely or possibly has, among others that nobody knows."""
    keys = []
    for name in machine.heap.names[found.serial]:
        if name.startswith("k:") and machine.read((found.serial, name))[0].options:
            keys.append(ast.literal_eval(name[2:]))
    return keys


def pieces(machine: Machine, found: Object) -> tuple[Piece, ...]:
    """What a container is filled with in loops, and under keys that are not known."""
    return tuple(machine.pieces.get(found.serial, ())) if isinstance(found, Container) else ()


def summary(machine: Machine, found: Container) -> list[Option]:
    """All that a list whose items are no longer known one by one can hold; nothing where that is only known by its place."""
    filled = [option for each in pieces(machine, found) if each.how == "append" for option in each.value.options]
    held = [option for value in at_places(machine, found) for option in value.options]
    if not filled and any(isinstance(option.object, (Constant, Setting)) for option in held):
        return []  # numbers and texts that are moved: which one it is matters more than which ones it can be
    return [*held, *filled]


def at_places(machine: Machine, found: Container) -> list[Value]:
    """What a list has held at its places, before it was moved, filled or cut."""
    places = [name for name in machine.heap.names.get(found.serial, ()) if name.startswith("[")]
    return [machine.read((found.serial, name))[0] for name in places]


def rewritten(machine: Machine, container: Container, found: Sequence[Value]) -> None:
    """Other items in the place of those that are there."""
    for number, value in enumerate(found):
        machine.put((container.serial, _at(number)), value)
    machine.put((container.serial, "len"), Value.of(Constant(len(found))))


def known_here(machine: Machine, container: Container) -> list[Value] | None:
    """The items of a list that is about to change; None where they are not known, or a round of an unknown loop changes it."""
    return None if is_in_loop(machine, container) else items(machine, container)


def is_in_loop(machine: Machine, container: Container) -> bool:
    """Whether a round of a loop of unknown length runs, and the container was made before that loop."""
    return len(machine.loops) > machine.made_in.get(container.serial, 0)


def item(machine: Machine, holder: Value, index: Value, node: ast.AST) -> Value:
    """The value of `holder[index]`."""
    options: list[Option] = []
    for option in machine.open(holder).options:
        value = _item(machine, option.object, index, node)
        options += [Option(each.object, each.guards | option.guards) for each in value.options]
    return joined(options, node)


def _item(machine: Machine, holder: Object, index: Value, node: ast.AST) -> Value:
    if isinstance(holder, Instance):
        return protocols.item(machine, holder, index, node)
    known = _known_item(machine, holder, index, node)
    if known is not None:
        if index.constant is ...:
            is_list = isinstance(holder, Container) and holder.kind == "list"
            machine.reading("index" if is_list else "key", index, node)
        return known
    term = machine.result("item", "[]", holder, (index,), (), node, fresh=_changes(machine, holder))
    return Value.of(term)


def _changes(machine: Machine, holder: Object) -> bool:
    return isinstance(holder, Container)


def _known_item(machine: Machine, holder: Object, index: Value, node: ast.AST) -> Value | None:
    key = index.constant
    if isinstance(holder, Result):
        stored, sure = machine.read((holder.term, f"k:{key!r}")) if _is_plain(key) else (None, False)
        return stored if sure else None
    if isinstance(holder, Container) and holder.kind == "dict":
        return _of_dict(machine, holder, index, node)
    if isinstance(holder, Constant) and isinstance(holder.value, str):
        return _of_text(machine, holder, index, node)
    found = items(machine, holder)
    if found is not None and isinstance(key, int) and -len(found) <= key < len(found):
        return found[key]
    span = _span(index)
    if found is not None and span is not None:
        part = found[span]
        return (
            Value.of(Tuple(tuple(part), node))
            if isinstance(holder, Tuple)
            else Value.of(made(machine, "list", part, node))
        )
    if found is None and isinstance(holder, Container):
        if not isinstance(key, (int, type(...))) or span is not None or _is_slice(index):
            return None
        filled = summary(machine, holder)
        return joined(filled, node) if filled else None
    if found and not _is_slice(index) and isinstance(holder, (Container, Tuple)) and len(found) <= 3:
        return joined([option for value in found for option in value.options], node)
    return None


def _of_text(machine: Machine, holder: Constant, index: Value, node: ast.AST) -> Value | None:
    key = index.constant if isinstance(index.constant, int) else _span(index)
    if key is None or not isinstance(holder.value, str):
        return None
    try:
        part = holder.value[key]
    except IndexError:
        return None
    return Value.of(Constant(part, machine.result("item", "[]", holder, (index,), (), node)))


def _is_slice(index: Value) -> bool:
    return any(isinstance(each, Result) and each.op == "operator" and each.name == "slice" for each in index)


def _span(index: Value) -> slice | None:
    only = index.only
    if not (isinstance(only, Result) and only.op == "operator" and only.name == "slice"):
        return None
    parts = [value.constant for value in only.args]
    if not all(part is None or isinstance(part, int) for part in parts) or parts[2] == 0:
        return None
    return slice(*parts)


def _of_dict(machine: Machine, holder: Container, index: Value, node: ast.AST) -> Value | None:
    if index.constant is not ...:
        value, _sure = machine.read((holder.serial, f"k:{index.constant!r}"))
        if value.options:
            return value
        factory = machine.factories.get(holder.serial)
        if factory is not None and _is_plain(index.constant):
            set_item(machine, holder, index, machine.invoke(machine, factory, (), (), node), node)
            return machine.read((holder.serial, f"k:{index.constant!r}"))[0]
    keys = known_keys(machine, holder)
    if index.constant is ... and keys and len(keys) <= 4:
        found = [machine.read((holder.serial, f"k:{key!r}"))[0] for key in keys]
        return joined([option for value in found for option in value.options], node)
    filled = [option for piece in pieces(machine, holder) if piece.how == "key" for option in piece.value.options]
    return joined(filled, node) if filled else None


# -- changing ---------------------------------------------------------------------------------------------------------


def set_item(machine: Machine, holder: Object, index: Value, value: Value, node: ast.AST) -> None:
    """Run `holder[index] = value`."""
    key = index.constant
    if isinstance(holder, Container) and holder.kind == "dict":
        if key is ... or not _is_plain(key):
            piece(machine, holder, value, "key")
            forget(machine, holder)
            return
        if not machine.holds((holder.serial, "len")):
            machine.put((holder.serial, "len"), Value.of(Constant(0)))
        machine.put((holder.serial, f"k:{key!r}"), value)
        return
    if isinstance(holder, Container):
        _set_place(machine, holder, index, value)
        return
    if isinstance(holder, Result) and _is_plain(key):
        machine.put((holder.term, f"k:{key!r}"), value)
    machine.call(machine.result("call", "setitem", holder, (index, value), (), node))


def _set_place(machine: Machine, holder: Container, index: Value, value: Value) -> None:
    """`rows[3] = value`; which of the items it is may not be known."""
    key, found = index.constant, items(machine, holder)
    if found is not None and isinstance(key, int) and -len(found) <= key < len(found):
        machine.put((holder.serial, _at(key % len(found))), value)
        return
    piece(machine, holder, value, "item")
    if found is None:
        return
    if _is_slice(index):
        forget(machine, holder)
        return
    for number in range(len(found) if len(found) <= MOST_ITEMS else 0):
        with machine.under(frozenset({(("place", index.term, number), True)})):
            machine.put((holder.serial, _at(number)), value)


def delete(machine: Machine, holder: Object, index: Value) -> None:
    """Run `del holder[index]`."""
    key = index.constant
    if isinstance(holder, Container) and holder.kind == "dict" and _is_plain(key):
        machine.put((holder.serial, f"k:{key!r}"), None)
    elif isinstance(holder, Container) and holder.kind == "list":
        found = known_here(machine, holder)
        if found is None or not isinstance(key, int) or not -len(found) <= key < len(found):
            forget(machine, holder)
            return
        rewritten(machine, holder, [each for number, each in enumerate(found) if number != key % len(found)])


def _is_plain(key: object) -> bool:
    """Whether a key can be kept as its text: infinity, which `1e999` is, reads as a name there."""
    if isinstance(key, float):
        return math.isfinite(key)
    return isinstance(key, (str, int, bool, bytes, type(None)))


def append(machine: Machine, holder: Container, value: Value) -> None:
    """Add an item at the end."""
    if is_in_loop(machine, holder):
        piece(machine, holder, value, "append")
        forget(machine, holder)
        return
    length, sure = machine.read((holder.serial, "len"))
    if not sure or not all(isinstance(each, Constant) for each in length):
        piece(machine, holder, value, "append")
        return
    for option in length.options:
        number = option.object.value if isinstance(option.object, Constant) else 0
        with machine.under(option.guards):
            machine.put((holder.serial, _at(number)), value)  # type: ignore[arg-type]
            machine.put((holder.serial, "len"), Value.of(Constant(number + 1)))  # type: ignore[operator]


def extend(machine: Machine, holder: Container, value: Value, node: ast.AST) -> None:
    """Add all items of another value."""
    only = value.only
    found = items(machine, only) if only is not None else None
    if found is None:
        piece(machine, holder, value, "extend")
        forget(machine, holder)
        return
    for each in found:
        append(machine, holder, each)


def update(machine: Machine, holder: Container, value: Value, node: ast.AST) -> None:
    """Add the keys of another dict."""
    only = value.only
    keys = known_keys(machine, only) if isinstance(only, Container) and only.kind == "dict" else None
    if keys is None:
        piece(machine, holder, value, "update")
        forget(machine, holder)
        return
    assert isinstance(only, Container)
    for key in keys:
        set_item(machine, holder, Value.of(Constant(key)), machine.read((only.serial, f"k:{key!r}"))[0], node)


def concatenated(machine: Machine, left: Value, right: Value, node: ast.AST) -> Value | None:
    """The list or tuple of `left + right`, where both are known item by item."""
    one, other = left.only, right.only
    if not isinstance(one, (Container, Tuple)) or not isinstance(other, (Container, Tuple)):
        return None
    first, second = items(machine, one), items(machine, other)
    if first is None or second is None:
        return None
    if isinstance(one, Tuple):
        return Value.of(Tuple((*first, *second), node))
    return Value.of(made(machine, one.kind, [*first, *second], node))


def merged(machine: Machine, left: Value, right: Value, node: ast.AST) -> Value | None:
    """The dict of `left | right`."""
    if not all(isinstance(value.only, Container) and value.only.kind == "dict" for value in (left, right)):
        return None
    found = made(machine, "dict", [], node)
    update(machine, found, left, node)
    update(machine, found, right, node)
    return Value.of(found)


def repeated(machine: Machine, left: Value, right: Value, node: ast.AST) -> Value | None:
    """The tuple of `(a, b) * 2`. A list stays a term: its rows are counted by that."""
    only, times = left.only, right.constant
    known = isinstance(only, Tuple) and isinstance(times, int) and len(only.items) * times <= MOST_ITEMS
    return Value.of(Tuple(only.items * times, node)) if known else None  # type: ignore[union-attr, operator]


def formatted(machine: Machine, left: Value, right: Value, node: ast.AST) -> Value | None:
    """The text of `"%s-%d" % (name, number)`."""
    found = items(machine, right.only) if isinstance(right.only, Tuple) else None
    if (
        found is None
        or not isinstance(left.constant, str)
        or not all(isinstance(each.only, Constant) for each in found)
    ):
        return None
    try:
        text = left.constant % tuple(each.constant for each in found)
    except (TypeError, ValueError):
        return None
    return Value.of(Constant(text, machine.result("operator", "%", None, (left, right), (), node)))


def copied(machine: Machine, found: Object, kind: Kind, node: ast.AST) -> Value | None:
    """A new container with the same items: `list(x)`, `x.copy()`, `dict(x)`."""
    if isinstance(found, Container) and found.kind == "dict" and kind == "dict":
        made_now = made(machine, "dict", [], node)
        update(machine, made_now, Value.of(found), node)
        return Value.of(made_now)
    known = items(machine, found)
    return None if known is None else Value.of(made(machine, kind, known, node))
