"""What a list, tuple or dict of data holds, however it was put together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import libcst as cst

from seqlint.facts.code.methods import method_calls
from seqlint.facts.code.scopes import dotted
from seqlint.facts.code.slices import is_slice

if TYPE_CHECKING:
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.flow.followed import Followed

CollectionKind = Literal["list", "tuple", "dict"]
_MAX_LISTS = 8
_ADDING = ("append", "extend", "insert")


@dataclass(frozen=True)
class Collected:
    """A list, tuple or dict as far as it can be followed.

    Attributes:
        node: the expression that makes it.
        elements: what is put into it; one expression for the whole of a comprehension.
        complete: whether nothing else gets in.
        counted: whether it holds exactly these elements, each once.
    """

    kind: CollectionKind
    node: cst.BaseExpression
    elements: tuple[cst.BaseExpression, ...]
    complete: bool = True
    counted: bool = True


class Collections:
    """Follows what is put into lists."""

    def __init__(self, tree: Tree, names: Names, followed: Followed) -> None:
        self._tree = tree
        self._names = names
        self._followed = followed
        self._open: set[cst.CSTNode] = set()  # the lists that are being followed: `a.extend(a)` leads back to itself
        self._lists: dict[cst.CSTNode, Collected | None] = {}

    def collected(self, node: cst.BaseExpression) -> Collected | None:
        """The list, tuple or dict that an expression surely is, with what is put into it; None if unsure.

        Follows names, literals, comprehensions, `list(...)`, slices, `+`, `*`, and `append`, `extend`, `insert`.
        """
        value = self._followed.only(node)
        if value is None or value in self._open or len(self._open) == _MAX_LISTS:
            return None
        if value not in self._lists:
            self._open.add(value)
            found = self._collection(value)
            self._lists[value] = self._with_added(found) if found is not None else None
            self._open.discard(value)
        return self._lists[value]

    def _collection(self, value: cst.BaseExpression) -> Collected | None:
        if isinstance(value, (cst.List, cst.Tuple)):
            return self._literal(value)
        if isinstance(value, cst.Dict):
            keyed = [element for element in value.elements if isinstance(element, cst.DictElement)]
            return Collected("dict", value, tuple(e.value for e in keyed), len(keyed) == len(value.elements))
        if isinstance(value, cst.ListComp):
            return Collected("list", value, (value.elt,), counted=False)
        if isinstance(value, cst.DictComp):
            return Collected("dict", value, (value.value,), counted=False)
        if isinstance(value, cst.BinaryOperation):
            return self._joined(value)
        if isinstance(value, cst.Subscript):
            return self._sliced(value)
        return self._converted(value) if isinstance(value, cst.Call) else None

    def _literal(self, value: cst.List | cst.Tuple) -> Collected:
        elements: list[cst.BaseExpression] = []
        complete = counted = True
        for element in value.elements:
            if not isinstance(element, cst.StarredElement):
                elements.append(element.value)
                continue
            inner = self.collected(element.value)
            elements += inner.elements if inner is not None else ()
            complete = complete and inner is not None and inner.complete
            counted = counted and inner is not None and inner.counted
        return Collected("list" if isinstance(value, cst.List) else "tuple", value, tuple(elements), complete, counted)

    def _joined(self, value: cst.BinaryOperation) -> Collected | None:
        left, right = self.collected(value.left), self.collected(value.right)
        if isinstance(value.operator, cst.Add) and left is not None and right is not None:
            complete, counted = left.complete and right.complete, left.counted and right.counted
            return Collected(left.kind, value, (*left.elements, *right.elements), complete, counted)
        one = left or right
        if isinstance(value.operator, cst.Multiply) and one is not None:
            return Collected(one.kind, value, one.elements, one.complete, counted=False)
        return None

    def _sliced(self, value: cst.Subscript) -> Collected | None:
        if len(value.slice) != 1 or not is_slice(self._names, value):
            return None
        whole = self.collected(value.value)
        return (
            Collected(whole.kind, value, whole.elements, whole.complete, counted=False) if whole is not None else None
        )

    def _converted(self, value: cst.Call) -> Collected | None:
        """`list(...)` and `tuple(...)` of something that can be followed, and `.values()` of a dict in one of them."""
        name = self._names.qualified(value.func)
        if name not in ("builtins.list", "builtins.tuple", "builtins.sorted") or not value.args or value.args[0].star:
            return None
        kind: CollectionKind = "tuple" if name == "builtins.tuple" else "list"
        inner = value.args[0].value
        if isinstance(inner, cst.GeneratorExp):
            return Collected(kind, value, (inner.elt,), counted=False)
        if isinstance(inner, cst.Call) and isinstance(inner.func, cst.Attribute) and inner.func.attr.value == "values":
            inner = inner.func.value
        found = self.collected(inner)
        return Collected(kind, value, found.elements, found.complete, found.counted) if found is not None else None

    def _with_added(self, found: Collected) -> Collected:
        """What `append`, `extend` and `insert` put into a list that a name or attribute holds."""
        elements, complete = list(found.elements), found.complete
        mutations = [call for call in method_calls(self._tree, _ADDING) if self._mutates(call, found.node)]
        for call in mutations:
            method = call.func.attr.value if isinstance(call.func, cst.Attribute) else ""
            last = call.args[-1].value if call.args and not call.args[-1].star else None
            inner = self.collected(last) if method == "extend" and last is not None else None
            added = inner.elements if inner is not None else () if method == "extend" or last is None else (last,)
            elements += added
            complete = complete and bool(added) and (inner is None or inner.complete)
        counted = found.counted and not mutations
        return Collected(found.kind, found.node, tuple(elements), complete, counted)

    def _mutates(self, call: cst.Call, collection: cst.BaseExpression) -> bool:
        func = call.func
        return (
            isinstance(func, cst.Attribute)
            and bool(dotted(func.value))
            and self._followed.only(func.value) is collection
        )
