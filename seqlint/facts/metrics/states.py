"""Variables that metrics make by hand, and keep their numbers in."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.aliases import unaliased
from seqlint.facts.code.tree import is_super, last_word
from seqlint.facts.values.values import Constant, bound

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.classes.classes import Classes, ClassFacts, Reached
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.training.strategies import Strategies
    from seqlint.facts.values.values import Values

_VARIABLES = frozenset({"tensorflow.Variable", "keras.Variable", "keras.backend.variable"})
_UPDATES = frozenset({"assign", "assign_add", "assign_sub"})
_SHARED = _UPDATES | {"numpy", "dtype", "shape"}
"""What variables of TensorFlow and of Keras both have."""
_GROWS = frozenset({"append", "extend", "insert", "add", "update"})
_PLAIN = ("initial_value", "trainable")


@dataclass(frozen=True, eq=False)
class MetricState:
    """A variable that `__init__` makes by hand and `update_state` changes.

    Attributes:
        name: the attribute of `self`.
        made: the call that makes it.
        by_keras: whether it is a variable of Keras's own, which Keras 3 sets back.
        resets: whether the class has a `reset_state` of its own.
        mirrored: whether the file makes a strategy that can have several replicas.
        is_plain: it is what the attribute itself holds, starts at 0.0, is of the usual type, is made behind `super().__init__()`, and no code asks of it what
            a weight of Keras does not have.
    """

    owner: ClassFacts
    name: str
    made: cst.Call
    by_keras: bool
    resets: bool
    mirrored: bool
    is_plain: bool


class MetricStates:
    """The metrics of a file that make their state by hand."""

    def __init__(self, tree: Tree, names: Names, values: Values, classes: Classes, strategies: Strategies) -> None:
        self._tree = tree
        self._names = names
        self._values = values
        self._classes = classes
        self._strategies = strategies

    @cached_property
    def all(self) -> tuple[MetricState, ...]:
        """In reading order; each once, in the class that makes it."""
        metrics = (owner for owner in self._classes.all if owner.is_a("metric") == "yes")
        return tuple(state for owner in metrics for state in self._states(owner))

    def together(self, state: MetricState) -> tuple[MetricState, ...] | None:
        """All that a metric counts in by hand: one part that is set back without the others makes its result wrong.

        Returns:
            None where it keeps more than the states found: what `update_state` puts on `self`, what it appends to, or a variable
            that comes from elsewhere; also where a base of the class is out of sight.
        """
        owner = state.owner
        states = tuple(each for each in self.all if each.owner in owner.lineage or owner in each.owner.lineage)
        owners = {each.owner for each in states}
        known = all(each.lineage_is_known and not self._keeps_more(each, states) for each in owners)
        return states if known else None

    def _keeps_more(self, owner: ClassFacts, states: tuple[MetricState, ...]) -> bool:
        held = {state.name for state in states}
        weights = {name for name in self._updated(owner) - held if not self._is_of_keras(owner, name)}
        return bool(weights) or any(self._puts(reached.node) for reached in owner.reachable("update_state"))

    def _is_of_keras(self, owner: ClassFacts, name: str) -> bool:
        """Whether `self.add_weight` makes what an attribute holds."""
        values = self._values.attribute_values(owner.node, name)
        made = [value.func for value in values if isinstance(value, cst.Call)]
        return bool(values) and len(made) == len(values) and all(last_word(func) == "add_weight" for func in made)

    def _puts(self, function: cst.FunctionDef) -> bool:
        """Whether a method sets an attribute of `self`, or adds to what it holds."""
        for node in self._tree.inside(function.body, cst.Attribute):
            if self._values.self_class(node.value) is None:
                continue
            parent = self._tree.parents[node]
            grows = isinstance(parent, cst.Attribute) and parent.attr.value in _GROWS
            item = isinstance(parent, cst.Subscript) and parent.value is node
            if grows or (item and self._is_target(parent)) or self._values.stored(node) is not None:
                return True
        return False

    def _is_target(self, node: cst.CSTNode) -> bool:
        around = self._tree.parents[node]
        return isinstance(around, cst.AssignTarget) or (isinstance(around, cst.AugAssign) and around.target is node)

    def _states(self, owner: ClassFacts) -> Iterator[MetricState]:
        updated = self._updated(owner)
        seen: set[cst.Call] = set()
        for reached in owner.reachable("__init__") if updated else ():
            for node in self._tree.inside(reached.node.body, cst.Attribute) if reached.owner is owner else ():
                name = node.attr.value
                if name not in updated or self._values.self_class(node.value) is None:
                    continue
                made = self._put(node)
                first = next((call for call in self._calls_in(made) if self._is_variable(call)), None)
                if first is not None and first not in seen:
                    seen.add(first)
                    yield self._state(owner, reached, name, first, alone=first is made)

    def _put(self, node: cst.Attribute) -> cst.BaseExpression | None:
        """What an attribute is set to, what a tuple of attributes is unpacked from, or what is appended to it."""
        stored = self._values.stored(node)
        if stored is not None and stored[0] is not None:
            return stored[0]
        parent = self._tree.parents[node]
        call = (
            self._tree.parents[parent] if isinstance(parent, cst.Attribute) and parent.attr.value == "append" else None
        )
        if isinstance(call, cst.Call) and call.func is parent and call.args:
            return call.args[0].value
        row = self._tree.parents[parent] if isinstance(parent, cst.Element) else None
        line = self._tree.statement(node)
        assign = line.body[0] if isinstance(line, cst.SimpleStatementLine) and isinstance(row, cst.Tuple) else None
        return assign.value if isinstance(assign, cst.Assign) and assign.targets[0].target is row else None

    def _calls_in(self, made: cst.BaseExpression | None) -> tuple[cst.Call, ...]:
        """A call itself, or those that make the parts of a list, a dict or a comprehension."""
        if isinstance(made, cst.Call):
            return (made,)
        if isinstance(made, (cst.ListComp, cst.GeneratorExp)):
            return self._calls_in(made.elt)
        if isinstance(made, cst.DictComp):
            return self._calls_in(made.value)
        if isinstance(made, (cst.List, cst.Tuple, cst.Dict)):
            return tuple(call for element in made.elements for call in self._calls_in(element.value))
        return ()

    def _state(self, owner: ClassFacts, reached: Reached, name: str, made: cst.Call, *, alone: bool) -> MetricState:
        by_keras = self._names.qualified(made.func) != "tensorflow.Variable"
        mirrored = self._strategies.may_replicate
        plain = (
            alone
            and self._starts_at_zero(made)
            and self._is_after_super(reached, made)
            and self._asks_little(owner, name)
        )
        return MetricState(owner, name, made, by_keras, owner.method("reset_state") is not None, mirrored, plain)

    def _updated(self, owner: ClassFacts) -> frozenset[str]:
        """The attributes of `self` that `update_state` assigns to, `n` for `self.n.assign_add(1.0)`."""
        found: set[str] = set()
        for reached in owner.reachable("update_state"):
            for call in self._tree.inside(reached.node.body, cst.Call):
                func = call.func
                if not isinstance(func, cst.Attribute) or func.attr.value not in _UPDATES:
                    continue
                found.update(self._attributes_of(unaliased(self._names, func.value)))
        return frozenset(found)

    def _attributes_of(self, changed: cst.BaseExpression) -> Iterator[str]:
        """`n` for `self.n`, for `self.n["hits"]`, and for the variable of a loop over `self.n`."""
        while isinstance(changed, cst.Subscript):
            changed = unaliased(self._names, changed.value)
        if isinstance(changed, cst.Attribute):
            yield from (changed.attr.value,) if self._values.self_class(changed.value) is not None else ()
            return
        loops = [b.node for b in self._names.reaching(changed)] if isinstance(changed, cst.Name) else []
        around = {found for node in loops for found in self._tree.ancestors(node) if isinstance(found, cst.For)}
        for loop in around:
            if any(self._tree.holds(loop.target, node) for node in loops):
                for part in self._tree.inside(loop.iter, cst.Attribute):
                    yield from (part.attr.value,) if self._values.self_class(part.value) is not None else ()

    def _is_variable(self, call: cst.Call) -> bool:
        """A call that makes a variable, and does not say how replicas are joined."""
        said = {argument.keyword.value for argument in call.args if argument.keyword is not None}
        return self._names.qualified(call.func) in _VARIABLES and not said & {"synchronization", "aggregation"}

    def _starts_at_zero(self, made: cst.Call) -> bool:
        given = bound(made, _PLAIN)
        if len(given) != len(made.args) or not set(given) <= {*_PLAIN, "initializer", "name"}:
            return False
        start = given.get("initial_value") or given.get("initializer")
        value = self._values.constant(start.value) if start is not None else None
        return isinstance(value, Constant) and isinstance(value.value, float) and value.value == 0.0

    def _is_after_super(self, reached: Reached, made: cst.Call) -> bool:
        calls = self._tree.inside(reached.node.body, cst.Call)
        inits = (c for c in calls if isinstance(c.func, cst.Attribute) and c.func.attr.value == "__init__")
        return any(
            isinstance(init.func, cst.Attribute) and is_super(init.func.value) and self._tree.order.precedes(init, made)
            for init in inits
        )

    def _asks_little(self, owner: ClassFacts, name: str) -> bool:
        """Whether the class asks of the variable only what any variable has."""
        for node in self._tree.inside(owner.node, cst.Attribute):
            held = unaliased(self._names, node.value)
            if isinstance(held, cst.Attribute) and held.attr.value == name and node.attr.value not in _SHARED:
                return False
        return True
