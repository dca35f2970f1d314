"""Words under which a dict or table keeps something, where code spells them out: `self.state["at"]`."""

from __future__ import annotations

import libcst as cst


def word_of(node: cst.BaseExpression | None) -> str:
    """A string literal as Python writes it, `'at'`; empty for anything else."""
    return repr(node.evaluated_value) if isinstance(node, cst.SimpleString) else ""


def key_of(node: cst.CSTNode | None) -> str:
    """The one word that an expression is asked for, `'at'` of `self.state["at"]`; empty where there is none."""
    first = node.slice[0].slice if isinstance(node, cst.Subscript) and len(node.slice) == 1 else None
    return word_of(first.value) if isinstance(first, cst.Index) else ""
