"""What is stored to an attribute: by an assignment, in a tuple, by a loop."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

if TYPE_CHECKING:
    from seqlint.facts.code.tree import Tree

Stored = tuple[cst.BaseExpression | None] | None
_STORING = frozenset({
    cst.AssignTarget, cst.AnnAssign, cst.AugAssign, cst.Element, cst.StarredElement, cst.For, cst.CompFor, cst.AsName, cst.Del,
})  # fmt: skip


def stored(tree: Tree, target: cst.Attribute) -> Stored:
    """What is stored here, in a tuple of one; None where the attribute is only read."""
    parent = tree.parents[target]
    if type(parent) not in _STORING:
        return None
    if isinstance(parent, cst.AssignTarget):
        assign = tree.parents[parent]
        return (assign.value if isinstance(assign, cst.Assign) else None,)
    if isinstance(parent, cst.AnnAssign) and parent.target is target:
        return (parent.value,) if parent.value is not None else None
    if isinstance(parent, cst.AugAssign) and parent.target is target:
        return (None,)
    if isinstance(parent, (cst.Element, cst.StarredElement)):
        return _unpacked(tree, parent)
    if isinstance(parent, (cst.For, cst.CompFor)) and parent.target is target:
        return (None,)
    if isinstance(parent, (cst.AsName, cst.Del)):
        return (None,)
    return None


def _unpacked(tree: Tree, element: cst.Element | cst.StarredElement) -> Stored:
    """`self.x, self.y = x, y` pairs off; any other unpacking gives something unknown."""
    sequence = tree.parents[element]
    if not tree.is_target(sequence):
        return None
    assign = tree.parents.get(tree.parents[sequence])
    if not isinstance(assign, cst.Assign) or not isinstance(sequence, (cst.Tuple, cst.List)):
        return (None,)
    value = assign.value
    if not isinstance(value, (cst.Tuple, cst.List)) or len(value.elements) != len(sequence.elements):
        return (None,)
    if isinstance(element, cst.StarredElement):
        return (None,)
    return (value.elements[sequence.elements.index(element)].value,)
