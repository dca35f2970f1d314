"""How a subscript takes its part: `x[a:b]`, and `x[rows]` with `rows = slice(a, b)`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.tree import is_none

if TYPE_CHECKING:
    from seqlint.facts.code.names import Names


def first_index(names: Names, node: cst.Subscript) -> cst.BaseSlice:
    """The first index of a subscript; what a variable of this function is made of, if that is one `slice(a, b)`."""
    index = node.slice[0].slice
    made = _made(names, index.value) if isinstance(index, cst.Index) else None
    return _bounds(names, made) or index


def is_slice(names: Names, node: cst.CSTNode | None) -> bool:
    """Whether an expression is a subscript of which the first index is a slice."""
    return isinstance(node, cst.Subscript) and isinstance(first_index(names, node), cst.Slice)


def _made(names: Names, index: cst.BaseExpression) -> cst.BaseExpression | None:
    if not isinstance(index, cst.Name):
        return index
    bindings = names.reaching(index)
    plain = len(bindings) == 1 and bindings[0].kind == "assign" and names.same_frame(index, bindings[0].scope)
    return bindings[0].value if plain else None


def _bounds(names: Names, made: cst.BaseExpression | None) -> cst.Slice | None:
    """`a:b` for `slice(a, b)`, which is no node of the tree, though its bounds are."""
    if not isinstance(made, cst.Call) or names.qualified(made.func) != "builtins.slice":
        return None
    given = [argument.value for argument in made.args if argument.keyword is None and not argument.star]
    if len(given) != len(made.args) or len(given) not in (1, 2, 3):
        return None
    bounds = [None if is_none(bound) else bound for bound in given]
    lower, upper, step = [None, *bounds, None] if len(bounds) == 1 else [*bounds, None][:3]
    return cst.Slice(lower=lower, upper=upper, step=step)


def span_of(names: Names, node: cst.Subscript) -> str:
    """The first index as if it were written out: "a:b" also for `rows = slice(a, b)`, so that two can be compared."""
    index = first_index(names, node)
    if not isinstance(index, cst.Slice):
        return names.tree.text(index)
    bounds = (index.lower, index.upper, index.step)
    return ":".join(names.tree.text(bound) if bound is not None else "" for bound in bounds)
