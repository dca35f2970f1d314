"""Statements of an `if` that are to run in any case: lifted out of it, with what they need and their comments."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.model import Edit
from seqlint.rewrite.layout.elements import remove_element
from seqlint.rewrite.layout.statements import indent_of, insert_before, lines_of, reindent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from seqlint.facts import Facts, Listed

Line = cst.SimpleStatementLine


def lift(facts: Facts, member: Listed, out_of: cst.If) -> tuple[Edit, ...] | None:
    """Add a callback in any case that is added in the body of an `if`; None where more depends on the `if`.

    A statement that adds this one callback moves; of several callbacks in one literal the one is taken out.
    """
    holder = member.item.holder
    if holder is None or isinstance(facts.tree.parents[out_of], cst.If):  # an `elif` has no place in front of it
        return None
    if isinstance(out_of.body, cst.SimpleStatementSuite):
        return _from_one_line(facts, holder, out_of, out_of.body)
    line = facts.tree.statement(holder)
    body = out_of.body
    if not isinstance(line, Line) or not isinstance(body, cst.IndentedBlock) or line not in body.body:
        return None
    if isinstance(holder, cst.Element) and not _adds_one(facts, holder):
        return _taken_out(facts, holder, line, out_of)
    lines = _with_needs(facts, line, body)
    return _lifted(facts, lines, out_of, body) if lines is not None and _adds(line.body) else None


def _from_one_line(
    facts: Facts, holder: cst.Element | cst.Call, out_of: cst.If, body: cst.SimpleStatementSuite
) -> tuple[Edit, ...] | None:
    """`if first: callbacks.append(...)`."""
    plain = _adds(body.body) and (isinstance(holder, cst.Call) or _adds_one(facts, holder))
    if not plain or out_of.orelse is not None:
        return None
    start = facts.span(out_of)[0]
    return (Edit(start, facts.span(body.body[0])[0], ""),)


def _target(small: cst.BaseSmallStatement) -> cst.BaseExpression | None:
    """The list of `callbacks.append(...)`, `callbacks.extend(...)`, `callbacks += [...]`."""
    if isinstance(small, cst.AugAssign):
        return small.target
    func = small.value.func if isinstance(small, cst.Expr) and isinstance(small.value, cst.Call) else None
    added = isinstance(func, cst.Attribute) and func.attr.value in ("append", "extend", "insert")
    return func.value if added and isinstance(func, cst.Attribute) else None


def _adds(small: Sequence[cst.BaseSmallStatement]) -> bool:
    """Whether a line adds to a list and does nothing else."""
    return len(small) == 1 and _target(small[0]) is not None


def _adds_one(facts: Facts, element: cst.Element) -> bool:
    holder = facts.tree.parents[element]
    return isinstance(holder, (cst.List, cst.Tuple)) and len(holder.elements) == 1


def _taken_out(facts: Facts, element: cst.Element, line: Line, out_of: cst.If) -> tuple[Edit, ...] | None:
    removed = remove_element(facts, element)
    target = _target(line.body[0])
    if removed is None or target is None or len(line.body) > 1 or _needed(facts, element.value, out_of):
        return None
    text = f"{facts.text(target)}.append({facts.text(element.value)})"
    return (insert_before(facts, out_of, text), removed)


def _needed(facts: Facts, node: cst.CSTNode, out_of: cst.If) -> tuple[cst.CSTNode, ...]:
    """The places in the `if` that bind a name that is used in the node."""
    names = (name for name in facts.tree.inside(node, cst.Name) if not facts.tree.is_label(name))
    bindings = (binding for name in names for binding in facts.names.reaching(name))
    return tuple(dict.fromkeys(found.node for found in bindings if facts.tree.holds(out_of, found.node)))


def _with_needs(facts: Facts, line: Line, body: cst.IndentedBlock) -> tuple[Line, ...] | None:
    """The line with the plain assignments in the same block that it needs, in their order."""
    parent = facts.tree.parents[body]
    assert isinstance(parent, cst.If)
    found, stack = {line: None}, [line]
    while stack:
        for place in _needed(facts, stack.pop(), parent):
            needed = facts.tree.statement(place)
            if needed in found:
                continue
            if not isinstance(needed, Line) or needed not in body.body:
                return None
            if not all(isinstance(small, cst.Assign) for small in needed.body):
                return None
            found[needed] = None
            stack.append(needed)
    return facts.tree.order.sorted(found)


def _lifted(facts: Facts, lines: tuple[Line, ...], out_of: cst.If, body: cst.IndentedBlock) -> tuple[Edit, ...] | None:
    spans = [lines_of(facts, line) for line in lines]
    lead = indent_of(facts, out_of)
    texts = [facts.source.slice(*span).replace("\r\n", "\n").rstrip("\n") for span in spans]
    if any('"""' in text or "'''" in text for text in texts):
        return None
    text = "".join(reindent(one, lead) + "\n" for one in texts).replace("\n", facts.source.newline)
    if len(lines) == len(body.body):
        return _in_place_of(facts, out_of, body, text)
    first = lines[0] is body.body[0]
    place = lines_of(facts, out_of)[0 if first else 1]
    return (Edit(place, place, text), *(Edit(*span, "") for span in spans))


def _in_place_of(facts: Facts, out_of: cst.If, body: cst.IndentedBlock, text: str) -> tuple[Edit, ...] | None:
    """The lines where the `if` was; None where it has another branch, or a comment of its own."""
    start = facts.source.utf8.rfind(b"\n", 0, facts.span(out_of)[0]) + 1
    head = facts.source.slice(start, lines_of(facts, _whole(body.body[0]))[0])
    if out_of.orelse is not None or "#" in head:
        return None
    return (Edit(start, lines_of(facts, out_of)[1], text),)


def _whole(statement: cst.BaseStatement) -> cst.SimpleStatementLine | cst.BaseCompoundStatement:
    assert isinstance(statement, (cst.SimpleStatementLine, cst.BaseCompoundStatement))
    return statement
