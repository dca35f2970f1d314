"""Indexes that take other rows than intended, or none."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import libcst as cst

from seqlint.facts.code.aliases import unaliased
from seqlint.facts.code.path_conditions import never_both
from seqlint.facts.code.scopes import parameters
from seqlint.facts.code.slices import is_slice, span_of
from seqlint.facts.orders.counters import Counters

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.classes.classes import Classes, ClassFacts
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.numbers.row_containers import Containers
    from seqlint.facts.orders.shuffles import Shuffles
    from seqlint.facts.values.values import Value, Values

_STEPS = 6
_BY_PLACE = ("iloc", "values")
How = Literal["list by array", "past the index", "by the counter"]
"""*list by array*: a list that is given an array of numbers.
*past the index*: a part of a batch is sliced where another is taken through a shuffled index.
*by the counter*: a part is taken by the number of a loop's round over the rows that the index gives."""


@dataclass(frozen=True, eq=False)
class WrongRows:
    """A place where rows are taken wrongly.

    Attributes:
        taken: what they are taken from.
        index: what they are taken by.
        through: the other part, whose rows are taken through the index.
    """

    how: How
    node: cst.BaseExpression
    taken: cst.BaseExpression
    index: str
    through: str = ""


class RowTakers:
    """The places of one file where rows are taken by a shuffled index."""

    def __init__(
        self, tree: Tree, names: Names, values: Values, classes: Classes, shuffles: Shuffles, containers: Containers
    ) -> None:
        self._tree = tree
        self._names = names
        self._values = values
        self._classes = classes
        self._shuffles = shuffles
        self._containers = containers
        self._counters = Counters(tree, names, values)

    @cached_property
    def all(self) -> tuple[WrongRows, ...]:
        """In reading order."""
        if not self._shuffles.all:
            return ()
        found = [*self._by_arrays(), *self._past_index()]
        return self._tree.order.sorted(found, lambda each: each.node)

    # -- what is indexed by an order ------------------------------------------------------------------------------------

    def _by_arrays(self) -> Iterator[WrongRows]:
        for part in self._tree.all(cst.Subscript):
            index = part.slice[0].slice
            if len(part.slice) != 1 or not isinstance(index, cst.Index) or not self._is_order(index.value):
                continue
            if self._containers.kind(part.value) == "list":
                yield WrongRows("list by array", part, part.value, self._tree.text(index.value))

    def _is_order(self, node: cst.BaseExpression) -> bool:
        """Whether an index is an array of numbers in a random order, or a slice of one."""
        values = [whole for value in self._values.of(node) for whole in self._wholes(value, _STEPS)]
        return bool(values) and all(value is not None and self._is_numbers(value) for value in values)

    def _wholes(self, value: Value, steps: int) -> Iterator[Value]:
        """`np.random.permutation(n)` for `order[a:b]`, wherever the order is drawn again."""
        if not isinstance(value, cst.Subscript) or not is_slice(self._names, value):
            yield value
            return
        for whole in (self._values.of(value.value) if steps else ()) or (None,):
            yield from self._wholes(whole, steps - 1)

    def _is_numbers(self, value: cst.BaseExpression) -> bool:
        if not isinstance(value, cst.Call):
            return False
        shuffle = self._shuffles.of(value)
        if shuffle is not None:
            return shuffle.way == "numbers"
        return self._names.qualified(value.func) == "numpy.arange"

    # -- parts of a batch -----------------------------------------------------------------------------------------------

    def _past_index(self) -> Iterator[WrongRows]:
        for owner in self._classes.all:
            if owner.is_a("sequence") == "yes":
                for name, in_hook in self._shuffled_indexes(owner).items():
                    yield from self._sliced_past(owner, name, in_hook)
                    yield from self._counted(owner, name, in_hook)

    def _counted(self, owner: ClassFacts, name: str, in_hook: bool) -> Iterator[WrongRows]:
        for found in self._counters.of(owner, name):
            how: How = "past the index" if found.behind_start else "by the counter"
            if not found.behind_start or in_hook or self._is_as_given(owner, self._named(found.node)):
                yield WrongRows(how, found.node, found.node.value, f"self.{name}", self._tree.text(found.through))

    def _shuffled_indexes(self, owner: ClassFacts) -> dict[str, bool]:
        """The attributes that hold row numbers in random order, and whether an epoch hook shuffles them."""
        made = dict(sorted(self._permutations(owner)))  # an order that both make counts as made in the hook
        early = dict.fromkeys(self._in_place(owner, "__init__"), False)
        return made | early | dict.fromkeys(self._in_place(owner, "on_epoch_end"), True)

    def _in_place(self, owner: ClassFacts, start: str) -> Iterator[str]:
        functions = [reached.node for reached in owner.reachable(start)]
        for shuffle in self._shuffles.all:
            subject = shuffle.subjects[0] if shuffle.way == "in place" else None
            if self._tree.function(shuffle.node) not in functions or not isinstance(subject, cst.Attribute):
                continue
            if self._values.self_class(subject.value) is not None and self._is_index(owner, subject.attr.value):
                yield subject.attr.value

    def _permutations(self, owner: ClassFacts) -> Iterator[tuple[str, bool]]:
        """`self.order` of `self.order = np.random.permutation(n)`, last with whether an epoch hook does that."""
        hooks = [reached.node for reached in owner.reachable("on_epoch_end")]
        for shuffle in self._shuffles.all:
            assign = self._tree.parents[shuffle.node]
            target = assign.targets[0].target if isinstance(assign, cst.Assign) and len(assign.targets) == 1 else None
            if shuffle.way != "numbers" or not isinstance(target, cst.Attribute):
                continue
            if self._values.self_class(target.value) is owner.node and self._is_index(owner, target.attr.value):
                yield target.attr.value, self._tree.function(shuffle.node) in hooks

    def _is_as_given(self, owner: ClassFacts, name: str) -> bool:
        """Whether an attribute is an unchanged argument of `__init__`, not reordered there."""
        values = self._values.attribute_values(owner.node, name)
        bindings = [self._names.bindings(value) if isinstance(value, cst.Name) else () for value in values]
        return bool(values) and all(len(found) == 1 and found[0].kind == "parameter" for found in bindings)

    def _is_index(self, owner: ClassFacts, name: str) -> bool:
        values = self._values.attribute_values(owner.node, name)
        return bool(values) and all(value is not None and self._numbers_rows(value) for value in values)

    def _numbers_rows(self, value: cst.BaseExpression) -> bool:
        """An array of numbers, or `list(range(n))`."""
        name = self._names.qualified(value.func) if isinstance(value, cst.Call) else None
        if name == "builtins.list" and isinstance(value, cst.Call) and len(value.args) == 1:
            inner = value.args[0].value
            return isinstance(inner, cst.Call) and self._names.qualified(inner.func) == "builtins.range"
        return self._is_numbers(value)

    def _sliced_past(self, owner: ClassFacts, name: str, in_hook: bool) -> Iterator[WrongRows]:
        """`self.y[rows]` and `self.x[self.order[rows]]` in one function.

        An order drawn in `__init__` may have been applied to `y` already: then only unchanged arguments count.
        """
        for function in dict.fromkeys(reached.node for reached in owner.reachable("__getitem__")):
            bodies = [function, *self._helpers(owner, function)]
            inside = [part for body in bodies for part in self._tree.inside(body.body, cst.Subscript)]
            parts = [p for p in inside if self._is_own(p.value)]
            spans = {span_of(self._names, p) for p in parts if self._named(p) == name}
            through = [p for p in parts if self._goes_through(p, name)]
            either = {self._named(p) for p in through}  # `self.x[rows]` is the other way, where nothing is shuffled
            for part in parts if through else ():
                span = span_of(self._names, part)
                kept = (
                    (in_hook or self._is_as_given(owner, self._named(part)))
                    and not self._is_index(owner, self._named(part))
                    and self._named(part) not in owner.stores("on_epoch_end") | either
                )
                other_side = next((p for p in through if not never_both(self._names, p, part)), None)
                known = not any(map(owner.is_used_externally, (name, self._named(part))))
                known = known and other_side is not None and not self._are_others(owner, name, part, other_side)
                if kept and known and other_side is not None and span in spans and self._is_span(part):
                    yield WrongRows(
                        "past the index", part, part.value, f"self.{name}", self._tree.text(other_side.value)
                    )

    def _are_others(self, owner: ClassFacts, name: str, part: cst.Subscript, through: cst.Subscript) -> bool:
        """Whether two parts are separate samples: the index counts the one, and `__len__` only the other."""
        length = owner.method("__len__")
        values = [value for value in self._values.attribute_values(owner.node, name) if value is not None]
        numbered = {word for value in values for word in self._counted_in(value)}
        batches = set(self._counted_in(length[1])) if length is not None else set()
        one, other = self._named(part), self._named(through)
        return one in batches - numbered and other in numbered - batches

    def _counted_in(self, node: cst.CSTNode) -> Iterator[str]:
        """The attributes of `self` whose length is read: "days" for `len(self.days)`."""
        for call in self._tree.inside(node, cst.Call):
            asked = (
                call.args[0].value
                if len(call.args) == 1 and self._names.qualified(call.func) == "builtins.len"
                else None
            )
            if isinstance(asked, cst.Attribute) and self._is_own(asked):
                yield asked.attr.value

    def _helpers(self, owner: ClassFacts, function: cst.FunctionDef) -> Iterator[cst.FunctionDef]:
        """The methods that a function calls with its own variables, under the same names."""
        for call in self._tree.inside(function.body, cst.Call):
            found = owner.method(call.func.attr.value) if isinstance(call.func, cst.Attribute) else None
            if found is None or not self._is_own(call.func) or found[1] is function or found[1].decorators:
                continue
            taken = [param.name.value for param in parameters(found[1].params)[1:]]
            given = [a.value.value if isinstance(a.value, cst.Name) and not a.keyword else "" for a in call.args]
            if given and taken == given:
                yield found[1]

    def _is_span(self, part: cst.Subscript) -> bool:
        """`x[a:b]`, or `x[rows]` with `rows = slice(a, b)`."""
        return len(part.slice) == 1 and is_slice(self._names, part)

    def _is_own(self, node: cst.BaseExpression) -> bool:
        inner = self._held(node)
        return isinstance(inner, cst.Attribute) and self._values.self_class(inner.value) is not None

    def _held(self, node: cst.BaseExpression) -> cst.BaseExpression:
        return _without_locator(unaliased(self._names, node))

    def _named(self, part: cst.Subscript) -> str:
        inner = self._held(part.value)
        return inner.attr.value if isinstance(inner, cst.Attribute) else ""

    def _goes_through(self, part: cst.Subscript, name: str) -> bool:
        """Whether rows are taken by what the index holds: `self.x[self.order[a:b]]`, also through a variable."""
        index = part.slice[0].slice
        if len(part.slice) != 1 or not isinstance(index, cst.Index):
            return False
        node = index.value
        if isinstance(node, cst.Name):
            bindings = self._names.reaching(node)
            values = [b.value for b in bindings if b.kind in ("assign", "for")]
            node = values[0] if len(values) == len(bindings) == 1 and values[0] is not None else node
            node = self._values.only(node) or node  # `chosen` in `for row in chosen`
        return isinstance(node, cst.Subscript) and self._is_own(node.value) and self._named(node) == name


def _without_locator(node: cst.BaseExpression) -> cst.BaseExpression:
    """`self.frame` of `self.frame.iloc`, which is indexed by position like an array."""
    located = isinstance(node, cst.Attribute) and node.attr.value in _BY_PLACE and isinstance(node.value, cst.Attribute)
    return node.value if located and isinstance(node, cst.Attribute) else node
