"""What `feeds["train"]` and `pair[0]` take out of a dict, list or tuple that is written out."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.methods import method_calls
from seqlint.facts.code.scopes import dotted
from seqlint.facts.values.values import Constant

if TYPE_CHECKING:
    from seqlint.facts.code.names import Names
    from seqlint.facts.values.values import Value, Values

_CHANGING = (
    "append", "clear", "extend", "insert", "pop", "popitem", "remove", "reverse", "setdefault", "sort", "update",
)  # fmt: skip
_Entry = tuple[Constant | None, cst.BaseExpression]
"""A key, None where it may be any, and what is under it."""


class Taken:
    """Items of the dicts, lists and tuples that one file writes out."""

    def __init__(self, names: Names, values: Values) -> None:
        self._names = names
        self._values = values
        self._tree = values.tree
        self._known: dict[cst.CSTNode, list[_Entry] | None] = {}

    def of(self, node: cst.Subscript) -> tuple[Value, ...] | None:
        """The expressions that an item can be; None where the whole is not seen, or changes in a way that is not."""
        index = node.slice[0].slice if len(node.slice) == 1 else None
        whole = self._values.only(node.value) if isinstance(index, cst.Index) else None
        if whole is None or not isinstance(index, cst.Index):
            return None
        if whole not in self._known:
            self._known[whole] = self._entries(whole)
        key = self._values.constant(index.value)
        found = [value for name, value in self._known[whole] or () if key is None or name is None or name == key]
        return tuple(found) or None

    def _entries(self, whole: cst.BaseExpression) -> list[_Entry] | None:
        found = self._written(whole)
        if found is None or any(self._is(call.func, whole) for call in method_calls(self._tree, _CHANGING)):
            return None
        return [*found, *self._put(whole)]

    def _written(self, whole: cst.BaseExpression) -> list[_Entry] | None:
        if isinstance(whole, (cst.DictComp, cst.ListComp)):
            return [(None, whole.value if isinstance(whole, cst.DictComp) else whole.elt)]
        if isinstance(whole, cst.Dict):
            pairs = [(e.key, e.value) for e in whole.elements if isinstance(e, cst.DictElement)]
            known = [(self._values.constant(key), value) for key, value in pairs]
            return known if len(pairs) == len(whole.elements) else None
        if isinstance(whole, cst.Call) and self._names.qualified(whole.func) == "builtins.dict":
            named = [(Constant(a.keyword.value), a.value) for a in whole.args if a.keyword is not None]
            return [*named] if len(named) == len(whole.args) else None
        if not isinstance(whole, (cst.List, cst.Tuple)):
            return None
        starred = any(isinstance(element, cst.StarredElement) for element in whole.elements)
        count = len(whole.elements)
        places = [(Constant(place), e.value) for place, e in enumerate(whole.elements)]
        ends = [(Constant(place - count), e.value) for place, e in enumerate(whole.elements)]
        return None if starred else [*places, *ends]

    def _put(self, whole: cst.BaseExpression) -> list[_Entry]:
        """What is stored later: `feeds[name] = Feed(name)`."""
        found: list[_Entry] = []
        for target, value in self._stored:
            index = target.slice[0].slice
            if self._values.only(target.value) is whole and isinstance(index, cst.Index):
                found.append((self._values.constant(index.value), value))
        return found

    @cached_property
    def _stored(self) -> list[tuple[cst.Subscript, cst.BaseExpression]]:
        """Every assignment to an item, with what is assigned."""
        return [
            (one.target, assign.value)
            for assign in self._tree.all(cst.Assign)
            for one in assign.targets
            if isinstance(one.target, cst.Subscript) and len(one.target.slice) == 1 and dotted(one.target.value)
        ]

    def _is(self, func: cst.BaseExpression, whole: cst.BaseExpression) -> bool:
        return isinstance(func, cst.Attribute) and bool(dotted(func.value)) and self._values.only(func.value) is whole
