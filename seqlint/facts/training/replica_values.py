"""Values that `strategy.run` gives, one a replica, and what a custom loop decides by one of them alone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import libcst as cst

from seqlint.facts.code.scopes import parameters
from seqlint.facts.code.tree import last_word

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.flow.backward_slice import BackwardSlice
    from seqlint.facts.flow.call_graph import CallGraph
    from seqlint.facts.training.strategies import Strategies
    from seqlint.facts.values.values import Values

_RUNS = frozenset({"run", "experimental_run_v2"})
_LOCAL = frozenset({"experimental_local_results", "local_results"})
_EXCHANGES = frozenset({
    "all_gather", "all_reduce", "all_sum", "batch_reduce", "cross_replica_sum", "gather", "merge_call", "reduce",
})  # fmt: skip
_ABOUT = frozenset({"dtype", "ndim", "shape"})  # what is no value of a replica, but the same on all
_ASKED = frozenset({"isinstance", "len", "type"})
_KEEPS = frozenset({"assign", "copy", "get_weights", "save", "save_model", "save_weights", "set_weights"})
_MEANS = frozenset({"tensorflow.reduce_mean", "tensorflow.math.reduce_mean", "keras.ops.mean"})
_PLAIN = frozenset({"tensorflow.function", "builtins.staticmethod"})
_MAX_STEPS = 6

Decides = Literal["ends the loop", "keeps the best", "changes what follows"]


@dataclass(frozen=True, eq=False)
class ReplicaValue:
    """The value of one replica, or of all of them unjoined, by which a loop decides.

    Attributes:
        node: `strategy.experimental_local_results(loss)[0]`, `loss.values[0]`, or the unjoined value itself.
        joined: what is to be joined: `loss`; `node` itself where it is unjoined.
        run: the call of `strategy.run` that gives it.
        test: the test that it has a part in.
        decides: what hangs on the test.
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


@dataclass(frozen=True)
class _Given:
    """What a run gives: all of it, or one place of the tuple that its function returns."""

    run: cst.Call
    place: int | None = None


class ReplicaValues:
    """What the custom loops of a file decide by."""

    def __init__(
        self,
        tree: Tree,
        names: Names,
        values: Values,
        calls: CallGraph,
        strategies: Strategies,
        computed: BackwardSlice,
    ) -> None:
        self._tree = tree
        self._names = names
        self._values = values
        self._calls = calls
        self._strategies = strategies
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
        """What a branch does beside saying something, or noting a number."""
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
            elif isinstance(node, cst.BaseExpression) and self._is_asked(node, test) and self._given(node):
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
        return isinstance(call.func, cst.Attribute) and call.func.attr.value in _EXCHANGES | _RUNS | _LOCAL

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
        given = self._given(joined)
        assert isinstance(node, cst.BaseExpression)
        if given is None or not self._has_replicas(given.run):
            return
        returned = self._returned(given)
        if returned is None or not all(self._is_own(value, given.run) for value in returned):
            return
        is_mean = all(self._is_plain_mean(value) for value in returned)
        yield ReplicaValue(node, joined, given.run, test, decides, node is not joined, is_mean)

    # -- runs -------------------------------------------------------------------------------------------------------

    def _given(self, node: cst.BaseExpression) -> _Given | None:
        """The one run, and the place in its tuple, that an expression surely is."""
        found = set(self._followed(node, _MAX_STEPS))
        return found.pop() if len(found) == 1 else None

    def _followed(self, node: cst.BaseExpression, steps: int) -> Iterator[_Given | None]:
        if not steps:
            yield None
        elif isinstance(node, cst.Name):
            for binding in self._names.reaching(node) or (None,):
                if binding is None or binding.value is None or binding.kind not in ("assign", "unpack"):
                    yield None
                elif binding.kind == "assign":
                    yield from self._followed(binding.value, steps - 1)
                else:
                    yield from self._at_place(binding.node, self._followed(binding.value, steps - 1))
        elif isinstance(node, cst.Call):
            yield from self._called(node, steps)
        else:
            yield None

    def _called(self, call: cst.Call, steps: int) -> Iterator[_Given | None]:
        if isinstance(call.func, cst.Attribute) and call.func.attr.value in _RUNS and call.args:
            yield _Given(call)
            return
        function = self._calls.called(call)
        if function is None or not self._is_plain(function):
            yield None
            return
        for statement in self._values.own(function, cst.Return):
            yield from self._followed(statement.value, steps - 1) if statement.value is not None else (None,)

    def _at_place(self, target: cst.CSTNode, whole: Iterable[_Given | None]) -> Iterator[_Given | None]:
        element = self._tree.parents.get(target)
        outer = self._tree.parents.get(element) if isinstance(element, cst.Element) else None
        flat = isinstance(outer, cst.Tuple) and isinstance(self._tree.parents.get(outer), cst.AssignTarget)
        for given in whole:
            if not flat or given is None or given.place is not None:
                yield None
            else:
                assert isinstance(outer, cst.Tuple)
                yield _Given(given.run, next(i for i, each in enumerate(outer.elements) if each.value is target))

    def _has_replicas(self, run: cst.Call) -> bool:
        """Whether the strategy of a run can surely have more than one replica."""
        assert isinstance(run.func, cst.Attribute)
        held = self._strategies.of(run.func.value)
        return any(one is not None and one.name != "OneDeviceStrategy" and one.devices != 1 for one in held)

    # -- what a replica gives ---------------------------------------------------------------------------------------

    def _returned(self, given: _Given) -> tuple[cst.BaseExpression, ...] | None:
        """What the function of a run returns, at its place; None where it is not in sight."""
        found = self._results(given.run.args[0].value)
        picked = [self._pick(value, given.place) if value is not None else None for value in found]
        return tuple(value for value in picked if value is not None) if picked and None not in picked else None

    def _results(self, run: cst.BaseExpression) -> list[cst.BaseExpression | None]:
        function = run if isinstance(run, cst.Lambda) else self._function(run)
        if isinstance(function, cst.Lambda):
            return [function.body]
        plain = function is not None and self._is_plain(function)
        values = [each.value for each in self._values.own(function, cst.Return)] if function and plain else []
        return [self._values.only(value) or value if isinstance(value, cst.Name) else value for value in values]

    def _pick(self, value: cst.BaseExpression, place: int | None) -> cst.BaseExpression | None:
        if not isinstance(value, (cst.Tuple, cst.List)):
            return value if place is None else None
        return value.elements[place].value if place is not None and place < len(value.elements) else None

    def _function(self, node: cst.BaseExpression) -> cst.FunctionDef | None:
        definition = self._names.definition(node)
        if isinstance(definition, cst.FunctionDef):
            return definition
        owner = self._values.self_class(node.value) if isinstance(node, cst.Attribute) else None
        if owner is None or not isinstance(node, cst.Attribute):
            return None
        body = self._names.inner_scope(owner).bindings.get(node.attr.value, ())
        made = body[-1].node if len(body) == 1 else None
        return made if isinstance(made, cst.FunctionDef) else None

    def _is_plain(self, function: cst.FunctionDef) -> bool:
        """Whether nothing but `tf.function` stands between a call and the body."""
        if function.asynchronous or self._values.is_generator(function):
            return False
        kinds = (item.decorator for item in function.decorators)
        return all(self._names.qualified(k.func if isinstance(k, cst.Call) else k) in _PLAIN for k in kinds)

    def _is_own(self, value: cst.BaseExpression, run: cst.Call) -> bool:
        """Whether a replica works a value out from what it is given, and does not exchange it with the others.

        `optimizer.iterations` is alike on all of them.
        """
        depends_on = self._computed.of(value)
        calls = [node for node in depends_on if isinstance(node, cst.Call)]
        words = {last_word(call.func) for call in calls}
        given = self._parameters(run.args[0].value)
        return ("next" in words or any(node in given for node in depends_on)) and not words & _EXCHANGES

    def _parameters(self, run: cst.BaseExpression) -> list[cst.Param]:
        function = run if isinstance(run, cst.Lambda) else self._function(run)
        given = parameters(function.params) if function is not None else ()
        return list(given[1:] if isinstance(run, cst.Attribute) else given)

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
