"""How labels and predictions are written where they are compared."""

from __future__ import annotations

import libcst as cst


def subtracts(node: cst.CSTNode) -> bool:
    """Whether a node is `a - b`."""
    return isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Subtract)


def uncut(node: cst.BaseExpression) -> cst.BaseExpression:
    """`feed.y` of `feed.y[: len(guesses)]`."""
    index = node.slice[0].slice if isinstance(node, cst.Subscript) and len(node.slice) == 1 else None
    first = isinstance(index, cst.Slice) and index.lower is None and index.step is None
    return node.value if isinstance(node, cst.Subscript) and first else node


def iterated(node: cst.BaseExpression) -> cst.BaseExpression:
    """`ds` of `for number, (x, y) in enumerate(ds.as_numpy_iterator())`."""
    while isinstance(node, cst.Call):
        if isinstance(node.func, cst.Attribute) and node.func.attr.value == "as_numpy_iterator":
            node = node.func.value
        elif isinstance(node.func, cst.Name) and node.func.value in ("enumerate", "tqdm", "iter", "list") and node.args:
            node = node.args[0].value
        else:
            return node
    return node
