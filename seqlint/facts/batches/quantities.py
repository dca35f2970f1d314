"""Whether two expressions of different functions are one number, and whose items a number counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

if TYPE_CHECKING:
    from seqlint.facts.classes.classes import Classes
    from seqlint.facts.code.names import Names
    from seqlint.facts.numbers.numbers import Numbers
    from seqlint.facts.training.fit_bindings import FitBindings, Variable
    from seqlint.facts.values.values import Values

_STEPS = 4
_READ = (cst.Name, cst.Attribute, cst.Subscript)
_NUMBERED = ("numpy.arange", "builtins.range", "numpy.random.permutation")
_WHOLES = ("iloc", "index", "values")  # of a frame: as many as it has rows
_KEEP_LENGTH = frozenset({
    "builtins.list", "builtins.sorted", "builtins.tuple", "numpy.array", "numpy.asarray", "numpy.random.permutation",
})  # fmt: skip

_KEEP_ROWS = frozenset({"astype", "copy", "fillna", "reset_index", "sort_values", "to_list", "to_numpy", "tolist"})


class Quantities:
    """Sizes that a class keeps: attributes of `self`, arguments of its constructor, lengths."""

    def __init__(
        self, names: Names, values: Values, classes: Classes, numbers: Numbers, fit_bindings: FitBindings
    ) -> None:
        self._names = names
        self._values = values
        self._classes = classes
        self._numbers = numbers
        self._fit_bindings = fit_bindings

    def same(self, one: cst.BaseExpression, other: cst.BaseExpression) -> bool:
        """Whether two expressions are one number, be they read in different functions: equal literals, or one variable."""
        if isinstance(one, cst.Integer) and isinstance(other, cst.Integer):
            return one.evaluated_value == other.evaluated_value
        if isinstance(one, _READ) and isinstance(other, _READ):
            found = self.variable(one)
            if found is not None and found == self.variable(other):
                return True
        known = self._numbers.value(one)
        return known is not None and known > 1 and known == self._numbers.value(other)

    def counted(self, node: cst.BaseExpression) -> frozenset[Variable]:
        """The variables whose items a number counts: `len(self.paths)`, `self.paths.shape[0]`, an attribute that holds it."""
        return self._counted(node, _STEPS)

    def same_items(self, number: cst.BaseExpression, items: cst.BaseExpression) -> bool:
        """Whether a number counts the items of a collection, or of what gives it its length."""
        return not self.counted(number).isdisjoint(self._as_long_as(items, _STEPS))

    def variable(self, node: cst.BaseExpression) -> Variable | None:
        """The variable that an expression reads; an attribute of `self` is one for a class and those made from it.

        `self.data["x"]` is a variable of its own, as long as the code only puts names in the brackets.
        """
        if isinstance(node, cst.Subscript):
            return self._entry(node)
        found = self._fit_bindings.variable(node)
        if found is not None and isinstance(found[0], cst.ClassDef):
            return self._classes.of(found[0]).lineage[-1].node, found[1]
        if isinstance(node, cst.Attribute) and (owner := self._values.self_class(node.value)) is not None:
            return found or (self._classes.of(owner).lineage[-1].node, node.attr.value)
        bindings = self._names.reaching(node) if isinstance(node, cst.Name) else ()
        value = bindings[0].value if len(bindings) == 1 and bindings[0].kind == "assign" else None
        return self.variable(value) if isinstance(value, cst.Attribute) else found

    def _entry(self, node: cst.Subscript) -> Variable | None:
        """`self.data["x"]`: what a dict holds under a name."""
        index = node.slice[0].slice if len(node.slice) == 1 else None
        key = index.value if isinstance(index, cst.Index) else None
        held = self.variable(node.value) if isinstance(key, cst.SimpleString) else None
        if held is None or not isinstance(key, cst.SimpleString):
            return None
        return held[0], f"{held[1]}[{key.evaluated_value!r}]"

    def _counted(self, node: cst.BaseExpression, steps: int) -> frozenset[Variable]:
        if steps == 0:
            return frozenset()
        found: frozenset[Variable] = frozenset()
        for value in (node, *self._values.of(node)):
            items = self._measured(value) if value is not None else None
            found |= self._as_long_as(items, steps - 1) if items is not None else frozenset()
        return found

    def _measured(self, node: cst.BaseExpression) -> cst.BaseExpression | None:
        """The x of `len(x)` and `x.shape[0]`."""
        if isinstance(node, cst.Call):
            is_len = self._names.qualified(node.func) == "builtins.len" and len(node.args) == 1
            return node.args[0].value if is_len else None
        if not isinstance(node, cst.Subscript) or not isinstance(node.value, cst.Attribute) or len(node.slice) != 1:
            return None
        index = node.slice[0].slice
        is_first = isinstance(index, cst.Index) and isinstance(index.value, cst.Integer) and index.value.value == "0"
        return node.value.value if is_first and node.value.attr.value == "shape" else None

    def _as_long_as(self, items: cst.BaseExpression, steps: int) -> frozenset[Variable]:
        """The variable of a collection, and of what it is as long as: `np.arange(len(self.paths))`, `list(paths)`, `frame.iloc`."""
        while (
            isinstance(items, cst.Attribute)
            and items.attr.value in _WHOLES
            and not self._values.self_class(items.value)
        ):
            items = items.value
        variable = self.variable(items)
        found = frozenset({variable}) if variable is not None else frozenset()
        for value in self._values.of(items) if steps else ():
            if (same := _whole(value)) is not None:
                found |= self._as_long_as(same, steps - 1)
            name = self._names.qualified(value.func) if isinstance(value, cst.Call) else None
            if not isinstance(value, cst.Call) or name is None or len(value.args) != 1:
                continue
            inner = value.args[0].value
            if name in _NUMBERED:
                found |= self._counted(inner, steps - 1)
            if name in _KEEP_LENGTH:
                found |= self._as_long_as(inner, steps - 1)
        return found


def _whole(value: cst.BaseExpression | None) -> cst.BaseExpression | None:
    """What has as many rows: `frame` for `frame.drop(columns="age")`, `frame.to_numpy()`, `frame["age"]` and `frame[["age", "sex"]]`."""
    if isinstance(value, cst.Subscript) and len(value.slice) == 1:
        index = value.slice[0].slice
        key = index.value if isinstance(index, cst.Index) else None
        names = [e.value for e in key.elements] if isinstance(key, cst.List) else [key]
        return value.value if names and all(isinstance(name, cst.SimpleString) for name in names) else None
    if not isinstance(value, cst.Call) or not isinstance(value.func, cst.Attribute):
        return None
    method = value.func.attr.value
    named = {argument.keyword.value for argument in value.args if argument.keyword is not None}
    kept = method in _KEEP_ROWS or (method == "drop" and "columns" in named and not named & {"index", "labels"})
    return value.func.value if kept else None
