"""Losses that give one number for a batch, of models that several replicas train."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.scopes import parameters
from seqlint.facts.training.scalars import elementwise, is_over_all

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from seqlint.facts.classes.classes import Classes
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.metrics.compiles import Compile
    from seqlint.facts.metrics.metrics import Metrics
    from seqlint.facts.training.scalars import Scalars
    from seqlint.facts.training.strategies import Held, Strategies
    from seqlint.facts.training.training import Training
    from seqlint.facts.values.values import Values

_REPLICATE = ("MirroredStrategy", "TPUStrategy")
_MEANS = frozenset({
    "keras.backend.mean", "keras.ops.mean", "tensorflow.math.reduce_mean", "tensorflow.reduce_mean",
})  # fmt: skip
_LOSS = re.compile(r"keras\.losses\.(?!deserialize|serialize|get\b)[a-z]\w*")
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
        metrics: Metrics, scalars: Scalars, external: Callable[[str], Scalars | None],
    ) -> None:  # fmt: skip
        self._tree = tree
        self._names = names
        self._values = values
        self._classes = classes
        self._training = training
        self._strategies = strategies
        self._metrics = metrics
        self._scalars = scalars
        self._external = external

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
        for compiled in self._metrics.compiles:
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
        other = self._external(name) if name is not None else None
        if other is not None and name is not None and other.names_one(name.rpartition(".")[2]):
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
            means = self._per_row(function, function.body)
            return ScalarLoss(function.body, "", is_model, receiver, means, self._bare(means))
        returned = self._values.own(function, cst.Return)
        value = returned[0].value
        assert value is not None
        per_row = self._per_row(function, value) if len(returned) == 1 and self._is_loss_alone(function) else ()
        owner = self._tree.enclosing(function, cst.ClassDef, cst.FunctionDef)
        named = (
            owner if isinstance(owner, cst.ClassDef) and function.name.value in ("call", "compute_loss") else function
        )
        return ScalarLoss(value, named.name.value, is_model, receiver, per_row, self._bare(per_row))

    def _is_loss_alone(self, function: cst.FunctionDef) -> bool:
        """Whether a function is used nowhere but in calls of `compile`."""
        named = [name for name in self._tree.all(cst.Name) if name.value == function.name.value]
        uses = [name for name in named if self._names.definition(name) is function and name is not function.name]
        return all(self._is_for_compile(use) for use in uses)

    def _is_for_compile(self, use: cst.Name) -> bool:
        """Whether a name stands in a call of `compile`, or where a loss comes from that one is given."""
        return any(self._tree.holds(compiled.node, use) for compiled in self._metrics.compiles) or use in self._given

    @cached_property
    def _given(self) -> frozenset[cst.BaseExpression]:
        given = (compiled.arguments("3.10+").get("loss") for compiled in self._metrics.compiles)
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

    # -- one number for each row ------------------------------------------------------------------------------------

    def _per_row(self, function: Function, value: cst.BaseExpression) -> tuple[cst.Call, ...]:
        """The means of which a value is a sum with factors, where each is of what has the rows of targets and predictions."""
        given = {param.name.value for param in parameters(function.params)}
        return self._means(value, given, _MAX_STEPS) or ()

    def _means(self, node: cst.BaseExpression, given: set[str], steps: int) -> tuple[cst.Call, ...] | None:
        if not steps:
            return None
        if self._scalars.of(node) == "number":
            return ()
        if isinstance(node, cst.UnaryOperation):
            return self._means(node.expression, given, steps - 1)
        if isinstance(node, cst.BinaryOperation):
            return self._means_of_both(node, given, steps - 1)
        if isinstance(node, cst.Name):
            bindings = self._names.reaching(node)
            value = bindings[0].value if len(bindings) == 1 and bindings[0].kind == "assign" else None
            return self._means(value, given, steps - 1) if value is not None and self._is_read_once(node) else None
        if not isinstance(node, cst.Call) or self._names.qualified(node.func) not in _MEANS or len(node.args) != 1:
            return None
        inner = node.args[0].value
        whole = is_over_all(node) and node.args[0].keyword is None
        rows = self._is_loss(inner, given) or self._has_rows(inner, given, _MAX_STEPS)
        return (node,) if whole and rows else None

    def _bare(self, means: tuple[cst.Call, ...]) -> tuple[cst.Call, ...]:
        inner = [(mean, mean.args[0].value) for mean in means]
        losses = (mean for mean, node in inner if isinstance(node, cst.Call) and self._is_named_loss(node))
        return tuple(losses)

    def _is_named_loss(self, call: cst.Call) -> bool:
        return _LOSS.fullmatch(self._names.qualified(call.func) or "") is not None

    def _is_loss(self, node: cst.BaseExpression, given: set[str]) -> bool:
        """`keras.losses.binary_crossentropy(target, guess)`, which gives one number for each row."""
        if not isinstance(node, cst.Call) or not self._is_named_loss(node):
            return False
        return all(self._has_rows(argument.value, given, _MAX_STEPS) for argument in node.args[:2])

    def _means_of_both(self, node: cst.BinaryOperation, given: set[str], steps: int) -> tuple[cst.Call, ...] | None:
        left, right = self._means(node.left, given, steps), self._means(node.right, given, steps)
        if left is None or right is None:
            return None
        if isinstance(node.operator, (cst.Add, cst.Subtract)):
            return (*left, *right)
        factor = isinstance(node.operator, cst.Multiply) and not (left and right)
        return (*left, *right) if factor or (isinstance(node.operator, cst.Divide) and not right) else None

    def _is_read_once(self, name: cst.Name) -> bool:
        """Whether nothing but this reads a local name: what else does so would get rows too."""
        function = self._tree.enclosing(name, cst.FunctionDef, cst.Lambda)
        same = [each for each in self._tree.inside(function, cst.Name) if each.value == name.value] if function else []
        return len([each for each in same if not self._tree.is_target(each)]) == 1

    def _has_rows(self, node: cst.BaseExpression, given: set[str], steps: int) -> bool:
        """Whether something is worked out from targets and predictions number by number."""
        if not steps:
            return False
        if isinstance(node, cst.Name):
            if node.value in given and all(isinstance(b.node, cst.Param) for b in self._names.reaching(node)):
                return True
            bindings = self._names.reaching(node)
            values = [binding.value if binding.kind == "assign" else None for binding in bindings]
            return bool(values) and all(v is not None and self._has_rows(v, given, steps - 1) for v in values)
        if isinstance(node, cst.UnaryOperation):
            return self._has_rows(node.expression, given, steps - 1)
        if isinstance(node, cst.BinaryOperation):
            return self._any_has_rows((node.left, node.right), given, steps - 1)
        if not isinstance(node, cst.Call) or not elementwise(self._names.qualified(node.func)):
            return False
        return self._any_has_rows([a.value for a in node.args if a.keyword is None], given, steps - 1)

    def _any_has_rows(
        self, nodes: list[cst.BaseExpression] | tuple[cst.BaseExpression, ...], given: set[str], steps: int
    ) -> bool:
        """Whether one of the nodes has rows, and the others have, too, or are numbers."""
        rows = [self._has_rows(node, given, steps) for node in nodes]
        rest = [node for node, has in zip(nodes, rows, strict=True) if not has]
        return any(rows) and all(self._scalars.of(node) == "number" or self._is_type(node) for node in rest)

    def _is_type(self, node: cst.BaseExpression) -> bool:
        """`tf.float32` in `tf.cast(y, tf.float32)`, `p.dtype`."""
        text = self._tree.text(node)
        return text.rpartition(".")[2] in ("dtype", "float16", "float32", "float64") or text.strip("'\"").startswith(
            "float"
        )


def _has_replicas(held: Held) -> bool:
    return any(one is not None and one.name in _REPLICATE and one.devices != 1 for one in held)
