"""Shapes and types of arrays, as far as literals carry through NumPy's common constructors."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.numbers import arrays, axes
from seqlint.facts.numbers.arrays import UNKNOWN, Array
from seqlint.facts.numbers.dtypes import joined, with_number
from seqlint.facts.numbers.sizes import Sizes
from seqlint.facts.values.values import bound
from seqlint.knowledge import array_constructors as constructors

if TYPE_CHECKING:
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.scopes import Binding
    from seqlint.facts.flow.call_graph import CallGraph
    from seqlint.facts.numbers.numbers import Numbers
    from seqlint.facts.values.values import Value, Values
    from seqlint.knowledge.array_constructors import Constructor
    from seqlint.model import KerasLine

MAX_STEPS = 8
_KEEP = frozenset({"copy", "round", "clip"})
_FLAT = frozenset({"flatten", "ravel"})
_SECOND = {
    "numpy.full_like": ("first", "fill_value", "dtype"), "numpy.stack": ("first", "axis"), "tensorflow.stack": ("first", "axis"),
}  # fmt: skip
_COMPREHENSIONS = (cst.ListComp, cst.GeneratorExp)


class Shapes:
    """The arrays of one file."""

    def __init__(
        self, names: Names, values: Values, numbers: Numbers, calls: CallGraph, keras: frozenset[KerasLine]
    ) -> None:
        self._names = names
        self._values = values
        self._numbers = numbers
        self._calls = calls
        self._keras = keras
        self._found: dict[tuple[cst.BaseExpression, int], list[Array]] = {}
        self._sizes = Sizes(names, values, numbers, lambda node, steps: self._of(node, steps).shape)

    def of(self, node: cst.BaseExpression) -> Array:
        """What an expression surely is, as an array; an empty `Array` where nothing is known."""
        return arrays.agreed(self.all(node))

    def all(self, node: cst.BaseExpression) -> tuple[Array, ...]:
        """What an expression can be, one for each place that makes it; an empty `Array` for what is unknown."""
        return tuple(dict.fromkeys(self._all(node, MAX_STEPS)))

    def dtype(self, node: cst.BaseExpression) -> str | None:
        """The type of elements that an expression such as `np.float32`, `"float32"` or `float` names."""
        return self._sizes.dtype(node)

    def length(self, node: cst.BaseExpression) -> int | None:
        """The size of the first axis, if it is known."""
        found = self.of(node).shape
        return found[0] if found else None

    def _of(self, node: cst.BaseExpression, steps: int) -> Array:
        return arrays.agreed(self._all(node, steps)) if steps > 0 else UNKNOWN

    def _all(self, node: cst.BaseExpression, steps: int) -> list[Array]:
        if (node, steps) not in self._found:
            self._found[node, steps] = self._made_by(node, steps)
        return self._found[node, steps]

    def _made_by(self, node: cst.BaseExpression, steps: int) -> list[Array]:
        if isinstance(node, cst.Attribute) and node.attr.value == "T":
            return [arrays.turned(self._of(node.value, steps - 1))]
        bindings = self._names.reaching(node) if isinstance(node, cst.Name) else ()
        kinds = {binding.kind for binding in bindings}
        if "augment" in kinds or kinds == {"assign"}:
            return [self._before(binding, steps) for binding in bindings]
        return [self._written(value, steps) for value in self._numbers.sources(node)]

    def _before(self, binding: Binding, steps: int) -> Array:
        """`x /= 255` keeps shape and type of an array."""
        if binding.kind == "augment" and isinstance(binding.node, cst.Name):
            whole = self._of(binding.node, steps - 1) if self._names.reaching(binding.node) != (binding,) else UNKNOWN
            return whole if whole.rank else UNKNOWN
        return self._of(binding.value, steps - 1) if binding.kind == "assign" and binding.value is not None else UNKNOWN

    def _written(self, value: Value, steps: int) -> Array:
        if isinstance(value, cst.Call):
            return self._call(value, steps)
        if isinstance(value, cst.BinaryOperation):
            return self._operation(value, steps)
        if isinstance(value, cst.UnaryOperation) and isinstance(value.operator, cst.Minus):
            return self._of(value.expression, steps - 1)
        return self._part(value, steps) if isinstance(value, cst.Subscript) else UNKNOWN

    # -- calls ------------------------------------------------------------------------------------------------------

    def _call(self, call: cst.Call, steps: int) -> Array:
        name = self._names.qualified(call.func) or ""
        if name in constructors.CONSTRUCTORS:
            return self._made(call, constructors.CONSTRUCTORS[name], steps)
        if name.startswith(("numpy.", "tensorflow.", "keras.")):
            return self._function(call, name, steps)
        returned = self._calls.returned(call)
        if returned is not None:
            return arrays.agreed([self._of(value, steps - 1) for value in returned])
        if isinstance(call.func, cst.Attribute) and not name:
            return self._method(call, call.func, steps)
        return UNKNOWN

    def _made(self, call: cst.Call, how: Constructor, steps: int) -> Array:
        given = bound(call, how.parameters)
        if any(argument.star for argument in call.args):
            return UNKNOWN
        dtype = self._sizes.dtype(given["dtype"].value) if "dtype" in given else how.dtype
        if dtype is None and "dtype" not in given and "fill_value" in given:
            dtype = self._item(given["fill_value"].value, steps - 1).dtype
        if how.shape not in given:
            return Array((), dtype)
        return Array(self._sizes.shape(given[how.shape].value, steps), dtype)

    def _function(self, call: cst.Call, name: str, steps: int) -> Array:
        if name in constructors.DIMENSIONS:
            return self._by_dimensions(call)
        given = bound(call, ("first", "second", "third"))
        if "first" not in given or any(argument.star for argument in call.args):
            return UNKNOWN
        first = given["first"].value
        if name == "numpy.arange":
            return self._arange(call)
        if name == "numpy.linspace":
            count = bound(call, ("start", "stop", "num")).get("num")
            return Array((self._sizes.one(count.value) if count is not None else 50,), "float64")
        if name == "numpy.eye":
            return Array(self._sizes.all([first, given["second"].value if "second" in given else first]), "float64")
        if name == "keras.utils.to_categorical":
            return self._categorical(call, steps)
        if name == "numpy.reshape" and "second" in given:
            return self._reshaped(self._of(first, steps - 1), [given["second"].value], steps)
        if name == "numpy.expand_dims":
            return self._expanded(call, steps)
        if name in constructors.JOINS:
            return self._concatenated(call, first, steps)
        return self._converted(call, name, first, steps)

    def _converted(self, call: cst.Call, name: str, first: cst.BaseExpression, steps: int) -> Array:
        """What a function that keeps the shape of its first argument gives."""
        given = bound(call, _SECOND.get(name, ("first", "dtype")))
        if name in constructors.STACKS | constructors.LIKE | constructors.CASTS:
            whole = self._of_list(first, steps) if name in constructors.STACKS else self._of(first, steps - 1)
            whole = Array(None, whole.dtype) if "axis" in given or "ndmin" in given else whole
            return replace(whole, dtype=self._sizes.dtype(given["dtype"].value)) if "dtype" in given else whole
        if name == "numpy.random.permutation" and isinstance(self._numbers.value(first), int):
            return Array((self._sizes.one(first),), "int64")
        if name in constructors.SAME:
            return self._of(first, steps - 1)
        cast = self._sizes.dtype(call.func)
        return replace(self._of(first, steps - 1), dtype=cast) if cast is not None else UNKNOWN

    def _by_dimensions(self, call: cst.Call) -> Array:
        """`np.random.rand(40, 3)`."""
        return Array(self._sizes.all([argument.value for argument in call.args]), "float64")

    def _method(self, call: cst.Call, func: cst.Attribute, steps: int) -> Array:
        name, given = func.attr.value, [argument.value for argument in call.args if not argument.star]
        by_size = constructors.METHODS.get(name)
        drawn = by_size is not None or f"numpy.random.{name}" in constructors.DIMENSIONS
        maker = self._values.only(func.value) if drawn else None
        if isinstance(maker, cst.Call) and self._names.qualified(maker.func) in constructors.GENERATORS:
            return self._made(call, by_size, steps) if by_size is not None else self._by_dimensions(call)
        whole = self._of(func.value, steps - 1)
        if name == "astype" and given:
            return replace(whole, dtype=self._sizes.dtype(given[0]))
        if name == "reshape" and len(given) == len(call.args):
            return self._reshaped(whole, given, steps)
        if name in _FLAT:
            return Array(axes.reshaped(whole.shape, (-1,)), whole.dtype)
        return whole if name in _KEEP else UNKNOWN

    def _arange(self, call: cst.Call) -> Array:
        given = bound(call, ("start", "stop", "step", "dtype"))
        bounds = [self._numbers.value(given[name].value) for name in ("start", "stop", "step") if name in given]
        whole = [each for each in bounds if isinstance(each, int)]
        dtype = self._sizes.dtype(given["dtype"].value) if "dtype" in given else None
        if whole != bounds or (len(whole) == 3 and whole[2] == 0):
            return Array((None,), dtype)
        return Array((len(range(*whole)),), dtype if "dtype" in given else "int64")

    def _categorical(self, call: cst.Call, steps: int) -> Array:
        """Keras 3 makes float64, Keras 2 float32; an axis of one at the end is left out."""
        given = bound(call, ("x", "num_classes", "dtype"))
        inner = self._of_list(given["x"].value, steps).shape if "x" in given else None
        dtype = "float64" if "2" not in self._keras else "float32" if self._keras == {"2"} else None
        many = self._sizes.one(given["num_classes"].value) if "num_classes" in given else None
        if "dtype" in given:
            dtype = self._sizes.dtype(given["dtype"].value)
        if inner is None or (len(inner) > 1 and inner[-1] is None):
            return Array(None, dtype)
        return Array((*(inner[:-1] if len(inner) > 1 and inner[-1] == 1 else inner), many), dtype)

    def _expanded(self, call: cst.Call, steps: int) -> Array:
        given = bound(call, ("a", "axis"))
        whole = self._of(given["a"].value, steps - 1) if "a" in given else UNKNOWN
        axis = self._sizes.one(given["axis"].value) if "axis" in given else None
        if whole.shape is None or axis is None or not -len(whole.shape) - 1 <= axis <= len(whole.shape):
            return replace(whole, shape=None)
        at = axis if axis >= 0 else len(whole.shape) + 1 + axis
        return replace(whole, shape=(*whole.shape[:at], 1, *whole.shape[at:]))

    def _reshaped(self, whole: Array, given: list[cst.BaseExpression], steps: int) -> Array:
        wanted = self._sizes.shape(given[0], steps) if len(given) == 1 else self._sizes.all(given)
        return replace(whole, shape=axes.reshaped(whole.shape, wanted))

    def _concatenated(self, call: cst.Call, parts: cst.BaseExpression, steps: int) -> Array:
        value = self._values.only(parts)
        if len(call.args) > 1 or not isinstance(value, (cst.List, cst.Tuple)) or self._numbers.grows(value):
            return UNKNOWN
        found = [self._of(element.value, steps - 1) for element in value.elements]
        return Array(axes.joined([each.shape for each in found]), axes.agreed([each.dtype for each in found]))

    # -- lists ------------------------------------------------------------------------------------------------------

    def _of_list(self, node: cst.BaseExpression, steps: int) -> Array:
        """The array that a list of rows, or of numbers, becomes."""
        value = self._values.only(node)
        if steps == 0 or value is None or self._numbers.grows(value):
            return UNKNOWN
        if isinstance(value, _COMPREHENSIONS):
            return arrays.rows(None, self._item(value.elt, steps - 1))
        if not isinstance(value, (cst.List, cst.Tuple)):
            length = self._numbers.length(value) if isinstance(value, cst.Call) else None
            return Array((length,), "int64") if self._is_range(value) else self._of(node, steps - 1)
        items = [self._item(element.value, steps - 1) for element in value.elements]
        starred = any(isinstance(element, cst.StarredElement) for element in value.elements)
        if starred or not items:
            return UNKNOWN if starred else Array((0,), "float64")
        dtype = items[0].dtype
        for item in items[1:]:
            dtype = joined(dtype, item.dtype)
        return arrays.rows(len(items), Array(axes.merged([item.shape for item in items]), dtype))

    def _item(self, node: cst.BaseExpression, steps: int) -> Array:
        number = self._numbers.value(node)
        if number is not None:
            return arrays.number(number)
        constant = self._values.constant(node)
        if constant is not None and isinstance(constant.value, bool):
            return Array((), "bool")
        found = self._of(node, steps)
        return (
            found
            if found != UNKNOWN
            else self._of_list(node, steps)
            if isinstance(node, (cst.List, cst.Tuple))
            else UNKNOWN
        )

    def _is_range(self, value: cst.BaseExpression) -> bool:
        return isinstance(value, cst.Call) and self._names.qualified(value.func) == "builtins.range"

    # -- operators --------------------------------------------------------------------------------------------------

    def _operation(self, node: cst.BinaryOperation, steps: int) -> Array:
        if isinstance(node.operator, cst.MatrixMultiply):
            return UNKNOWN
        for array, other in ((node.left, node.right), (node.right, node.left)):
            number = self._numbers.value(other)
            if number is not None:
                whole = self._of(array, steps - 1)
                return replace(whole, dtype=with_number(whole.dtype, node.operator, number))
        one, other_array = self._of(node.left, steps - 1), self._of(node.right, steps - 1)
        dtype = joined(one.dtype, other_array.dtype, node.operator)
        return Array(axes.broadcast(one.shape, other_array.shape), dtype)

    def _takes_some(self, index: cst.BaseExpression, steps: int) -> bool:
        """Whether an index is `slice(...)` or an array of row numbers: the axis stays, with fewer items."""
        value = self._values.only(index)
        if isinstance(value, cst.Call) and self._names.qualified(value.func) == "builtins.slice":
            return True
        return value is not None and self._of(value, steps - 1).rank == 1

    def _part(self, node: cst.Subscript, steps: int) -> Array:
        """`x[:32]`, `x[0]`, `x[..., np.newaxis]`."""
        whole = self._of(node.value, steps - 1)
        if whole.shape is None:
            return whole
        left, done = list(whole.shape), list[int | None]()
        for position, item in enumerate(node.slice):
            index = item.slice
            if self._sizes.is_new(index):
                done.append(1)
            elif isinstance(index, cst.Index) and isinstance(index.value, cst.Ellipsis):
                many = max(len(left) - sum(not self._sizes.is_new(o.slice) for o in node.slice[position + 1 :]), 0)
                done, left = [*done, *left[:many]], left[many:]
            elif isinstance(index, cst.Slice) and left:
                done.append(self._sizes.slice(index, left.pop(0)))
            elif isinstance(index, cst.Index) and self._sizes.one(index.value) is not None and left:
                left.pop(0)
            elif isinstance(index, cst.Index) and left and self._takes_some(index.value, steps):
                left.pop(0)
                done.append(None)
            else:
                return replace(whole, shape=None)
        return replace(whole, shape=(*done, *left))
