"""Comprehensions and loops: item by item where the items are known, else one round that stands for all."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from seqlint.run import conditions, containers, protocols, targets
from seqlint.run.frames import Frame
from seqlint.run.machine import MOST_ITEMS
from seqlint.run.objects import Constant, Container, Generator, Instance, Option, Tuple, Value, joined
from seqlint.run.trace import Loop

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run.machine import Machine

_Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


def known_items(machine: Machine, value: Value, node: ast.AST) -> list[Value] | None:
    """What a loop over a value gets, one after the other; None where that is not known, or much."""
    only = value.only
    if only is None:
        return None
    if isinstance(only, Generator):
        found = machine.drain(machine, only, node)
    elif isinstance(only, Instance):
        found = protocols.known_items(machine, only, node)
    else:
        found = containers.items(machine, only)
    return found if found is not None and len(found) <= MOST_ITEMS else None


def each_of(machine: Machine, value: Value, node: ast.AST) -> Value:
    """One item that stands for all that a loop gets."""
    options: list[Option] = []
    for option in machine.open(value).options:
        found = _each(machine, option, node)
        options += [Option(each.object, each.guards | option.guards) for each in found.options]
    return joined(options, node)


def _each(machine: Machine, option: Option, node: ast.AST) -> Value:
    found = option.object
    if isinstance(found, (Container, Tuple)):
        known = containers.items(machine, found)
        every = [each for value in known or () for each in value.options]
        if known is None and isinstance(found, Container):
            every = containers.summary(machine, found)
        if every:
            return joined(every, node)
    if isinstance(found, Generator):
        known = machine.drain(machine, found, node)
        given = [each for yielded in found.frame.yields for each in yielded.value.options]
        if given:
            return joined(given, node)
    number = machine.loops[-1].round if machine.loops else 0
    args = (Value.of(Constant(number)),)
    term = machine.result("each", "each", found, args, (), node, fresh=True)
    return protocols.each(machine, found, term, node) if isinstance(found, Instance) else Value.of(term)


def of(machine: Machine, node: _Comprehension, frame: Frame) -> Value:
    """The container that a comprehension makes. A generator expression is run at once, as a list."""
    own = machine.names(node, frame.module).own
    inner = Frame(node, frame, own, module=frame.module, function=frame.function, cls=frame.cls)
    kind = {"ListComp": "list", "GeneratorExp": "list", "SetComp": "set", "DictComp": "dict"}[type(node).__name__]
    made = containers.made(machine, kind, [], node)  # type: ignore[arg-type]
    _rounds(machine, node, 0, inner, made)
    return Value.of(made)


def _rounds(machine: Machine, node: _Comprehension, depth: int, frame: Frame, made: Container) -> None:
    if depth == len(node.generators):
        _add(machine, node, frame, made)
        return
    part = node.generators[depth]
    value = machine.evaluate(machine, part.iter, frame)
    for item in rounds(machine, value, part):
        before = machine.way
        targets.assign(machine, part.target, item, frame)
        if all(_holds(machine, test, frame) for test in part.ifs):
            _rounds(machine, node, depth + 1, frame, made)
        machine.way = before


def _holds(machine: Machine, test: ast.expr, frame: Frame) -> bool:
    """Whether a round may go on; what the test says is known from there on."""
    condition = conditions.of(machine, test, frame)
    if condition.known is False:
        return False
    if condition.known is None:
        machine.learn(condition.yes)
    return True


def _add(machine: Machine, node: _Comprehension, frame: Frame, made: Container) -> None:
    if isinstance(node, ast.DictComp):
        key = machine.evaluate(machine, node.key, frame)
        containers.set_item(machine, made, key, machine.evaluate(machine, node.value, frame), node)
        return
    containers.append(machine, made, machine.evaluate(machine, node.elt, frame))


def rounds(machine: Machine, value: Value, node: ast.AST, most: int = 1) -> Iterator[Value]:
    """The items that a loop gets. Where they are not known, `most` rounds that may not happen, each with an item that stands for any.

    The caller keeps the way of each round to itself.
    """
    machine.reading("loop", value, node)
    known = known_items(machine, value, node)
    if known is not None:
        yield from known
        return
    for number in range(most):
        loop = Loop(node, value, number)
        before, way = machine.loops, machine.way
        machine.loops = (*before, loop)
        machine.learn([(("round", id(node), machine.tick()), True)])
        try:
            yield each_of(machine, value, node)
        finally:
            machine.loops = before
            machine.way = way
