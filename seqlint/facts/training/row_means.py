"""Means over a whole batch in a loss that can become means of each row."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.scopes import parameters
from seqlint.facts.training.scalars import elementwise, is_over_all

if TYPE_CHECKING:
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.training.scalars import Scalars

_MEANS = frozenset({
    "keras.backend.mean", "keras.ops.mean", "tensorflow.math.reduce_mean", "tensorflow.reduce_mean",
})  # fmt: skip
_LOSS = re.compile(r"keras\.losses\.(?!deserialize|serialize|get\b)[a-z]\w*")
_MAX_STEPS = 8


class RowMeans:
    """Looks at what the losses of one file return."""

    def __init__(self, tree: Tree, names: Names, scalars: Scalars) -> None:
        self._tree = tree
        self._names = names
        self._scalars = scalars

    def of(self, function: cst.FunctionDef | cst.Lambda, value: cst.BaseExpression) -> tuple[cst.Call, ...]:
        """The means of which a value is a sum with factors, where each is of what has the rows of targets and predictions."""
        given = {param.name.value for param in parameters(function.params)}
        return self._means(value, given, _MAX_STEPS) or ()

    def _means(self, node: cst.BaseExpression, given: set[str], steps: int) -> tuple[cst.Call, ...] | None:
        if not steps:
            return None
        if self._scalars.of(node) == "number":
            return ()
        if isinstance(node, cst.UnaryOperation):
            return self._means(node.expression, given, steps - 1)
        if isinstance(node, cst.BinaryOperation):
            return self._means_of_both(node, given, steps - 1)
        if isinstance(node, cst.Name):
            bindings = self._names.reaching(node)
            value = bindings[0].value if len(bindings) == 1 and bindings[0].kind == "assign" else None
            return self._means(value, given, steps - 1) if value is not None and self._is_read_once(node) else None
        if not isinstance(node, cst.Call) or self._names.qualified(node.func) not in _MEANS or len(node.args) != 1:
            return None
        inner = node.args[0].value
        whole = is_over_all(node) and node.args[0].keyword is None
        rows = self._is_loss(inner, given) or self._has_rows(inner, given, _MAX_STEPS)
        return (node,) if whole and rows else None

    def bare(self, means: tuple[cst.Call, ...]) -> tuple[cst.Call, ...]:
        """Those of the means that are taken of one number for each row already."""
        inner = [(mean, mean.args[0].value) for mean in means]
        losses = (mean for mean, node in inner if isinstance(node, cst.Call) and self._is_named_loss(node))
        return tuple(losses)

    def _is_named_loss(self, call: cst.Call) -> bool:
        return _LOSS.fullmatch(self._names.qualified(call.func) or "") is not None

    def _is_loss(self, node: cst.BaseExpression, given: set[str]) -> bool:
        """`keras.losses.binary_crossentropy(target, guess)`, which gives one number for each row."""
        if not isinstance(node, cst.Call) or not self._is_named_loss(node):
            return False
        return all(self._has_rows(argument.value, given, _MAX_STEPS) for argument in node.args[:2])

    def _means_of_both(self, node: cst.BinaryOperation, given: set[str], steps: int) -> tuple[cst.Call, ...] | None:
        left, right = self._means(node.left, given, steps), self._means(node.right, given, steps)
        if left is None or right is None:
            return None
        if isinstance(node.operator, (cst.Add, cst.Subtract)):
            return (*left, *right)
        factor = isinstance(node.operator, cst.Multiply) and not (left and right)
        return (*left, *right) if factor or (isinstance(node.operator, cst.Divide) and not right) else None

    def _is_read_once(self, name: cst.Name) -> bool:
        """Whether nothing but this reads a local name: what else does so would get rows too."""
        function = self._tree.enclosing(name, cst.FunctionDef, cst.Lambda)
        same = [each for each in self._tree.inside(function, cst.Name) if each.value == name.value] if function else []
        return len([each for each in same if not self._tree.is_target(each)]) == 1

    def _has_rows(self, node: cst.BaseExpression, given: set[str], steps: int) -> bool:
        """Whether something is worked out from targets and predictions number by number."""
        if not steps:
            return False
        if isinstance(node, cst.Name):
            if node.value in given and all(isinstance(b.node, cst.Param) for b in self._names.reaching(node)):
                return True
            bindings = self._names.reaching(node)
            values = [binding.value if binding.kind == "assign" else None for binding in bindings]
            return bool(values) and all(v is not None and self._has_rows(v, given, steps - 1) for v in values)
        if isinstance(node, cst.UnaryOperation):
            return self._has_rows(node.expression, given, steps - 1)
        if isinstance(node, cst.BinaryOperation):
            return self._any_has_rows((node.left, node.right), given, steps - 1)
        if not isinstance(node, cst.Call) or not elementwise(self._names.qualified(node.func)):
            return False
        return self._any_has_rows([a.value for a in node.args if a.keyword is None], given, steps - 1)

    def _any_has_rows(
        self, nodes: list[cst.BaseExpression] | tuple[cst.BaseExpression, ...], given: set[str], steps: int
    ) -> bool:
        """Whether one of the nodes has rows, and the others have, too, or are numbers."""
        rows = [self._has_rows(node, given, steps) for node in nodes]
        rest = [node for node, has in zip(nodes, rows, strict=True) if not has]
        return any(rows) and all(self._scalars.of(node) == "number" or self._is_type(node) for node in rest)

    def _is_type(self, node: cst.BaseExpression) -> bool:
        """`tf.float32` in `tf.cast(y, tf.float32)`, `p.dtype`."""
        text = self._tree.text(node)
        return text.rpartition(".")[2] in ("dtype", "float16", "float32", "float64") or text.strip("'\"").startswith(
            "float"
        )
