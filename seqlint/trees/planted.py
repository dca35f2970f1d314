"""What libcst's own parser makes, with the places that libcst's own provider works out: for the little that is not made here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.trees.grown import Grown, children
from seqlint.trees.resolved import resolved

if TYPE_CHECKING:
    from collections.abc import Mapping

    import libcst as cst

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
