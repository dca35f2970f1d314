"""What an assignment does with a value: names, attributes, items, unpacking."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from seqlint.run import containers, names, protocols
from seqlint.run.objects import Class, Constant, Container, Generator, Instance, Module, Option, Result, Value, joined

if TYPE_CHECKING:
    from seqlint.run.frames import Frame
    from seqlint.run.machine import Machine
    from seqlint.run.objects import Object


def assign(machine: Machine, target: ast.expr, value: Value, frame: Frame) -> None:
    """Run `target = value`."""
    if machine.watched and machine.module is machine.main:
        machine.watch(target, value)
    if isinstance(target, ast.Name):
        names.bind(machine, frame, target.id, value, target)
    elif isinstance(target, ast.Attribute):
        _attribute(machine, target, value, frame)
    elif isinstance(target, ast.Subscript):
        holder, index = machine.evaluate(machine, target.value, frame), machine.evaluate(machine, target.slice, frame)
        for option in machine.open(holder).options:
            with machine.under(option.guards):
                containers.set_item(machine, option.object, index, value, target)
    elif isinstance(target, (ast.Tuple, ast.List)):
        _unpack(machine, target, value, frame)
    elif isinstance(target, ast.Starred):
        assign(machine, target.value, value, frame)


def _attribute(machine: Machine, target: ast.Attribute, value: Value, frame: Frame) -> None:
    for option in machine.open(machine.evaluate(machine, target.value, frame)).options:
        with machine.under(option.guards):
            put_attribute(machine, option.object, target.attr, value, target)


def put_attribute(machine: Machine, owner: Object, name: str, value: Value, node: ast.AST) -> None:
    """Give an attribute a value."""
    if isinstance(owner, Instance):
        if not protocols.set_property(machine, owner, name, value, node):
            machine.put((owner.serial, name), value)
    elif isinstance(owner, (Class, Module)):
        owner.frame.own |= {name}
        machine.put((owner.frame.serial, name), value)
    else:
        machine.put((owner.term, name), value)
    machine.store(owner, name, value, node)


def _unpack(machine: Machine, target: ast.Tuple | ast.List, value: Value, frame: Frame) -> None:
    stars = [number for number, part in enumerate(target.elts) if isinstance(part, ast.Starred)]
    count = len(target.elts)
    parts = [_part(machine, value, number, count, stars, target) for number in range(count)]
    if not any(isinstance(each, (Container,)) for each in value):
        machine.reading("unpack", value, target)
    for part, found in zip(target.elts, parts, strict=True):
        assign(machine, part, found, frame)


def _part(machine: Machine, value: Value, number: int, count: int, stars: list[int], node: ast.AST) -> Value:
    options: list[Option] = []
    for option in machine.open(value).options:
        found = _item(machine, option.object, number, count, stars, node)
        options += [Option(each.object, each.guards | option.guards) for each in found.options]
    return joined(options, node)


def _item(machine: Machine, found: Object, number: int, count: int, stars: list[int], node: ast.AST) -> Value:
    known = containers.items(machine, found)
    if known is None and isinstance(found, Generator):
        known = machine.drain(machine, found, node)
    if known is not None and not stars and len(known) == count:
        return known[number]
    if known is not None and stars and len(known) >= count - 1:
        star, extra = stars[0], len(known) - count
        if number < star:
            return known[number]
        if number == star:
            return Value.of(containers.made(machine, "list", known[star : star + extra + 1], node))
        return known[number + extra]
    if isinstance(found, Result) and not stars:
        return Value.of(machine.result("item", "[]", found, (Value.of(Constant(number)),), (), node))
    if stars and number > stars[0]:
        return Value.of(machine.result("item", "[]", found, (Value.of(Constant(number - count)),), (), node))
    if stars and number == stars[0]:
        return Value.of(machine.result("display", "list", found, (), (), node, fresh=True))
    return Value.of(machine.result("item", "[]", found, (Value.of(Constant(number)),), (), node))
