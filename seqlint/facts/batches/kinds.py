"""Numbers that are worked out from the labels at hand: how many kinds there are among them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

if TYPE_CHECKING:
    from seqlint.facts.code.names import Names

_MAXIMA = frozenset({"builtins.max", "numpy.max", "numpy.amax"})
_SETS = frozenset({"builtins.set", "numpy.unique"})


class Kinds:
    """The numbers of kinds in one file."""

    def __init__(self, names: Names) -> None:
        self._names = names

    def counted(self, node: cst.BaseExpression) -> cst.BaseExpression | None:
        """`labels` of `labels.max() + 1`, `int(np.max(labels)) + 1`, `len(np.unique(labels))`, `len(set(labels))`; else None."""
        if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Add):
            node = node.left if isinstance(node.right, cst.Integer) else node.right
        if not isinstance(node, cst.Call) or len(node.args) > 1:
            return None
        name = self._names.qualified(node.func)
        if not node.args:
            method = name is None and isinstance(node.func, cst.Attribute) and node.func.attr.value == "max"
            return node.func.value if method and isinstance(node.func, cst.Attribute) else None
        inner = node.args[0].value
        if name in _MAXIMA:
            return inner
        if name == "builtins.int":
            return self.counted(inner)
        kinds = isinstance(inner, cst.Call) and len(inner.args) == 1 and name == "builtins.len"
        if not kinds or not isinstance(inner, cst.Call) or self._names.qualified(inner.func) not in _SETS:
            return None
        return inner.args[0].value
