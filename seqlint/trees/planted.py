"""What libcst's own parser makes, with the places that libcst's own provider works out: for the little that is not made here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.trees.grown import Grown, children
from seqlint.trees.resolved import resolved

if TYPE_CHECKING:
    import libcst as cst


def plant(grown: Grown, module: cst.Module, start: int, up: int) -> None:
    """Number all nodes below a module whose text begins at a place."""
    spans, first = resolved(module, start), len(grown.nodes)
    for child in children(module):
        number(grown, child, up)
    for place in range(first, len(grown.nodes)):
        grown.settle(place, spans)


def number(grown: Grown, node: cst.CSTNode, up: int) -> None:
    """Number a node with all below it; where they stand is another question."""
    here = grown.open(up)
    for child in children(node):
        number(grown, child, here)
    grown.close(here, node)
