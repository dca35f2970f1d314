"""Variables that metrics make by hand, and keep their numbers in."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.aliases import unaliased
from seqlint.facts.code.tree import is_super
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
        is_plain: it starts at 0.0, is of the usual type, is made behind `super().__init__()`, and no code asks of it what
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

    def _states(self, owner: ClassFacts) -> Iterator[MetricState]:
        updated = self._updated(owner)
        for reached in owner.reachable("__init__") if updated else ():
            for node in self._tree.inside(reached.node.body, cst.Attribute) if reached.owner is owner else ():
                name = node.attr.value
                stored = self._values.stored(node) if self._values.self_class(node.value) is not None else None
                made = stored[0] if stored is not None and name in updated else None
                if isinstance(made, cst.Call) and self._is_variable(made):
                    yield self._state(owner, reached, name, made)

    def _state(self, owner: ClassFacts, reached: Reached, name: str, made: cst.Call) -> MetricState:
        by_keras = self._names.qualified(made.func) != "tensorflow.Variable"
        mirrored = self._strategies.may_replicate
        plain = self._starts_at_zero(made) and self._is_behind_super(reached, made) and self._asks_little(owner, name)
        return MetricState(owner, name, made, by_keras, owner.method("reset_state") is not None, mirrored, plain)

    def _updated(self, owner: ClassFacts) -> frozenset[str]:
        """The attributes of `self` that `update_state` assigns to, `n` for `self.n.assign_add(1.0)`."""
        found: set[str] = set()
        for reached in owner.reachable("update_state"):
            for call in self._tree.inside(reached.node.body, cst.Call):
                func = call.func
                if not isinstance(func, cst.Attribute) or func.attr.value not in _UPDATES:
                    continue
                held = unaliased(self._names, func.value)
                if isinstance(held, cst.Attribute) and self._values.self_class(held.value) is not None:
                    found.add(held.attr.value)
        return frozenset(found)

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

    def _is_behind_super(self, reached: Reached, made: cst.Call) -> bool:
        calls = self._tree.inside(reached.node.body, cst.Call)
        inits = (c for c in calls if isinstance(c.func, cst.Attribute) and c.func.attr.value == "__init__")
        return any(
            isinstance(init.func, cst.Attribute)
            and is_super(init.func.value)
            and self._tree.order[init] < self._tree.order[made]
            for init in inits
        )

    def _asks_little(self, owner: ClassFacts, name: str) -> bool:
        """Whether the class asks of the variable only what any variable has."""
        for node in self._tree.inside(owner.node, cst.Attribute):
            held = unaliased(self._names, node.value)
            if isinstance(held, cst.Attribute) and held.attr.value == name and node.attr.value not in _SHARED:
                return False
        return True
