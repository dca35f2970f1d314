"""What Python itself calls of an object of the program: `x[i]`, `for row in x`, `with x`, `next(x)`, named tuples as tuples."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.knowledge.canonical_names import SEQUENCE
from seqlint.run import attributes
from seqlint.run.objects import (
    Class,
    Constant,
    External,
    Generator,
    Instance,
    Option,
    Result,
    Setting,
    Tuple,
    Unknown,
    Value,
    joined,
)

if TYPE_CHECKING:
    import ast

    from seqlint.run.machine import Machine
    from seqlint.run.objects import Object

_CONTEXT = "contextlib.contextmanager"


def asked(machine: Machine, found: Instance, name: str, args: tuple[Value, ...], node: ast.AST) -> Value | None:
    """What a method of an object gives; None where its classes of the program have none, or that can't be followed."""
    if attributes.lookup(machine, found.cls, name).value is None:
        return None
    method = attributes.of_object(machine, found, name, node).only
    value = machine.invoke(machine, method, args, (), node) if method is not None else None
    return value if value is not None and not any(isinstance(each, Unknown) for each in value) else None


# -- items --------------------------------------------------------------------------------------------------------------


def item(machine: Machine, holder: Instance, index: Value, node: ast.AST) -> Value:
    """`x[index]`: what `__getitem__` gives. The term of it is in the trace, and is known as the source of what it gives."""
    term = machine.result("item", "[]", holder, (index,), (), node)
    fields = as_tuple(machine, holder)
    if fields is not None:
        number = index.constant
        known = isinstance(number, int) and -len(fields) <= number < len(fields)
        return fields[number] if known else Value.of(term)  # type: ignore[call-overload]
    return given(machine, asked(machine, holder, "__getitem__", (index,), node), term)


def given(machine: Machine, value: Value | None, term: Result) -> Value:
    """A value that is known as what a term gives; the term where it is not known."""
    if value is None:
        return Value.of(term)
    for found in value:
        parts = [inner for part in found.items for inner in part] if isinstance(found, Tuple) else []
        for one in (found, *parts):
            if not isinstance(one, (Constant, Setting, External)):
                machine.taken.setdefault(one, term)
    return value


def as_tuple(machine: Machine, found: Object | None) -> list[Value] | None:
    """The fields of a named tuple, in order; None for other objects."""
    if not isinstance(found, Instance) or not _is_named(found.cls):
        return None
    from seqlint.run.binding import fields_of

    own = fields_of(machine, found.cls)
    return [attributes.of_object(machine, found, name, found.cls.node) for name, _ in own.fields] if own else None


def _is_named(cls: Class) -> bool:
    return any(isinstance(base, External) and base.name == "typing.NamedTuple" for value in cls.bases for base in value)


# -- loops --------------------------------------------------------------------------------------------------------------


def known_items(machine: Machine, found: Instance, node: ast.AST) -> list[Value] | None:
    """What a loop over an object gets, one after the other; None where that is not known."""
    fields = as_tuple(machine, found)
    if fields is not None:
        return fields
    inner = machine.iterated[found, node] = _iterated(machine, found, node)
    if isinstance(inner, Generator):
        return machine.drain(machine, inner, node)
    from seqlint.run import containers

    return containers.items(machine, inner)


def each(machine: Machine, found: Instance, term: Result, node: ast.AST) -> Value:
    """One item that stands for all that a loop over an object gets; the term where nobody knows what it is."""
    inner = machine.iterated.get((found, node))
    if isinstance(inner, Generator):
        options: list[Option] = [option for every in inner.frame.yields for option in every.value.options]
        return given(machine, joined(options, node) if options else None, term)
    if isinstance(inner, Instance):
        return given(machine, asked(machine, inner, "__next__", (), node), term)
    if inner is not None or not _is_plain(found.cls):
        return Value.of(term)
    return given(machine, asked(machine, found, "__getitem__", (Value.of(term),), node), term)


def _iterated(machine: Machine, found: Instance, node: ast.AST) -> Object | None:
    value = asked(machine, found, "__iter__", (), node)
    only = value.only if value is not None else None
    if isinstance(only, Result) and only.name == "builtins.iter" and only.args:
        return only.args[0].only
    return only


def _is_plain(cls: Class) -> bool:
    """Whether a loop over its objects asks for their items: no base of a library says otherwise."""
    bases = [each for each in attributes.lineage(cls) if not isinstance(each, Class)]
    return all(isinstance(each, External) and each.name in {*SEQUENCE, "builtins.object"} for each in bases)


# -- with ---------------------------------------------------------------------------------------------------------------


def entered(machine: Machine, value: Value, node: ast.AST) -> Value:
    """What `with ... as` binds; objects of libraries are taken for themselves."""
    options: list[Option] = []
    for option in value.options:
        with machine.under(option.guards):
            found = _entered(machine, option.object, node)
        options += [Option(one.object, one.guards | option.guards) for one in found.options]
    return joined(options, node)


def _entered(machine: Machine, found: Object, node: ast.AST) -> Value:
    if isinstance(found, Instance):
        value = asked(machine, found, "__enter__", (), node)
        return value if value is not None else Value.of(found)
    if isinstance(found, Generator) and _CONTEXT in found.function.wrapped:
        machine.drain(machine, found, node)
        options = [option for every in found.frame.yields for option in every.value.options]
        return joined(options, node) if options else Value.of(found)
    if isinstance(found, Result) and found.name == "contextlib.nullcontext" and found.args:
        return found.args[0]
    return Value.of(found)


def left(machine: Machine, value: Value, node: ast.AST) -> None:
    """The end of a `with`."""
    nothing = Value.of(Constant(None))
    for option in value.options:
        if isinstance(option.object, Instance):
            with machine.under(option.guards):
                asked(machine, option.object, "__exit__", (nothing, nothing, nothing), node)


# -- attributes -----------------------------------------------------------------------------------------------------------


def set_property(machine: Machine, owner: Instance, name: str, value: Value, node: ast.AST) -> bool:
    """Run the setter of a property, if an attribute is one."""
    if name not in machine.setters:
        return False
    setter = attributes.lookup(machine, owner.cls, f"{name}.setter").value
    if setter is None or setter.only is None:
        return False
    machine.invoke(machine, setter.only, (Value.of(owner), value), (), node)
    return True
