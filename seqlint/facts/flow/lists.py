"""What a list holds, in order, however it was built: literals, names, `append`, `extend`, `insert`, `+`, helpers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.values.values import Constant

if TYPE_CHECKING:
    from collections.abc import Iterable

    from seqlint.facts.code.names import Names
    from seqlint.facts.code.scopes import Binding
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.flow.call_graph import CallGraph
    from seqlint.facts.flow.mutations import Mutation, Mutations
    from seqlint.facts.values.values import Values

MAX_STEPS = 8
_COPIES = ("builtins.list", "builtins.tuple", "copy.copy", "copy.deepcopy")


@dataclass(frozen=True, eq=False)
class Condition:
    """What decides whether an item is in the list.

    Attributes:
        node: the `if`, loop, conditional expression, or the name that has several values.
        branch: 1 for the body, 0 for the `else`; for a name, the number of the value.
        test: what is tested, where something is.
    """

    node: cst.CSTNode
    branch: int
    test: cst.BaseExpression | None = None


@dataclass(frozen=True, eq=False)
class Item:
    """One place of a list.

    Attributes:
        value: the expression that stands there; None for any number of items that can't be seen.
        holder: what puts it there: the element of a literal, the call of `append` or `insert`; None for a bare value.
        conditions: under which it is there, the outermost first; empty: always.
    """

    value: cst.BaseExpression | None
    holder: cst.Element | cst.Call | None = None
    conditions: tuple[Condition, ...] = ()

    def meets(self, other: Item) -> bool:
        """Whether the two can be in the list at the same time."""
        return not _contradict((*self.conditions, *other.conditions))


UNSEEN = Item(None)
Items = tuple[Item, ...]


class Lists:
    """Follows lists through one file."""

    def __init__(self, tree: Tree, names: Names, values: Values, calls: CallGraph, mutations: Mutations) -> None:
        self._tree = tree
        self._names = names
        self._values = values
        self._calls = calls
        self._mutations = mutations

    def items(self, node: cst.BaseExpression) -> Items:
        """What a list, tuple or single value given for one holds, in order."""
        return self._items(node, MAX_STEPS)

    def _items(self, node: cst.BaseExpression, steps: int) -> Items:
        if steps == 0:
            return (UNSEEN,)
        if isinstance(node, (cst.List, cst.Tuple)):
            return self._of_literal(node, steps)
        if isinstance(node, cst.Name):
            return self._of_name(node, steps)
        if isinstance(node, cst.Attribute):
            return self._of_attribute(node, steps)
        if isinstance(node, cst.Call):
            return self._of_call(node, steps)
        if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Add):
            return (*self._items(node.left, steps), *self._items(node.right, steps))
        if isinstance(node, cst.IfExp):
            return self._of_choice(node, steps)
        if isinstance(node, cst.BooleanOperation):
            return self._of_either(node, steps)
        if isinstance(node, cst.NamedExpr):
            return self._items(node.value, steps)
        if isinstance(node, cst.Subscript) and _is_whole_slice(node):
            return self._items(node.value, steps)
        return (UNSEEN,)

    def _of_literal(self, node: cst.List | cst.Tuple, steps: int) -> Items:
        found: list[Item] = []
        for element in node.elements:
            if isinstance(element, cst.Element):
                found += self._of_element(element.value, element)
            else:
                found += self._items(element.value, steps - 1)
        return tuple(found)

    def _of_element(self, value: cst.BaseExpression, holder: cst.Element | cst.Call) -> Items:
        if not isinstance(value, cst.IfExp):
            return (Item(value, holder),)
        body, orelse = Condition(value, 1, value.test), Condition(value, 0, value.test)
        return (Item(value.body, holder, (body,)), Item(value.orelse, holder, (orelse,)))

    def _of_choice(self, node: cst.IfExp, steps: int) -> Items:
        body = _under(self._items(node.body, steps), (Condition(node, 1, node.test),))
        return (*body, *_under(self._items(node.orelse, steps), (Condition(node, 0, node.test),)))

    def _of_either(self, node: cst.BooleanOperation, steps: int) -> Items:
        left, right = self._items(node.left, steps), self._items(node.right, steps)
        if isinstance(node.operator, cst.Or) and not left:  # `None or [...]`
            return right
        return (*_under(left, (Condition(node, 0),)), *_under(right, (Condition(node, 1),)))

    def _of_call(self, node: cst.Call, steps: int) -> Items:
        returned = self._calls.returned(node)
        if returned is not None:
            return self._of_several([self._items(value, steps - 1) for value in returned], node)
        if self._names.qualified(node.func) in _COPIES and len(node.args) < 2 and not any(a.star for a in node.args):
            return self._items(node.args[0].value, steps) if node.args else ()
        if isinstance(node.func, cst.Attribute) and node.func.attr.value == "copy" and not node.args:
            return self._items(node.func.value, steps)
        return (UNSEEN,)

    def _of_several(self, found: list[Items], choice: cst.CSTNode) -> Items:
        if len(found) == 1:
            return found[0]
        return tuple(item for number, items in enumerate(found) for item in _under(items, (Condition(choice, number),)))

    # -- variables --------------------------------------------------------------------------------------------------

    def _of_name(self, name: cst.Name, steps: int) -> Items:
        if self._values.constant(name) == Constant(None):
            return ()
        starts = self._starts(name, frozenset())
        if not starts:
            return (UNSEEN,)
        found = []
        for start in starts:
            items = self._of_binding(start, steps - 1)
            conditions = (*self._conditions(start.node, name), *self._not_replaced(start, starts, name))
            mutations = self._mutations.of_name(name, start)
            found.append(_under(self._replayed(items, mutations, name, steps), conditions))
        return self._of_several(found, name)

    def _starts(self, name: cst.Name, seen: frozenset[cst.CSTNode]) -> tuple[Binding, ...]:
        """The bindings that make the list; an augmented assignment goes on with the one before."""
        found: dict[Binding, None] = {}
        for binding in self._names.reaching(name):
            if binding.kind == "augment" and isinstance(binding.node, cst.Name):
                if binding.node not in seen:
                    found.update(dict.fromkeys(self._starts(binding.node, seen | {name})))
            else:
                found[binding] = None
        return self._tree.order.sorted(found, lambda binding: binding.node)

    def _of_binding(self, binding: Binding, steps: int) -> Items:
        if binding.kind == "assign" and binding.value is not None:
            return self._items(binding.value, steps)
        if binding.kind == "parameter" and isinstance(binding.node, cst.Param):
            return self._of_parameter(binding.node, steps)
        return (UNSEEN,)

    def _of_parameter(self, param: cst.Param, steps: int) -> Items:
        function = self._tree.enclosing(param, cst.FunctionDef, cst.Lambda)
        calls = self._calls.callers(function) if isinstance(function, cst.FunctionDef) else ()
        if not calls or not isinstance(function, cst.FunctionDef) or param.star:
            return (UNSEEN,)
        found = []
        for call in calls:
            value = self._calls.passed(call, function, param.name.value)
            found.append((UNSEEN,) if value is None else self._items_or_nothing(value, steps - 1))
        return self._of_several(found, param)

    def _items_or_nothing(self, value: cst.BaseExpression, steps: int) -> Items:
        return () if isinstance(value, cst.Name) and value.value == "None" else self._items(value, steps)

    def _not_replaced(self, start: Binding, starts: tuple[Binding, ...], name: cst.Name) -> tuple[Condition, ...]:
        """A list that a later branch replaces is the list only where that branch is not taken."""
        later = [other for other in starts if self._tree.order.precedes(start.node, other.node)]
        conditions = [self._conditions(other.node, name) for other in later]
        last = [found[-1] for found in conditions if found and isinstance(found[-1].node, cst.If)]
        return tuple(Condition(found.node, 1 - found.branch, found.test) for found in last)

    def _of_attribute(self, node: cst.Attribute, steps: int) -> Items:
        owner = self._values.self_class(node.value)
        if owner is None:
            return (UNSEEN,)
        stores = self._mutations.stores(owner, node.attr.value)
        if not stores or any(value is None for _, value in stores):
            return (UNSEEN,)
        found = []
        for target, value in stores:
            assert value is not None
            conditions = self._conditions(target, node)
            mutations = self._mutations.of_attribute(node, owner, target)
            items = self._items_or_nothing(value, steps - 1)
            found.append(_under(self._replayed(items, mutations, node, steps), conditions))
        return self._of_several(found, node)

    # -- changes ----------------------------------------------------------------------------------------------------

    def _replayed(self, items: Items, mutations: Iterable[Mutation], use: cst.CSTNode, steps: int) -> Items:
        for change in mutations:
            items = self._changed(items, change, self._conditions(change.node, use), steps)
        return items

    def _changed(self, items: Items, change: Mutation, conditions: tuple[Condition, ...], steps: int) -> Items:
        if change.kind == "loses" or change.value is None:
            return (UNSEEN,) if change.kind == "loses" else (UNSEEN, *items)
        if change.kind == "extend":
            return (*items, *_under(self._items(change.value, steps - 1), conditions))
        assert isinstance(change.node, cst.Call)
        added = _under(self._of_element(change.value, change.node), conditions)
        if change.kind == "append":
            return (*items, *added)
        return self._inserted(items, change, added)

    def _inserted(self, items: Items, change: Mutation, added: Items) -> Items:
        place = self._values.constant(change.index) if change.index is not None else None
        index = place.value if place is not None and isinstance(place.value, int) else -1
        if index < 0 or any(item.value is None or item.conditions for item in items[:index]):
            return (UNSEEN, *items, *added)  # it can be anywhere
        return (*items[:index], *added, *items[index:])

    def _conditions(self, node: cst.CSTNode, use: cst.CSTNode) -> tuple[Condition, ...]:
        """The branches and loops between a statement and the code that it shares with the use of the list."""
        found: list[Condition] = []
        inner = node
        for outer in self._tree.ancestors(node):
            if isinstance(outer, (cst.FunctionDef, cst.ClassDef)):
                break
            if self._tree.holds(outer, use) and not isinstance(outer, cst.If):
                break
            if isinstance(outer, cst.If) and inner is not outer.test:
                branch = 1 if inner is outer.body else 0
                if not self._tree.holds(outer.body if branch else outer, use):
                    found.append(Condition(outer, branch, outer.test))
            elif isinstance(outer, (cst.For, cst.While, cst.ExceptHandler)):
                found.append(Condition(outer, 1))
            inner = outer
        return tuple(reversed(found))


def _under(items: Items, conditions: tuple[Condition, ...]) -> Items:
    """The items where the conditions hold too; those that can't be there then are left out."""
    if not conditions:
        return items
    found = (replace(item, conditions=_joined(conditions, item.conditions)) for item in items)
    return tuple(item for item in found if not _contradict(item.conditions))


def _joined(outer: tuple[Condition, ...], inner: tuple[Condition, ...]) -> tuple[Condition, ...]:
    known = {(condition.node, condition.branch) for condition in outer}
    return (*outer, *(condition for condition in inner if (condition.node, condition.branch) not in known))


def _contradict(conditions: tuple[Condition, ...]) -> bool:
    branches: dict[cst.CSTNode, int] = {}
    return any(branches.setdefault(condition.node, condition.branch) != condition.branch for condition in conditions)


def _is_whole_slice(node: cst.Subscript) -> bool:
    inner = node.slice[0].slice
    return len(node.slice) == 1 and isinstance(inner, cst.Slice) and inner.lower is inner.upper is inner.step is None
