"""A tuple in the place of a list."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.model import Edit

if TYPE_CHECKING:
    from seqlint.facts import Facts


def as_tuple(facts: Facts, node: cst.BaseExpression) -> tuple[Edit, ...]:
    """Make an expression that gives a list give a tuple with the same items.

    `[a, b]` becomes `(a, b)`, `[]` becomes `()`, `[f(x) for x in xs]` becomes `tuple(f(x) for x in xs)`, `list(x)` becomes `tuple(x)`; anything
    else is put into `tuple(...)`.
    """
    start, end = facts.span(node)
    if isinstance(node, cst.List) and not node.elements:
        return (Edit(start, end, "()"),) if b"#" not in facts.source.utf8[start:end] else ()
    if isinstance(node, cst.List):
        has_comma = b"," in facts.source.utf8[facts.tree.outer_span(node.elements[-1].value)[1] : end]
        comma = "," if len(node.elements) == 1 and not has_comma else ""
        return (Edit(start, start + 1, "("), Edit(end - 1, end, f"{comma})"))
    if isinstance(node, cst.ListComp):
        return (Edit(start, start + 1, "tuple("), Edit(end - 1, end, ")"))
    if isinstance(node, cst.Call) and facts.qualified(node.func) == "builtins.list":
        return (Edit(*facts.span(node.func), "tuple"),)
    start, end = facts.tree.outer_span(node)
    return (Edit(start, start, "tuple("), Edit(end, end, ")"))


def only_item(facts: Facts, node: cst.List) -> tuple[Edit, ...]:
    """The item of a list with one item, in place of the list."""
    start, end = facts.span(node)
    first, last = facts.tree.outer_span(node.elements[0].value)
    return (Edit(start, first, ""), Edit(last, end, ""))


def drop_last(facts: Facts, node: cst.Tuple | cst.List, many: int) -> tuple[Edit, ...]:
    """A tuple or list without its last items; a tuple of one item that is left gets brackets and a comma.

    Items that stand on lines of their own go with their lines.
    """
    kept = node.elements[: len(node.elements) - many]
    end = facts.tree.outer_span(kept[-1].value)[1]
    start, stop = facts.span(node)
    if (lines := _own_lines(facts, node, many)) is not None:
        return (lines,)
    stop = stop - 1 if isinstance(node, cst.List) else stop
    comma = "," if len(kept) == 1 and isinstance(node, cst.Tuple) else ""
    if comma and not node.lpar:
        return (Edit(start, start, "("), Edit(end, stop, ",)"))
    return (Edit(end, stop, comma),)


def _own_lines(facts: Facts, node: cst.Tuple | cst.List, many: int) -> Edit | None:
    """The lines of the last items, where nothing else stands on them."""
    source = facts.source.utf8
    first = facts.tree.outer_span(node.elements[-many].value)[0]
    last = facts.tree.outer_span(node.elements[-1].value)[1]
    start, stop = source.rfind(b"\n", 0, first) + 1, source.find(b"\n", last) + 1
    bracketed = bool(node.lpar) or isinstance(node, cst.List)
    if not bracketed or start <= facts.span(node)[0] or source[start:first].strip():
        return None
    return Edit(start, stop, "") if stop and source[last:stop].strip() in (b"", b",") else None
