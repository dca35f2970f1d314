"""What is done once, while an attribute is still empty."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.flow.none_tests import none_tested

if TYPE_CHECKING:
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.instances.attributes import Touch


def is_set_up(tree: Tree, touch: Touch) -> bool:
    """Whether a touch is in the body of `if self.batch is None:`, which runs while there is nothing yet."""
    for outer in tree.ancestors(touch.node):
        if isinstance(outer, cst.FunctionDef):
            return False
        asked = none_tested(outer.test) if isinstance(outer, cst.If) else None
        if isinstance(asked, cst.Attribute) and asked.attr.value == touch.name and isinstance(outer, cst.If):
            return tree.holds(outer.body, touch.node) and not tree.inside(outer.test, cst.IsNot)
    return False
