"""`match`: which case is taken, as far as that is known, and what its pattern binds."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from seqlint.run import attributes, conditions, containers, names
from seqlint.run.conditions import Condition
from seqlint.run.objects import ALWAYS, Constant, Container, Value

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from seqlint.run.frames import Frame
    from seqlint.run.machine import Machine


def run_match(machine: Machine, node: ast.Match, frame: Frame) -> bool:
    """Run a `match`; as `execute`, whether every way through it ends there."""
    return _cases(machine, node.cases, machine.evaluate(machine, node.subject, frame), frame)


def _cases(machine: Machine, cases: Sequence[ast.match_case], subject: Value, frame: Frame) -> bool:
    if not cases:
        return False
    case, rest = cases[0], cases[1:]
    condition = _matches(machine, case.pattern, subject, frame)
    if condition.known is False:
        return _cases(machine, rest, subject, frame)
    if condition.known and case.guard is None:
        _bind(machine, case.pattern, subject, frame)
        return machine.execute(machine, case.body, frame)
    with machine.under(condition.yes):
        _bind(machine, case.pattern, subject, frame)
        guard = conditions.of(machine, case.guard, frame) if case.guard is not None else Condition(True)
        if guard.known is not False:
            machine.learn(guard.yes)
            first = machine.execute(machine, case.body, frame)
        else:
            first = False
    no = condition.no if case.guard is None else ALWAYS
    with machine.under(no):
        second = _cases(machine, rest, subject, frame)
    if first and second:
        return True
    machine.learn(no if first else condition.yes if second and case.guard is None else ())
    return False


def _matches(machine: Machine, pattern: ast.pattern, subject: Value, frame: Frame) -> Condition:
    if isinstance(pattern, ast.MatchAs):
        return Condition(True) if pattern.pattern is None else _matches(machine, pattern.pattern, subject, frame)
    if isinstance(pattern, ast.MatchValue):
        return _compares(machine, ast.Eq(), subject, machine.evaluate(machine, pattern.value, frame), pattern)
    if isinstance(pattern, ast.MatchSingleton):
        return _compares(machine, ast.Is(), subject, Value.of(Constant(pattern.value)), pattern)
    if isinstance(pattern, ast.MatchOr):
        parts = [_matches(machine, each, subject, frame) for each in pattern.patterns]
        if any(part.known for part in parts):
            return Condition(True)
        if all(part.known is False for part in parts):
            return Condition(False)
    if isinstance(pattern, ast.MatchSequence):
        inner = _sequence(machine, pattern, subject, frame)
        if inner is not None:
            return Condition(inner)
    key = ("case", subject.term, id(pattern))
    return Condition(None, frozenset({(key, True)}), frozenset({(key, False)}))


def _compares(machine: Machine, op: ast.cmpop, subject: Value, right: Value, pattern: ast.pattern) -> Condition:
    """The condition of `if subject == right`, so that both are one."""
    return conditions.of_value(machine, conditions.compared(machine, op, subject, right, pattern), pattern)


def _sequence(machine: Machine, pattern: ast.MatchSequence, subject: Value, frame: Frame) -> bool | None:
    """Whether a list or tuple with known items fits; None where that is not known."""
    pairs = _pairs(machine, pattern, subject)
    if pairs is None:
        only = subject.only
        known = containers.items(machine, only) if only is not None else None
        stars = any(isinstance(each, ast.MatchStar) for each in pattern.patterns)
        return False if known is not None and not stars else None
    found = {_matches(machine, part, value, frame).known for part, value in pairs}
    return False if False in found else None if None in found else True


def _pairs(machine: Machine, pattern: ast.MatchSequence, subject: Value) -> list[tuple[ast.pattern, Value]] | None:
    only = subject.only
    known = containers.items(machine, only) if only is not None else None
    stars = any(isinstance(each, ast.MatchStar) for each in pattern.patterns)
    fits = known is not None and not stars and len(known) == len(pattern.patterns)
    return list(zip(pattern.patterns, known or (), strict=True)) if fits else None


def _bind(machine: Machine, pattern: ast.pattern, subject: Value, frame: Frame) -> None:
    """Give the names of a pattern their values."""
    name = getattr(pattern, "name", None)
    if isinstance(name, str):
        known = isinstance(pattern, ast.MatchAs)
        value = subject if known else machine.unknown("a part of what is matched", pattern)
        names.bind(machine, frame, name, value, pattern)
    rest = getattr(pattern, "rest", None)
    if isinstance(rest, str):
        names.bind(machine, frame, rest, machine.unknown("a part of what is matched", pattern), pattern)
    for part, value in _inner(machine, pattern, subject, frame):
        _bind(machine, part, value, frame)


def _inner(machine: Machine, pattern: ast.pattern, subject: Value, frame: Frame) -> Iterator[tuple[ast.pattern, Value]]:
    if isinstance(pattern, ast.MatchAs) and pattern.pattern is not None:
        yield pattern.pattern, subject
    elif isinstance(pattern, ast.MatchSequence) and (pairs := _pairs(machine, pattern, subject)) is not None:
        yield from pairs
    elif isinstance(pattern, ast.MatchMapping) and isinstance(subject.only, Container):
        for key, part in zip(pattern.keys, pattern.patterns, strict=True):
            yield part, containers.item(machine, subject, machine.evaluate(machine, key, frame), part)
    elif isinstance(pattern, ast.MatchClass):
        for name, part in zip(pattern.kwd_attrs, pattern.kwd_patterns, strict=True):
            yield part, attributes.of(machine, subject, name, part)
        for part in pattern.patterns:
            yield part, machine.unknown("a part of what is matched", part)
    else:
        for child in ast.iter_child_nodes(pattern):
            if isinstance(child, ast.pattern):
                yield child, machine.unknown("a part of what is matched", child)
