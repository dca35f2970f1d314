"""What a library does with the functions, lists and objects that it gets."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING

from seqlint.knowledge import callers
from seqlint.run import attributes, containers
from seqlint.run.machine import Deferred
from seqlint.run.objects import Bound, Constant, Container, External, Function, Generator, Instance, Result, Value
from seqlint.run.trace import Phase

if TYPE_CHECKING:
    import ast

    from seqlint.knowledge.callers import Caller
    from seqlint.run.machine import Machine
    from seqlint.run.objects import Object


def over(machine: Machine, made: Result, node: ast.AST) -> None:
    """Functions among the arguments are run as their receiver runs them; what a stranger gets may be changed by it."""
    values = [*made.args, *(value for _, value in made.keywords)]
    if not values:
        return
    way = callers.of(made.name)
    if isinstance(made.receiver, Container) or not callers.is_known(made.name):
        for value in values:
            if any(not isinstance(each, (Constant, External)) for each in value):
                machine.reading("give", value, node)
    for value in values:
        for each in value:
            if isinstance(each, (Function, Bound)):
                _called_back(machine, each, each, made, way, node)
            elif isinstance(each, (Instance, Result)) and way is not None:
                function = _as_function(machine, each, node)
                if function is not None:
                    _called_back(machine, function, each, made, way, node)
            elif isinstance(each, Container) and not callers.keeps_lists(made.name) and not _is_of_keras(made.receiver):
                containers.forget(machine, each)


def _as_function(machine: Machine, found: Instance | Result, node: ast.AST) -> Function | Bound | None:
    """What runs where an object is called: its method, that of a layer of Keras, or what `functools.partial` has filled."""
    if isinstance(found, Instance):
        method = attributes.of_object(machine, found, "__call__", node).only
        if not isinstance(method, Bound) and is_of_keras(found):
            method = attributes.of_object(machine, found, "call", node).only
        return method if isinstance(method, Bound) else None
    inner = found.args[0].only if found.name == "functools.partial" and found.args else None
    if isinstance(inner, Function):
        return Bound(inner, None, found.args[1:], found.keywords)
    if isinstance(inner, Bound):
        return Bound(inner.function, inner.receiver, (*inner.args, *found.args[1:]), (*inner.keywords, *found.keywords))
    return None


def _is_of_keras(receiver: Object | None) -> bool:
    """Whether a method that the program does not have is one of Keras, such as `compile`, which changes no list that it gets."""
    return isinstance(receiver, Instance) and is_of_keras(receiver)


def is_of_keras(found: Instance) -> bool:
    """Whether an object is of a class that is made from one of Keras directly, such as a layer."""
    bases = (base for value in found.cls.bases for base in value)
    return any(isinstance(base, External) and base.name.startswith("keras.") for base in bases)


_KEPT = frozenset({"functools.partial", "functools.wraps", "functools.update_wrapper"})
"""They keep a function for what they make, or copy its name; who calls that runs it."""


def _called_back(
    machine: Machine, function: Function | Bound, handed: Object, made: Result, way: Caller | None, node: ast.AST
) -> None:
    if made.name in _KEPT:
        return
    if way is None:
        machine.deferred.append(Deferred(function, Phase("deferred", made)))
        return
    given = [argument for number in way.function_arguments if (argument := _argument(made, number)) is not None]
    if given and not any(handed in value.objects for value in given):
        return
    with nullcontext() if way.kind == "script" else machine.phase(Phase(way.kind, made)):
        value = machine.invoke(machine, function, _arguments(machine, made, way, function), (), node)
        only = value.only
        if way.kind == "generator" and isinstance(only, Generator):
            machine.drain(machine, only, node)
    machine.returned[made].append(value)


def _argument(made: Result, place: int | str) -> Value | None:
    if isinstance(place, str):
        return made.keyword(place)
    return made.args[place] if place < len(made.args) else None


def _arguments(machine: Machine, made: Result, way: Caller, function: Function | Bound) -> tuple[Value, ...]:
    """What the function gets: for each of its parameters a term that stands for a part of a row."""
    node = function.function.node if isinstance(function, Bound) else function.node
    filled = (len(function.args) + (function.receiver is not None)) if isinstance(function, Bound) else 0
    own = node.args
    places = [*own.posonlyargs, *own.args][filled:]
    named = {name for name, _ in function.keywords} if isinstance(function, Bound) else set()
    free = {each.arg for each in places[len(places) - len(own.defaults) :]} if own.defaults else set()
    count = sum(1 for each in places if each.arg not in named | free)
    if way.kind == "callback":  # the epoch and the learning rate, where it takes both
        count = min(len(places), 2)
    source = made.receiver
    given = _given(machine, made, way)
    if given is not None:
        return given
    return tuple(
        Value.of(machine.result("element", str(number), source, (), (), node, fresh=source is None))
        for number in range(max(count, 1 if places else 0))
    )


def _given(machine: Machine, made: Result, way: Caller) -> tuple[Value, ...] | None:
    """The items of the argument that the function gets: `inp` of `py_function`, `args` of `from_generator`."""
    if way.kind not in ("python", "generator"):
        return None
    name = "inp" if way.kind == "python" else "args"
    value = made.keyword(name)
    if value is None and isinstance(way.gets, int) and way.gets < len(made.args):
        value = made.args[way.gets]
    if value is None:
        return () if way.kind == "generator" else None
    found = containers.items(machine, value.only)
    return tuple(found) if found is not None else None
