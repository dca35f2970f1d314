"""A tuple in the place of a list."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.model import Edit

if TYPE_CHECKING:
    from seqlint.facts import Facts


def as_tuple(facts: Facts, node: cst.BaseExpression) -> tuple[Edit, ...]:
    """Make an expression that gives a list give a tuple with the same items.

    `[a, b]` becomes `(a, b)`, `[f(x) for x in xs]` becomes `tuple(f(x) for x in xs)`, `list(x)` becomes `tuple(x)`; anything
    else is put into `tuple(...)`.
    """
    start, end = facts.span(node)
    if isinstance(node, cst.List) and node.elements:
        comma = "," if len(node.elements) == 1 and isinstance(node.elements[0].comma, cst.MaybeSentinel) else ""
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
    """A tuple or list without its last items; a tuple of one item that is left gets brackets and a comma."""
    kept = node.elements[: len(node.elements) - many]
    end = facts.tree.outer_span(kept[-1].value)[1]
    start, stop = facts.span(node)
    stop = stop - 1 if isinstance(node, cst.List) else stop
    comma = "," if len(kept) == 1 and isinstance(node, cst.Tuple) else ""
    if comma and not node.lpar:
        return (Edit(start, start, "("), Edit(end, stop, ",)"))
    return (Edit(end, stop, comma),)
