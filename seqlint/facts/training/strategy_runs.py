"""Calls of `strategy.run`: which of them gives a value, and what the function returns that the replicas run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.scopes import parameters

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.flow.call_graph import CallGraph
    from seqlint.facts.training.strategies import Held, Strategies
    from seqlint.facts.values.values import Values

RUNS = frozenset({"run", "experimental_run_v2"})
_PLAIN = frozenset({"tensorflow.function", "builtins.staticmethod"})
_MAX_STEPS = 6
Place = int | str


@dataclass(frozen=True)
class Given:
    """What a run gives: all of it, or one place of the tuple or dict that its function returns."""

    run: cst.Call
    place: Place | None = None


class StrategyRuns:
    """Follows values through one file to the `strategy.run` that gives them, and into its function."""

    def __init__(self, tree: Tree, names: Names, values: Values, calls: CallGraph, strategies: Strategies) -> None:
        self._tree = tree
        self._names = names
        self._values = values
        self._calls = calls
        self._strategies = strategies

    def given(self, node: cst.BaseExpression) -> Given | None:
        """The one run, and the place in what it gives, that an expression surely is."""
        found = set(self._followed(node, _MAX_STEPS))
        return found.pop() if len(found) == 1 else None

    def _followed(self, node: cst.BaseExpression, steps: int) -> Iterator[Given | None]:
        if not steps:
            yield None
        elif isinstance(node, cst.Name):
            for binding in self._names.reaching(node) or (None,):
                if binding is None or binding.value is None or binding.kind not in ("assign", "unpack"):
                    yield None
                elif binding.kind == "assign":
                    yield from self._followed(binding.value, steps - 1)
                else:
                    yield from self._unpacked(binding.node, self._followed(binding.value, steps - 1))
        elif isinstance(node, cst.Subscript):
            place = self._place(node)
            for whole in self._followed(node.value, steps - 1):
                yield Given(whole.run, place) if whole and whole.place is None and place is not None else None
        elif isinstance(node, cst.Call):
            yield from self._called(node, steps)
        else:
            yield None

    def _place(self, node: cst.Subscript) -> Place | None:
        index = node.slice[0].slice if len(node.slice) == 1 else None
        constant = self._values.constant(index.value) if isinstance(index, cst.Index) else None
        return constant.value if constant is not None and isinstance(constant.value, (int, str)) else None

    def _called(self, call: cst.Call, steps: int) -> Iterator[Given | None]:
        if is_run(call):
            yield Given(call)
            return
        function = self._calls.called(call)
        if function is None or not self._is_plain(function):
            yield None
            return
        for statement in self._values.own(function, cst.Return):
            yield from self._followed(statement.value, steps - 1) if statement.value is not None else (None,)

    def _unpacked(self, target: cst.CSTNode, whole: Iterable[Given | None]) -> Iterator[Given | None]:
        element = self._tree.parents.get(target)
        outer = self._tree.parents.get(element) if isinstance(element, cst.Element) else None
        flat = isinstance(outer, cst.Tuple) and isinstance(self._tree.parents.get(outer), cst.AssignTarget)
        for given in whole:
            if not flat or given is None or given.place is not None:
                yield None
            else:
                assert isinstance(outer, cst.Tuple)
                yield Given(given.run, next(i for i, each in enumerate(outer.elements) if each.value is target))

    def held(self, run: cst.Call) -> Held:
        """The strategies that a run can be one of."""
        assert isinstance(run.func, cst.Attribute)
        return self._strategies.of(run.func.value)

    def has_replicas(self, run: cst.Call) -> bool:
        """Whether the strategy of a run can surely have more than one replica."""
        return any(one is not None and one.name != "OneDeviceStrategy" and one.devices != 1 for one in self.held(run))

    # -- what a replica returns -------------------------------------------------------------------------------------

    def returned(self, given: Given) -> tuple[cst.BaseExpression, ...] | None:
        """What the function of a run returns, at its place; None where it is not in this file."""
        found = self._results(given.run.args[0].value)
        picked = [self.pick(value, given.place) if value is not None else None for value in found]
        return tuple(value for value in picked if value is not None) if picked and None not in picked else None

    def _results(self, run: cst.BaseExpression) -> list[cst.BaseExpression | None]:
        function = run if isinstance(run, cst.Lambda) else self.function(run)
        if isinstance(function, cst.Lambda):
            return [function.body]
        return self.results_of(function) if function is not None else []

    def results_of(self, function: cst.FunctionDef) -> list[cst.BaseExpression | None]:
        """What a function returns, behind the names of the dicts and tuples; empty for a generator or behind a decorator."""
        plain = self._is_plain(function)
        values = [each.value for each in self._values.own(function, cst.Return)] if plain else []
        return [self._values.only(value) or value if isinstance(value, cst.Name) else value for value in values]

    def pick(self, value: cst.BaseExpression, place: Place | None) -> cst.BaseExpression | None:
        """What stands at a place of a tuple, list or dict that is written out."""
        if isinstance(value, cst.Dict):
            pairs = (each for each in value.elements if isinstance(each, cst.DictElement))
            return next((pair.value for pair in pairs if self._is_key(pair.key, place)), None)
        if not isinstance(value, (cst.Tuple, cst.List)):
            return value if place is None else None
        inside = isinstance(place, int) and 0 <= place < len(value.elements)
        return value.elements[place].value if inside and isinstance(place, int) else None

    def _is_key(self, key: cst.BaseExpression, place: Place | None) -> bool:
        constant = self._values.constant(key)
        return constant is not None and place is not None and constant.value == place

    def function(self, node: cst.BaseExpression) -> cst.FunctionDef | None:
        """The function or method of this file that an expression names."""
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
        """Whether nothing but `tf.function` is between a call and the body."""
        if function.asynchronous or self._values.is_generator(function):
            return False
        kinds = (item.decorator for item in function.decorators)
        return all(self._names.qualified(k.func if isinstance(k, cst.Call) else k) in _PLAIN for k in kinds)

    def parameters(self, run: cst.BaseExpression) -> list[cst.Param]:
        """The parameters that the function of a run is given; `self` is not among them."""
        function = run if isinstance(run, cst.Lambda) else self.function(run)
        given = parameters(function.params) if function is not None else ()
        return list(given[1:] if isinstance(run, cst.Attribute) else given)


def is_run(call: cst.Call) -> bool:
    """Whether a call may be one of `strategy.run`, with the function in the first place."""
    return isinstance(call.func, cst.Attribute) and call.func.attr.value in RUNS and bool(call.args)
