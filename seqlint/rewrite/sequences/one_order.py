"""One permutation for two variables that are shuffled separately."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.model import Edit
from seqlint.rewrite.layout.free_names import free_name
from seqlint.rewrite.layout.statements import replace

if TYPE_CHECKING:
    from seqlint.facts import Facts, Shuffle
    from seqlint.facts.orders.shuffled import Misaligned, Shuffled


def one_order(facts: Facts, found: Misaligned) -> tuple[Edit, ...]:
    """Draw one order for both: `x, y = x[order], y[order]`, or `x, y = shuffle(x, y)`.

    No edits where more than two belong together, where the two statements do not follow each other, or where what the
    variables hold is not known to be arrays, or lists.
    """
    first, second = found.first, found.second
    if second is None or found.several or first.node is None or second.node is None:
        return ()
    drawn, again = first.drawn, second.drawn
    if drawn is None or again is None or drawn.name != again.name or not _follow(facts, first, second):
        return ()
    if not all(_is_own(facts, each) for each in (first, second)):
        return ()
    one, other = first.name, second.name
    if drawn.name == "sklearn.utils.shuffle":
        called = facts.text(drawn.node.func)
        plain = len(drawn.node.args) == len(again.node.args) == 1
        text = f"{one}, {other} = {called}({one}, {other})"
        return _both(facts, found, "", text) if plain else ()
    kinds = {facts.containers.kind(node) for node in (first.node, second.node)}
    maker = _maker(facts, drawn)
    function = facts.tree.function(first.node)
    order = free_name(facts, function, "order")
    if not maker or len(drawn.node.args) > 1:
        return ()
    if kinds == {"array"} and maker[1]:
        text = f"{order} = {maker[0]}.permutation(len({one}))"
        return _both(facts, found, text, f"{one}, {other} = {one}[{order}], {other}[{order}]")
    if kinds == {"list"} and drawn.name == "random.shuffle":
        text = f"{order} = {maker[0]}.sample(range(len({one})), len({one}))"
        item = free_name(facts, function, "row")
        return _both(
            facts,
            found,
            text,
            f"{one}, {other} = " + ", ".join(f"[{each}[{item}] for {item} in {order}]" for each in (one, other)),
        )
    return ()


def _maker(facts: Facts, drawn: Shuffle) -> tuple[str, bool] | None:
    """What draws, as it is written in the code, and whether it is NumPy's."""
    func = drawn.node.func
    if not isinstance(func, cst.Attribute):
        return None
    if drawn.generator is None:
        return facts.text(func.value), drawn.of_numpy
    made = facts.values.only(drawn.generator)
    name = facts.qualified(made.func) if isinstance(made, cst.Call) else None
    return (facts.text(func.value), True) if (name or "").startswith("numpy.") else None


def _both(facts: Facts, found: Misaligned, first: str, second: str) -> tuple[Edit, ...]:
    """The two statements rewritten; without a first one the second takes its place."""
    assert found.second is not None
    if first:
        return replace(facts, found.first.statement, first), replace(facts, found.second.statement, second)
    start, end = facts.span(found.first.statement)
    last = facts.span(found.second.statement)
    if facts.source.slice(end, last[0]).strip():  # a comment between them
        return ()
    return (Edit(start, last[1], second),)


def _follow(facts: Facts, first: Shuffled, second: Shuffled) -> bool:
    """Whether two statements are on lines of their own, one after the other."""
    lines = [facts.tree.statement(each.statement) for each in (first, second)]
    if any(not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1 for line in lines):
        return False
    if not all(_is_whole(facts, each) for each in (first, second)):
        return False
    block = facts.tree.parents[lines[0]]
    body = list(getattr(block, "body", ()))
    if facts.tree.parents[lines[1]] is not block:
        return False
    return body.index(lines[1]) == body.index(lines[0]) + 1


def _is_whole(facts: Facts, mixed: Shuffled) -> bool:
    """Whether the statement does nothing else, and its permutation is drawn in it."""
    parent = facts.tree.parents[mixed.statement]
    alone = isinstance(mixed.statement, cst.Assign) or isinstance(parent, cst.Expr)
    return alone and mixed.drawn is not None and facts.tree.holds(mixed.statement, mixed.drawn.node)


def _is_own(facts: Facts, mixed: Shuffled) -> bool:
    """Whether an assignment reaches all reads of the variable."""
    if isinstance(mixed.node, cst.Attribute):
        return facts.values.self_class(mixed.node.value) is not None
    assert isinstance(mixed.node, cst.Name)
    bindings = facts.names.bindings(mixed.node)
    here = facts.names.scope(mixed.node)
    plain = isinstance(mixed.statement, cst.Assign)
    return bool(bindings) and all(b.scope is here and (plain or b.kind in ("assign", "unpack")) for b in bindings)
