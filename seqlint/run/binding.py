"""Which argument goes to which parameter; the fields of dataclasses and named tuples."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from seqlint.run import containers
from seqlint.run.attributes import lineage
from seqlint.run.machine import frame_place
from seqlint.run.objects import Class, Constant, External, Option, Result, Setting, Tuple, Value, joined

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from seqlint.run.machine import Machine
    from seqlint.run.objects import Function

_DATACLASS = frozenset(
    {"dataclasses.dataclass", "attr.s", "attr.define", "attrs.define", "attrs.frozen", "flax.struct.dataclass"}
)
_NAMED_TUPLE = "typing.NamedTuple"


def bound_parameters(
    machine: Machine,
    function: Function,
    args: tuple[Value, ...],
    keywords: tuple[tuple[str, Value], ...],
    node: ast.AST,
) -> dict[str, Value]:
    """A value for each parameter of a function."""
    own = function.node.args
    places = [each.arg for each in (*own.posonlyargs, *own.args)]
    bound = dict(zip(places, args, strict=False))
    known = {*places, *(each.arg for each in own.kwonlyargs)}
    named = dict(keywords)
    bound.update({name: value for name, value in named.items() if name in known})
    hidden = "*" in named or "**" in named
    for name in known - bound.keys():
        bound[name] = _left_out(machine, function, name, node, hidden=hidden)
    if own.vararg is not None:
        rest = args[len(places) :]
        bound[own.vararg.arg] = (
            Value.of(machine.result("display", "tuple", None, (), (), node, fresh=True))
            if "*" in named
            else Value.of(Tuple(tuple(rest), node))
        )
    if own.kwarg is not None:
        bound[own.kwarg.arg] = _rest(machine, {k: v for k, v in named.items() if k not in known}, node)
    return bound


def _left_out(machine: Machine, function: Function, name: str, node: ast.AST, *, hidden: bool) -> Value:
    default = function.defaults.get(name)
    if hidden or default is None:
        term = machine.result("parameter", name, function, (), (), node, fresh=default is None)
        return joined([*(default.options if default is not None else ()), Option(term)])
    return default


def _rest(machine: Machine, named: dict[str, Value], node: ast.AST) -> Value:
    """The dict of `**keywords`."""
    made = containers.made(machine, "dict", [], node)
    for name, value in named.items():
        if name in ("*", "**"):
            containers.forget(machine, made)
            containers.piece(machine, made, value, "update")
        else:
            containers.set_item(machine, made, Value.of(Constant(name)), value, node)
    return Value.of(made)


def as_nobody_calls(machine: Machine, function: Function, skip: int = 0) -> dict[str, Value]:
    """A value for each parameter of a function that nobody calls: its default, which somebody may replace, or anything."""
    own = function.node.args
    places = [*own.posonlyargs, *own.args, *own.kwonlyargs]
    found = {each.arg: open_parameter(machine, function, each.arg) for each in places[skip:]}
    if own.kwarg is not None:
        found[own.kwarg.arg] = Value.of(_parameter(machine, function, own.kwarg.arg))
    if own.vararg is not None:
        found[own.vararg.arg] = Value.of(_parameter(machine, function, own.vararg.arg))
    return found


def open_parameter(machine: Machine, function: Function, name: str) -> Value:
    """What a parameter is where nobody knows who calls."""
    origin = _parameter(machine, function, name)
    default = function.defaults.get(name)
    only = default.only if default is not None else None
    if isinstance(only, Constant) and only.value is None:
        key = ("given", origin.term)
        return Value((Option(only, frozenset({(key, False)})), Option(origin, frozenset({(key, True)}))))
    if isinstance(only, Constant):
        return Value.of(Setting(only, origin))
    return default if default is not None and default.only is not None else Value.of(origin)


def _parameter(machine: Machine, function: Function, name: str) -> Result:
    return machine.result("parameter", name, function, (), (), function.node)


# -- fields ---------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Fields:
    """The fields of a dataclass or named tuple, in order, with their defaults."""

    machine: Machine
    cls: Class
    fields: tuple[tuple[str, Value | None], ...]

    def given(self, args: Sequence[Value], keywords: Sequence[tuple[str, Value]]) -> Iterator[tuple[str, Value]]:
        """The value of each field of a new object."""
        named = dict(keywords)
        for number, (name, default) in enumerate(self.fields):
            if number < len(args):
                yield name, args[number]
            elif name in named:
                yield name, named[name]
            else:
                anything = Value.of(self.machine.result("parameter", name, self.cls, (), (), self.cls.node, fresh=True))
                yield name, default if default is not None else anything


def fields_of(machine: Machine, cls: Class) -> Fields | None:
    """The fields of a class that makes its `__init__` from them; None for other classes."""
    line = [each for each in lineage(cls) if isinstance(each, Class)]
    made = any(_DATACLASS & {*each.decorators} for each in line)
    named = any(isinstance(each, External) and each.name == _NAMED_TUPLE for each in lineage(cls))
    if not (made or named) or "__init__" in cls.frame.own:
        return None
    fields: dict[str, Value | None] = {}
    for each in reversed(line):
        for statement in each.node.body:
            if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                fields[statement.target.id] = _default(machine, each, statement)
    return Fields(machine, cls, tuple(fields.items()))


def _default(machine: Machine, cls: Class, statement: ast.AnnAssign) -> Value | None:
    assert isinstance(statement.target, ast.Name)
    if statement.value is None:
        return None
    value, _ = machine.read(frame_place(cls.frame, statement.target.id))
    only = value.only
    if isinstance(only, Result) and only.name in ("dataclasses.field", "attr.ib", "attrs.field"):
        inner = only.keyword("default")
        factory = only.keyword("default_factory")
        if inner is None and factory is not None and factory.only is not None:
            inner = machine.invoke(machine, factory.only, (), (), statement)
        value = inner or Value(())
    return value if value.options else None
