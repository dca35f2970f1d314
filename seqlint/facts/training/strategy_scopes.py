"""What must be made in the scope of a strategy and is made outside of it: models, optimizers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import libcst as cst

from seqlint.facts.values.values import Constant, bound

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.training.strategies import Held, Strategies, Strategy
    from seqlint.facts.training.training import Training
    from seqlint.facts.values.values import Values

Misses = Literal["model", "optimizer", "compile"]
_TRAINS = frozenset({"compile", "fit", "fit_generator", "train_on_batch"})
_INPUT = frozenset({"batch_input_shape", "batch_shape", "input_dim", "input_shape", "shape"})
_BUILT = ("keras.applications.", "keras.models.", "keras.saving.", "keras.load_model", "keras.clone_model")


@dataclass(frozen=True, eq=False)
class OutOfScope:
    """Something that is made outside of the scope that the rest is in.

    Attributes:
        what: a model; an optimizer object; or an optimizer that `compile` makes from its name.
        node: what makes it.
        call: the call of `compile` or `fit` that needs it in the scope.
        scope: the `with strategy.scope():` that it belongs into; None where that stands in another function.
        below: whether it surely fails below Keras 3.10 too. A model may do so only if it has weights before `fit` is called,
            and Adagrad works there.
        optimizer: what makes the optimizer of that model, where it stands outside as well and has to go with it.
    """

    what: Misses
    node: cst.BaseExpression
    call: cst.Call
    strategy: Strategy
    scope: cst.With | None
    below: bool = True
    optimizer: cst.Call | None = None


class ScopeMisses:
    """What a file makes outside of the scope that it belongs into."""

    def __init__(self, tree: Tree, names: Names, values: Values, strategies: Strategies, training: Training) -> None:
        self._tree = tree
        self._names = names
        self._values = values
        self._strategies = strategies
        self._training = training

    @cached_property
    def all(self) -> tuple[OutOfScope, ...]:
        """One for each thing that is made, in reading order."""
        found: dict[cst.CSTNode, OutOfScope] = {}
        for call in self._tree.all(cst.Call) if self._strategies.is_used else ():
            func = call.func
            if isinstance(func, cst.Attribute) and func.attr.value in _TRAINS:
                for miss in self._of_call(call, func.value):
                    found.setdefault(miss.node, miss)
        return self._tree.order.sorted(found.values(), lambda miss: miss.node)

    def _of_call(self, call: cst.Call, model: cst.BaseExpression) -> Iterator[OutOfScope]:
        if self._training.is_model(model) != "yes":
            return
        made = self._strategies.of_model(model)
        if not made:
            strategy = _known(self._strategies.at(call))
            place = self._made_by(model)
            if strategy is not None and place is not None:
                scope = self._strategies.scope_round(call)
                yield OutOfScope("model", place, call, strategy, scope, self._is_built(model), self._outside(call))
        elif None not in made and isinstance(call.func, cst.Attribute) and call.func.attr.value == "compile":
            yield from self._of_optimizer(call, model, made)

    def _of_optimizer(self, call: cst.Call, model: cst.BaseExpression, made: Held) -> Iterator[OutOfScope]:
        strategy, place = _known(made), self._made_by(model)
        if strategy is None or place is None:
            return
        scope = self._strategies.scope_round(place)
        given = bound(call, ("optimizer",)).get("optimizer")
        value = self._outside(call)
        if value is not None:
            adagrad = self._names.qualified(value.func) == "keras.optimizers.Adagrad"
            yield OutOfScope("optimizer", value, call, strategy, scope, not adagrad)
        named = self._values.constant(given.value) if given is not None else None
        name = named.value.lower() if isinstance(named, Constant) and isinstance(named.value, str) else "sgd"
        if name != "sgd" and not self._strategies.at(call):
            yield OutOfScope("compile", call, call, strategy, scope, name != "adagrad")

    def _outside(self, call: cst.Call) -> cst.Call | None:
        """The optimizer with variables that `compile` is given, where it is made in no scope."""
        given = bound(call, ("optimizer",)).get("optimizer")
        value = self._values.only(given.value) if given is not None else None
        found = isinstance(value, cst.Call) and self._has_slots(value) and not self._strategies.at(value)
        return value if isinstance(value, cst.Call) and found else None

    def _has_slots(self, made: cst.Call) -> bool:
        """Whether a call makes an optimizer of Keras with variables beside the weights: any but plain SGD."""
        name = self._names.qualified(made.func) or ""
        if not name.startswith("keras.optimizers.") or ".legacy." in name or ".schedules." in name:
            return False
        return name != "keras.optimizers.SGD" or "momentum" in bound(made, ("learning_rate", "momentum"))

    def _made_by(self, model: cst.BaseExpression) -> cst.BaseExpression | None:
        """The one expression that a variable or attribute gets the model from."""
        if isinstance(model, cst.Name):
            found = {binding.value for binding in self._names.reaching(model) if binding.kind == "assign"}
        elif isinstance(model, cst.Attribute) and (owner := self._values.self_class(model.value)) is not None:
            values = self._values.attribute_values(owner, model.attr.value)
            found = {value for value in values if not (isinstance(value, cst.Name) and value.value == "None")}
        else:
            return None
        return found.pop() if len(found) == 1 else None

    def _is_built(self, model: cst.BaseExpression) -> bool:
        return all(isinstance(value, cst.Call) and self._has_input(value) for value in self._values.of(model))

    def _has_input(self, made: cst.Call) -> bool:
        name = self._names.qualified(made.func) or ""
        if name.startswith(_BUILT) and not name.endswith((".Sequential", ".Model")):
            return True
        if name.endswith(".Model"):
            return bool(made.args)
        if not name.endswith(".Sequential") or not made.args:
            return False
        inner = self._tree.inside(made, cst.Call)
        first = {argument.keyword.value for call in inner for argument in call.args if argument.keyword is not None}
        named = (self._names.qualified(call.func) or "" for call in inner)
        return bool(first & _INPUT) or any(each.endswith((".Input", ".InputLayer")) for each in named)


def _known(held: Held) -> Strategy | None:
    """The first strategy with replicas of its own."""
    return next((one for one in held if one is not None and one.name != "OneDeviceStrategy"), None)
