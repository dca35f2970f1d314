"""What the conditions round a place have come out as, where code comes to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.control_flow import runs_off
from seqlint.facts.code.tree import BLOCKS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.code.names import Names

_TURNED = {cst.IsNot: "is", cst.NotEqual: "=="}
_PLAIN = {cst.Is: "is", cst.Equal: "=="}


def never_both(names: Names, one: cst.CSTNode, other: cst.CSTNode) -> bool:
    """Whether no call of a function comes to both of two places: a condition is true at the one and false at the other.

    `None if self.test else masks` and what stands below `if self.test: return images`.
    """
    told = _known_at(names, other)
    return any(told.get(test) is (not outcome) for test, outcome in _known_at(names, one).items())


def _known_at(names: Names, node: cst.CSTNode) -> dict[str, bool]:
    """The conditions of the `if`s round a node, and of those above it that leave, by their words."""
    found: dict[str, bool] = {}
    inner = node
    for outer in names.tree.ancestors(node):
        if isinstance(outer, (cst.FunctionDef, cst.ClassDef, cst.Lambda)):
            break
        if isinstance(outer, (cst.If, cst.IfExp)) and inner is not outer.test:
            found |= _said(names, outer.test, inner is outer.body)
        elif isinstance(outer, BLOCKS):
            for statement in outer.body:
                if statement is inner:
                    break
                found |= _behind(names, statement)
        inner = outer
    return found


def _behind(names: Names, statement: cst.CSTNode) -> dict[str, bool]:
    """What a statement that has been passed tells: `if self.test: return images` was false."""
    if not isinstance(statement, cst.If):
        return {}
    if not runs_off(statement.body):
        return _said(names, statement.test, False)
    ends = isinstance(statement.orelse, cst.Else) and not runs_off(statement.orelse.body)
    return _said(names, statement.test, True) if ends else {}


def _said(names: Names, test: cst.BaseExpression, outcome: bool) -> dict[str, bool]:
    if not _is_steady(names, test):
        return {f"the test {names.tree.places[test]}": outcome}  # says something of its own branches alone
    return dict(_parts(names, test, outcome))


def _parts(names: Names, test: cst.BaseExpression, outcome: bool) -> Iterator[tuple[str, bool]]:
    if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
        yield from _parts(names, test.expression, not outcome)
    elif isinstance(test, cst.BooleanOperation):
        if isinstance(test.operator, cst.And) is outcome:  # all of `a and b` are true, all of `a or b` false
            yield from _parts(names, test.left, outcome)
            yield from _parts(names, test.right, outcome)
    elif isinstance(test, cst.Comparison) and len(test.comparisons) == 1:
        part = test.comparisons[0]
        kind = type(part.operator)
        word = _PLAIN.get(kind) or _TURNED.get(kind)
        sides = names.tree.text(test.left), names.tree.text(part.comparator)
        yield (word or names.tree.text(part.operator)).join(sides), outcome is (kind not in _TURNED)
    else:
        yield names.tree.text(test), outcome


def _is_steady(names: Names, test: cst.BaseExpression) -> bool:
    """Whether the words mean the same in the whole function: nothing is called, and no name has two values."""
    if any(isinstance(node, (cst.Call, cst.Subscript)) for node in names.tree.walk(test)):
        return False
    return all(
        len(names.bindings(name)) < 2 for name in names.tree.inside(test, cst.Name) if not names.tree.is_label(name)
    )
