"""Positions that are remembered, so that a seek is only made where the position differs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

if TYPE_CHECKING:
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.instances.attributes import Touch


def is_set_right(tree: Tree, touch: Touch) -> bool:
    """`self.at = start` of `if self.at != start: self.film.set(start); self.at = start`."""
    assign = tree.enclosing(touch.node, cst.Assign) if touch.kind == "assign" else None
    choice = tree.enclosing(touch.node, cst.If, cst.FunctionDef)
    test = choice.test if isinstance(choice, cst.If) else None
    if assign is None or not isinstance(test, cst.Comparison) or len(test.comparisons) != 1:
        return False
    differs = isinstance(test.comparisons[0].operator, cst.NotEqual)
    sides = {tree.text(test.left), tree.text(test.comparisons[0].comparator)}
    return differs and sides == {tree.text(touch.node), tree.text(assign.value)}
