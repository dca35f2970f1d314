"""Expressions that surely are one number for all rows of a batch, worked out by no means that knows of other replicas."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import libcst as cst

from seqlint.facts.flow.followed import Followed
from seqlint.facts.values.values import bound

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from seqlint.facts.code.names import Names
    from seqlint.facts.code.scopes import Binding
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.flow.backward_slice import BackwardSlice
    from seqlint.facts.flow.call_graph import CallGraph
    from seqlint.facts.training.replica_scaling import ReplicaScaling
    from seqlint.facts.values.values import Value, Values

Size = Literal["one", "number"] | None
"""One number that was reduced from a batch; a plain number of the code; None: anything else."""

_LIBRARIES = ("tensorflow.", "keras.", "numpy.", "math.", "builtins.")
_ROOMS = ("tensorflow.", "tensorflow.math.", "keras.ops.", "keras.backend.")
_REDUCTIONS = frozenset({
    "reduce_mean", "reduce_sum", "reduce_max", "reduce_min", "reduce_prod", "reduce_logsumexp", "reduce_std", "reduce_variance",
    "mean", "sum", "max", "min", "prod", "logsumexp", "std", "var",
})  # fmt: skip
_ELEMENTWISE = frozenset({
    "abs", "add", "cast", "clip", "clip_by_value", "convert_to_tensor", "divide", "divide_no_nan", "exp", "expm1", "identity", "log",
    "log1p", "maximum", "minimum", "multiply", "negative", "pow", "power", "rsqrt", "sigmoid", "sign", "softplus", "sqrt", "square",
    "squared_difference", "stop_gradient", "subtract", "tanh", "truediv",
})  # fmt: skip
_NUMBERS = frozenset({"keras.backend.epsilon", "keras.config.epsilon", "math.pi", "numpy.e", "numpy.pi", "math.e"})
_SHAPES = frozenset({"tensorflow.shape", "keras.ops.shape", "keras.backend.shape"})
_SIZES = frozenset({"builtins.len", "tensorflow.size", "keras.ops.size"})
_FIRST_ALONE = frozenset({"cast", "convert_to_tensor"})
_DECORATORS = ("tensorflow.function", "builtins.staticmethod")
_MAX_STEPS = 40


class Scalars:
    """Looks at what functions of one file return."""

    def __init__(
        self, tree: Tree, names: Names, values: Values, calls: CallGraph, computed: BackwardSlice, scaling: ReplicaScaling, external: Callable[[str], Scalars | None]
    ) -> None:  # fmt: skip
        self._tree = tree
        self._names = names
        self._values = values
        self._calls = calls
        self._computed = computed
        self._scaling = scaling
        self._external = external
        self._followed = Followed(names, values, calls)
        self._known: dict[cst.BaseExpression, Size] = {}

    def is_one(self, function: cst.FunctionDef | cst.Lambda) -> bool:
        """Whether a function surely returns one number for the whole batch, on every path."""
        return self._of_function(function, _MAX_STEPS) == "one"

    def names_one(self, name: str) -> bool:
        """The same of a function of this file, by its name."""
        found = [node for node in self._tree.all(cst.FunctionDef) if node.name.value == name]
        return len(found) == 1 and self.is_one(found[0])

    def _of_function(self, function: cst.FunctionDef | cst.Lambda, steps: int) -> Size:
        if isinstance(function, cst.Lambda):
            return self.of(function.body, steps - 1)
        if function.asynchronous or self._values.is_generator(function) or not self._is_plain(function):
            return None
        returned = [statement.value for statement in self._values.own(function, cst.Return)]
        return _each(self.of(value, steps - 1) if value is not None else None for value in returned)

    def _is_plain(self, function: cst.FunctionDef) -> bool:
        kinds = [item.decorator for item in function.decorators]
        names = [self._names.qualified(kind.func if isinstance(kind, cst.Call) else kind) or "" for kind in kinds]
        return all(name in _DECORATORS or name.endswith("register_keras_serializable") for name in names)

    # -- expressions ------------------------------------------------------------------------------------------------

    def of(self, node: cst.BaseExpression, steps: int = _MAX_STEPS) -> Size:
        """How much an expression is: one number, a number of the code, or anything else."""
        if not steps:
            return None
        if node not in self._known:
            self._known[node] = None  # as long as it is being looked at
            self._known[node] = self._of(node, steps)
        return self._known[node]

    def _of(self, node: cst.BaseExpression, steps: int) -> Size:
        if isinstance(node, (cst.Integer, cst.Float)):
            return "number"
        if isinstance(node, cst.UnaryOperation):
            return self.of(node.expression, steps - 1)
        if isinstance(node, cst.BinaryOperation):
            return _both((self.of(node.left, steps - 1), self.of(node.right, steps - 1)))
        if isinstance(node, cst.IfExp):
            return _each((self.of(node.body, steps - 1), self.of(node.orelse, steps - 1)))
        if isinstance(node, cst.Name):
            return _each(self._of_binding(binding, node, steps) for binding in self._names.reaching(node))
        if isinstance(node, cst.Call):
            return self._of_call(node, steps)
        if isinstance(node, cst.Subscript):
            return "number" if self._is_length(node) else None
        return self._of_value(node, self._values.of(node), steps)

    def _of_value(self, node: cst.BaseExpression, found: tuple[Value, ...], steps: int) -> Size:
        if self._names.qualified(node) in _NUMBERS:
            return "number"
        return _each(self.of(each, steps - 1) if each is not None and each is not node else None for each in found)

    def _is_length(self, node: cst.Subscript) -> bool:
        """`tf.shape(guess)[0]`, `guess.shape[0]`."""
        whole, index = self._values.only(node.value) or node.value, node.slice[0].slice
        made = isinstance(whole, cst.Call) and self._names.qualified(whole.func) in _SHAPES
        shape = made or (isinstance(whole, cst.Attribute) and whole.attr.value == "shape")
        return shape and isinstance(index, cst.Index) and self.of(index.value) == "number"

    def _of_binding(self, binding: Binding, name: cst.Name, steps: int) -> Size:
        if binding.kind == "assign" and binding.value is not None:
            return self.of(binding.value, steps - 1)
        if binding.kind == "augment" and isinstance(binding.node, cst.Name):
            statement = self._tree.parents.get(binding.node)
            before = _each(self._of_binding(one, name, steps - 1) for one in self._names.reaching(binding.node))
            return (
                _both((before, self.of(statement.value, steps - 1))) if isinstance(statement, cst.AugAssign) else None
            )
        if isinstance(binding.node, cst.Param):
            return self._of_parameter(binding.node, name, steps)
        return self._of_value(name, self._followed.of(name), steps) if binding.kind == "unpack" else None

    def _of_parameter(self, param: cst.Param, name: cst.Name, steps: int) -> Size:
        """What the calls of this file give, and the default."""
        found = [value for value in self._values.of(name) if value is not None]
        default = [param.default] if param.default is not None else []
        return _each(self.of(value, steps - 1) for value in dict.fromkeys((*found, *default)))

    def _of_call(self, call: cst.Call, steps: int) -> Size:
        name = self._names.qualified(call.func) or ""
        room, _, word = name.rpartition(".")
        if name in _NUMBERS or name in _SIZES:
            return "number"
        if f"{room}." in _ROOMS and word in _REDUCTIONS:
            return "one" if is_over_all(call) and self._is_own(call) else None
        if f"{room}." in (*_ROOMS, "builtins.", "tensorflow.nn.") and word in {*_ELEMENTWISE, "float", "constant"}:
            given = call.args[:1] if word in {*_FIRST_ALONE, "constant"} else call.args
            return _both(self.of(argument.value, steps - 1) for argument in given if not argument.keyword)
        function = self._calls.called(call)
        if function is not None:
            return self._of_function(function, steps - 1) if function.name.value != "__init__" else None
        other = self._external(name) if name and not name.startswith(_LIBRARIES) else None
        return "one" if other is not None and other.names_one(word) else None

    # -- what knows of other replicas -------------------------------------------------------------------------------

    def _is_own(self, call: cst.Call) -> bool:
        """Whether what is reduced surely is not divided by the number of replicas: no loss object of Keras, no code that is not seen."""
        found = self._computed.of(call.args[0].value)
        if any(isinstance(node, (cst.Name, cst.Attribute)) and "replica" in self._tree.text(node) for node in found):
            return False
        return all(self._is_plain_call(node) for node in found if isinstance(node, cst.Call))

    def _is_plain_call(self, call: cst.Call) -> bool:
        made = self._values.only(call.func)
        name = self._names.qualified(made.func if isinstance(made, cst.Call) else call.func) or ""
        if name.startswith("tensorflow.distribute.") or self._scaling.of(call) is not None:
            return False
        return name.startswith(_LIBRARIES) or self._calls.called(call) is not None


def is_over_all(call: cst.Call) -> bool:
    """Whether a reduction takes all of its tensor together: no axis, and no dimensions kept."""
    given = bound(call, ("x", "axis", "keepdims"))
    axis = given.get("axis")
    whole = axis is None or (isinstance(axis.value, cst.Name) and axis.value.value == "None")
    return whole and bool(call.args) and "keepdims" not in given and not any(a.star for a in call.args)


def elementwise(name: str | None) -> bool:
    """Whether a function, by its canonical name, gives one number for each number that it is given."""
    room, _, word = (name or "").rpartition(".")
    return f"{room}." in (*_ROOMS, "tensorflow.nn.") and word in _ELEMENTWISE


def _both(found: Iterable[Size]) -> Size:
    """What arithmetic with all of them gives."""
    every = list(found)
    if not every or None in every:
        return None
    return "one" if "one" in every else "number"


def _each(found: Iterable[Size]) -> Size:
    """What one of them is, whichever it is."""
    every = set(found)
    return every.pop() if len(every) == 1 else None
