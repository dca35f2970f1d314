"""Numbers: literals worked out through names and attributes, and the length of what is written out."""

from __future__ import annotations

import math
import operator
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.scopes import parameters

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.values.values import Value, Values

Number = int | float
MAX_STEPS = 8
MAX_OPEN = 60
_LARGEST = 10**12  # beyond it nobody counts samples, and `2 ** n` would take its time
_OPERATORS: dict[type[cst.BaseBinaryOp], Callable[[Number, Number], Number]] = {
    cst.Add: operator.add, cst.Subtract: operator.sub, cst.Multiply: operator.mul, cst.Divide: operator.truediv,
    cst.FloorDivide: operator.floordiv, cst.Modulo: operator.mod, cst.Power: operator.pow,
}  # fmt: skip
_FUNCTIONS: dict[str, Callable[..., Number]] = {
    "builtins.int": int, "builtins.float": float, "builtins.abs": abs, "builtins.max": max, "builtins.min": min,
    "builtins.round": round, "math.ceil": math.ceil, "math.floor": math.floor, "math.trunc": math.trunc,
    "numpy.ceil": lambda x: float(math.ceil(x)), "numpy.floor": lambda x: float(math.floor(x)),
    "numpy.int32": int, "numpy.int64": int, "numpy.float32": float, "numpy.float64": float,
}  # fmt: skip


_GROWS = ("append", "clear", "extend", "insert", "pop", "remove")


class Numbers:
    """The numbers that expressions of one file surely are."""

    def __init__(
        self, tree: Tree, names: Names, values: Values, length: Callable[[cst.BaseExpression], int | None]
    ) -> None:
        """Numbers of a file.

        Args:
            length: how many items an array has along its first axis, where that is known.
        """
        self._tree = tree
        self._names = names
        self._below: dict[cst.ClassDef, tuple[cst.ClassDef, ...]] = {}
        self._values = values
        self._length = length
        self._found: dict[tuple[cst.BaseExpression, int], tuple[Number | None, ...]] = {}
        # What is being worked out: `x = np.zeros(len(x))` in a loop leads back to itself.
        self._open: set[cst.BaseExpression] = set()
        self._measured: set[cst.BaseExpression] = set()

    def value(self, node: cst.BaseExpression) -> Number | None:
        """The number that an expression surely is, through names, attributes, arguments and arithmetic."""
        found = self.values(node)
        return found[0] if len(found) == 1 else None

    def values(self, node: cst.BaseExpression) -> tuple[Number | None, ...]:
        """Every number that an expression can be; None stands for anything else."""
        return self._all(node, MAX_STEPS)

    def _all(self, node: cst.BaseExpression, steps: int) -> tuple[Number | None, ...]:
        if node in self._open or len(self._open) > MAX_OPEN:
            return (None,)
        if (node, steps) not in self._found:
            self._open.add(node)
            numbers = (self._number(value, steps) for value in self.sources(node))
            # 100 and 100.0 are equal, and not the same: Keras takes the one for a number of steps, and not the other.
            self._found[node, steps] = tuple({(type(number), number): number for number in numbers}.values())
            self._open.discard(node)
        return self._found[node, steps]

    def _one(self, node: cst.BaseExpression, steps: int) -> Number | None:
        found = self._all(node, steps) if steps else (None,)
        return found[0] if len(found) == 1 else None

    def _number(self, value: Value, steps: int) -> Number | None:
        if isinstance(value, (cst.Integer, cst.Float)):
            return value.evaluated_value
        if isinstance(value, cst.UnaryOperation) and isinstance(value.operator, cst.Minus):
            inner = self._one(value.expression, steps - 1)
            return None if inner is None else -inner
        if isinstance(value, cst.BinaryOperation):
            return self._operation(value, steps)
        if isinstance(value, cst.Call):
            return self._call(value, steps)
        if isinstance(value, cst.Subscript):
            return self._size(value)
        return None

    def _operation(self, node: cst.BinaryOperation, steps: int) -> Number | None:
        function = _OPERATORS.get(type(node.operator))
        left, right = self._one(node.left, steps - 1), self._one(node.right, steps - 1)
        if function is None or left is None or right is None:
            return None
        if isinstance(node.operator, cst.Power) and (abs(right) > 64 or abs(left) > 1024):
            return None
        return _computed(function, left, right)

    def _call(self, call: cst.Call, steps: int) -> Number | None:
        name = self._names.qualified(call.func) or ""
        if not call.args or any(argument.star or argument.keyword is not None for argument in call.args):
            return None
        if name == "builtins.len":
            return self.length(call.args[0].value)
        if name not in _FUNCTIONS:
            return None
        given = [self._one(argument.value, steps - 1) for argument in call.args]
        return _computed(_FUNCTIONS[name], *(each for each in given if each is not None)) if None not in given else None

    def _size(self, node: cst.Subscript) -> int | None:
        """`images.shape[0]`."""
        array = node.value.value if isinstance(node.value, cst.Attribute) and node.value.attr.value == "shape" else None
        first = node.slice[0].slice if len(node.slice) == 1 else None
        is_first = isinstance(first, cst.Index) and isinstance(first.value, cst.Integer) and first.value.value == "0"
        return self._length(array) if array is not None and is_first else None

    # -- lengths ----------------------------------------------------------------------------------------------------

    def length(self, node: cst.BaseExpression) -> int | None:
        """How many items a literal, a range or an array of known shape surely has."""
        if node in self._measured or len(self._measured) > MAX_OPEN:
            return None
        self._measured.add(node)
        found = {self._items(value) for value in self.sources(node)}
        self._measured.discard(node)
        return found.pop() if len(found) == 1 else None

    def _items(self, value: Value) -> int | None:
        if isinstance(value, (cst.Tuple, cst.List)):
            return None if self.grows(value) or _has_star(value) else len(value.elements)
        if isinstance(value, cst.SimpleString):
            return len(value.evaluated_value)
        if isinstance(value, cst.Call):
            name = self._names.qualified(value.func)
            if name == "builtins.range":
                return self._steps(value)
            if name in ("builtins.list", "builtins.tuple", "builtins.sorted") and len(value.args) == 1:
                return None if self.grows(value) else self.length(value.args[0].value)
        if isinstance(value, cst.BinaryOperation) and isinstance(value.operator, cst.Multiply):
            return None if self.grows(value) else self._repeated(value)
        return self._length(value) if value is not None else None

    def _steps(self, call: cst.Call) -> int | None:
        bounds = [self.value(argument.value) for argument in call.args]
        whole = [bound for bound in bounds if isinstance(bound, int)]
        if not whole or len(whole) != len(bounds) or len(whole) > 3 or (len(whole) == 3 and whole[2] == 0):
            return None
        return len(range(*whole))

    def _repeated(self, node: cst.BinaryOperation) -> int | None:
        """`["a", "b"] * 32`."""
        many = self.value(node.right)
        if isinstance(node.left, (cst.List, cst.Tuple)) and isinstance(many, int) and not _has_star(node.left):
            return len(node.left.elements) * max(many, 0)
        return self._length(node)

    def grows(self, collection: cst.BaseExpression) -> bool:
        """Whether a method such as `append` is called on anything that can be this list."""
        return collection in self._growing

    @cached_property
    def _growing(self) -> frozenset[Value]:
        methods = (node for name in _GROWS for node in self._tree.attributes(name))
        called = (
            node for node in methods if isinstance(call := self._tree.parents[node], cst.Call) and call.func is node
        )
        return frozenset(value for node in called for value in self._values.of(node.value))

    # -- where a number comes from ----------------------------------------------------------------------------------

    def sources(self, node: cst.BaseExpression) -> tuple[Value, ...]:
        """The expressions that compute a value, also `feed.batch_size` of an instance that this file makes."""
        found: list[Value] = []
        for value in self._values.of(node):
            found += self._of_attribute(node) if value is None and isinstance(node, cst.Attribute) else [value]
        if isinstance(node, cst.Attribute):
            found += self._of_others(node)
        return tuple(dict.fromkeys(found))

    def _of_others(self, node: cst.Attribute) -> Iterator[Value]:
        """What subclasses of this file give an attribute of `self`, and None where something outside stores to it."""
        owner = self._values.self_class(node.value)
        for below in self._subclasses(owner) if owner is not None else ():
            for stored in self._values.attribute_values(below, node.attr.value):
                yield from (None,) if stored is None else self._values.of(stored)
        if self._set_from_outside(node.attr.value):
            yield None

    def _subclasses(self, owner: cst.ClassDef) -> tuple[cst.ClassDef, ...]:
        if owner not in self._below:
            every = self._tree.all(cst.ClassDef)
            self._below[owner] = tuple(below for below in every if self._inherits(below, owner, MAX_STEPS))
        return self._below[owner]

    def _inherits(self, below: cst.ClassDef, owner: cst.ClassDef | None, steps: int) -> bool:
        bases = [self._names.definition(base.value) for base in below.bases] if steps else []
        return owner in bases or any(
            isinstance(base, cst.ClassDef) and self._inherits(base, owner, steps - 1) for base in bases
        )

    def _set_from_outside(self, name: str) -> bool:
        """Whether something other than a method of its own class stores an attribute of this name."""
        stores = self._tree.attributes(name)
        return any(self._values.stored(node) and self._values.self_class(node.value) is None for node in stores)

    def _of_attribute(self, node: cst.Attribute) -> Iterator[Value]:
        made = self._names.definition(node.value)
        if self._values.self_class(node.value) is not None:
            yield None
            return
        if isinstance(made, cst.ClassDef):  # `Config.batch`
            for stored in self._values.attribute_values(made, node.attr.value) or (None,):
                yield from (None,) if stored is None else self._values.of(stored)
            return
        for call in self._values.of(node.value):
            owner = self._names.definition(call.func) if isinstance(call, cst.Call) else None
            if isinstance(call, cst.Call) and isinstance(owner, cst.ClassDef):
                yield from self._given(call, self._values.attribute_values(owner, node.attr.value) or (None,))
            else:
                yield None

    def _given(self, call: cst.Call, stored: tuple[Value, ...]) -> Iterator[Value]:
        """What an instance holds that one call makes: an argument of that call, where a parameter was stored."""
        for value in stored:
            function = self._parameter_of(value)
            if value is None or function is None:
                yield from (None,) if value is None else self._values.of(value)
                continue
            assert isinstance(value, cst.Name)
            given = self._values.passed(call, function, value.value)
            default = next((p.default for p in parameters(function.params) if p.name.value == value.value), None)
            unpacked = any(argument.star for argument in call.args)
            found = given or (None if unpacked else default)
            yield from (None,) if found is None else self._values.of(found)

    def _parameter_of(self, value: Value) -> cst.FunctionDef | None:
        """The `__init__` whose parameter a name is."""
        bindings = self._names.reaching(value) if isinstance(value, cst.Name) else ()
        if len(bindings) != 1 or bindings[0].kind != "parameter":
            return None
        function = self._tree.function(bindings[0].node)
        return function if function is not None and function.name.value == "__init__" else None


def _has_star(node: cst.Tuple | cst.List) -> bool:
    return any(isinstance(element, cst.StarredElement) for element in node.elements)


def _computed(function: Callable[..., Number], *given: Number) -> Number | None:
    try:
        found = function(*given)
    except (ArithmeticError, TypeError, ValueError):
        return None
    return found if isinstance(found, (int, float)) and abs(found) < _LARGEST else None
