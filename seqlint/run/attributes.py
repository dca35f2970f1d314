"""What `x.name` is, and the members that a class has from its bases."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from seqlint.knowledge.canonical_names import canonical
from seqlint.run import names, settings
from seqlint.run.machine import frame_place
from seqlint.run.objects import (
    Bound,
    Class,
    Constant,
    External,
    Function,
    Instance,
    Module,
    Option,
    Result,
    Super,
    Value,
    joined,
)
from seqlint.run.types import member_name

if TYPE_CHECKING:
    import ast
    from collections.abc import Iterator

    from seqlint.run.machine import Machine
    from seqlint.run.objects import Object

_OF_PATHS = frozenset({"name", "stem", "suffix", "parent"})
PROPERTY = frozenset({"builtins.property", "functools.cached_property", "property", "cached_property"})


@dataclass(frozen=True)
class Member:
    """What a class has under a name.

    Attributes:
        value: None where none of its classes of the program has it.
        holder: the class that has it.
        external: a base of a library that may have it, the first on the way.
        unknown: whether a base that nobody knows may have it.
    """

    value: Value | None
    holder: Class | None = None
    external: str = ""
    unknown: bool = False


_MOST_BASES = 100
"""Levels of classes."""


def of(machine: Machine, value: Value, name: str, node: ast.AST) -> Value:
    """The attribute of a value."""
    owner = machine.open(value)
    surely = owner.surely
    if surely is not None:
        return of_object(machine, surely, name, node)
    options: list[Option] = []
    for option in owner.options:
        found = of_object(machine, option.object, name, node)
        options += [Option(each.object, each.guards | option.guards) for each in found.options]
    return joined(options, node)


def of_object(machine: Machine, found: Object, name: str, node: ast.AST) -> Value:
    """The attribute of one object."""
    if isinstance(found, External):
        return Value.of(External(canonical(f"{found.name}.{name}")))
    if isinstance(found, Result):
        return _of_result(machine, found, name, node)
    if isinstance(found, Instance):
        return _of_instance(machine, found, name, node)
    if isinstance(found, Module):
        return names.member(machine, found, name, node)
    if isinstance(found, Class):
        return _of_class(machine, found, name, node)
    if isinstance(found, Super):
        return _of_super(machine, found, name, node)
    term = machine.result("attribute", name, found, (), (), node)
    if isinstance(found, Constant) and name == "value":  # of a member of an `Enum`
        return Value.of(found)
    if isinstance(found, Constant) and name in _OF_PATHS and _is_path(found):
        return Value.of(Constant(str(getattr(PurePosixPath(str(found.value)), name)), term))
    return Value.of(term)


def _is_path(found: Object | None) -> bool:
    """Whether a text is one of `pathlib`: `Path("a") / "b"`."""
    if not isinstance(found, Constant) or not isinstance(found.value, str) or not isinstance(found.origin, Result):
        return False
    made = found.origin
    return made.name in ("pathlib.Path", "pathlib.PurePath") or (
        made.name in ("/", "parent", ".with_suffix", ".with_name", ".joinpath")
        and any(_is_path(each) for each in (made.receiver, *(value.only for value in made.args)))
    )


def _of_result(machine: Machine, found: Result, name: str, node: ast.AST) -> Value:
    stored, sure = machine.read((found.term, name))
    if sure:
        return stored
    known = settings.attribute(machine, found, name, node)
    if known is not None:
        return known
    term = machine.result("attribute", member_name(found, name), found, (), (), node)
    return joined([*stored.options, Option(term)], node)


def _of_instance(machine: Machine, found: Instance, name: str, node: ast.AST) -> Value:
    if name == "__class__":
        return Value.of(found.cls)
    if name == "__dict__":
        return Value.of(machine.result("attribute", name, found, (), (), node))
    stored, sure = machine.read((found.serial, name))
    if sure:
        return stored
    if not stored.options and machine.holds((found.serial, name)):
        # Another way has set it, or a later line: what it holds then is what is known.
        later = machine.heap.read((found.serial, name), frozenset())
        stored = machine.open(Value(later.options))
        if stored.options:
            return stored
    member = lookup(machine, found.cls, name)
    if member.value is not None:
        above = _bound(machine, member.value, found, node)
        return joined([*stored.options, *above.options], node) if stored.options else above
    if stored.options and not member.unknown:
        return stored
    if not stored.options and not name.startswith("__"):
        given = _fallback(machine, found, name, node)
        if given is not None:
            return given
    term = machine.result("attribute", name, found, (), (), node)
    return joined([*stored.options, Option(term)], node) if stored.options else Value.of(term)


def _fallback(machine: Machine, found: Instance, name: str, node: ast.AST) -> Value | None:
    """What `__getattr__` gives."""
    asked = lookup(machine, found.cls, "__getattr__").value
    method = asked.only if asked is not None else None
    if not isinstance(method, Function):
        return None
    return machine.invoke(machine, Bound(method, found), (Value.of(Constant(name)),), (), node)


def _bound(machine: Machine, member: Value, receiver: Object, node: ast.AST) -> Value:
    """A member as an object shows it: methods are bound, properties are worked out."""
    options: list[Option] = []
    for option in member.options:
        each = option.object
        if isinstance(each, Function):  # also one that the class is given later: `Feed.batches = batches`
            options += _method(machine, each, receiver, node, option)
        elif isinstance(each, Result) and each.name == "builtins.property" and each.args:  # `size = property(_size)`
            given = machine.invoke(machine, each.args[0].only, (Value.of(receiver),), (), node)
            options += [Option(one.object, one.guards | option.guards) for one in given.options]
        else:
            options.append(option)
    return joined(options, node)


def _method(machine: Machine, method: Function, receiver: Object, node: ast.AST, option: Option) -> Iterator[Option]:
    if "builtins.staticmethod" in method.wrapped:
        yield option
    elif "builtins.classmethod" in method.wrapped:
        cls = receiver.cls if isinstance(receiver, Instance) else receiver
        yield Option(Bound(method, cls), option.guards)
    elif PROPERTY & {*method.wrapped}:
        given = machine.invoke(machine, Bound(method, receiver), (), (), node)
        yield from (Option(each.object, each.guards | option.guards) for each in given.options)
    else:
        yield Option(Bound(method, receiver), option.guards)


def _of_class(machine: Machine, found: Class, name: str, node: ast.AST) -> Value:
    if name == "__name__":
        return Value.of(Constant(found.name))
    member = lookup(machine, found, name)
    if member.value is None:
        return Value.of(machine.result("attribute", name, found, (), (), node))
    options = [
        Option(Bound(each, found), option.guards)
        if isinstance(each := option.object, Function) and "builtins.classmethod" in each.wrapped
        else option
        for option in member.value.options
    ]
    return joined(options, node)


def _of_super(machine: Machine, found: Super, name: str, node: ast.AST) -> Value:
    cls = found.receiver.cls if isinstance(found.receiver, Instance) else found.receiver
    if not isinstance(cls, Class):
        return machine.unknown("it is not known what `super()` is", node)
    member = lookup(machine, cls, name, found.below)
    if member.value is not None:
        return _bound(machine, member.value, found.receiver, node)
    if member.external:
        term = machine.result("attribute", f"{member.external}.{name}", found.receiver, (), (), node)
        return Value.of(term)
    return machine.unknown("no base is known that has it", node)


# -- classes ----------------------------------------------------------------------------------------------------------


def lookup(machine: Machine, cls: Class, name: str, below: Class | None = None) -> Member:
    """What a class has under a name.

    Args:
        below: look only in the classes after this one, as `super()` does.
    """
    external = ""
    started = below is None
    for each in lineage(cls):
        if isinstance(each, Class):
            if started and name in each.frame.own:
                value, _sure = machine.read(frame_place(each.frame, name))
                if value.options:
                    return Member(value, each, external, unknown=False)
            started = started or each is below
        elif isinstance(each, External):
            external = external or (each.name if started and each.name != "builtins.object" else "")
        else:
            return Member(None, None, external, unknown=True)
    return Member(None, None, external)


def lineage(cls: Class) -> list[Object]:
    """A class, then what it inherits from, in about the order that Python asks them: a base that comes twice comes last."""
    if not cls.line:
        found: dict[object, Object] = {}
        _collect(cls, found, 0)
        cls.line.extend(reversed(found.values()))
    return cls.line


def _collect(cls: Object, found: dict[object, Object], depth: int) -> None:
    """Backwards: the last bases first, and each class after what it is made from."""
    if cls.term in found:
        return
    if isinstance(cls, Class) and depth <= _MOST_BASES:
        for base in reversed(cls.bases):
            for each in reversed(base.objects[:2]):
                _collect(_unsubscripted(each), found, depth + 1)
    found[cls.term] = cls


def _unsubscripted(base: Object) -> Object:
    """`Generic` of `Generic[Row]`."""
    is_item = isinstance(base, Result) and base.op == "item" and isinstance(base.receiver, External)
    return base.receiver if is_item else base  # type: ignore[union-attr, return-value]


def inherits(cls: Class, wanted: frozenset[str]) -> bool:
    """Whether a class is made from one of some library classes, by canonical name."""
    return any(isinstance(each, External) and each.name in wanted for each in lineage(cls))


def is_known(cls: Class) -> bool:
    """Whether all that a class is made from is of the project, of Keras or of Python."""
    known = ("keras.", "builtins.", "abc.", "typing.")
    return all(
        isinstance(each, Class) or (isinstance(each, External) and each.name.startswith(known)) for each in lineage(cls)
    )
