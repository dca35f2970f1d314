"""The `compile` calls of models, and which of them hold when a fit runs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.values.values import bound

if TYPE_CHECKING:
    from seqlint.facts.classes.classes import Classes
    from seqlint.facts.classes.kinds import Answer
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.flow.allocation_sites import AllocationSites
    from seqlint.facts.flow.call_frames import Traced
    from seqlint.facts.training.fit_bindings import FitBindings
    from seqlint.facts.training.training import TrainerCall, Training
    from seqlint.facts.values.values import Values
    from seqlint.model import KerasLine

PARAMETERS: dict[KerasLine, tuple[str, ...]] = {
    "2": ("optimizer", "loss", "metrics", "loss_weights", "weighted_metrics", "run_eagerly", "steps_per_execution",
          "jit_compile"),
    "3.0-3.9": ("optimizer", "loss", "loss_weights", "metrics", "weighted_metrics", "run_eagerly", "steps_per_execution",
                "jit_compile", "auto_scale_loss"),
    "3.10+": ("optimizer", "loss", "loss_weights", "metrics", "weighted_metrics", "run_eagerly", "steps_per_execution",
              "jit_compile", "auto_scale_loss"),
}  # fmt: skip
"""The parameters of `compile` in order. The third differs: metrics on Keras 2, loss weights on Keras 3."""


@dataclass(frozen=True, eq=False)
class Compile:
    """A call of `compile`.

    Attributes:
        receiver: the model.
        model: whether that is a Keras model.
    """

    node: cst.Call
    receiver: cst.BaseExpression
    model: Answer

    def arguments(self, line: KerasLine) -> dict[str, cst.BaseExpression]:
        """What it is given, by the parameters of a line of Keras."""
        return {name: argument.value for name, argument in bound(self.node, PARAMETERS[line]).items()}

    @property
    def unpacks(self) -> bool:
        """Whether `**options` may hold more."""
        return any(argument.star for argument in self.node.args)


Reaching = tuple[Compile | None, ...]
"""The calls of which one holds; None stands for one that is not in sight."""


class Compiles:
    """The `compile` calls of a file."""

    def __init__(
        self, tree: Tree, names: Names, values: Values, classes: Classes, training: Training, fit_bindings: FitBindings,
        allocation_sites: AllocationSites,
    ) -> None:  # fmt: skip
        self._tree = tree
        self._names = names
        self._values = values
        self._classes = classes
        self._training = training
        self._fit_bindings = fit_bindings
        self._allocation_sites = allocation_sites

    @cached_property
    def all(self) -> tuple[Compile, ...]:
        """Every `compile` of something that is not known to be no model, in reading order."""
        found = (self._compile(node) for node in self._tree.all(cst.Call))
        return tuple(compiled for compiled in found if compiled is not None)

    def _compile(self, node: cst.Call) -> Compile | None:
        func = node.func
        if (
            not isinstance(func, cst.Attribute)
            or func.attr.value != "compile"
            or self._names.qualified(func) is not None
        ):
            return None
        if isinstance(func.value, cst.Call) and self._names.qualified(func.value.func) == "builtins.super":
            return None
        model = self._training.is_model(func.value, "compile")
        return Compile(node, func.value, model) if model != "no" else None

    def reaching(self, call: TrainerCall) -> Reaching:
        """The calls of `compile` that can hold when a trainer call runs."""
        mine = [compiled for compiled in self.all if self._is_same(compiled, call)]
        frame = self._frame(call.node)
        here = [compiled for compiled in mine if self._frame(compiled.node) is frame]
        found: list[Compile | None] = []
        for compiled in reversed(here):
            if self._tree.order.precedes(call.node, compiled.node):
                found += [compiled] if self._comes_round(compiled, call) else []
            elif not self._names.exclusive(compiled.node, call.node):
                found.append(compiled)
                if self._is_sure(compiled, call):
                    return tuple(found)
        known = [compiled for compiled in reversed(mine) if compiled not in here]
        sure = known and not self._has_unknown(call)
        return (*found, *known) if sure else (*found, *known, None)

    def _frame(self, node: cst.CSTNode) -> cst.CSTNode | None:
        return self._tree.enclosing(node, cst.FunctionDef, cst.Lambda)

    def _is_sure(self, compiled: Compile, call: TrainerCall) -> bool:
        """Whether a call of the same function surely runs before the fit."""
        block = self._tree.block(compiled.node)
        while isinstance(outer := self._tree.parents.get(block), cst.With):
            block = self._tree.block(outer)
        return self._tree.holds(block, call.node)

    def _comes_round(self, compiled: Compile, call: TrainerCall) -> bool:
        loops = (found for found in self._tree.ancestors(call.node) if isinstance(found, (cst.For, cst.While)))
        return any(self._tree.holds(loop, compiled.node) for loop in loops)

    def _has_unknown(self, call: TrainerCall) -> bool:
        """Whether the model can be one that is made out of sight, and compiled there."""
        return None in self._allocation_sites.of(call.receiver) and self._values.self_class(call.receiver) is None

    # -- the same model ---------------------------------------------------------------------------------------------

    def _is_same(self, compiled: Compile, call: TrainerCall) -> bool:
        one, other = compiled.receiver, call.receiver
        if self._of_class(one, other):
            return True
        makers = self._makers(one)
        if any(_is_one(made, another) for made in makers for another in self._makers(other)):
            return True
        if not self._fit_bindings.same_variable(one, other):
            return False
        if isinstance(one, cst.Name) and isinstance(other, cst.Name) and self._frame(one) is self._frame(other):
            return bool(set(self._names.reaching(one)) & set(self._names.reaching(other)))
        return not makers or None in self._allocation_sites.of(other)

    def _makers(self, model: cst.BaseExpression) -> tuple[Traced, ...]:
        found = (leaf for leaf in self._allocation_sites.of(model) if leaf is not None)
        return tuple(leaf for leaf in found if isinstance(leaf.node, cst.Call))

    def _of_class(self, compiled: cst.BaseExpression, fitted: cst.BaseExpression) -> bool:
        """`self.compile(...)` in the class of the model."""
        owner = self._values.self_class(compiled)
        if owner is None:
            return False
        own = self._values.self_class(fitted)
        if own is not None:
            both = ((self._classes.of(own), owner), (self._classes.of(owner), own))
            return any(wanted in [found.node for found in one.lineage] for one, wanted in both)
        made = (found for found in self._training.classes_of(fitted) if found is not None)
        return any(owner in [base.node for base in found.lineage] for found in made)


def _is_one(made: Traced, other: Traced) -> bool:
    """Whether two models are made by one call, as far as the calls that lead there are known."""
    if made.node is not other.node:
        return False
    one, two = made.frame, other.frame
    while one is not two:
        if one.function is not two.function:
            return False
        if one.caller is None or two.caller is None:  # seen from within: any call can have led there
            return True
        if one.call is not two.call:
            return False
        one, two = one.caller, two.caller
    return True
