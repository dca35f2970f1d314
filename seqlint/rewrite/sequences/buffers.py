"""Makes new arrays for each batch in place of arrays that are made once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.model import Edit
from seqlint.rewrite.layout.comments import has_comment_above
from seqlint.rewrite.layout.free_names import free_name
from seqlint.rewrite.layout.statements import delete, insert_before, insert_first

if TYPE_CHECKING:
    from collections.abc import Sequence

    from seqlint.facts import Buffer, Facts


def allocate_per_batch(facts: Facts, buffers: Sequence[Buffer]) -> tuple[Edit, ...]:
    """Edits for all arrays of one maker; none where one of them can't be made there, or is used elsewhere too.

    Args:
        buffers: those of one Sequence, or of one loop of a generator, in the order in which they are made.
    """
    lines = [_line(facts, buffer) for buffer in buffers]
    known = [line for line in lines if line is not None]
    if not known or len(known) != len(lines):
        return ()
    loop = buffers[0].loop
    return _of_generator(facts, buffers, loop, known) if loop is not None else _of_self(facts, buffers, known)


def _line(facts: Facts, buffer: Buffer) -> cst.SimpleStatementLine | None:
    """The line that makes the array, assigns it to one name and does nothing else."""
    statement = facts.tree.statement(buffer.made)
    if not isinstance(statement, cst.SimpleStatementLine) or len(statement.body) != 1:
        return None
    assign = statement.body[0]
    plain = isinstance(assign, cst.Assign) and assign.value is buffer.made and len(assign.targets) == 1
    return statement if plain else None


def _of_self(facts: Facts, buffers: Sequence[Buffer], lines: list[cst.SimpleStatementLine]) -> tuple[Edit, ...]:
    function = buffers[0].maker.function
    made: dict[str, str] = {}
    edits: list[Edit] = []
    for buffer, line in zip(buffers, lines, strict=True):
        uses, call = _uses(facts, buffer, line), _call(facts, buffer, line)
        if not uses or call is None:
            return ()
        if len(uses) == 1 and _is_named(facts, uses[0], function):  # `batch = self.buffer` names it already
            edits.append(Edit(*facts.span(uses[0]), call))
            continue
        bare = buffer.name.strip("_")
        name = free_name(facts, function, bare, f"batch_{bare}", "batch", "buffer", taken=made)
        made[name] = f"{name} = {call}"
        edits += [Edit(*facts.span(use), name) for use in uses]
    first = (insert_first(facts, function, "\n".join(made.values())),) if made else ()
    return (*delete(facts, *lines), *first, *edits)


def _is_named(facts: Facts, use: cst.Attribute, function: cst.FunctionDef) -> bool:
    """Whether the maker first assigns the array to a variable, once and on every path."""
    assign = facts.tree.parents[use]
    plain = isinstance(assign, cst.Assign) and assign.value is use and len(assign.targets) == 1
    name = assign.targets[0].target if plain and isinstance(assign, cst.Assign) else None
    return isinstance(name, cst.Name) and facts.tree.parents[facts.tree.statement(use)] is function.body


def _uses(facts: Facts, buffer: Buffer, line: cst.SimpleStatementLine) -> tuple[cst.Attribute, ...]:
    """What reads the array, where only the maker does."""
    every = [node for node in facts.members.all(buffer.name) if not facts.tree.holds(line, node)]
    uses = tuple(node for node in every if not _is_of_stranger(facts, buffer, node))
    if any(facts.tree.function(use) is not buffer.maker.function for use in uses):
        return ()
    if any(facts.values.self_class(use.value) is None or facts.values.stored(use) for use in uses):
        return ()
    return uses


def _is_of_stranger(facts: Facts, buffer: Buffer, use: cst.Attribute) -> bool:
    """Whether an attribute is one of `self` in an unrelated class."""
    own, other = buffer.maker.owner, facts.values.self_class(use.value)
    if own is None or other is None:
        return False
    found = facts.class_facts(other)
    return found not in own.lineage and own not in found.lineage


def _call(facts: Facts, buffer: Buffer, line: cst.SimpleStatementLine) -> str | None:
    """The call that makes the array, as the maker can write it."""
    init = facts.tree.function(buffer.made)
    plain = init is not None and init.name.value == "__init__" and facts.tree.parents[line] is init.body
    return _from_self(facts, buffer.made, init) if init is not None and plain else None


def _from_self(facts: Facts, call: cst.Call, init: cst.FunctionDef) -> str | None:
    """The call with `self.size` for the parameter `size` of `__init__`; None where it needs anything else from there."""
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


def _of_generator(
    facts: Facts, buffers: Sequence[Buffer], loop: cst.For | cst.While, lines: list[cst.SimpleStatementLine]
) -> tuple[Edit, ...]:
    """Move them to the top of the loop, where each iteration fills them and yields them."""
    if not isinstance(loop.body, cst.IndentedBlock) or not all(_is_of_round(facts, each, loop) for each in buffers):
        return ()
    if any(has_comment_above(facts, line) for line in lines):
        return ()
    first = loop.body.body[0]
    assert isinstance(first, (cst.SimpleStatementLine, cst.BaseCompoundStatement))
    made = "\n".join(facts.text(line.body[0]) for line in lines)
    return (*delete(facts, *lines), insert_before(facts, first, made))


def _is_of_round(facts: Facts, buffer: Buffer, loop: cst.For | cst.While) -> bool:
    """Whether each iteration yields the array once, and only the fills and the yield use it."""
    statement = facts.tree.statement(buffer.given)
    if facts.tree.parents[statement] is not loop.body or facts.tree.order.precedes(statement, loop.body):
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
