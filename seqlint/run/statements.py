"""What a statement does."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from seqlint.run import calls, conditions, containers, names, protocols, targets
from seqlint.run.expressions import binary
from seqlint.run.frames import Frame
from seqlint.run.loops import run_for, run_while
from seqlint.run.matching import run_match
from seqlint.run.objects import Class, Constant, Container, External, Function, Option, Result, Value, joined

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from seqlint.run.machine import Machine
    from seqlint.run.objects import Guards

PASSED = frozenset({
    "tensorflow.function", "tensorflow.autograph.experimental.do_not_convert", "builtins.staticmethod", "builtins.classmethod",
    "builtins.property", "functools.cached_property", "functools.lru_cache", "functools.cache", "functools.wraps",
    "abc.abstractmethod", "contextlib.contextmanager", "typing.no_type_check", "typing.overload", "typing.final", "typing.override",
    "dataclasses.dataclass", "attr.s", "attr.define", "attrs.define", "attrs.frozen", "keras.saving.register_keras_serializable",
    "keras.utils.register_keras_serializable", "tensorflow.Module.with_name_scope", "numba.jit", "numba.njit", "flax.struct.dataclass",
    "enum.unique", "atexit.register", "pytest.fixture", "tensorflow.custom_gradient", "tensorflow.autograph.to_graph",
})  # fmt: skip
"""Decorators after which a function or class does what its text says."""


def execute(machine: Machine, body: Sequence[ast.stmt], frame: Frame) -> bool:
    """Run a block. What is learned on the way, such as that an `if` with a `return` was not taken, holds to its end.

    Returns:
        Whether every way through it ends before its end: by `return`, `raise`, `break` or `continue`.

    Raises:
        Spent: the budget is used up.
    """
    for statement in body:
        machine.step()
        kind = _KINDS.get(type(statement))
        if kind is not None and kind(machine, statement, frame):
            return True
    return False


# -- simple statements ------------------------------------------------------------------------------------------------


def _expression(machine: Machine, node: ast.Expr, frame: Frame) -> bool:
    value = machine.evaluate(machine, node.value, frame)
    machine.reading("drop", value, node)
    only = value.only
    return (
        isinstance(only, Result)
        and only.op == "call"
        and only.name in ("sys.exit", "builtins.exit", "builtins.quit", "os._exit")
    )


def _assign(machine: Machine, node: ast.Assign, frame: Frame) -> bool:
    value = machine.evaluate(machine, node.value, frame)
    for target in node.targets:
        targets.assign(machine, target, value, frame)
    return False


def _annotated(machine: Machine, node: ast.AnnAssign, frame: Frame) -> bool:
    if node.value is not None:
        targets.assign(machine, node.target, machine.evaluate(machine, node.value, frame), frame)
    return False


def _augmented(machine: Machine, node: ast.AugAssign, frame: Frame) -> bool:
    """`x += y`; a list changes in place."""
    left, right = machine.evaluate(machine, node.target, frame), machine.evaluate(machine, node.value, frame)
    only = left.only
    if isinstance(only, Container) and only.kind == "list" and isinstance(node.op, ast.Add):
        containers.extend(machine, only, right, node)
        return False
    if isinstance(only, Container) and only.kind == "dict" and isinstance(node.op, ast.BitOr):
        containers.update(machine, only, right, node)
        return False
    targets.assign(machine, node.target, binary(machine, node.op, left, right, node), frame)
    return False


def _return(machine: Machine, node: ast.Return, frame: Frame) -> bool:
    value = machine.evaluate(machine, node.value, frame) if node.value is not None else Value.of(Constant(None))
    if not machine.stack:  # nobody calls it here
        machine.reading("give", value, node)
    frame.returns += [Option(option.object, option.guards | machine.way) for option in value.options]
    return True


def _raise(machine: Machine, node: ast.Raise, frame: Frame) -> bool:
    if node.exc is not None:
        machine.evaluate(machine, node.exc, frame)
    return True


def _leave(machine: Machine, node: ast.stmt, frame: Frame) -> bool:
    frame.left.add(type(node))
    return True


def _delete(machine: Machine, node: ast.Delete, frame: Frame) -> bool:
    for target in node.targets:
        if isinstance(target, ast.Name) and (home := frame.home(target.id)) is not None:
            machine.put((home.serial, target.id), None)
        elif isinstance(target, ast.Subscript):
            index = machine.evaluate(machine, target.slice, frame)
            for each in machine.open(machine.evaluate(machine, target.value, frame)):
                containers.delete(machine, each, index)
    return False


def _assert(machine: Machine, node: ast.Assert, frame: Frame) -> bool:
    machine.learn(conditions.of(machine, node.test, frame).yes)
    return False


# -- branches -----------------------------------------------------------------------------------------------------------


def _if(machine: Machine, node: ast.If, frame: Frame) -> bool:
    condition = conditions.of(machine, node.test, frame)
    if condition.known is not None:
        return execute(machine, node.body if condition.known else node.orelse, frame)
    first = _side(machine, node.body, frame, condition.yes)
    second = _side(machine, node.orelse, frame, condition.no)
    if first and second:
        return True
    machine.learn(condition.no if first else condition.yes if second else ())
    return False


def _side(machine: Machine, body: Sequence[ast.stmt], frame: Frame, guards: Guards) -> bool:
    with machine.under(guards):
        return execute(machine, body, frame)


def _try(machine: Machine, node: ast.Try, frame: Frame) -> bool:
    """The body or a handler: what the body has stored before it failed is not there for a handler, which is a simplification."""
    key = ("done", id(node), machine.tick())
    way = machine.way
    machine.learn([(key, True)])
    ended = execute(machine, [*node.body, *node.orelse], frame)
    learned = machine.way
    goes_on = False
    for handler in node.handlers:
        machine.way = way
        if handler.name:
            names.bind(machine, frame, handler.name, machine.unknown("an exception", handler), handler)
        if handler.type is not None:
            machine.evaluate(machine, handler.type, frame)
        machine.learn([(key, False)])
        goes_on = not execute(machine, handler.body, frame) or goes_on
    machine.way = way if goes_on else way | learned
    if node.finalbody and execute(machine, node.finalbody, frame):
        return True
    return ended and not goes_on


def _with(machine: Machine, node: ast.With | ast.AsyncWith, frame: Frame) -> bool:
    within = machine.within
    entered: list[Value] = []
    for each in node.items:
        value = machine.evaluate(machine, each.context_expr, frame)
        entered.append(value)
        machine.within = (*machine.within, *value.objects)
        bound = protocols.entered(machine, value, node)
        if each.optional_vars is not None:
            targets.assign(machine, each.optional_vars, bound, frame)
    try:
        return execute(machine, node.body, frame)
    finally:
        machine.within = within
        for value in reversed(entered):
            protocols.left(machine, value, node)


# -- definitions --------------------------------------------------------------------------------------------------------


def _function(machine: Machine, node: ast.FunctionDef | ast.AsyncFunctionDef, frame: Frame) -> bool:
    owner = frame.cls if isinstance(frame.node, ast.ClassDef) else None
    made = Function(node, frame, calls.defaults(machine, node, frame), owner)
    if machine.module is machine.main:
        machine.defined.append(made)
    names.bind(machine, frame, node.name, _decorated(machine, node, made, frame), node)
    return False


def _decorated(machine: Machine, node: ast.FunctionDef | ast.AsyncFunctionDef, made: Function, frame: Frame) -> Value:
    value = Value.of(made)
    for decorator in reversed(node.decorator_list):
        by = machine.evaluate(machine, decorator, frame)
        if isinstance(decorator, ast.Attribute) and decorator.attr in ("setter", "deleter", "getter"):
            return _before(machine, node, frame, value, decorator.attr)
        name = decorator_name(by)
        if name in PASSED or name.startswith(("keras.", "typing.", "tensorflow.function")):
            wrapped = [
                Option(
                    Function(each.node, each.frame, each.defaults, each.owner, (*each.wrapped, name), each.serial),
                    o.guards,
                )
                if isinstance(each := o.object, Function)
                else o
                for o in value.options
            ]
            value = Value(tuple(wrapped))
            continue
        options = [calls.invoke(machine, each, (value,), (), decorator) for each in by]
        value = joined([option for found in options for option in found.options], decorator)
    return value


def decorator_name(value: Value) -> str:
    """The canonical name of a decorator, called or not; empty where it is of the program, or unknown."""
    only = value.only
    if isinstance(only, External):
        return only.name
    return only.name if isinstance(only, Result) and only.op == "call" and only.receiver is None else ""


def _before(
    machine: Machine, node: ast.FunctionDef | ast.AsyncFunctionDef, frame: Frame, value: Value, role: str
) -> Value:
    """`@x.setter` leaves the property as it is read."""
    if role == "setter":
        frame.own |= {f"{node.name}.setter"}
        machine.setters.add(node.name)
        machine.put((frame.serial, f"{node.name}.setter"), value)
    found, sure = machine.read((frame.serial, node.name))
    return found if sure else value


def _class(machine: Machine, node: ast.ClassDef, frame: Frame) -> bool:
    bases = tuple(machine.evaluate(machine, base, frame) for base in node.bases)
    decorators = tuple(decorator_name(machine.evaluate(machine, each, frame)) for each in node.decorator_list)
    own = machine.names(node, frame.module)
    inner = Frame(node, frame, own.own, own.outer, module=frame.module)
    machine.frames.append(inner)
    made = Class(node, inner, bases, decorators)
    inner.cls = made
    if machine.module is machine.main:
        machine.classes.append(made)
    execute(machine, node.body, inner)
    names.bind(machine, frame, node.name, Value.of(made), node)
    return False


def _import(machine: Machine, node: ast.Import, frame: Frame) -> bool:
    names.imports(machine, node, frame)
    return False


def _import_from(machine: Machine, node: ast.ImportFrom, frame: Frame) -> bool:
    names.imports_from(machine, node, frame)
    return False


_KINDS: dict[type[ast.stmt], Callable[..., bool]] = {
    ast.Expr: _expression, ast.Assign: _assign, ast.AnnAssign: _annotated, ast.AugAssign: _augmented, ast.Return: _return,
    ast.Raise: _raise, ast.Break: _leave, ast.Continue: _leave, ast.Delete: _delete, ast.Assert: _assert, ast.If: _if,
    ast.Match: run_match, ast.Try: _try, ast.For: run_for, ast.AsyncFor: run_for, ast.While: run_while, ast.With: _with, ast.AsyncWith: _with,
    ast.FunctionDef: _function, ast.AsyncFunctionDef: _function, ast.ClassDef: _class, ast.Import: _import,
    ast.ImportFrom: _import_from,
}  # fmt: skip
if hasattr(ast, "TryStar"):
    _KINDS[ast.TryStar] = _try
