"""Augmented assignments written out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.model import Edit

if TYPE_CHECKING:
    from seqlint.facts import Facts

_CLOSED = (cst.Name, cst.Attribute, cst.Call, cst.Subscript, cst.BaseNumber)


def spelled_out(facts: Facts, statement: cst.AugAssign, target: str = "") -> Edit:
    """`x /= a + b` as `x = x / (a + b)`.

    Args:
        target: what takes the place of `x`; empty: what is written.
    """
    name, operator = target or facts.text(statement.target), facts.text(statement.operator).strip().removesuffix("=")
    start, end = facts.tree.outer_span(statement.value)
    value = facts.source.slice(start, end)
    bare = isinstance(statement.value, _CLOSED) or statement.value.lpar
    return Edit(facts.span(statement.target)[0], end, f"{name} = {name} {operator} {value if bare else f'({value})'}")
