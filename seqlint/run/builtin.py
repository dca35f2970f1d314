"""Python's own functions, where their result is known: lists of known items, lengths, numbers."""

from __future__ import annotations

import ast
import math
import os.path
from typing import TYPE_CHECKING

from seqlint.run import attributes, comprehensions, containers, iterating, settings
from seqlint.run.frames import Frame
from seqlint.run.objects import (
    Class,
    Constant,
    Container,
    External,
    Instance,
    Result,
    Setting,
    Tuple,
    Value,
    joined,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from seqlint.run.machine import Machine

Args = tuple[Value, ...]
Keywords = tuple[tuple[str, Value], ...]


def path(*parts: str) -> str:
    """A path as text."""
    return os.path.join(*parts) if len(parts) > 1 else str(parts[0])


_FOLDED: dict[str, Callable[..., object]] = {
    "builtins.int": int, "builtins.float": float, "builtins.str": str, "builtins.bool": bool, "builtins.abs": abs,
    "builtins.round": round, "builtins.min": min, "builtins.max": max, "math.ceil": math.ceil, "math.floor": math.floor,
    "numpy.ceil": math.ceil, "numpy.floor": math.floor, "os.path.join": os.path.join, "builtins.divmod": divmod,
    "numpy.int32": int, "numpy.int64": int, "pathlib.Path": path, "pathlib.PurePath": path, "os.path.basename": os.path.basename,
    "os.path.dirname": os.path.dirname, "os.path.splitext": os.path.splitext, "os.path.normpath": os.path.normpath, "builtins.pow": pow,
}  # fmt: skip


def call(machine: Machine, name: str, args: Args, keywords: Keywords, node: ast.AST) -> Value | None:
    """The value of a call of a function of Python; None where it is a term like any other."""
    work = _WORK.get(name)
    if work is not None:
        return work(machine, args, keywords, node)
    if name in _FOLDED and args and not keywords:
        return _folded(machine, name, args, node)
    return None


def _folded(machine: Machine, name: str, args: Args, node: ast.AST) -> Value | None:
    objects = [value.only for value in args]
    if not all(isinstance(each, (Constant, Setting)) for each in objects):
        return None
    try:
        found = _FOLDED[name](*(value.constant for value in args))
    except (TypeError, ValueError, OverflowError):
        return None
    term = machine.result("call", name, None, args, (), node)
    made = Constant(found, term)
    return Value.of(Setting(made, term) if any(isinstance(each, Setting) for each in objects) else made)


def _length(machine: Machine, args: Args, keywords: Keywords, node: ast.AST) -> Value | None:
    only = args[0].only if len(args) == 1 else None
    if isinstance(only, Instance):
        if attributes.lookup(machine, only.cls, "__len__").value is None:
            return None
        method = attributes.of_object(machine, only, "__len__", node).only
        return machine.invoke(machine, method, (), (), node)
    if isinstance(only, Constant) and isinstance(only.value, (str, bytes)):
        return Value.of(Constant(len(only.value)))
    found = containers.items(machine, only) if only is not None else None
    return Value.of(Constant(len(found))) if found is not None else None


def _iter(machine: Machine, args: Args, keywords: Keywords, node: ast.AST) -> Value | None:
    """`iter(thing)` of an object of the program is what its `__iter__` gives."""
    only = args[0].only if len(args) == 1 else None
    if not isinstance(only, Instance) or attributes.lookup(machine, only.cls, "__iter__").value is None:
        return None
    method = attributes.of_object(machine, only, "__iter__", node).only
    return machine.invoke(machine, method, (), (), node) if method is not None else None


def _list(machine: Machine, args: Args, keywords: Keywords, node: ast.AST) -> Value | None:
    if not args:
        return Value.of(containers.made(machine, "list", [], node))
    machine.reading("list", args[0], node)
    found = comprehensions.known_items(machine, args[0], node)
    return Value.of(containers.made(machine, "list", found, node)) if found is not None else None


def _tuple(machine: Machine, args: Args, keywords: Keywords, node: ast.AST) -> Value | None:
    found = comprehensions.known_items(machine, args[0], node) if args else []
    return Value.of(Tuple(tuple(found), node)) if found is not None else None


def _set(machine: Machine, args: Args, keywords: Keywords, node: ast.AST) -> Value | None:
    if args:
        return None
    return Value.of(containers.made(machine, "set", [], node))


def _dict(machine: Machine, args: Args, keywords: Keywords, node: ast.AST) -> Value | None:
    made = containers.made(machine, "dict", [], node)
    for value in args[:1]:
        pairs = None if _is_dict(value) else comprehensions.known_items(machine, value, node)
        halves = [containers.items(machine, pair.only) for pair in pairs or ()]
        if pairs is None:
            containers.update(machine, made, value, node)
        for half in halves:
            if half is None or len(half) != 2:
                containers.forget(machine, made)
            else:
                containers.set_item(machine, made, half[0], half[1], node)
    for name, value in keywords:
        if name in ("*", "**"):
            containers.update(machine, made, value, node)
        else:
            containers.set_item(machine, made, Value.of(Constant(name)), value, node)
    return Value.of(made)


def _is_dict(value: Value) -> bool:
    return isinstance(value.only, Container) and value.only.kind == "dict"


def _slice(machine: Machine, args: Args, keywords: Keywords, node: ast.AST) -> Value | None:
    """`slice(a, b)` is what stands in the brackets of `x[a:b]`."""
    nothing = Value.of(Constant(None))
    if not 1 <= len(args) <= 3:
        return None
    parts = (nothing, *args, nothing) if len(args) == 1 else (*args, nothing)[:3]
    return Value.of(machine.result("operator", "slice", None, parts, (), node))


def _getattr(machine: Machine, args: Args, keywords: Keywords, node: ast.AST) -> Value | None:
    if len(args) < 2 or not isinstance(args[1].constant, str):
        return None
    found = attributes.of(machine, args[0], args[1].constant, node)
    only = found.only
    missing = isinstance(args[0].only, Instance) and isinstance(only, Result) and only.op == "attribute"
    return joined([*found.options, *args[2].options], node) if missing and len(args) > 2 else found


def _setattr(machine: Machine, args: Args, keywords: Keywords, node: ast.AST) -> Value | None:
    from seqlint.run.targets import put_attribute

    if len(args) != 3 or not isinstance(args[1].constant, str):
        return None
    for each in args[0]:
        put_attribute(machine, each, args[1].constant, args[2], node)
    return Value.of(Constant(None))


def _isinstance(machine: Machine, args: Args, keywords: Keywords, node: ast.AST) -> Value | None:
    only = args[0].only if len(args) == 2 else None
    wanted = args[1].only if len(args) == 2 else None
    if isinstance(only, Instance) and isinstance(wanted, Class):
        return Value.of(Constant(any(each is wanted for each in attributes.lineage(only.cls))))
    return None


def _type(machine: Machine, args: Args, keywords: Keywords, node: ast.AST) -> Value | None:
    only = args[0].only if len(args) == 1 else None
    return Value.of(only.cls) if isinstance(only, Instance) else None


def _copy(machine: Machine, args: Args, keywords: Keywords, node: ast.AST) -> Value | None:
    only = args[0].only if args else None
    if isinstance(only, Instance):
        return Value.of(_twin(machine, only, node))
    return containers.copied(machine, only, only.kind, node) if isinstance(only, Container) else None


def _twin(machine: Machine, found: Instance, node: ast.AST) -> Instance:
    """Another object with the same attributes."""
    made = Instance(found.cls, node)
    machine.instances[found.cls].append(made)
    machine.births[made] = machine.context
    for name in [*machine.heap.names.get(found.serial, ())]:
        value, _ = machine.read((found.serial, name))
        only = value.only
        inner = containers.copied(machine, only, only.kind, node) if isinstance(only, Container) else None
        if value.options:
            machine.put((made.serial, name), inner if inner is not None else value)
    machine.started[made.serial] = machine.tick()
    return made


def _replace(machine: Machine, args: Args, keywords: Keywords, node: ast.AST) -> Value | None:
    """`dataclasses.replace(settings, batch=8)`."""
    only = args[0].only if args else None
    if not isinstance(only, Instance) or any(name in ("*", "**") for name, _ in keywords):
        return None
    made = _twin(machine, only, node)
    for name, value in keywords:
        machine.put((made.serial, name), value)
    return Value.of(made)


def _vars(machine: Machine, args: Args, keywords: Keywords, node: ast.AST) -> Value | None:
    """`vars(args)`: the attributes as a dict."""
    only = args[0].only if len(args) == 1 else None
    if isinstance(only, Instance):
        names = [*machine.heap.names.get(only.serial, ())]
    elif isinstance(only, Result):
        names = [*settings.names(machine, only), *machine.heap.names.get(only.term, ())]
    else:
        return None
    if not names:
        return None
    made = containers.made(machine, "dict", [], node)
    for name in names:
        containers.set_item(
            machine, made, Value.of(Constant(name)), attributes.of_object(machine, only, name, node), node
        )
    return Value.of(made)


def _named_tuple(machine: Machine, args: Args, keywords: Keywords, node: ast.AST) -> Value | None:
    """`namedtuple("Pair", ["x", "y"])`: a class like one that is written out."""
    name = args[0].constant if len(args) == 2 and not keywords else None
    given = args[1].constant if len(args) == 2 else None
    items = containers.items(machine, args[1].only) if len(args) == 2 else None
    fields = given.replace(",", " ").split() if isinstance(given, str) else [value.constant for value in items or ()]
    texts = [field for field in fields if isinstance(field, str) and field.isidentifier()]
    if not isinstance(name, str) or not name.isidentifier() or not texts or len(texts) != len(fields):
        return None
    text = "\n".join([f"class {name}:", *(f"    {field}: object" for field in texts)])
    definition = ast.parse(text).body[0]
    assert isinstance(definition, ast.ClassDef)
    for part in ast.walk(definition):
        ast.copy_location(part, node)
    frame = Frame(definition, machine.module.frame, frozenset(), module=machine.module)
    return Value.of(Class(definition, frame, (Value.of(External("typing.NamedTuple")),)))


def _namespace(machine: Machine, args: Args, keywords: Keywords, node: ast.AST) -> Value | None:
    """`SimpleNamespace(batch=8)`: an object whose attributes are known."""
    made = machine.result("call", "types.SimpleNamespace", None, args, keywords, node, fresh=True)
    for name, value in keywords:
        machine.put((made.term, name), value)
    return Value.of(made)


def _sum(machine: Machine, args: Args, keywords: Keywords, node: ast.AST) -> Value | None:
    found = comprehensions.known_items(machine, args[0], node) if len(args) == 1 else None
    numbers = [value.constant for value in found] if found is not None else [...]
    if not all(isinstance(number, (int, float)) for number in numbers):
        return None
    return Value.of(Constant(sum(numbers)))  # type: ignore[arg-type]


_WORK: dict[str, Callable[[Machine, Args, Keywords, ast.AST], Value | None]] = {
    "builtins.len": _length, "builtins.iter": _iter, "builtins.list": _list, "builtins.tuple": _tuple, "builtins.set": _set, "builtins.dict": _dict,
        "builtins.getattr": _getattr, "builtins.setattr": _setattr, "builtins.isinstance": _isinstance, "builtins.type": _type,
    "builtins.slice": _slice, "builtins.sum": _sum, "copy.copy": _copy, "copy.deepcopy": _copy,
    "types.SimpleNamespace": _namespace, "argparse.Namespace": _namespace, "builtins.vars": _vars, "dataclasses.replace": _replace, "dataclasses.asdict": _vars,
    "collections.namedtuple": _named_tuple, "collections.OrderedDict": _dict, **iterating.WORK,
}  # fmt: skip
