"""Means over replicas of values that are divided by the whole batch already."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import libcst as cst

from seqlint.facts.code.methods import method_calls
from seqlint.facts.training.strategy_runs import is_run
from seqlint.facts.values.values import Constant, bound

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.flow.call_graph import CallGraph
    from seqlint.facts.training.replica_scaling import ReplicaScaling, Scale
    from seqlint.facts.training.strategies import Strategies
    from seqlint.facts.training.strategy_runs import Given, StrategyRuns
    from seqlint.facts.values.values import Values

_MEAN = "tensorflow.distribute.ReduceOp.MEAN"
_MEANS = frozenset({
    "numpy.average", "numpy.mean", "statistics.fmean", "statistics.mean", "tensorflow.math.reduce_mean", "tensorflow.reduce_mean",
})  # fmt: skip
_LOCAL = frozenset({"experimental_local_results", "local_results"})
_METRIC = "keras.metrics.Mean"
_MAX_STEPS = 4

How = Literal["reduce", "results", "all_reduce", "metric"]


@dataclass(frozen=True, eq=False)
class ReplicaMean:
    """A mean over replicas of what belongs summed up.

    Attributes:
        call: what takes the mean: `strategy.reduce(MEAN, loss, axis=None)`.
        value: what it is taken of.
        how: by `strategy.reduce`; over `experimental_local_results`; by `all_reduce`; by a metric that every replica updates.
        operation: the `ReduceOp.MEAN`, where one is written.
        scaled: how the value was divided before.
    """

    call: cst.Call
    value: cst.BaseExpression
    how: How
    operation: cst.BaseExpression | None
    scaled: Scale


class ReplicaMeans:
    """The means over replicas of one file."""

    def __init__(
        self, tree: Tree, names: Names, values: Values, calls: CallGraph, strategies: Strategies, runs: StrategyRuns,
        scaling: ReplicaScaling, external: Callable[[str], ReplicaScaling | None],
    ) -> None:  # fmt: skip
        self._tree = tree
        self._names = names
        self._values = values
        self._calls = calls
        self._strategies = strategies
        self._runs = runs
        self._scaling = scaling
        self._external = external

    @cached_property
    def all(self) -> tuple[ReplicaMean, ...]:
        """In reading order."""
        found = [*self._reduced(), *self._averaged(), *self._exchanged(), *self._metrics()]
        return self._tree.order.sorted(found, lambda mean: mean.call)

    # -- outside of the replicas ------------------------------------------------------------------------------------

    def _reduced(self) -> Iterator[ReplicaMean]:
        """`strategy.reduce(tf.distribute.ReduceOp.MEAN, loss, axis=None)`."""
        for call in method_calls(self._tree, ("reduce",)):
            given = bound(call, ("reduce_op", "value", "axis"))
            operation, value, axis = (given.get(name) for name in ("reduce_op", "value", "axis"))
            if operation is None or value is None or not self._is_mean(operation.value):
                continue
            if axis is None or self._values.constant(axis.value) == Constant(None):
                named = self._is_named(operation.value)
                yield from self._of_run(call, value.value, "reduce", operation.value, named=named)

    def _averaged(self) -> Iterator[ReplicaMean]:
        """`tf.reduce_mean(strategy.experimental_local_results(loss))`, `np.mean(loss.values)`."""
        for call in self._tree.all(cst.Call):
            if len(call.args) != 1 or self._names.qualified(call.func) not in _MEANS:
                continue
            value = self._all_of(call.args[0].value)
            if value is not None:
                yield from self._of_run(call, value, "results", None, named=False)

    def _all_of(self, node: cst.BaseExpression) -> cst.BaseExpression | None:
        """What the values of all replicas are taken from."""
        if isinstance(node, cst.Attribute) and node.attr.value == "values":
            return node.value
        made = self._values.only(node)
        func = made.func if isinstance(made, cst.Call) and len(made.args) == 1 else None
        local = isinstance(func, cst.Attribute) and func.attr.value in _LOCAL
        return made.args[0].value if isinstance(made, cst.Call) and local else None

    def _of_run(
        self, call: cst.Call, value: cst.BaseExpression, how: How, operation: cst.BaseExpression | None, *, named: bool
    ) -> Iterator[ReplicaMean]:
        given = self._runs.given(value)
        if given is None or not self._replicates(given.run, named=named) or self._is_multiplied(call):
            return
        scaled = self._scaled(given)
        if scaled is not None:
            yield ReplicaMean(call, value, how, operation, scaled)

    def _replicates(self, run: cst.Call, *, named: bool) -> bool:
        """Whether a run can be one on several replicas; an unknown strategy is one where `ReduceOp` is named."""
        if self._runs.has_replicas(run):
            return True
        assert isinstance(run.func, cst.Attribute)
        return named and None in self._runs.held(run) and not self._strategies.is_default(run.func.value)

    def _scaled(self, given: Given) -> Scale | None:
        returned = self._runs.returned(given)
        if returned is not None:
            found = [self._scaling.of(value) for value in returned]
            known = [one for one in found if one is not None]
            return known[0] if known and len(known) == len(found) else None
        name = self._names.qualified(given.run.args[0].value)
        other = self._external(name) if name is not None else None
        return other.returned_by(name.rpartition(".")[2], given.place) if other and name else None

    def _is_mean(self, node: cst.BaseExpression) -> bool:
        constant = self._values.constant(node)
        if constant is not None:
            return isinstance(constant.value, str) and constant.value.lower() == "mean"
        return self._is_named(node)

    def _is_named(self, node: cst.BaseExpression) -> bool:
        return self._names.qualified(node) == _MEAN

    def _is_multiplied(self, node: cst.BaseExpression) -> bool:
        """Whether the number of replicas is multiplied in again: at once, or where the name of the result is used."""
        if self._times_count(node):
            return True
        target = self._tree.variable(node)
        uses = (name for name in self._tree.all(cst.Name) if name.value == target) if target else ()
        return any(self._times_count(use) for use in uses)

    def _times_count(self, node: cst.CSTNode) -> bool:
        parent = self._tree.parents.get(node)
        if isinstance(parent, cst.AugAssign) and isinstance(parent.operator, cst.MultiplyAssign):
            return parent.target is node and self._scaling.is_count(parent.value)
        if not isinstance(parent, cst.BinaryOperation) or not isinstance(parent.operator, cst.Multiply):
            return False
        return self._scaling.is_count(parent.right if parent.left is node else parent.left)

    # -- in a replica -----------------------------------------------------------------------------------------------

    def _exchanged(self) -> Iterator[ReplicaMean]:
        """`tf.distribute.get_replica_context().all_reduce("MEAN", loss)`."""
        for call in method_calls(self._tree, ("all_reduce",)):
            given = bound(call, ("reduce_op", "value"))
            operation, value = given.get("reduce_op"), given.get("value")
            if operation is None or value is None or not self._is_mean(operation.value):
                continue
            scaled = self._scaling.of(value.value) if self._is_in_replica(call) else None
            if scaled is not None and not self._is_multiplied(call):
                yield ReplicaMean(call, value.value, "all_reduce", operation.value, scaled)

    def _metrics(self) -> Iterator[ReplicaMean]:
        """`mean_loss.update_state(loss)`, or `mean_loss(loss)`, by every replica."""
        for call in self._tree.all(cst.Call):
            metric = self._metric(call)
            if metric is None or len(call.args) != 1 or not self._is_in_replica(call):
                continue
            value = call.args[0].value
            scaled = self._scaling.of(value)
            if scaled is not None and not self._is_result_multiplied(metric):
                yield ReplicaMean(call, value, "metric", None, scaled)

    def _metric(self, call: cst.Call) -> cst.BaseExpression | None:
        updates = isinstance(call.func, cst.Attribute) and call.func.attr.value == "update_state"
        metric = call.func.value if isinstance(call.func, cst.Attribute) and updates else call.func
        made = self._values.only(metric)
        is_mean = isinstance(made, cst.Call) and self._names.qualified(made.func) == _METRIC
        return metric if is_mean and made is not metric else None

    def _is_result_multiplied(self, metric: cst.BaseExpression) -> bool:
        text = self._tree.text(metric)
        results = (call for call in method_calls(self._tree, ("result",)) if isinstance(call.func, cst.Attribute))
        mine = (call for call in results if self._tree.text(call.func).startswith(text))
        return any(self._is_multiplied(call) for call in mine)

    def _is_in_replica(self, node: cst.CSTNode, steps: int = _MAX_STEPS) -> bool:
        """Whether a node surely runs in a function that several replicas run."""
        function = self._tree.function(node)
        if function is None or not steps:
            return False
        if function in self._run_on_all:
            return True
        return any(self._is_in_replica(call, steps - 1) for call in self._calls.callers(function))

    @cached_property
    def _run_on_all(self) -> frozenset[cst.FunctionDef]:
        runs = [call for call in self._tree.all(cst.Call) if is_run(call) and self._runs.has_replicas(call)]
        found = (self._runs.function(call.args[0].value) for call in runs)
        return frozenset(function for function in found if function is not None)
