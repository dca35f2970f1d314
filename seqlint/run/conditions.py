"""What a test says: whether it is known how it comes out, and the conditions that hold on either side of it."""

from __future__ import annotations

import ast
import operator
from typing import TYPE_CHECKING

from seqlint.run.objects import (
    ALWAYS,
    Bound,
    Class,
    Constant,
    Container,
    External,
    Function,
    Generator,
    Instance,
    Module,
    Option,
    Setting,
    Tuple,
    Value,
    joined,
)
from seqlint.run.records import record

if TYPE_CHECKING:
    from collections.abc import Callable

    from seqlint.run.frames import Frame
    from seqlint.run.machine import Machine
    from seqlint.run.objects import Guards, Key, Object

_SURE = (Bound, Class, Function, Generator, Instance, Module)
"""Objects that count as true and are not None."""
_COMPARISONS: dict[type[ast.cmpop], tuple[str, Callable[..., object]]] = {
    ast.Eq: ("==", operator.eq), ast.NotEq: ("!=", operator.ne), ast.Lt: ("<", operator.lt), ast.LtE: ("<=", operator.le),
    ast.Gt: (">", operator.gt), ast.GtE: (">=", operator.ge), ast.Is: ("is", operator.eq), ast.IsNot: ("is not", operator.ne),
    ast.In: ("in", lambda one, other: one in other), ast.NotIn: ("not in", lambda one, other: one not in other),
}  # fmt: skip
_OPPOSITE = {"!=": "==", "is not": "is", "not in": "in", ">=": "<", ">": "<="}


@record
class Condition:
    """A test.

    Attributes:
        known: how it comes out, where that is known.
        yes, no: what holds on either side.
    """

    known: bool | None
    yes: Guards = ALWAYS
    no: Guards = ALWAYS

    @property
    def opposite(self) -> Condition:
        """That it does not hold."""
        return Condition(None if self.known is None else not self.known, self.no, self.yes)


def of(machine: Machine, test: ast.expr, frame: Frame) -> Condition:
    """The condition that an expression is."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return of(machine, test.operand, frame).opposite
    if isinstance(test, ast.BoolOp):
        return _joined(machine, test, frame)
    return of_value(machine, machine.evaluate(machine, test, frame), test)


def _joined(machine: Machine, test: ast.BoolOp, frame: Frame) -> Condition:
    """`a and b`: both hold where it holds; where it does not, nobody knows which."""
    both = isinstance(test.op, ast.And)
    way, parts = machine.way, []
    for part in test.values:
        found = of(machine, part, frame)
        parts.append(found)
        machine.learn(found.yes if both else found.no)
        if found.known is (not both):
            break
    machine.way = way
    all_hold: Guards = frozenset().union(*(part.yes if both else part.no for part in parts))
    key: Key = ("and" if both else "or", *sorted(map(repr, all_hold)))
    outside: Guards = frozenset({(key, not both)})
    if len(parts) == 1:
        return parts[0]
    if any(part.known is (not both) for part in parts):
        known: bool | None = not both
    else:
        known = both if all(part.known is both for part in parts) else None
    open_ones = [part for part in parts if part.known is None]
    if len(open_ones) == 1:
        outside = open_ones[0].no if both else open_ones[0].yes
    return Condition(known, all_hold, outside) if both else Condition(known, outside, all_hold)


def of_value(machine: Machine, value: Value, node: ast.AST) -> Condition:
    """The condition that a value counts as true."""
    known = truth(machine, value)
    if known is not None:
        return Condition(known)
    split = _split(value)
    if split is not None:
        return split
    only = value.only
    key: Key = ("true", value.term if only is None or not isinstance(only, Setting) else only.origin.term)
    return Condition(None, frozenset({(key, True)}), frozenset({(key, False)}))


def _split(value: Value) -> Condition | None:
    """A value that is true in some cases and false in the others: the cases are the condition."""
    sides: dict[bool, list[Guards]] = {True: [], False: []}
    for option in value.options:
        known = _truth(option.object)
        if known is None:
            return None
        sides[known].append(option.guards)
    if len(sides[True]) == 1 and len(sides[False]) == 1:
        yes, no = sides[True][0], sides[False][0]
        return Condition(None, yes, no) if yes and no else None
    return None


def truth(machine: Machine, value: Value) -> bool | None:
    """Whether a value counts as true, where all its options agree."""
    found = {_truth(each) for each in value}
    only = value.only
    if isinstance(only, Container) and only.kind == "list":
        length, sure = machine.read((only.serial, "len"))
        return bool(length.constant) if sure and isinstance(length.constant, int) else None
    return found.pop() if len(found) == 1 else None


def _truth(found: Object) -> bool | None:
    if isinstance(found, Constant):
        return bool(found.value)
    if isinstance(found, Tuple):
        return bool(found.items)
    return True if isinstance(found, _SURE) else None


def compared(machine: Machine, op: ast.cmpop, left: Value, right: Value, node: ast.AST) -> Value:
    """The value of `left op right`; `a != b` is the term of `not (a == b)`, so that both are one condition."""
    name, work = _COMPARISONS[type(op)]
    if name in ("is", "is not", "==", "!="):
        found = _same(left, right)
        if found is not None:
            return Value.of(Constant(found if name in ("is", "==") else not found))
    constants = [value.only for value in (left, right)]
    if all(isinstance(each, Constant) for each in constants):
        try:
            return Value.of(Constant(bool(work(left.constant, right.constant))))
        except TypeError:
            pass
    if name in ("in", "not in") and isinstance(left.only, Constant):
        found = _within(machine, left.only, right)
        if found is not None:
            return Value.of(Constant(found if name == "in" else not found))
    if (cases := _cases(machine, op, left, right, node)) is not None:
        return cases
    if name in _OPPOSITE:
        term = machine.result("operator", _OPPOSITE[name], None, _origins(left, right), (), node)
        return Value.of(machine.result("operator", "not", None, (Value.of(term),), (), node))
    return Value.of(machine.result("operator", name, None, _origins(left, right), (), node))


def _origins(*values: Value) -> tuple[Value, ...]:
    """Settings by what they stand for: who asks twice gets one condition."""
    return tuple(Value.of(value.only.origin) if isinstance(value.only, Setting) else value for value in values)


def _cases(machine: Machine, op: ast.cmpop, left: Value, right: Value, node: ast.AST) -> Value | None:
    """A value of several options against a constant, each for itself: `x is None` where x is None by default."""
    if len(left.options) < 2 or not isinstance(right.only, Constant):
        return None
    if not all(option.guards for option in left.options):
        return None
    options = []
    for option in left.options:
        answer = _given(op, option, right) or compared(machine, op, Value.of(option.object), right, node).only
        if not isinstance(answer, Constant):
            return None
        options.append(type(option)(answer, option.guards))

    return joined(options, node)


def _given(op: ast.cmpop, option: Option, right: Value) -> Constant | None:
    """A parameter whose default is None, in the case that somebody gives it: it is not None then."""
    given = any(key[0] == "given" and came for key, came in option.guards)
    if not given or right.constant is not None or not isinstance(op, (ast.Is, ast.IsNot, ast.Eq, ast.NotEq)):
        return None
    return Constant(isinstance(op, (ast.IsNot, ast.NotEq)))


def _same(left: Value, right: Value) -> bool | None:
    """Whether two values are one, where that is known without their contents."""
    one, other = left.only, right.only
    if one is None or other is None:
        return None
    nothing = [isinstance(each, Constant) and each.value is None for each in (one, other)]
    if all(nothing):
        return True
    if any(nothing):
        rest = other if nothing[0] else one
        known = isinstance(rest, (*_SURE, Constant, External, Container, Tuple)) or _is_made(rest)
        return False if known else None
    if isinstance(one, (Function, Class, External)) and isinstance(other, (Function, Class, External)):
        return one.term == other.term
    return None


def _is_made(found: Object) -> bool:
    """Whether a library surely gives an object: a dataset, a model."""
    from seqlint.run.types import type_of

    return bool(type_of(found))


def _within(machine: Machine, wanted: Constant, holder: Value) -> bool | None:
    from seqlint.run.containers import items

    only = holder.only
    if isinstance(only, Constant) and isinstance(only.value, str) and isinstance(wanted.value, str):
        return wanted.value in only.value
    found = items(machine, only) if only is not None else None
    if found is None or not all(isinstance(item.only, Constant) for item in found):
        return None
    return any(item.constant == wanted.value for item in found)
