"""Makes an array anew for each batch that was made once for all."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.model import Edit
from seqlint.rewrite.statements import insert_before, insert_first, lines_of

if TYPE_CHECKING:
    from seqlint.facts import Buffer, Facts


def allocate_per_batch(facts: Facts, buffer: Buffer) -> tuple[Edit, ...]:
    """The edits; none where the array is used elsewhere too, or what it is made of can't be had there."""
    statement = facts.tree.statement(buffer.made)
    if not isinstance(statement, cst.SimpleStatementLine) or len(statement.body) != 1:
        return ()
    assign = statement.body[0]
    if not isinstance(assign, cst.Assign) or assign.value is not buffer.made or len(assign.targets) != 1:
        return ()
    return _of_generator(facts, buffer, statement) if buffer.loop is not None else _of_self(facts, buffer, statement)


def _of_self(facts: Facts, buffer: Buffer, statement: cst.SimpleStatementLine) -> tuple[Edit, ...]:
    init, function = facts.tree.function(buffer.made), buffer.maker.function
    uses = [node for node in facts.members.all(buffer.name) if not facts.tree.holds(statement, node)]
    plain = init is not None and init.name.value == "__init__" and facts.tree.parents[statement] is init.body
    if init is None or not plain or not uses or any(facts.tree.function(use) is not function for use in uses):
        return ()
    if any(facts.values.self_class(use.value) is None or facts.values.stored(use) for use in uses):
        return ()
    call = _from_self(facts, buffer.made, init)
    if call is None:
        return ()
    used = {n.value for n in facts.tree.inside(function, cst.Name) if not facts.tree.is_label(n)}
    name = next(n for n in (buffer.name.strip("_"), "batch", "buffer", "filled", "whole_batch") if n and n not in used)
    return (
        Edit(*lines_of(facts, statement), ""),
        insert_first(facts, function, f"{name} = {call}"),
        *(Edit(*facts.span(use), name) for use in uses),
    )


def _from_self(facts: Facts, call: cst.Call, init: cst.FunctionDef) -> str | None:
    """The call with `self.size` for the parameter `size` of `__init__`; None where it needs something else of it."""
    start, end = facts.span(call)
    edits: list[tuple[int, int, str]] = []
    for name in facts.tree.inside(call, cst.Name):
        if facts.tree.is_label(name):
            continue
        bindings = facts.names.bindings(name)
        if not bindings or bindings[0].scope is not facts.names.inner_scope(init):
            continue
        if facts.values.self_class(name) is not None:
            continue
        kept = _kept(facts, name, init) if len(bindings) == 1 and bindings[0].kind == "parameter" else None
        if kept is None:
            return None
        edits.append((*facts.span(name), kept))
    text = facts.source.utf8
    for low, high, new in reversed(edits):
        text = text[:low] + new.encode() + text[high:]
        end += len(new.encode()) - (high - low)
    found = text[start:end].decode()
    return found if "\n" not in found else None


def _kept(facts: Facts, name: cst.Name, init: cst.FunctionDef) -> str | None:
    for node in facts.tree.inside(init.body, cst.Attribute):
        stored = facts.values.stored(node) if facts.values.self_class(node.value) is not None else None
        if stored is not None and isinstance(stored[0], cst.Name) and stored[0].value == name.value:
            return facts.text(node)
    return None


def _of_generator(facts: Facts, buffer: Buffer, statement: cst.SimpleStatementLine) -> tuple[Edit, ...]:
    """Move it to the top of the loop, where each round fills it and yields it."""
    loop = buffer.loop
    if loop is None or not isinstance(loop.body, cst.IndentedBlock) or not _is_of_round(facts, buffer, loop):
        return ()
    if any(line.comment is not None for line in statement.leading_lines):
        return ()
    first = loop.body.body[0]
    assert isinstance(first, (cst.SimpleStatementLine, cst.BaseCompoundStatement))
    return (Edit(*lines_of(facts, statement), ""), insert_before(facts, first, facts.text(statement.body[0])))


def _is_of_round(facts: Facts, buffer: Buffer, loop: cst.For | cst.While) -> bool:
    """Whether each round yields the array once, and nothing but the fills and the yield use it."""
    statement = facts.tree.statement(buffer.given)
    if facts.tree.parents[statement] is not loop.body or facts.tree.order[statement] < facts.tree.order[loop.body]:
        return False
    fills = facts.buffers.writes(loop.body, buffer.name)
    function = buffer.maker.function
    names = [
        n for n in facts.tree.inside(function.body, cst.Name) if n.value == buffer.name and not facts.tree.is_label(n)
    ]
    own = facts.tree.statement(buffer.made)
    places = [own, statement, *fills]
    values = {facts.tree.statement(fill) for fill in fills}
    reads = [n for n in names if not any(facts.tree.holds(place, n) for place in places)]
    twice = any(sum(facts.tree.holds(line, n) for n in names) > 1 for line in values)
    return not reads and not twice
