"""What libcst's own parser makes, with the places that libcst's own provider works out: for the little that is not made here."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.trees.grown import Grown, children

if TYPE_CHECKING:
    from collections.abc import Mapping

Span = tuple[int, int]


def plant(grown: Grown, module: cst.Module, start: int, up: int) -> None:
    """Number all nodes below a module whose text begins at a place."""
    spans = resolved(module, start)
    for child in children(module):
        _plant(grown, child, spans, up)


def _plant(grown: Grown, node: cst.CSTNode, spans: Mapping[cst.CSTNode, Span], up: int) -> None:
    here = grown.open(up)
    for child in children(node):
        _plant(grown, child, spans, here)
    grown.close(here, node)
    grown.settle(here, spans)


def resolved(module: cst.Module, start: int = 0) -> dict[cst.CSTNode, Span]:
    """The bytes of each node of a module whose text begins at a place."""
    from libcst.metadata import ByteSpanPositionProvider, MetadataWrapper

    found = MetadataWrapper(module, unsafe_skip_copy=True).resolve(ByteSpanPositionProvider)
    return {node: (start + span.start, start + span.start + span.length) for node, span in found.items()}


def resolved_expression(node: cst.BaseExpression, start: int) -> dict[cst.CSTNode, Span]:
    """The bytes of each node of an expression that begins at a place, brackets round it left out."""
    module = cst.Module([cst.SimpleStatementLine([cst.Expr(node)])])
    return resolved(module, start - len(node.lpar))
