"""Losses that give one number for a batch, of models that several replicas train."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.training.row_means import RowMeans

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from seqlint.facts.classes.classes import Classes
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.metrics.compiles import Compile, Compiles
    from seqlint.facts.training.scalars import Scalars
    from seqlint.facts.training.strategies import Held, Strategies
    from seqlint.facts.training.training import Training
    from seqlint.facts.values.values import Values

_REPLICATE = ("MirroredStrategy", "TPUStrategy")
_WEIGHTS = ("class_weight", "sample_weight", "sample_weight_mode")
_MAX_STEPS = 8
Function = cst.FunctionDef | cst.Lambda


@dataclass(frozen=True, eq=False)
class ScalarLoss:
    """A loss that gives one number for all rows of a replica.

    Attributes:
        node: what it returns; where that is in another file, the argument of `compile`.
        name: what a reader knows it by; empty for a lambda.
        model: whether the model is surely one of Keras.
        receiver: the model, as it is written.
        per_row: the means over all in what is returned that can become means of each row, where there are no others.
        bare: those of them that are taken of one number for each row, and can be left out.
    """

    node: cst.BaseExpression
    name: str
    model: bool
    receiver: cst.BaseExpression | None = None
    per_row: tuple[cst.Call, ...] = ()
    bare: tuple[cst.Call, ...] = ()


class ScalarLosses:
    """The losses of the models of one file."""

    def __init__(
        self, tree: Tree, names: Names, values: Values, classes: Classes, training: Training, strategies: Strategies,
        compiles: Compiles, scalars: Scalars, external: Callable[[str], Scalars | None],
    ) -> None:  # fmt: skip
        self._tree = tree
        self._names = names
        self._values = values
        self._classes = classes
        self._training = training
        self._strategies = strategies
        self._compiles = compiles
        self._scalars = scalars
        self._external = external
        self._rows = RowMeans(tree, names, scalars)

    @cached_property
    def all(self) -> tuple[ScalarLoss, ...]:
        """One for each loss, in reading order."""
        found: dict[cst.CSTNode, ScalarLoss] = {}
        used = self._strategies.is_used and not self._weighs_rows
        losses = [*self._compiled(), *self._overridden()] if used else []
        for loss in losses:
            if loss.node not in found or loss.model:
                found[loss.node] = loss
        return self._tree.order.sorted(found.values(), lambda loss: loss.node)

    @cached_property
    def _weighs_rows(self) -> bool:
        """Whether a fit gives weights: a number times those of the rows is one for each row again."""
        named = (argument.keyword.value for argument in self._tree.all(cst.Arg) if argument.keyword is not None)
        return any(name in _WEIGHTS for name in named)

    def _compiled(self) -> Iterator[ScalarLoss]:
        for compiled in self._compiles.all:
            given = compiled.arguments("3.10+").get("loss")
            if given is None or not self._replicates(compiled):
                continue
            for value in self._parts(given, _MAX_STEPS):
                yield from self._of_value(value, given, compiled)

    def _replicates(self, compiled: Compile) -> bool:
        held = self._strategies.of_model(compiled.receiver) or self._strategies.at(compiled.node)
        return _has_replicas(held)

    def _parts(self, node: cst.BaseExpression, steps: int) -> Iterator[cst.BaseExpression]:
        """The losses of an argument: one, or those of a list or dict."""
        for value in self._values.of(node) if steps else ():
            if isinstance(value, (cst.List, cst.Tuple)):
                for element in value.elements:
                    yield from self._parts(element.value, steps - 1)
            elif isinstance(value, cst.Dict):
                for pair in value.elements:
                    yield from self._parts(pair.value, steps - 1)
            elif value is not None:
                yield value

    def _of_value(
        self, value: cst.BaseExpression, given: cst.BaseExpression, compiled: Compile
    ) -> Iterator[ScalarLoss]:
        function = self._function(value)
        is_model, receiver = compiled.model == "yes", compiled.receiver
        if function is not None:
            if self._scalars.is_one(function):
                yield self._of_function(function, is_model, receiver)
            return
        name = self._names.qualified(value)
        if name is not None and self.is_one_elsewhere(name):
            node = value if self._tree.holds(given, value) else given
            yield ScalarLoss(node, name.rpartition(".")[2], is_model, receiver)

    def _function(self, value: cst.BaseExpression) -> Function | None:
        """The code that runs for a loss: a function, a lambda, the method of an object."""
        if isinstance(value, cst.Lambda):
            return value
        definition = self._names.definition(value)
        if isinstance(definition, cst.FunctionDef):
            return definition
        if isinstance(value, cst.Call):
            return self._of_call(value)
        owner = self._values.self_class(value.value) if isinstance(value, cst.Attribute) else None
        method = (
            self._classes.of(owner).method(value.attr.value) if owner and isinstance(value, cst.Attribute) else None
        )
        return method[1] if method is not None else None

    def _of_call(self, call: cst.Call) -> Function | None:
        """`Dice()`, a loss of this file, and `functools.partial(dice, smooth=1)`."""
        if self._names.qualified(call.func) == "functools.partial" and call.args:
            return self._function(call.args[0].value)
        definition = self._names.definition(call.func)
        owner = self._classes.of(definition) if isinstance(definition, cst.ClassDef) else None
        is_loss = owner is not None and any(
            base in ("keras.losses.Loss", "keras.Loss") for base in owner.external_bases
        )
        method = owner.method("call") if owner is not None and is_loss else None
        return method[1] if method is not None else None

    def _of_function(self, function: Function, is_model: bool, receiver: cst.BaseExpression | None) -> ScalarLoss:
        if isinstance(function, cst.Lambda):
            means = self._rows.of(function, function.body)
            return ScalarLoss(function.body, "", is_model, receiver, means, self._rows.bare(means))
        returned = self._values.own(function, cst.Return)
        value = returned[0].value
        assert value is not None
        per_row = self._rows.of(function, value) if len(returned) == 1 and self._is_loss_alone(function) else ()
        owner = self._tree.enclosing(function, cst.ClassDef, cst.FunctionDef)
        named = (
            owner if isinstance(owner, cst.ClassDef) and function.name.value in ("call", "compute_loss") else function
        )
        return ScalarLoss(value, named.name.value, is_model, receiver, per_row, self._rows.bare(per_row))

    def _is_loss_alone(self, function: cst.FunctionDef) -> bool:
        """Whether a function is used nowhere but in calls of `compile`."""
        named = [name for name in self._tree.all(cst.Name) if name.value == function.name.value]
        uses = [name for name in named if self._names.definition(name) is function and name is not function.name]
        return all(self._is_for_compile(use) for use in uses)

    def _is_for_compile(self, use: cst.Name) -> bool:
        """Whether a name stands in a call of `compile`, or where a loss comes from that one is given."""
        return any(self._tree.holds(compiled.node, use) for compiled in self._compiles.all) or use in self._given

    @cached_property
    def _given(self) -> frozenset[cst.BaseExpression]:
        given = (compiled.arguments("3.10+").get("loss") for compiled in self._compiles.all)
        return frozenset(value for each in given if each is not None for value in self._parts(each, _MAX_STEPS))

    def _overridden(self) -> Iterator[ScalarLoss]:
        """`compute_loss` of a model of this file that is made in the scope of a strategy."""
        for owner in self._classes.all:
            method = owner.methods.get("compute_loss") if owner.is_a("model") == "yes" else None
            if method is None or not self._scalars.is_one(method):
                continue
            if any(_has_replicas(self._strategies.at(made)) for made in self._training.instances(owner)):
                loss = self._of_function(method, True, None)
                yield ScalarLoss(loss.node, loss.name, model=True)

    def defined_at(self, start: int) -> ScalarLoss | None:
        """The loss whose function, lambda or class starts at an offset, where it gives one number."""
        node = next((found for found in self._definitions if self._start(found) == start), None)
        if isinstance(node, cst.ClassDef):
            method = self._classes.of(node).method("call")
            node = method[1] if method is not None else None
        if node is None or self._weighs_rows or not self._scalars.is_one(node):
            return None
        return self._of_function(node, True, None)

    def is_one_elsewhere(self, name: str) -> bool:
        """Whether a function, or a loss class, of another file gives one number."""
        other = self._external(name) if not self._weighs_rows else None
        return other is not None and other.names_one(name.rpartition(".")[2])

    @cached_property
    def _definitions(self) -> tuple[Function | cst.ClassDef, ...]:
        return (*self._tree.all(cst.FunctionDef), *self._tree.all(cst.Lambda), *self._tree.all(cst.ClassDef))

    def _start(self, node: Function | cst.ClassDef) -> int:
        """Where Python says that a definition starts: at `def` or `class`, not at a decorator."""
        if isinstance(node, cst.Lambda):
            return self._tree.span(node)[0]
        word = "class " if isinstance(node, cst.ClassDef) else "async def " if node.asynchronous else "def "
        return self._tree.span(node.name)[0] - len(word)


def _has_replicas(held: Held) -> bool:
    return any(one is not None and one.name in _REPLICATE and one.devices != 1 for one in held)
