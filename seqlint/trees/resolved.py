"""Places of nodes as libcst's own provider works them out: for the little that is not made here."""

from __future__ import annotations

import libcst as cst

Span = tuple[int, int]


def resolved(module: cst.Module, start: int = 0) -> dict[cst.CSTNode, Span]:
    """The bytes of each node of a module whose text begins at a place."""
    from libcst.metadata import ByteSpanPositionProvider, MetadataWrapper

    found = MetadataWrapper(module, unsafe_skip_copy=True).resolve(ByteSpanPositionProvider)
    return {node: (start + span.start, start + span.start + span.length) for node, span in found.items()}


def resolved_expression(node: cst.BaseExpression, start: int) -> dict[cst.CSTNode, Span]:
    """The bytes of each node of an expression that begins at a place, brackets round it left out."""
    module = cst.Module([cst.SimpleStatementLine([cst.Expr(node)])])
    return resolved(module, start - len(node.lpar))
