"""What an expression gives."""

from __future__ import annotations

import ast
import operator
import os.path
from typing import TYPE_CHECKING, Any

from seqlint.run import attributes, calls, comprehensions, conditions, containers, names, protocols
from seqlint.run.objects import (
    ALWAYS,
    Constant,
    Function,
    Instance,
    Option,
    Setting,
    Tuple,
    Value,
    joined,
)
from seqlint.run.trace import Taken

if TYPE_CHECKING:
    from collections.abc import Callable

    from seqlint.run.frames import Frame
    from seqlint.run.machine import Machine
    from seqlint.run.objects import Kind


def divided(left: Any, right: Any) -> object:
    """`left / right`; of two texts one is a path, whose parts `/` joins."""
    return os.path.join(left, right) if isinstance(left, str) and isinstance(right, str) else left / right


_LONGEST = 10_000
"""Characters or items that a folded constant may have."""
_MOST_BITS = 256
_BINARY: dict[type[ast.operator], tuple[str, Callable[..., object]]] = {
    ast.Add: ("+", operator.add), ast.Sub: ("-", operator.sub), ast.Mult: ("*", operator.mul), ast.Div: ("/", divided),
    ast.FloorDiv: ("//", operator.floordiv), ast.Mod: ("%", operator.mod), ast.Pow: ("**", operator.pow),
    ast.BitOr: ("|", operator.or_), ast.BitAnd: ("&", operator.and_), ast.BitXor: ("^", operator.xor),
    ast.LShift: ("<<", operator.lshift), ast.RShift: (">>", operator.rshift), ast.MatMult: ("@", operator.matmul),
}  # fmt: skip
_JOINS = {
    ast.Add: containers.concatenated, ast.BitOr: containers.merged, ast.Mult: containers.repeated, ast.Mod: containers.formatted,
}  # fmt: skip
"""Operators that make a container of two."""
_UNARY: dict[type[ast.unaryop], tuple[str, Callable[..., object]]] = {
    ast.USub: ("-", operator.neg),
    ast.UAdd: ("+", operator.pos),
    ast.Invert: ("~", operator.invert),
    ast.Not: ("not", operator.not_),
}


def evaluate(machine: Machine, node: ast.expr, frame: Frame) -> Value:
    """The value of an expression where the run is.

    Raises:
        Spent: the budget is used up.
    """
    machine.steps += 1  # as `machine.step` counts, without a call for each expression
    if machine.steps > machine.limit:
        machine.stop()
    kind = _KINDS.get(type(node))
    value = kind(machine, node, frame) if kind is not None else machine.unknown("no such expression is followed", node)
    if machine.watched and machine.module is machine.main:
        machine.watch(node, value)
    return value


def _constant(machine: Machine, node: ast.Constant, frame: Frame) -> Value:
    return Value.of(Constant(node.value, node))


def _attribute(machine: Machine, node: ast.Attribute, frame: Frame) -> Value:
    value = attributes.of(machine, evaluate(machine, node.value, frame), node.attr, node)
    machine.asking(node.attr, value, node)
    return value


def _binary(machine: Machine, node: ast.BinOp, frame: Frame) -> Value:
    left, right = evaluate(machine, node.left, frame), evaluate(machine, node.right, frame)
    return binary(machine, node.op, left, right, node)


def binary(machine: Machine, op: ast.operator, left: Value, right: Value, node: ast.AST) -> Value:
    """The value of `left op right`."""
    name, work = _BINARY[type(op)]
    own = protocols.operated(machine, name, left.only, right, node) if isinstance(left.only, Instance) else None
    if own is not None:
        return own
    join = _JOINS.get(type(op))
    joint = join(machine, left, right, node) if join is not None else None
    if joint is not None:
        return joint
    if isinstance(op, ast.Pow) and not _is_small(right):
        return Value.of(machine.result("operator", name, None, (left, right), (), node))
    return folded(machine, name, work, (left, right), node)


def _is_small(power: Value) -> bool:
    return isinstance(power.constant, (int, float)) and abs(power.constant) <= 64


def folded(machine: Machine, name: str, work: Callable[..., object], args: tuple[Value, ...], node: ast.AST) -> Value:
    """The constant that an operation on constants gives; a setting where one of them is one; else a term."""
    term = machine.result("operator", name, None, args, (), node)
    objects = [value.only for value in args]
    if not all(isinstance(each, (Constant, Setting)) for each in objects):
        return Value.of(term)
    try:
        found = work(*(value.constant for value in args))
    except Exception:
        return Value.of(term)
    if _is_unwieldy(found):
        return Value.of(term)
    made = Constant(found, term)
    return Value.of(Setting(made, term) if any(isinstance(each, Setting) for each in objects) else made)


def _is_unwieldy(found: object) -> bool:
    """Whether a constant is too long to be carried along: a number of thousands of digits, a text of thousands of characters."""
    if isinstance(found, int):
        return found.bit_length() > _MOST_BITS
    return isinstance(found, complex) or (isinstance(found, (str, bytes, tuple)) and len(found) > _LONGEST)


def _unary(machine: Machine, node: ast.UnaryOp, frame: Frame) -> Value:
    name, work = _UNARY[type(node.op)]
    value = evaluate(machine, node.operand, frame)
    if isinstance(node.op, ast.Not):
        known = conditions.truth(machine, value)
        if known is not None:
            return Value.of(Constant(not known))
    return folded(machine, name, work, (value,), node)


def _boolean(machine: Machine, node: ast.BoolOp, frame: Frame) -> Value:
    """`a or b`: the first that decides; the others are worked out where they are reached."""
    options: list[Option] = []
    way = machine.way
    try:
        for number, part in enumerate(node.values):
            value = evaluate(machine, part, frame)
            if number == len(node.values) - 1:
                options += _limited(value, machine.way - way)
                break
            condition = conditions.of_value(machine, value, part)
            stops, goes_on = (
                (condition.no, condition.yes) if isinstance(node.op, ast.And) else (condition.yes, condition.no)
            )
            ends_here = condition.known is not None and condition.known is isinstance(node.op, ast.Or)
            if ends_here or condition.known is None:
                options += _limited(value, (machine.way - way) | stops)
            if ends_here:
                break
            machine.learn(goes_on)
    finally:
        machine.way = way
    return joined(options, node)


def _limited(value: Value, guards: frozenset[tuple[tuple[object, ...], bool]]) -> list[Option]:
    return [Option(option.object, option.guards | guards) for option in value.options]


def _compare(machine: Machine, node: ast.Compare, frame: Frame) -> Value:
    left = evaluate(machine, node.left, frame)
    rights = [evaluate(machine, right, frame) for right in node.comparators]
    if len(rights) != 1:
        return Value.of(machine.result("operator", "compare", None, (left, *rights), (), node))
    return conditions.compared(machine, node.ops[0], left, rights[0], node)


def _choice(machine: Machine, node: ast.IfExp, frame: Frame) -> Value:
    condition = conditions.of(machine, node.test, frame)
    options: list[Option] = []
    for wanted, part, guards in ((True, node.body, condition.yes), (False, node.orelse, condition.no)):
        if condition.known is None or condition.known is wanted:
            with machine.under(guards):
                value = evaluate(machine, part, frame)
            options += _limited(value, guards if condition.known is None else ALWAYS)
    return joined(options, node)


def _tuple(machine: Machine, node: ast.Tuple, frame: Frame) -> Value:
    items = containers.displayed(machine, node.elts, frame)
    if items is None:
        return Value.of(machine.result("display", "tuple", None, (), (), node, fresh=True))
    return Value.of(Tuple(tuple(items), node))


def _list(machine: Machine, node: ast.List | ast.Set, frame: Frame) -> Value:
    kind: Kind = "list" if isinstance(node, ast.List) else "set"
    return Value.of(containers.made(machine, kind, containers.displayed(machine, node.elts, frame), node))


def _dict(machine: Machine, node: ast.Dict, frame: Frame) -> Value:
    made = containers.made(machine, "dict", [], node)
    for key, part in zip(node.keys, node.values, strict=True):
        value = evaluate(machine, part, frame)
        if key is None:
            containers.update(machine, made, value, node)
        else:
            containers.set_item(machine, made, evaluate(machine, key, frame), value, node)
    return Value.of(made)


def _subscript(machine: Machine, node: ast.Subscript, frame: Frame) -> Value:
    holder, key = evaluate(machine, node.value, frame), evaluate(machine, node.slice, frame)
    if machine.module is machine.main:
        machine.trace.taken.append(Taken(holder, key, node))
    return containers.item(machine, holder, key, node)


def _slice(machine: Machine, node: ast.Slice, frame: Frame) -> Value:
    nothing = Value.of(Constant(None))
    parts = tuple(
        evaluate(machine, part, frame) if part is not None else nothing for part in (node.lower, node.upper, node.step)
    )
    return Value.of(machine.result("operator", "slice", None, parts, (), node))


def _lambda(machine: Machine, node: ast.Lambda, frame: Frame) -> Value:
    return Value.of(Function(node, frame, calls.defaults(machine, node, frame)))


def _text(machine: Machine, node: ast.JoinedStr, frame: Frame) -> Value:
    parts = [evaluate(machine, part, frame) for part in node.values]
    return folded(machine, "f", lambda *found: "".join(map(str, found)), tuple(parts), node)


def _formatted(machine: Machine, node: ast.FormattedValue, frame: Frame) -> Value:
    value = evaluate(machine, node.value, frame)
    if node.format_spec is None and node.conversion == -1:
        return value
    spec = node.format_spec
    args = (value,) if spec is None else (value, evaluate(machine, spec, frame))
    return (
        folded(machine, "format", format, args, node)
        if node.conversion == -1
        else Value.of(machine.result("operator", "format", None, args, (), node))
    )


def _walrus(machine: Machine, node: ast.NamedExpr, frame: Frame) -> Value:
    value = evaluate(machine, node.value, frame)
    names.bind(machine, frame, node.target.id, value, node)
    return value


def _await(machine: Machine, node: ast.Await, frame: Frame) -> Value:
    return evaluate(machine, node.value, frame)


def _yield(machine: Machine, node: ast.Yield, frame: Frame) -> Value:
    value = evaluate(machine, node.value, frame) if node.value is not None else Value.of(Constant(None))
    calls.give(machine, frame, value, node)
    return machine.unknown("what `send` gives", node)


def _yield_from(machine: Machine, node: ast.YieldFrom, frame: Frame) -> Value:
    calls.give_all(machine, frame, evaluate(machine, node.value, frame), node)
    return machine.unknown("what a generator returns", node)


def _starred(machine: Machine, node: ast.Starred, frame: Frame) -> Value:
    return evaluate(machine, node.value, frame)


_KINDS: dict[type[ast.expr], Callable[..., Value]] = {
    ast.Constant: _constant, ast.Name: names.name, ast.Attribute: _attribute, ast.Call: calls.call, ast.BinOp: _binary,
    ast.UnaryOp: _unary, ast.BoolOp: _boolean, ast.Compare: _compare, ast.IfExp: _choice, ast.Tuple: _tuple, ast.List: _list,
    ast.Set: _list, ast.Dict: _dict, ast.Subscript: _subscript, ast.Slice: _slice, ast.Lambda: _lambda, ast.JoinedStr: _text,
    ast.FormattedValue: _formatted, ast.NamedExpr: _walrus, ast.Await: _await, ast.Yield: _yield, ast.YieldFrom: _yield_from,
    ast.Starred: _starred, ast.ListComp: comprehensions.of, ast.SetComp: comprehensions.of, ast.DictComp: comprehensions.of,
    ast.GeneratorExp: comprehensions.of,
}  # fmt: skip
