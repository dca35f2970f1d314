"""Quotients such as `len(self.paths) // self.batch_size`, with the rounding that is meant."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.numbers.dtypes import dtype_of, is_whole
from seqlint.facts.numbers.remainders import Remainders
from seqlint.facts.numbers.rounding import NEAREST, TO_FLOAT, TO_INT, Count, Rounding, as_int, converted, rounded_to
from seqlint.facts.numbers.sums import Sums, terms

if TYPE_CHECKING:
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.scopes import Binding
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.flow.call_graph import CallGraph
    from seqlint.facts.numbers.numbers import Numbers
    from seqlint.facts.values.values import Values

MAX_STEPS = 8


class Counts:
    """The quotients of one file."""

    def __init__(self, tree: Tree, names: Names, values: Values, numbers: Numbers, calls: CallGraph) -> None:
        self._tree = tree
        self._names = names
        self._values = values
        self._calls = calls
        self._numbers = numbers
        self._remainders = Remainders(names, values, numbers)
        self._sums = Sums(numbers, self._remainders)
        self._found: dict[tuple[cst.BaseExpression, int], Count | None] = {}

    def of(self, node: cst.BaseExpression) -> Count | None:
        """The quotient that an expression surely is, through names, attributes and functions; None for anything else."""
        return self._of(node, MAX_STEPS)

    def all(self, node: cst.BaseExpression) -> tuple[Count | None, ...]:
        """Every quotient that an expression can be; None stands for anything else."""
        found = self._of(node, MAX_STEPS)
        if found is not None:
            return (found,)
        return tuple(None if v is None else self._written(v, MAX_STEPS) for v in self._numbers.sources(node))

    def returned(self, function: cst.FunctionDef) -> tuple[Count | None, ...]:
        """The quotients that a function can return, such as those of a `__len__`; None stands for anything else.

        `if n % b: return n // b + 1`, with `return n // b` behind it, is one: the ceiling.
        """
        return self._returned(function, MAX_STEPS)

    def _returned(self, function: cst.FunctionDef, steps: int) -> tuple[Count | None, ...]:
        given = [(r, r.value) for r in self._values.own(function, cst.Return)]
        found = {r: None if value is None else self._of(value, steps) for r, value in given}
        counts = [count for count in found.values() if count is not None]
        tests = (node for node in self._tree.inside(function, cst.If))
        if len(counts) == len(found) == 2 and {"floor", "floor-plus-one"} == {count.kind for count in counts}:
            low, high = sorted(counts, key=lambda count: count.kind)
            homes = {count.node: statement for statement, count in found.items() if count is not None}
            if any(self._separates(test, homes[low.node], homes[high.node], low) for test in tests):
                return (replace(low, kind="ceil"),)
        return tuple(found.values())

    def same(self, one: cst.BaseExpression, other: cst.BaseExpression) -> bool:
        """Whether two expressions are one number, if both are read at one time: equal literals, or one spelling."""
        return self._remainders.same(one, other)

    # -- forms ------------------------------------------------------------------------------------------------------

    def _of(self, node: cst.BaseExpression, steps: int) -> Count | None:
        if steps == 0:
            return None
        if (node, steps) not in self._found:
            self._found[node, steps] = self._followed(node, steps)
        return self._found[node, steps]

    def _followed(self, node: cst.BaseExpression, steps: int) -> Count | None:
        if (found := self._chosen(node, steps)) is not None:
            return found
        if isinstance(node, cst.Name):
            bindings = self._names.reaching(node)
            if len(bindings) == 1 and bindings[0].kind == "assign" and bindings[0].value is not None:
                return self._of(bindings[0].value, steps - 1)
            if (found := self._stepwise(node, steps)) is not None:
                return found
        if isinstance(node, cst.Call) and self._calls.returned(node):
            return self._by_function(node, steps)
        if (getter := self._values.getters.of(node)) is not None:
            inner = self._returned(getter, steps - 1)
            return inner[0] if len(inner) == 1 else None
        found_all = [None if v is None else self._written(v, steps) for v in self._numbers.sources(node)]
        return found_all[0] if len(found_all) == 1 else None

    def _by_function(self, call: cst.Call, steps: int) -> Count | None:
        function = self._calls.called(call)  # `self._count()`
        inner = self._returned(function, steps - 1) if function is not None and steps else ()
        return inner[0] if len(inner) == 1 else None

    def _written(self, node: cst.BaseExpression, steps: int) -> Count | None:
        if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Minus):
            return self._negated(node)
        if isinstance(node, cst.BinaryOperation):
            return self._operation(node, steps)
        if isinstance(node, cst.Call):
            return self._by_function(node, steps) if self._calls.returned(node) else self._call(node, steps)
        if isinstance(node, cst.Subscript):
            return self._divmod(node)
        return self._chosen(node, steps)

    def _operation(self, node: cst.BinaryOperation, steps: int) -> Count | None:
        if isinstance(node.operator, cst.Divide):
            return Count("true", self._plain(node.left), self._plain(node.right), node, is_int=False)
        if isinstance(node.operator, cst.FloorDivide):
            rounded = self._rounded_up(node)
            numerator = self._plain(node.left) if rounded is None else rounded
            kind: Rounding = "floor" if rounded is None else "ceil"
            floats = self._is_float(node.left) or self._is_float(node.right)
            return Count(kind, numerator, self._plain(node.right), node, is_int=not floats)
        if isinstance(node.operator, cst.Add):
            return self._plus(node.left, node.right, node, steps) or self._plus(node.right, node.left, node, steps)
        return None

    def _is_float(self, node: cst.BaseExpression) -> bool:
        if isinstance(node, cst.Call):
            return self._names.qualified(node.func) in TO_FLOAT
        return isinstance(self._numbers.value(node), float)

    def _rounded_up(self, node: cst.BinaryOperation) -> cst.BaseExpression | None:
        """The n of `(n + b - 1) // b`, in any order of the terms."""
        parts = list(terms(node.left))
        for sign, term in parts if len(parts) > 1 else ():
            rest = [(other_sign, other) for other_sign, other in parts if other is not term]
            if sign > 0 and self._sums.one_less(rest, node.right):
                return term
        return None

    def _plus(
        self, one: cst.BaseExpression, more: cst.BaseExpression, node: cst.BinaryOperation, steps: int
    ) -> Count | None:
        """`n // b + 1`, `(n - 1) // b + 1`, `n // b + (n % b > 0)`."""
        count = self._of(one, steps - 1)
        if count is None or count.kind != "floor":
            return None
        if self._numbers.value(more) == 1:
            less_one = self._sums.less_one(count.numerator)
            if less_one is not None:
                return replace(count, kind="ceil", numerator=less_one, node=node)
            if any(sign < 0 for sign, _ in terms(count.numerator)):
                return self._whole_windows(count, node)
            return replace(count, kind="floor-plus-one", node=node)
        return replace(count, kind="ceil", node=node) if self._remainders.is_rest(more, count.division) else None

    def _whole_windows(self, count: Count, node: cst.BinaryOperation) -> Count | None:
        """`(n - b) // b + 1`, the windows of n rows that are full: `n // b`. None where something else is taken off."""
        parts = list(terms(count.numerator))
        whole = [term for sign, term in parts if sign > 0]
        if len(parts) != 2 or len(whole) != 1 or not any(self.same(t, count.denominator) for s, t in parts if s < 0):
            return None
        return replace(count, kind="floor", numerator=whole[0], node=node)

    def _negated(self, node: cst.UnaryOperation) -> Count | None:
        """`-(-n // b)` is the ceiling."""
        inner = node.expression
        if not isinstance(inner, cst.BinaryOperation) or not isinstance(inner.operator, cst.FloorDivide):
            return None
        for side, other in ((inner.left, inner.right), (inner.right, inner.left)):
            if isinstance(side, cst.UnaryOperation) and isinstance(side.operator, cst.Minus):
                pair = (side.expression, other) if side is inner.left else (other, side.expression)
                return Count("ceil", self._plain(pair[0]), self._plain(pair[1]), node, is_int=True)
        return None

    def _call(self, call: cst.Call, steps: int) -> Count | None:
        if isinstance(call.func, cst.Attribute) and call.func.attr.value == "astype":
            kind = dtype_of(call.args[0].value, self._names, self._values) if call.args else None
            rounded = self._of(call.func.value, steps - 1) if is_whole(kind) else None
            return as_int(rounded, call) if rounded is not None else None
        name = self._names.qualified(call.func) or ""
        given = [argument.value for argument in call.args if not argument.star and argument.keyword is None]
        if not given or len(given) != len(call.args):
            return None
        if name == "builtins.max" and len(given) == 2:
            return self._bounded(call, given, steps)
        if name in ("numpy.floor_divide", "operator.floordiv") and len(given) == 2:
            return Count("floor", self._plain(given[0]), self._plain(given[1]), call, is_int=True)
        if name in NEAREST and len(given) == 2:  # `round(n / b, 0)` is a float
            count = self._of(given[0], steps - 1)
            digits = self._numbers.value(given[1])
            return rounded_to(count, digits, call) if count is not None and digits is not None else None
        if len(given) == 1 and (more := self._one_more(given[0], steps)) is not None:
            floor = converted(more, name, call)
            return replace(floor, kind="floor-plus-one") if floor is not None and floor.kind == "floor" else None
        count = self._of(given[0], steps - 1) if len(given) == 1 else None
        return converted(count, name, call) if count is not None else None

    def _one_more(self, node: cst.BaseExpression, steps: int) -> Count | None:
        """The n / b of `int(n / b + 1)`."""
        if not isinstance(node, cst.BinaryOperation) or not isinstance(node.operator, cst.Add):
            return None
        for one, more in ((node.left, node.right), (node.right, node.left)):
            count = self._of(one, steps - 1) if self._numbers.value(more) == 1 else None
            if count is not None and count.kind == "true":
                return count
        return None

    def _bounded(self, call: cst.Call, given: list[cst.BaseExpression], steps: int) -> Count | None:
        for one, other in (given, given[::-1]):
            least, count = self._numbers.value(one), self._of(other, steps - 1)
            if least is not None and count is not None:
                return replace(count, node=call, least=least)
        return None

    def _divmod(self, node: cst.Subscript) -> Count | None:
        """`divmod(n, b)[0]`."""
        index = node.slice[0].slice if len(node.slice) == 1 else None
        first = isinstance(index, cst.Index) and self._numbers.value(index.value) == 0
        return self._divided(node.value, node) if first else None

    def _divided(self, pair: cst.BaseExpression | None, node: cst.BaseExpression) -> Count | None:
        if (
            not isinstance(pair, cst.Call)
            or self._names.qualified(pair.func) != "builtins.divmod"
            or len(pair.args) != 2
        ):
            return None
        return Count("floor", self._plain(pair.args[0].value), self._plain(pair.args[1].value), node, is_int=True)

    def _plain(self, node: cst.BaseExpression) -> cst.BaseExpression:
        """A number without what changes only its type: `float(n)`, `n * 1.0`, `1.0 * n`."""
        if isinstance(node, cst.Call) and len(node.args) == 1 and not node.args[0].star:
            inner = node.args[0].value
            typed = self._names.qualified(node.func) in TO_FLOAT | TO_INT
            return self._plain(inner) if typed and not isinstance(inner, cst.BinaryOperation) else node
        if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Multiply):
            for one, other in ((node.left, node.right), (node.right, node.left)):
                if isinstance(one, (cst.Integer, cst.Float)) and one.evaluated_value == 1:
                    return self._plain(other)
        return node

    # -- two steps --------------------------------------------------------------------------------------------------

    def _chosen(self, node: cst.BaseExpression, steps: int) -> Count | None:
        """`n // b if n % b == 0 else n // b + 1`."""
        if not isinstance(node, cst.IfExp):
            return None
        one, other = self._of(node.body, steps - 1), self._of(node.orelse, steps - 1)
        if one is None or other is None:
            return None
        side = self._remainders.tested(node.test, one.division)
        exact, rest = (one, other) if side == "none" else (other, one)
        fits = side is not None and exact.kind == "floor" and rest.kind in ("floor-plus-one", "ceil")
        return (
            replace(exact, kind="ceil", node=node)
            if fits and self.same(exact.numerator, rest.numerator) and self.same(exact.denominator, rest.denominator)
            else None
        )

    def _stepwise(self, name: cst.Name, steps: int) -> Count | None:
        """`q = n // b` with `if n % b: q += 1` behind it, and `q, rest = divmod(n, b)`."""
        bindings = self._names.reaching(name)
        kinds = sorted(binding.kind for binding in bindings)
        if kinds == ["unpack"]:
            return self._first_of_pair(bindings[0])
        if kinds not in (["assign", "augment"], ["augment"]):
            return None
        more = next(binding for binding in bindings if binding.kind == "augment")
        statement = self._tree.parents.get(more.node)
        before = [b for b in self._names.reaching(name, more.node) if b is not more] if len(bindings) == 1 else bindings
        start = next((b.value for b in before if b.kind == "assign"), None)
        count = self._of(start, steps - 1) if start is not None else None
        if count is None or count.kind != "floor" or not self._adds_one(statement):
            return None
        if len(bindings) == 1:
            return replace(count, kind="floor-plus-one", node=name)
        home = self._tree.enclosing(more.node, cst.If)
        fits = home is not None and home.orelse is None and self._remainders.tested(home.test, count.division) == "some"
        return replace(count, kind="ceil", node=name) if fits else None

    def _adds_one(self, statement: cst.CSTNode | None) -> bool:
        plus = isinstance(statement, cst.AugAssign) and isinstance(statement.operator, cst.AddAssign)
        return plus and isinstance(statement, cst.AugAssign) and self._numbers.value(statement.value) == 1

    def _first_of_pair(self, binding: Binding) -> Count | None:
        element = self._tree.parents.get(binding.node)
        pair = self._tree.parents.get(element) if element is not None else None
        first = isinstance(pair, (cst.Tuple, cst.List)) and len(pair.elements) == 2 and pair.elements[0] is element
        return self._divided(binding.value, binding.value) if first and binding.value is not None else None

    def _separates(self, test: cst.If, one: cst.CSTNode, other: cst.CSTNode, count: Count) -> bool:
        """Whether an `if` sends what divides evenly to one statement and the rest to the other."""
        side = self._remainders.tested(test.test, count.division)
        body_has = [self._tree.holds(test.body, one), self._tree.holds(test.body, other)]
        return side is not None and body_has == ([True, False] if side == "none" else [False, True])
