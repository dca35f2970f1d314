"""Statements that belong into the block of a `with`: moved there, with what they need and their comments."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.model import Edit
from seqlint.rewrite.layout.statements import indent_of, lines_of, reindent

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from seqlint.facts import Facts

Line = cst.SimpleStatementLine


def into_scope(facts: Facts, scope: cst.With, *nodes: cst.CSTNode) -> tuple[Edit, ...] | None:
    """Move the lines that nodes stand in into the block of a `with` that stands in the same block.

    What stands above it becomes its first lines, what stands below its last ones. The lines above take with them what they
    are made from by Keras, and all that is done with it on the way. None where that is not plain.
    """
    block = facts.tree.parents[scope]
    siblings: list[cst.CSTNode] = list(getattr(block, "body", ()))
    if not isinstance(scope.body, cst.IndentedBlock) or scope not in siblings:
        return None
    place = siblings.index(scope)
    lines = {facts.tree.statement(node) for node in nodes}
    if not all(line in siblings for line in lines):
        return None
    above = _with_needs(facts, siblings[:place], [line for line in siblings[:place] if line in lines])
    below = [line for line in siblings[place + 1 :] if line in lines]
    between = siblings[place + 1 : siblings.index(below[-1])] if below else []
    if above is None or not _can_swap(facts, below, between):
        return None
    return _moved(facts, scope.body, above, below)


def _with_needs(facts: Facts, siblings: Sequence[cst.CSTNode], lines: list[cst.CSTNode]) -> list[cst.CSTNode] | None:
    """The lines, with those above that they are made from, and those below that use what they bind."""
    found = dict.fromkeys(lines)
    while lines:
        names = _bound(facts, found)
        first = min(siblings.index(line) for line in found)
        needed = [line for line in siblings if line not in found and _is_needed(facts, line, found)]
        using = [line for line in siblings[first:] if line not in found and names & _named(facts, line)]
        fresh = dict.fromkeys((*needed, *using))
        if not fresh:
            break
        found.update(fresh)
    ordered = [line for line in siblings if line in found]
    rest = siblings[siblings.index(ordered[0]) :] if ordered else []
    return ordered if _can_swap(facts, ordered, rest) else None


def _is_needed(facts: Facts, line: cst.CSTNode, found: Iterable[cst.CSTNode]) -> bool:
    """Whether a line binds something of Keras that one of the others is made from."""
    small = line.body[0] if isinstance(line, Line) else None
    if not isinstance(small, cst.Assign) or not _is_of_keras(facts, small.value):
        return False
    return bool(_bound(facts, [line]) & set().union(*(_named(facts, other) for other in found)))


def _is_of_keras(facts: Facts, value: cst.BaseExpression) -> bool:
    """`keras.Input(...)`, `layer(x)` for a layer, `keras.layers.Dense(1)(x)`."""
    seen: set[cst.Call] = set()  # `x = x(x)` is made by itself
    waiting = [value] if isinstance(value, cst.Call) else []
    while waiting:
        call = waiting.pop()
        if (facts.qualified(call.func) or "").startswith("keras."):
            return True
        seen.add(call)
        makers = facts.values.of(call.func)
        waiting += [made for made in makers if isinstance(made, cst.Call) and made not in seen]
    return False


def _can_swap(facts: Facts, lines: Sequence[cst.CSTNode], others: Sequence[cst.CSTNode]) -> bool:
    """Whether whole lines can change places with the others: neither binds what the other names."""
    if not all(isinstance(line, Line) and len(line.body) == 1 for line in lines):
        return False
    left = [line for line in others if line not in lines]
    read = set().union(*(_named(facts, line) for line in lines)) if lines else set()
    named = set().union(*(_named(facts, line) for line in left)) if left else set()
    return not read & _bound(facts, left) and not named & _bound(facts, lines)


def _bound(facts: Facts, lines: Iterable[cst.CSTNode]) -> set[str]:
    """The names that lines assign, import or define."""
    found: set[str] = set()
    for line in lines:
        found |= {target.target.value for target in _targets(facts, line) if isinstance(target.target, cst.Name)}
        found |= {node.name.value for node in facts.tree.inside(line, cst.FunctionDef)}
        found |= {node.target.value for node in facts.tree.inside(line, cst.For) if isinstance(node.target, cst.Name)}
        found |= {name.value for target in _targets(facts, line) for name in _unpacked(facts, target)}
    return found


def _targets(facts: Facts, line: cst.CSTNode) -> tuple[cst.AssignTarget, ...]:
    return facts.tree.inside(line, cst.AssignTarget)


def _unpacked(facts: Facts, target: cst.AssignTarget) -> tuple[cst.Name, ...]:
    return facts.tree.inside(target, cst.Name) if isinstance(target.target, (cst.Tuple, cst.List)) else ()


def _named(facts: Facts, line: cst.CSTNode) -> set[str]:
    return {name.value for name in facts.tree.inside(line, cst.Name) if not facts.tree.is_label(name)}


def _moved(
    facts: Facts, body: cst.IndentedBlock, above: list[cst.CSTNode], below: list[cst.CSTNode]
) -> tuple[Edit, ...] | None:
    first, last = body.body[0], body.body[-1]
    top, bottom = lines_of(facts, _whole(first))[0], lines_of(facts, _whole(last))[1]
    lead = indent_of(facts, first)
    edits: list[Edit] = []
    for lines, place in ((above, top), (below, bottom)):
        texts = [facts.source.slice(*lines_of(facts, _whole(line))) for line in lines]
        if any('"""' in text or "'''" in text for text in texts):
            return None
        text = "".join(reindent(one.replace("\r\n", "\n").rstrip("\n"), lead) + "\n" for one in texts)
        edits += [Edit(place, place, text.replace("\n", facts.source.newline))] if lines else []
        edits += [Edit(*_gap(facts, *lines_of(facts, _whole(line))), "") for line in lines]
    return tuple(edits)


def _gap(facts: Facts, start: int, end: int) -> tuple[int, int]:
    """A statement's lines, with the blank line below it where one stands above it too."""
    utf8 = facts.source.utf8
    newline = facts.source.newline.encode()
    blank = utf8[:start].endswith(newline * 2) and utf8[end:].startswith(newline)
    return start, end + (len(newline) if blank else 0)


def _whole(statement: cst.CSTNode) -> cst.SimpleStatementLine | cst.BaseCompoundStatement:
    assert isinstance(statement, (cst.SimpleStatementLine, cst.BaseCompoundStatement))
    return statement
