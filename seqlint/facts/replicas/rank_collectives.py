"""What waits for all ranks of Horovod, and runs on some of them only."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import libcst as cst

from seqlint.facts.callbacks.decisions import AVERAGE
from seqlint.facts.code.tree import last_word
from seqlint.facts.flow.lists import Condition
from seqlint.facts.training.workers import leaves
from seqlint.facts.values.values import Constant

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.flow.call_graph import CallGraph
    from seqlint.facts.metrics.compiles import Compiles
    from seqlint.facts.training.callback_lists import CallbackList, CallbackLists, Listed
    from seqlint.facts.training.training import TrainerCall, Training
    from seqlint.facts.training.workers import Workers
    from seqlint.facts.values.values import Values

BROADCAST = "horovod.keras.callbacks.BroadcastGlobalVariablesCallback"
_OPTIMIZER = "DistributedOptimizer"
_FITS = ("fit", "fit_generator", "train_on_batch")
_VALIDATES = "validation_data"

Kind = Literal["call", "callback", "own callback", "fit", "validation"]


@dataclass(frozen=True, eq=False)
class RankCollective:
    """Something that runs on a part of the ranks, and waits for the others.

    Attributes:
        node: what a reader should look at.
        kind: a function of Horovod; a callback of Horovod, or of this file that calls such a function; a fit with a distributed
            optimizer; validation data whose metrics MetricAverageCallback averages.
        name: how it is written.
        first: whether it runs on rank 0; else on all others.
        fit: the call of the model, where there is one.
    """

    node: cst.CSTNode
    kind: Kind
    name: str
    first: bool
    fit: TrainerCall | None = None


class RankCollectives:
    """What a file runs on a part of the ranks that belongs on all."""

    def __init__(
        self, tree: Tree, names: Names, values: Values, calls: CallGraph, workers: Workers, training: Training, lists: CallbackLists,
        compiles: Compiles,
    ) -> None:  # fmt: skip
        self._tree = tree
        self._names = names
        self._values = values
        self._calls = calls
        self._workers = workers
        self._training = training
        self._lists = lists
        self._compiles = compiles

    @cached_property
    def all(self) -> tuple[RankCollective, ...]:
        """One for each place, in reading order."""
        if not self._workers.horovod:
            return ()
        found = [*self._functions(), *self._callbacks(), *self._fits(), *self._validations()]
        once = {one.node: one for one in reversed(found)}
        return self._tree.order.sorted(once.values(), lambda one: one.node)

    # -- functions of Horovod, and fits -----------------------------------------------------------------------------

    def _functions(self) -> Iterator[RankCollective]:
        for call in self._workers.collectives():
            condition = self._part(call)
            if condition is not None and not self._has_other(condition, last_word(call.func)):
                yield self._found(call, "call", self._tree.text(call.func), condition)

    def _fits(self) -> Iterator[RankCollective]:
        """`fit` of a model with a distributed optimizer, whose every step adds up the gradients of all ranks."""
        for call in self._training.calls:
            condition = self._part(call.node) if call.method in _FITS else None
            if condition is None or self._trains_in_other(condition) or not self._is_distributed(call):
                continue
            yield self._found(call.node, "fit", self._tree.text(call.node.func), condition, call)

    def _is_distributed(self, call: TrainerCall) -> bool:
        return self.distributed(call) is True

    def distributed(self, call: TrainerCall) -> bool | None:
        """Whether the optimizer of a model is one of Horovod; None where it can't be told."""
        compiles = self._compiles.reaching(call)
        given = [one.arguments("2").get("optimizer") if one is not None else None for one in compiles]
        found = {self._is_wrapped(each) if each is not None else None for each in given}
        return found.pop() if len(found) == 1 else None

    def _is_wrapped(self, optimizer: cst.BaseExpression) -> bool | None:
        values = self._values.of(optimizer)
        names = [self._names.qualified(v.func) if isinstance(v, cst.Call) else self._constant(v) for v in values]
        if None in names:
            return None
        found = {name.startswith("horovod.") and name.endswith(f".{_OPTIMIZER}") for name in names if name is not None}
        return found.pop() if len(found) == 1 else None

    def _constant(self, value: cst.BaseExpression | None) -> str | None:
        """The name of an optimizer as text."""
        constant = self._values.constant(value) if value is not None else None
        return constant.value if constant is not None and isinstance(constant.value, str) else None

    def _part(self, node: cst.CSTNode) -> Condition | None:
        return self._workers.part(node, self._calls.callers)

    def _has_other(self, condition: Condition, word: str) -> bool:
        """Whether the other branch calls the same."""
        return any(last_word(call.func) == word for call in self._calls_of_other(condition))

    def _trains_in_other(self, condition: Condition) -> bool:
        return any(last_word(call.func) in _FITS for call in self._calls_of_other(condition))

    def _calls_of_other(self, condition: Condition) -> Iterator[cst.Call]:
        """The calls on the other ranks, those of the functions that they run among them."""
        for place in self._other(condition):
            for call in self._tree.inside(place, cst.Call):
                yield call
                function = self._calls.called(call)
                yield from self._tree.inside(function, cst.Call) if function is not None else ()

    def _other(self, condition: Condition) -> list[cst.CSTNode]:
        """The other branch, or what follows where this one leaves the function."""
        node = condition.node
        assert isinstance(node, (cst.If, cst.IfExp))
        other = node.orelse if condition.branch else node.body
        if other is not None or not isinstance(node, cst.If):
            return [other] if other is not None else []
        if not leaves(node.body):
            return []
        block = list(getattr(self._tree.parents.get(node), "body", ()))
        return block[block.index(node) + 1 :] if node in block else []

    # -- callbacks --------------------------------------------------------------------------------------------------

    def _callbacks(self) -> Iterator[RankCollective]:
        for callbacks in self._lists.all:
            if self._workers.in_one(callbacks.fit.node):
                continue
            for member in callbacks.members:
                kind = self._kind(member)
                condition = self._condition(member) if kind is not None else None
                if kind is None or condition is None or self._is_in_both(callbacks, member, condition):
                    continue
                yield self._found(member.place, kind, member.word, condition, callbacks.fit)

    def _kind(self, member: Listed) -> Kind | None:
        if member.bases & {AVERAGE, BROADCAST}:
            return "callback"
        own = member.owner.methods.values() if member.owner is not None else ()
        waits = any(self._tree.holds(method, call) for call in self._workers.collectives() for method in own)
        return "own callback" if waits else None

    def _condition(self, member: Listed) -> Condition | None:
        return next((found for found in member.conditions if self._workers.alone(found) is not None), None)

    def _is_in_both(self, callbacks: CallbackList, member: Listed, condition: Condition) -> bool:
        same = (each for each in callbacks.members if each.bases == member.bases and each.owner is member.owner)
        return any(c.node is condition.node and c.branch != condition.branch for each in same for c in each.conditions)

    # -- validation -------------------------------------------------------------------------------------------------

    def _validations(self) -> Iterator[RankCollective]:
        """`validation_data=check if hvd.rank() == 0 else None` together with MetricAverageCallback."""
        for callbacks in self._lists.all:
            data = callbacks.fit.value(_VALIDATES)
            averages = any(AVERAGE in member.bases and not member.conditions for member in callbacks.members)
            condition = self._given_to_some(data) if data is not None and averages else None
            if data is not None and condition is not None:
                yield self._found(data, "validation", "validation_data", condition, callbacks.fit)

    def _given_to_some(self, data: cst.BaseExpression) -> Condition | None:
        """What has some ranks validate, and others not."""
        bindings = self._names.reaching(data) if isinstance(data, cst.Name) else ()
        nodes = [binding.value for binding in bindings if binding.kind == "assign"] if bindings else [data]
        if len(nodes) == 1 and isinstance(nodes[0], cst.IfExp):
            return self._of_choice(nodes[0])
        conditions = [self._part(node) for node in nodes if node is not None and not self._is_none(node)]
        rest = [node for node in nodes if node is not None and self._is_none(node)]
        return conditions[0] if len(conditions) == 1 and rest and len(nodes) == len(bindings) else None

    def _of_choice(self, node: cst.IfExp) -> Condition | None:
        none = (self._is_none(node.body), self._is_none(node.orelse))
        condition = Condition(node, 0 if none[0] else 1, node.test)
        return condition if none[0] != none[1] and self._workers.alone(condition) is not None else None

    def _is_none(self, node: cst.BaseExpression) -> bool:
        return self._values.constant(node) == Constant(None)

    def _found(
        self, node: cst.CSTNode, kind: Kind, name: str, condition: Condition, fit: TrainerCall | None = None
    ) -> RankCollective:
        return RankCollective(node, kind, name, self._workers.alone(condition) is True, fit)
