"""Calls that Keras 3 takes in another way than Keras 2, or refuses."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from seqlint.domains.models.keras_models import KerasModels
from seqlint.domains.models.symbolic import Symbolic
from seqlint.knowledge.keras_arguments import LOST
from seqlint.knowledge.keras_replacements import TENSORFLOW_OPS
from seqlint.run import Container, External, Instance, Tuple
from seqlint.run.attributes import lineage, lookup

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Call, Run

Change = Literal["compile", "add_weight", "argument", "symbolic"]
_PLACES = 2
"""`optimizer` and `loss` have the places that they had."""
_BASES = frozenset(
    {"keras.Model", "keras.Sequential", "keras.Layer", "keras.layers.Layer", "keras.metrics.Metric", "keras.Metric"}
)
_OF_LAYERS = ("weights",)
_WITH_WEIGHTS = frozenset({"layers.Embedding", "layers.Input", "layers.InputLayer"})
_ELSEWHERE = frozenset({"batch_input_shape", "lr", "use_legacy_format", "options"})
"""Arguments of which other rules speak, or that no program gives."""


@dataclass(frozen=True, eq=False)
class ChangedCall:
    """One call that means something else on Keras 3.

    Attributes:
        change: in what way: the order of `compile` or `add_weight`, an argument that is gone, TensorFlow on a symbolic tensor.
        name: the argument, or the function of TensorFlow without its package.
        raised: what a call with the argument raised.
    """

    change: Change
    call: Call
    node: ast.Call
    name: str = ""
    raised: str = ""


class ChangedCalls:
    """The calls of a run that Keras 3 takes in another way."""

    def __init__(self, run: Run) -> None:
        self._run = run

    @cached_property
    def all(self) -> tuple[ChangedCall, ...]:
        """Each call of this file once."""
        found: dict[ast.AST, ChangedCall] = {}
        for call in self._run.calls:
            if isinstance(call.node, ast.Call) and self._run.is_here(call.context) and call.node not in found:
                for one in self._changes(call, call.node):
                    found[call.node] = one
        return tuple(found.values())

    def _changes(self, call: Call, node: ast.Call) -> Iterator[ChangedCall]:
        if call.result.method == "compile" and self._by_place(call, node):
            yield ChangedCall("compile", call, node)
        elif call.result.method == "add_weight" and self._is_named_first(call, node):
            yield ChangedCall("add_weight", call, node)
        elif call.name.startswith("tensorflow."):
            name = call.name.partition(".")[2]
            if name in TENSORFLOW_OPS and any(
                self._run.domain(Symbolic).holds(value) for value in call.result.args[:1]
            ):
                yield ChangedCall("symbolic", call, node, name)
        elif call.name.startswith("keras."):
            yield from self._lost(call, node)

    def _by_place(self, call: Call, node: ast.Call) -> bool:
        """Whether `compile` of a model gets its metrics by their place."""
        models, receiver = self._run.domain(KerasModels), call.result.receiver
        if len(node.args) <= _PLACES or any(isinstance(each, ast.Starred) for each in node.args):
            return False
        third = call.result.args[_PLACES].only if len(call.result.args) > _PLACES else None
        plain = isinstance(third, Container | Tuple) or isinstance(node.args[_PLACES], ast.List)
        return plain and models.is_model(receiver) and not models.has_own(receiver, "compile")

    def _is_named_first(self, call: Call, node: ast.Call) -> bool:
        """Whether `self.add_weight("w", ...)` gives a name by its place."""
        owner = call.result.receiver
        first = node.args[0] if node.args else None
        if not isinstance(first, ast.Constant | ast.JoinedStr) or not isinstance(owner, Instance):
            return False
        if isinstance(first, ast.Constant) and not isinstance(first.value, str):
            return False
        bases = {each.name for each in lineage(owner.cls) if isinstance(each, External)}
        return bool(bases & _BASES) and lookup(self._run.machine, owner.cls, "add_weight").value is None

    def _lost(self, call: Call, node: ast.Call) -> Iterator[ChangedCall]:
        name = call.name.partition(".")[2]
        lost = LOST.get(name, {})
        layer = name.startswith("layers.") and call.result.method[:1].isupper() and name not in _WITH_WEIGHTS
        if layer:
            lost = {**{each: LOST["layers.Dense"][each] for each in _OF_LAYERS}, **lost}
        for keyword in node.keywords:
            if keyword.arg in lost and keyword.arg not in _ELSEWHERE:
                raised = lost[keyword.arg]
                yield ChangedCall("argument", call, node, keyword.arg, "TypeError" if raised == "gone" else raised)
                return
