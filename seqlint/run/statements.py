"""What a statement does."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from seqlint.run import attributes, calls, comprehensions, conditions, containers, names, targets
from seqlint.run.expressions import binary
from seqlint.run.frames import Frame
from seqlint.run.objects import Class, Constant, Container, External, Function, Instance, Option, Result, Value, joined
from seqlint.run.trace import Loop

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
    return True


def _delete(machine: Machine, node: ast.Delete, frame: Frame) -> bool:
    for target in node.targets:
        if isinstance(target, ast.Name) and (home := frame.home(target.id)) is not None:
            machine.put((home.serial, target.id), None)
        elif isinstance(target, ast.Subscript):
            machine.evaluate(machine, target.value, frame)
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


def _match(machine: Machine, node: ast.Match, frame: Frame) -> bool:
    subject = machine.evaluate(machine, node.subject, frame)
    ends = []
    for number, case in enumerate(node.cases):
        key = ("case", subject.term, id(case))
        with machine.under(frozenset({(key, True)})):
            for part in ast.walk(case.pattern):
                captured = getattr(part, "name", None)
                if isinstance(captured, str):
                    names.bind(machine, frame, captured, machine.unknown("a part of what is matched", part), part)
            ends.append(execute(machine, case.body, frame))
        last = number == len(node.cases) - 1 and isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None
        if last and case.guard is None and all(ends):
            return True
        if ends[-1]:
            machine.learn([(key, False)])
    return False


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


# -- loops --------------------------------------------------------------------------------------------------------------


def _for(machine: Machine, node: ast.For | ast.AsyncFor, frame: Frame) -> bool:
    value = machine.evaluate(machine, node.iter, frame)
    most = 2 if len(machine.loops) < 1 else 1
    for item in comprehensions.rounds(machine, value, node, most):
        before = machine.way
        targets.assign(machine, node.target, item, frame)
        execute(machine, node.body, frame)
        machine.way = before
    return execute(machine, node.orelse, frame)


def _while(machine: Machine, node: ast.While, frame: Frame) -> bool:
    condition = conditions.of(machine, node.test, frame)
    if condition.known is False:
        return execute(machine, node.orelse, frame)
    for number in range(2 if len(machine.loops) < 1 else 1):
        loops, way = machine.loops, machine.way
        machine.loops = (*loops, Loop(node, None, number))
        if condition.known is None:
            machine.learn([*condition.yes, (("round", id(node), machine.tick()), True)])
        execute(machine, node.body, frame)
        machine.loops, machine.way = loops, way
        condition = conditions.of(machine, node.test, frame)
    endless = condition.known is True and not any(isinstance(each, ast.Break) for each in _own_loop(node.body))
    return endless or execute(machine, node.orelse, frame)


def _own_loop(body: Sequence[ast.stmt]) -> list[ast.AST]:
    """The nodes of a loop, those of loops and functions in it left out."""
    found: list[ast.AST] = []
    waiting: list[ast.AST] = list(body)
    while waiting:
        here = waiting.pop()
        found.append(here)
        if not isinstance(here, (ast.For, ast.While, ast.FunctionDef, ast.ClassDef, ast.Lambda)):
            waiting.extend(ast.iter_child_nodes(here))
    return found


def _with(machine: Machine, node: ast.With | ast.AsyncWith, frame: Frame) -> bool:
    within = machine.within
    for each in node.items:
        value = machine.evaluate(machine, each.context_expr, frame)
        machine.within = (*machine.within, *value.objects[:1])
        if each.optional_vars is not None:
            targets.assign(machine, each.optional_vars, _entered(machine, value, node), frame)
    try:
        return execute(machine, node.body, frame)
    finally:
        machine.within = within


def _entered(machine: Machine, value: Value, node: ast.AST) -> Value:
    """What `as` binds: an object of the program says by `__enter__`, others are taken for themselves."""
    only = value.only
    if isinstance(only, Instance) and attributes.lookup(machine, only.cls, "__enter__").value is not None:
        return calls.call_method(machine, only, "__enter__", (), (), node)
    return value


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
            return _before(machine, node, frame, value)
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


def _before(machine: Machine, node: ast.FunctionDef | ast.AsyncFunctionDef, frame: Frame, value: Value) -> Value:
    """`@x.setter` leaves the property as it is read."""
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
    ast.Match: _match, ast.Try: _try, ast.For: _for, ast.AsyncFor: _for, ast.While: _while, ast.With: _with, ast.AsyncWith: _with,
    ast.FunctionDef: _function, ast.AsyncFunctionDef: _function, ast.ClassDef: _class, ast.Import: _import,
    ast.ImportFrom: _import_from,
}  # fmt: skip
if hasattr(ast, "TryStar"):
    _KINDS[ast.TryStar] = _try
