"""Quotients written so that they are whole numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.model import Edit
from seqlint.rewrite.layout.imports import name_for
from seqlint.rewrite.layout.unused_imports import without_imports

if TYPE_CHECKING:
    from seqlint.facts import Count, Facts

_SIMPLE = (cst.Name, cst.Attribute, cst.Call, cst.Subscript, cst.Integer, cst.Float)


def ceiling(facts: Facts, count: Count, at: cst.BaseExpression) -> tuple[Edit, ...]:
    """Edits that write `math.ceil(n / b)` in the place of `at`; none where its n and b are written elsewhere.

    None either for the `divmod(n, b)` that gives the rest to another name. An import of `floor` that nothing else needs goes too.
    """
    is_pair = isinstance(at, cst.Call) and facts.qualified(at.func) == "builtins.divmod"
    if is_pair or not all(facts.tree.holds(at, part) for part in count.division):
        return ()
    spelling = name_for(facts, "math.ceil", at)
    text = f"{spelling.text}({_operand(facts, count.numerator)} / {_operand(facts, count.denominator)})"
    unused = without_imports(facts, at, count.division, spelling.text.partition(".")[0])
    return (Edit(*facts.tree.outer_span(at), text), *spelling.edits, *unused)


def _operand(facts: Facts, node: cst.BaseExpression) -> str:
    """An operand with its brackets, where it needs them."""
    return facts.text(node) if isinstance(node, _SIMPLE) else f"({facts.text(node)})"


def whole_number(facts: Facts, value: cst.BaseExpression, rounding: str) -> tuple[Edit, ...]:
    """Edits that put a rounding to an int round an expression: `rounding` is "int" or "math.ceil"."""
    spelling = name_for(facts, rounding, value) if "." in rounding else None
    start, end = facts.tree.outer_span(value)
    inner = facts.span(value) if (start, end) != facts.span(value) else None
    name = spelling.text if spelling is not None else rounding
    if facts.source.utf8[start - 1 : start].isalnum():  # `return(n / b)`
        name = f" {name}"
    brackets = () if inner else (Edit(end, end, ")"),)  # those round the expression will do
    return (Edit(start, start, name if inner else f"{name}("), *brackets, *(spelling.edits if spelling else ()))
