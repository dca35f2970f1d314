"""Values that `strategy.run` gives, one a replica, and what a custom loop decides by one of them alone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import libcst as cst

from seqlint.facts.code.tree import last_word
from seqlint.facts.training.strategy_runs import RUNS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.flow.backward_slice import BackwardSlice
    from seqlint.facts.training.strategies import Strategies
    from seqlint.facts.training.strategy_runs import StrategyRuns
    from seqlint.facts.values.values import Values

_LOCAL = frozenset({"experimental_local_results", "local_results"})
_EXCHANGES = frozenset({
    "all_gather", "all_reduce", "all_sum", "batch_reduce", "cross_replica_sum", "gather", "merge_call", "reduce",
})  # fmt: skip
_ABOUT = frozenset({"dtype", "ndim", "shape"})  # what is no value of a replica, but the same on all
_ASKED = frozenset({"isinstance", "len", "type"})
_KEEPS = frozenset({"assign", "copy", "get_weights", "save", "save_model", "save_weights", "set_weights"})
_MEANS = frozenset({"tensorflow.reduce_mean", "tensorflow.math.reduce_mean", "keras.ops.mean"})

Decides = Literal["ends the loop", "keeps the best", "changes what follows"]


@dataclass(frozen=True, eq=False)
class ReplicaValue:
    """The value of one replica, or of all of them unjoined, by which a loop decides.

    Attributes:
        node: `strategy.experimental_local_results(loss)[0]`, `loss.values[0]`, or the unjoined value itself.
        joined: what is to be joined: `loss`; `node` itself where it is unjoined.
        run: the call of `strategy.run` that gives it.
        test: the test that it has a part in.
        decides: what depends on the test.
        of_one: whether it is that of one replica; else it is unjoined.
        is_mean: whether each replica surely gives the plain mean over its own rows.
    """

    node: cst.BaseExpression
    joined: cst.BaseExpression
    run: cst.Call
    test: cst.BaseExpression
    decides: Decides
    of_one: bool
    is_mean: bool


class ReplicaValues:
    """What the custom loops of a file decide by."""

    def __init__(
        self,
        tree: Tree,
        names: Names,
        values: Values,
        strategies: Strategies,
        runs: StrategyRuns,
        computed: BackwardSlice,
    ) -> None:
        self._tree = tree
        self._names = names
        self._values = values
        self._strategies = strategies
        self._runs = runs
        self._computed = computed

    @cached_property
    def all(self) -> tuple[ReplicaValue, ...]:
        """One for each value, at the first test, in reading order."""
        found: dict[cst.CSTNode, ReplicaValue] = {}
        for test, decides in self._tests() if self._strategies.made else ():
            for value in self._in_test(test, decides):
                found.setdefault(value.node, value)
        return self._tree.order.sorted(found.values(), lambda value: value.node)

    # -- decisions --------------------------------------------------------------------------------------------------

    def _tests(self) -> Iterator[tuple[cst.BaseExpression, Decides]]:
        for loop in self._tree.all(cst.While):
            yield loop.test, "ends the loop"
        for branch in self._tree.all(cst.If):
            decides = self._decides(branch)
            if decides is not None:
                yield branch.test, decides

    def _decides(self, branch: cst.If) -> Decides | None:
        """What a branch does besides saying something, or noting a number."""
        inside = list(self._tree.walk(branch))
        if any(isinstance(node, cst.Break) for node in inside):
            return "ends the loop"
        calls = (node.func for node in inside if isinstance(node, cst.Call))
        if any(isinstance(func, cst.Attribute) and func.attr.value in _KEEPS for func in calls):
            return "keeps the best"
        if any(isinstance(node, (cst.Return, cst.Continue, cst.AugAssign)) for node in inside):
            return "changes what follows"
        return "changes what follows" if any(self._sets(node) for node in inside) else None

    def _sets(self, node: cst.CSTNode) -> bool:
        """`stop = True`, `self.model.stop_training = True`, `optimizer.learning_rate = ...`"""
        if not isinstance(node, cst.Assign):
            return False
        if isinstance(node.value, cst.Name) and node.value.value in ("True", "False"):
            return True
        targets = (target.target for target in node.targets)
        return any(isinstance(each, cst.Attribute) and each.attr.value in ("learning_rate", "lr") for each in targets)

    # -- values in a test -------------------------------------------------------------------------------------------

    def _in_test(self, test: cst.BaseExpression, decides: Decides) -> Iterator[ReplicaValue]:
        seen: set[cst.CSTNode] = set()
        stack: list[cst.CSTNode] = [test]
        while stack:
            node = stack.pop()
            if node in seen or self._says_nothing(node):
                continue
            seen.add(node)
            joined = self._read(node)
            if joined is not None:
                yield from self._found(node, joined, test, decides)
            elif isinstance(node, cst.BaseExpression) and self._is_asked(node, test) and self._runs.given(node):
                yield from self._found(node, node, test, decides)
            elif not isinstance(node, cst.Call) or not self._is_joined(node):
                stack.extend(self._computed.steps(node))

    def _says_nothing(self, node: cst.CSTNode) -> bool:
        """The shape of a value, its length, whether it is None."""
        if isinstance(node, cst.Attribute):
            return node.attr.value in _ABOUT
        if isinstance(node, cst.Call):
            return isinstance(node.func, cst.Name) and node.func.value in _ASKED
        if isinstance(node, cst.Comparison):
            return all(isinstance(each.operator, (cst.Is, cst.IsNot)) for each in node.comparisons)
        return False

    def _is_joined(self, call: cst.Call) -> bool:
        """Whether a call gives what belongs to all replicas, or to none: nothing behind it counts."""
        return isinstance(call.func, cst.Attribute) and call.func.attr.value in _EXCHANGES | RUNS | _LOCAL

    def _read(self, node: cst.CSTNode) -> cst.BaseExpression | None:
        """What `strategy.experimental_local_results(v)[0]` and `v.values[0]` are taken from."""
        if not isinstance(node, cst.Subscript) or len(node.slice) != 1 or self._has_others(node):
            return None
        index = node.slice[0].slice
        if not isinstance(index, cst.Index) or not isinstance(index.value, cst.Integer):
            return None
        all_of = self._named(node.value)
        if isinstance(all_of, cst.Attribute) and all_of.attr.value == "values":
            return all_of.value
        call = self._values.only(node.value)
        func = call.func if isinstance(call, cst.Call) and len(call.args) == 1 else None
        local = isinstance(func, cst.Attribute) and func.attr.value in _LOCAL
        return call.args[0].value if isinstance(call, cst.Call) and local else None

    def _named(self, node: cst.BaseExpression) -> cst.BaseExpression | None:
        """`loss.values` for the name of `values = loss.values`."""
        bindings = self._names.reaching(node) if isinstance(node, cst.Name) else ()
        return bindings[0].value if len(bindings) == 1 and bindings[0].kind == "assign" else node

    def _has_others(self, node: cst.Subscript) -> bool:
        """Whether the statement takes several replicas from the same: they are joined by hand."""
        statement = self._tree.statement(node)
        base = self._tree.text(node.value)
        others = [each for each in self._tree.inside(statement, cst.Subscript) if self._tree.text(each.value) == base]
        return len({self._tree.text(each) for each in others}) > 1

    def _is_asked(self, node: cst.BaseExpression, test: cst.BaseExpression) -> bool:
        """Whether the bare value is tested or compared: `if loss:`, `loss < best`, `float(loss) < best`."""
        parent = self._tree.parents.get(node)
        if node is test or isinstance(parent, (cst.Comparison, cst.ComparisonTarget, cst.BooleanOperation)):
            return True
        return isinstance(parent, cst.UnaryOperation) and isinstance(parent.operator, cst.Not)

    def _found(
        self, node: cst.CSTNode, joined: cst.BaseExpression, test: cst.BaseExpression, decides: Decides
    ) -> Iterator[ReplicaValue]:
        given = self._runs.given(joined)
        assert isinstance(node, cst.BaseExpression)
        if given is None or not self._runs.has_replicas(given.run):
            return
        returned = self._runs.returned(given)
        if returned is None or not all(self._is_own(value, given.run) for value in returned):
            return
        is_mean = all(self._is_plain_mean(value) for value in returned)
        yield ReplicaValue(node, joined, given.run, test, decides, node is not joined, is_mean)

    # -- what a replica gives ---------------------------------------------------------------------------------------

    def _is_own(self, value: cst.BaseExpression, run: cst.Call) -> bool:
        """Whether a replica works a value out from what it is given, and does not exchange it with the others.

        `optimizer.iterations` is alike on all of them.
        """
        depends_on = self._computed.of(value)
        calls = [node for node in depends_on if isinstance(node, cst.Call)]
        words = {last_word(call.func) for call in calls}
        given = self._runs.parameters(run.args[0].value)
        return ("next" in words or any(node in given for node in depends_on)) and not words & _EXCHANGES

    def _is_plain_mean(self, value: cst.BaseExpression) -> bool:
        made = self._values.only(value)
        if not isinstance(made, cst.Call) or len(made.args) != 1 or self._names.qualified(made.func) not in _MEANS:
            return False
        depends_on = self._computed.of(made.args[0].value)
        words = {self._tree.text(node) for node in depends_on if isinstance(node, (cst.Name, cst.Attribute))}
        scaled = any("replica" in word or "global" in word.lower() for word in words)
        return not scaled and all(self._scales_nothing(node) for node in depends_on if isinstance(node, cst.Call))

    def _scales_nothing(self, call: cst.Call) -> bool:
        """Whether it is no loss object: Keras 3 has those divide by the number of replicas."""
        made = self._values.only(call.func)
        func = made.func if isinstance(made, cst.Call) else call.func
        name = self._names.qualified(func) or ""
        return name.startswith(("tensorflow.", "keras.")) and "loss" not in name.lower()
