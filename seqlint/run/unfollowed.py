"""A call that is not followed to its end: what it would have changed is unknown from then on."""

from __future__ import annotations

import ast
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from seqlint.run import containers
from seqlint.run.machine import frame_place
from seqlint.run.objects import Class, Constant, Container, External, Function, Instance

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from seqlint.run.machine import Machine
    from seqlint.run.objects import Value


def lose(machine: Machine, function: Function, values: Iterable[Value], node: ast.AST) -> None:
    """Forget what a function may change where it was not run, or was left half-way.

    Args:
        values: what it got, its object first where it is a method.
    """
    got = [*values]
    words = _words(function.node)
    for value in (*got, *_free(machine, function, words.read)):
        _give(machine, value, node, words.attributes)
    unknown = machine.unknown("a call that sets it was not followed", node)
    for each in (one for value in got for one in value if isinstance(one, Instance)):
        for name, places in words.set_on_objects.items():
            if places > 1 or name not in machine.heap.names.get(each.serial, ()):  # else it has its value already
                machine.put((each.serial, name), unknown)
    for name in machine.names(function.node, function.frame.module).outer:
        home = function.frame.home(name)
        if home is not None:
            machine.put(frame_place(home, name), unknown)


def _give(machine: Machine, value: Value, node: ast.AST, attributes: frozenset[str]) -> None:
    """A list may get other items, and so may one that an object holds under a name that the function says."""
    if all(isinstance(each, (Class, Constant, External, Function)) for each in value):
        return
    machine.reading("give", value, node)
    for each in value:
        if isinstance(each, Container):
            containers.forget(machine, each)
        if isinstance(each, Instance):
            held = machine.heap.names.get(each.serial, {})
            for name in sorted(held.keys() & attributes):
                _give(machine, machine.read((each.serial, name))[0], node, frozenset())


def _free(machine: Machine, function: Function, read: Iterable[str]) -> Iterator[Value]:
    """What the names hold that a function reads from outside."""
    own = machine.names(function.node, function.frame.module).own
    for name in read:
        home = function.frame.home(name) if name not in own else None
        if home is not None:
            yield machine.read(frame_place(home, name))[0]


@dataclass(frozen=True)
class _Words:
    """What the text of a function says.

    Attributes:
        read: the names in it, sorted.
        attributes: the names after its dots.
        set_on_objects: the attributes that it sets, and at how many places.
    """

    read: tuple[str, ...]
    attributes: frozenset[str]
    set_on_objects: Counter[str]


@lru_cache(maxsize=256)
def _words(node: ast.AST) -> _Words:
    inside = [*ast.walk(node)]
    read = {each.id for each in inside if isinstance(each, ast.Name)}
    behind = [each for each in inside if isinstance(each, ast.Attribute)]
    stored = Counter(each.attr for each in behind if isinstance(each.ctx, ast.Store))
    return _Words(tuple(sorted(read)), frozenset(each.attr for each in behind), stored)
