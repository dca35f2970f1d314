"""Which values of a replica are divided by the whole batch already, so that those of all replicas belong summed up."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import libcst as cst

from seqlint.facts.code.methods import method_calls
from seqlint.facts.code.tree import last_word
from seqlint.facts.flow.followed import Followed
from seqlint.facts.values.values import Constant, bound

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from seqlint.facts.code.names import Names
    from seqlint.facts.code.scopes import Binding
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.flow.call_graph import CallGraph
    from seqlint.facts.training.strategy_runs import Place, StrategyRuns
    from seqlint.facts.values.values import Values

Scale = Literal["batch", "replicas", "loss"]
"""What a value was divided by: the rows of the whole batch; the number of replicas; the latter by a loss of Keras 3 itself."""

_AVERAGE = ("tensorflow.nn.compute_average_loss",)
_SCALES = ("tensorflow.nn.scale_regularization_loss",)
_SAME = frozenset({
    "builtins.float", "tensorflow.cast", "tensorflow.convert_to_tensor", "tensorflow.identity", "tensorflow.squeeze",
    "tensorflow.stop_gradient",
})  # fmt: skip
_SUMS = frozenset({"tensorflow.reduce_sum", "tensorflow.math.reduce_sum", "keras.ops.sum", "keras.backend.sum"})
_COUNT = re.compile(r"(?i)(?:.*_)?(?:num|n|count)_*(?:of_)?_*(?:replicas?|gpus?)(?:_in_sync)?|replica_count")
_GLOBAL = re.compile(r"(?i)(?:.*_)?(?:global|total)_*batch.*|batch_*(?:size)?_*global")
_OBJECT = re.compile(r"keras\.losses\.[A-Z]\w*")
_DEFAULTS = (Constant("sum_over_batch_size"), Constant("mean"))
_MAX_STEPS = 8


class ReplicaScaling:
    """Looks at what the replicas of one file compute."""

    def __init__(
        self,
        tree: Tree,
        names: Names,
        values: Values,
        calls: CallGraph,
        runs: StrategyRuns,
        external: Callable[[str], ReplicaScaling | None],
    ) -> None:
        self._tree = tree
        self._names = names
        self._values = values
        self._calls = calls
        self._runs = runs
        self._external = external
        self._followed = Followed(names, values, calls)

    def of(self, node: cst.BaseExpression, steps: int = _MAX_STEPS) -> Scale | None:
        """How a value surely was divided, in all ways in which it comes about; None where one is not, or can't be told."""
        if not steps:
            return None
        if isinstance(node, cst.Name):
            return self._of_name(node, steps)
        if isinstance(node, cst.Call):
            return self._of_call(node, steps)
        if isinstance(node, cst.BinaryOperation):
            return self._of_operation(node.operator, node.left, node.right, steps)
        if isinstance(node, cst.IfExp):
            return _all((self.of(node.body, steps - 1), self.of(node.orelse, steps - 1)))
        return None

    def returned_by(self, name: str, place: Place | None) -> Scale | None:
        """The same of what a function or method of this file returns, by its name."""
        found = [node for node in self._tree.all(cst.FunctionDef) if node.name.value == name]
        return self._of_function(found[0], _MAX_STEPS, place) if len(found) == 1 else None

    def _of_function(self, function: cst.FunctionDef, steps: int, place: Place | None = None) -> Scale | None:
        found = self._runs.results_of(function)
        picked = [self._runs.pick(value, place) if value is not None else None for value in found]
        return _all(self.of(value, steps - 1) if value is not None else None for value in picked)

    # -- names ------------------------------------------------------------------------------------------------------

    def _of_name(self, name: cst.Name, steps: int) -> Scale | None:
        return _all(self._of_binding(binding, name, steps) for binding in self._names.reaching(name))

    def _of_binding(self, binding: Binding, name: cst.Name, steps: int) -> Scale | None:
        if binding.kind == "assign" and binding.value is not None:
            return self.of(binding.value, steps - 1)
        if binding.kind == "augment" and isinstance(binding.node, cst.Name):
            return self._of_augmented(binding.node, steps)
        values = self._followed.of(name) if binding.kind in ("unpack", "parameter") else (None,)
        return _all(self.of(value, steps - 1) if value is not None else None for value in values if value is not name)

    def _of_augmented(self, target: cst.Name, steps: int) -> Scale | None:
        statement = self._tree.parents.get(target)
        if not isinstance(statement, cst.AugAssign):
            return None
        if isinstance(statement.operator, (cst.AddAssign, cst.SubtractAssign)):
            return _all((self._of_name(target, steps - 1), self.of(statement.value, steps - 1)))
        if isinstance(statement.operator, cst.DivideAssign):
            return self._of_operation(cst.Divide(), target, statement.value, steps)
        return None

    # -- calls ------------------------------------------------------------------------------------------------------

    def _of_call(self, call: cst.Call, steps: int) -> Scale | None:
        name = self._names.qualified(call.func)
        if name in _SCALES:
            return "replicas"
        if name in _AVERAGE:
            return self._of_average(call)
        if name in _SAME and call.args:
            return self.of(call.args[0].value, steps - 1)
        function = self._calls.called(call)
        if function is not None:
            return self._of_function(function, steps)
        return self._of_object(call) or self._of_import(name)

    def _of_average(self, call: cst.Call) -> Scale | None:
        given = bound(call, ("per_example_loss", "sample_weight", "global_batch_size")).get("global_batch_size")
        if given is None:
            return "batch" if not any(argument.star for argument in call.args) else None
        whole = self._values.constant(given.value) == Constant(None) or self.is_whole_batch(given.value)
        return "batch" if whole else None

    def _of_object(self, call: cst.Call) -> Scale | None:
        """A loss object of Keras 3 with the reduction that it has by default."""
        made = self._values.only(call.func)
        name = self._names.qualified(made.func) if isinstance(made, cst.Call) else None
        if not isinstance(made, cst.Call) or name is None or not _OBJECT.fullmatch(name) or name.endswith(".Loss"):
            return None
        if any(argument.star for argument in made.args):
            return None
        given = bound(made, ()).get("reduction")
        default = given is None or self._values.constant(given.value) in _DEFAULTS
        return "loss" if default else None

    def _of_import(self, name: str | None) -> Scale | None:
        other = self._external(name) if name is not None else None
        return other.returned_by(name.rpartition(".")[2], None) if other and name else None

    # -- arithmetic -------------------------------------------------------------------------------------------------

    def _of_operation(
        self, operator: cst.CSTNode, left: cst.BaseExpression, right: cst.BaseExpression, steps: int
    ) -> Scale | None:
        if isinstance(operator, (cst.Add, cst.Subtract)):
            return _all((self.of(left, steps - 1), self.of(right, steps - 1)))
        if isinstance(operator, cst.Divide):
            return self._divided(left, right) or (self.of(left, steps - 1) if self._is_number(right) else None)
        if isinstance(operator, cst.Multiply):
            return self._of_product(left, right, steps) or self._of_product(right, left, steps)
        return None

    def _of_product(self, left: cst.BaseExpression, right: cst.BaseExpression, steps: int) -> Scale | None:
        """`total * (1.0 / batch)`, and a weight times what is scaled."""
        inverse = self._values.only(right)
        if isinstance(inverse, cst.BinaryOperation) and isinstance(inverse.operator, cst.Divide):
            one = self._values.constant(inverse.left)
            return self._divided(left, inverse.right) if one is not None and one.value == 1 else None
        return self.of(left, steps - 1) if self._is_number(right) else None

    def _divided(self, value: cst.BaseExpression, by: cst.BaseExpression) -> Scale | None:
        if self.is_count(by):
            return "replicas"
        made = self._values.only(value)
        is_sum = isinstance(made, cst.Call) and self._names.qualified(made.func) in _SUMS and not _has_axis(made)
        return "batch" if is_sum and self.is_whole_batch(by) else None

    def _is_number(self, node: cst.BaseExpression) -> bool:
        constant = self._values.constant(node)
        return constant is not None and isinstance(constant.value, (int, float))

    # -- sizes ------------------------------------------------------------------------------------------------------

    def is_count(self, node: cst.BaseExpression) -> bool:
        """Whether an expression is the number of replicas: `strategy.num_replicas_in_sync`, also as a float or by its name."""
        values = [node if value is None else value for value in self._values.of(node)]
        return bool(values) and all(self._is_count_itself(value) for value in values)

    def _is_count_itself(self, value: cst.BaseExpression) -> bool:
        if isinstance(value, cst.Call):
            inside = self._names.qualified(value.func) in _SAME and value.args
            return self.is_count(value.args[0].value) if inside else False
        return isinstance(value, (cst.Name, cst.Attribute)) and _COUNT.fullmatch(last_word(value)) is not None

    def is_whole_batch(self, node: cst.BaseExpression) -> bool:
        """Whether an expression surely is the number of rows of all replicas together."""
        if isinstance(node, cst.Call) and self._names.qualified(node.func) in _SAME and node.args:
            return self.is_whole_batch(node.args[0].value)
        named = isinstance(node, (cst.Name, cst.Attribute)) and _GLOBAL.fullmatch(last_word(node)) is not None
        values = [value for value in self._values.of(node) if value is not None]
        return named or any(self._is_multiple(value) for value in values) or self._is_what_is_batched(node)

    def _is_multiple(self, value: cst.BaseExpression) -> bool:
        """`16 * strategy.num_replicas_in_sync`."""
        if not isinstance(value, cst.BinaryOperation) or not isinstance(value.operator, cst.Multiply):
            return False
        return self.is_count(value.left) or self.is_count(value.right)

    def _is_what_is_batched(self, node: cst.BaseExpression) -> bool:
        """Whether it is the size of the batches of the dataset that is distributed: those are of all replicas."""
        return bool(self._batched) and all(self._is_same(node, size) for size in self._batched)

    @cached_property
    def _batched(self) -> tuple[cst.BaseExpression, ...]:
        names = ("distribute_datasets_from_function", "experimental_distribute_datasets_from_function")
        if any(self._tree.attributes(name) for name in names):
            return ()
        if not self._tree.attributes("experimental_distribute_dataset"):
            return ()
        calls = method_calls(self._tree, ("batch",))
        sizes = (bound(call, ("batch_size",)).get("batch_size") for call in calls)
        return tuple(size.value for size in sizes if size is not None)

    def _is_same(self, one: cst.BaseExpression, other: cst.BaseExpression) -> bool:
        constants = (self._values.constant(one), self._values.constant(other))
        if constants[0] is not None and constants[0] == constants[1]:
            return True
        if isinstance(one, cst.Name) and isinstance(other, cst.Name):
            return self._names.bindings(one) == self._names.bindings(other) != ()
        return isinstance(one, cst.Attribute) and self._tree.text(one) == self._tree.text(other)


def _has_axis(call: cst.Call) -> bool:
    return "axis" in bound(call, ("x", "axis"))


def _all(found: Iterable[Scale | None]) -> Scale | None:
    """How all ways divide: a loss of Keras 3 counts where one of them is."""
    every = list(found)
    if None in every:
        return None
    return "loss" if "loss" in every else next(iter(every), None)
