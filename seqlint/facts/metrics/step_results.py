"""Numbers of one batch that `train_step` and `test_step` return under the names of logs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.values.values import Constant

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.classes.classes import Classes, ClassFacts
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.scopes import Binding
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.values.values import Values

STEPS = ("train_step", "test_step")
_LOSSES = frozenset({"compute_loss", "compiled_loss"})
_MAKERS = ("tensorflow.reduce_", "tensorflow.math.reduce_", "keras.ops.mean", "keras.ops.sum", "keras.losses.")


@dataclass(frozen=True, eq=False)
class RawResult:
    """One entry of the dict that a step returns whose value is the tensor of this batch.

    Attributes:
        node: the value.
        alone: whether the dict has no other entry: under "loss" Keras 3 then logs its own tracker, which nobody updated.
    """

    owner: ClassFacts
    step: cst.FunctionDef
    key: str
    node: cst.BaseExpression
    returned: cst.Return
    alone: bool


class StepResults:
    """What the steps of a file's models return."""

    def __init__(self, tree: Tree, names: Names, values: Values, classes: Classes) -> None:
        self._tree = tree
        self._names = names
        self._values = values
        self._classes = classes

    @cached_property
    def raw(self) -> tuple[RawResult, ...]:
        """In reading order."""
        models = (owner for owner in self._classes.all if owner.is_a("model") == "yes")
        steps = ((owner, owner.methods.get(name)) for owner in models for name in STEPS)
        return tuple(raw for owner, step in steps if step is not None for raw in self._of(owner, step))

    def _of(self, owner: ClassFacts, step: cst.FunctionDef) -> Iterator[RawResult]:
        for returned in self._values.own(step, cst.Return):
            value = self._values.only(returned.value) if returned.value is not None else None
            if not isinstance(value, cst.Dict) or not self._tree.holds(step, value):
                continue
            entries = [entry for entry in value.elements if isinstance(entry, cst.DictElement)]
            for entry in entries:
                key = self._values.constant(entry.key)
                if isinstance(key, Constant) and isinstance(key.value, str) and self._is_raw(entry.value):
                    yield RawResult(owner, step, key.value, entry.value, returned, len(value.elements) == 1)

    def _is_raw(self, node: cst.BaseExpression) -> bool:
        """Whether a value is surely worked out from this batch: a loss, a mean, or arithmetic with one."""
        last = self._last(node) if isinstance(node, cst.Name) else []
        if any(binding.kind == "augment" for binding in last):  # `loss *= 0.5`: what it was before
            return all(self._is_bound_raw(binding, node) for binding in last)
        values = [binding.value for binding in last if binding.kind == "assign"]
        found = [v for value in values if value is not None for v in self._values.of(value)]
        if not last or len(values) < len(last):
            found = list(self._values.of(node))
        return bool(found) and all(value is not None and self._is_of_batch(value) for value in found)

    def _is_bound_raw(self, binding: Binding, node: cst.BaseExpression) -> bool:
        if binding.kind == "augment":
            return isinstance(binding.node, cst.Name) and binding.node is not node and self._is_raw(binding.node)
        return binding.kind == "assign" and binding.value is not None and self._is_raw(binding.value)

    def _last(self, name: cst.Name) -> list[Binding]:
        """The bindings that a name can have, but for those that a later one of the same block takes the place of."""
        found: dict[cst.CSTNode, Binding] = {}
        for binding in sorted(self._names.reaching(name), key=lambda binding: self._tree.order[binding.node]):
            found[self._tree.parents[self._tree.statement(binding.node)]] = binding
        return list(found.values())

    def _is_of_batch(self, value: cst.BaseExpression) -> bool:
        if isinstance(value, cst.BinaryOperation):
            return self._is_raw(value.left) or self._is_raw(value.right)
        if not isinstance(value, cst.Call):
            return False
        if isinstance(value.func, cst.Attribute) and self._values.self_class(value.func.value) is not None:
            return value.func.attr.value in _LOSSES
        made = value.func if isinstance(value.func, cst.Call) else value
        return (self._names.qualified(made.func) or "").startswith(_MAKERS)
