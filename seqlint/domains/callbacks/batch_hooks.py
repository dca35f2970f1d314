"""What hooks for batches do that belongs elsewhere: evaluations, and steps that are counted by the batch of the epoch."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from seqlint.domains.callbacks.hooks import hook_of, is_trained_model, parameter_hook
from seqlint.run import Constant, Container, Instance, Result, Tuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Call, Object, Phase, Run, Value

_TRAINS = frozenset({"on_train_batch_begin", "on_train_batch_end", "on_batch_begin", "on_batch_end"})
_EVALUATES = frozenset({"evaluate", "evaluate_generator"})
_RATES = frozenset({"learning_rate", "lr"})
_SETTERS = frozenset({"set_value", "assign"})
_WRITERS = "tensorflow.summary."
_DEPTH = 12
_NOWHERE: set[ast.AST] = set()
_RATIO = ("epoch", "step", "samples", "params", "iterations", "total", "size", "length", "batches", "count", "num")


@dataclass(frozen=True, eq=False)
class InBatchHook:
    """Something that a hook for batches does.

    Attributes:
        node: the call or the assignment.
        hook: such as "on_train_batch_end".
        what: "evaluate"; "rate" for the learning rate; "summary" for a step of `tf.summary`.
    """

    node: ast.AST
    hook: str
    what: str


class BatchHooks:
    """The hooks for batches of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run

    @cached_property
    def evaluations(self) -> tuple[InBatchHook, ...]:
        """The evaluations of the model that is trained, in hooks for batches of this file, each place once."""
        found: dict[ast.AST, InBatchHook] = {}
        for call in self._run.methods(*_EVALUATES):
            phase = hook_of(call.context)
            if phase is None or phase.method not in _TRAINS or not is_trained_model(call.result.receiver, phase):
                continue
            if self._run.is_here(call.context):
                found.setdefault(call.node, InBatchHook(call.node, phase.method, "evaluate"))
        return tuple(found.values())

    @cached_property
    def steps(self) -> tuple[InBatchHook, ...]:
        """The learning rates and summaries that count by the number of the batch alone, each place once."""
        found: dict[ast.AST, InBatchHook] = {}
        for node, hook, what in (*self._stored(), *self._called()):
            found.setdefault(node, InBatchHook(node, hook, what))
        return tuple(found.values())

    def _stored(self) -> Iterator[tuple[ast.AST, str, str]]:
        for store in self._run.stores:
            phase = hook_of(store.context)
            if phase is None or phase.method not in _TRAINS or not self._run.is_here(store.context):
                continue
            if store.name in _RATES and self._is_optimizer(store.owner, phase) and self._counts_batches(store.value):
                yield self._shown(store.value, store.node), phase.method, "rate"

    def _called(self) -> Iterator[tuple[ast.AST, str, str]]:
        for call in self._run.calls:
            phase = hook_of(call.context)
            if phase is None or phase.method not in _TRAINS or not self._run.is_here(call.context):
                continue
            if self._sets_rate(call, phase) and call.result.args and self._counts_batches(call.result.args[-1]):
                yield self._shown(call.result.args[-1], call.node), phase.method, "rate"
            step = call.result.keyword("step") if call.name.startswith(_WRITERS) else None
            if step is not None and step.only is not None and parameter_hook(step.only, "batch"):
                yield call.node, phase.method, "summary"

    def _shown(self, value: Value, place: ast.AST) -> ast.AST:
        """Where the function that sets a rate works with the number of the batch; the place itself where another one does."""
        around = [each for each in ast.walk(self._run.tree) if isinstance(each, (ast.FunctionDef, ast.Lambda))]
        inner = [set(ast.walk(each)) for each in around]
        own = min((nodes for nodes in inner if place in nodes), key=len, default=_NOWHERE)
        for leaf in (leaf for each in value for leaf in self._leaves(each, _DEPTH)):
            if not isinstance(leaf, Result) or leaf.op == "parameter" or leaf.node is None or leaf.node not in own:
                continue
            if any(parameter_hook(part, "batch") for one in leaf.args for part in one):
                return leaf.node
        return place

    def _is_optimizer(self, owner: Object | None, phase: Phase) -> bool:
        return isinstance(owner, Result) and owner.method == "optimizer" and is_trained_model(owner.receiver, phase)

    def _sets_rate(self, call: Call, phase: Phase) -> bool:
        """`K.set_value(self.model.optimizer.lr, ...)`, `self.model.optimizer.learning_rate.assign(...)`."""
        if call.result.method not in _SETTERS:
            return False
        owner = (
            call.result.receiver
            if call.result.method == "assign"
            else call.result.args[0].only
            if call.result.args
            else None
        )
        return isinstance(owner, Result) and owner.method in _RATES and self._is_optimizer(owner.receiver, phase)

    def _counts_batches(self, value: Value) -> bool:
        """Whether a value depends on the number of the batch, and on nothing that may count epochs or say how long one is."""
        leaves = [leaf for each in value for leaf in self._leaves(each, _DEPTH)]
        batches = any(parameter_hook(leaf, "batch") for leaf in leaves)
        return batches and not any(self._may_count(leaf) for leaf in leaves)

    def _leaves(self, found: Object, depth: int) -> Iterator[Object]:
        """What a value is made of, down to what has no parts."""
        parts = (
            [*found.args, *(value for _, value in found.keywords)]
            if isinstance(found, Result) and found.op != "parameter"
            else []
        )
        if isinstance(found, Tuple):
            parts = list(found.items)
        yield found
        if not depth:
            return
        for part in parts:
            for each in part:
                yield from self._leaves(each, depth - 1)
        if isinstance(found, Result) and found.receiver is not None and found.op != "parameter":
            yield from self._leaves(found.receiver, depth - 1)

    def _may_count(self, found: Object) -> bool:
        if isinstance(found, (Constant, Instance)) or parameter_hook(found, "batch"):
            return False
        if isinstance(found, Container):
            return True
        name = found.name.lower() if isinstance(found, Result) else "?"
        if isinstance(found, Result) and found.op in ("attribute", "parameter", "item"):
            return any(word in name for word in _RATIO) or found.op == "item"
        return False
