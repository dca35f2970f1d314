"""Variables that are another name for an attribute: `size = self.size`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

if TYPE_CHECKING:
    from seqlint.facts.code.names import Names


def unaliased(names: Names, node: cst.BaseExpression) -> cst.BaseExpression:
    """`self.size` where a variable of the same function is never anything else; the expression itself otherwise."""
    bindings = names.bindings(node) if isinstance(node, cst.Name) else ()
    if len(bindings) != 1 or bindings[0].kind != "assign" or not names.same_frame(node, bindings[0].scope):
        return node
    value = bindings[0].value
    return value if isinstance(value, cst.Attribute) and isinstance(value.value, cst.Name) else node
