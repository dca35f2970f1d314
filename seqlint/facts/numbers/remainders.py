"""Whether two expressions are one number, and what a remainder such as `n % b` is tested for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import libcst as cst

if TYPE_CHECKING:
    from seqlint.facts.code.names import Names
    from seqlint.facts.numbers.numbers import Numbers
    from seqlint.facts.values.values import Values

Side = Literal["some", "none"]
Division = tuple[cst.BaseExpression, cst.BaseExpression]
"""What is divided by what."""
Key = tuple[object, ...]
MAX_STEPS = 8


class Remainders:
    """Remainders of divisions in one file."""

    def __init__(self, names: Names, values: Values, numbers: Numbers) -> None:
        self._names = names
        self._values = values
        self._numbers = numbers

    def tested(self, test: cst.BaseExpression, division: Division) -> Side | None:
        """Whether a condition holds where a rest is left ("some") or where none is; None if it asks something else."""
        if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
            found = self.tested(test.expression, division)
            return None if found is None else "none" if found == "some" else "some"
        if not isinstance(test, cst.Comparison):
            return "some" if self._is_remainder(test, division) else None
        part = test.comparisons[0]
        if len(test.comparisons) > 1 or not self._is_remainder(test.left, division):
            return None
        if self._numbers.value(part.comparator) != 0:
            return None
        if isinstance(part.operator, cst.Equal):
            return "none"
        return "some" if isinstance(part.operator, (cst.NotEqual, cst.GreaterThan)) else None

    def is_rest(self, node: cst.BaseExpression, division: Division) -> bool:
        """Whether an expression is 1 where a rest is left and 0 else: `n % b > 0`, `bool(n % b)`, `min(1, n % b)`."""
        if isinstance(node, cst.IfExp):
            given = (self._numbers.value(node.body), self._numbers.value(node.orelse))
            return (self.tested(node.test, division), *given) in (("some", 1, 0), ("none", 0, 1))
        if isinstance(node, cst.Call):
            return self._is_rest_call(node, division)
        return isinstance(node, (cst.Comparison, cst.UnaryOperation)) and self.tested(node, division) == "some"

    def _is_rest_call(self, call: cst.Call, division: Division) -> bool:
        name, given = self._names.qualified(call.func), [argument.value for argument in call.args]
        if name == "builtins.bool" and len(given) == 1:
            return self.tested(given[0], division) == "some"
        if name == "builtins.int" and len(given) == 1:
            return self.is_rest(given[0], division)
        if name != "builtins.min" or len(given) != 2:
            return False
        has_one = any(self._numbers.value(each) == 1 for each in given)
        return has_one and any(self._is_remainder(each, division) for each in given)

    def _is_remainder(self, node: cst.BaseExpression, division: Division) -> bool:
        value = self._values.only(node)
        if not isinstance(value, cst.BinaryOperation) or not isinstance(value.operator, cst.Modulo):
            return False
        return self.same(value.left, division[0]) and self.same(value.right, division[1])

    # -- equality ---------------------------------------------------------------------------------------------------

    def same(self, one: cst.BaseExpression, other: cst.BaseExpression) -> bool:
        """Whether two expressions are one number, if both are read at one time.

        They are equal literals, or spelled alike once names that are assigned once are followed (`n = len(self.paths)`).
        """
        known = self._numbers.value(one)
        if known is not None:
            return known == self._numbers.value(other)
        key = self._key(one, MAX_STEPS)
        return key is not None and key == self._key(other, MAX_STEPS)

    def _key(self, node: cst.BaseExpression, steps: int) -> Key | None:
        if steps == 0:
            return None
        if isinstance(node, cst.Name):
            bindings = self._names.reaching(node)
            value = bindings[0].value if len(bindings) == 1 and bindings[0].kind == "assign" else None
            return (self._key(value, steps - 1) if value is not None else None) or ("name", node.value, *bindings)
        if isinstance(node, cst.Attribute):
            inner = self._key(node.value, steps - 1)
            return None if inner is None else ("attribute", *inner, node.attr.value)
        if isinstance(node, cst.Call) and len(node.args) == 1 and not node.args[0].star:
            inner, name = self._key(node.args[0].value, steps - 1), self._names.qualified(node.func)
            return ("call", name, *inner) if inner is not None and name is not None else None
        if isinstance(node, cst.Subscript):
            return self._size_key(node, steps)
        known = self._numbers.value(node)
        return None if known is None else ("number", known)

    def _size_key(self, node: cst.Subscript, steps: int) -> Key | None:
        """`x.shape[0]` is `len(x)`."""
        index = node.slice[0].slice if len(node.slice) == 1 else None
        if not isinstance(node.value, cst.Attribute) or node.value.attr.value != "shape":
            return None
        if not isinstance(index, cst.Index) or self._numbers.value(index.value) != 0:
            return None
        inner = self._key(node.value.value, steps - 1)
        return None if inner is None else ("call", "builtins.len", *inner)
