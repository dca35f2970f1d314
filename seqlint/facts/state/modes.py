"""Instances that make a batch in two ways, by a setting: whether one of them leaves the index out."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.control_flow import statements
from seqlint.facts.code.slices import first_index
from seqlint.facts.state.known_calls import DRAWS, RANDOM, is_plain

if TYPE_CHECKING:
    from seqlint.facts.classes.classes import ClassFacts
    from seqlint.facts.flow.call_graph import CallGraph
    from seqlint.facts.values.values import Values

_SAME = re.compile(r"(?i)debug|overfit|sanity|smoke|dummy|fixed|whole|full|single|None")
"""Words of settings under which one batch is meant."""
_ROWS = frozenset({"builtins.range", "builtins.slice", "numpy.arange"})
_Lines = tuple[cst.CSTNode, ...]


@dataclass(frozen=True, eq=False)
class Mode:
    """One way of an `if` on a setting of the instance: `if self.mode == "train":`.

    Attributes:
        choice: the `if`.
        holds: whether its test is true in this mode.
    """

    choice: cst.If
    holds: bool


class Modes:
    """The modes of the Sequences of one file."""

    def __init__(self, values: Values, calls: CallGraph) -> None:
        self._tree = values.tree
        self._names = values.names
        self._values = values
        self._calls = calls

    def of(self, owner: ClassFacts, function: cst.FunctionDef, index: str) -> Mode | None:
        """The way of a choice between two ways to make a batch that takes the same rows whatever the index."""
        lines = statements(function.body)
        for place, choice in enumerate(lines):
            if any(self._mentions(line, index) for line in lines[:place]):
                return None
            ways = self._ways(choice, lines[place + 1 :], index) if isinstance(choice, cst.If) else None
            if ways is None or not isinstance(choice, cst.If) or not self._is_setting(owner, choice.test):
                continue
            for holds, (one, other) in ((True, ways), (False, ways[::-1])):
                used = any(self._mentions(line, index) for line in other)
                if used and self._takes_same_rows(one, index):
                    return Mode(choice, holds)
        return None

    def _ways(self, choice: cst.If, rest: _Lines, index: str) -> tuple[_Lines, _Lines] | None:
        """What runs where a test holds, and where it does not: both to their end, or to where both have chosen rows."""
        one = statements(choice.body)
        other = statements(choice.orelse.body) if isinstance(choice.orelse, cst.Else) else ()
        if isinstance(choice.orelse, cst.If):
            return None
        if isinstance(one[-1], cst.Return):
            return one, (*other, *rest)
        chosen = len(one) == len(other) == 1 and isinstance(one[0], cst.Assign) and isinstance(other[0], cst.Assign)
        return (one, other) if chosen and not any(self._mentions(line, index) for line in rest) else None

    def _is_setting(self, owner: ClassFacts, test: cst.BaseExpression) -> bool:
        """Whether a test asks for attributes alone that `__init__` sets, and no word of it says that a batch is to stay the same."""
        names = [name for name in self._tree.inside(test, cst.Name) if not self._tree.is_label(name)]
        asked = {node.attr.value for node in self._tree.inside(test, cst.Attribute)}
        own = bool(names) and all(self._values.self_class(name) is not None for name in names)
        length = owner.method("__len__")
        counted = self._tree.inside(length[1].body, cst.Attribute) if length is not None else ()
        kept = asked.isdisjoint(node.attr.value for node in counted) and not self._tree.inside(test, cst.Call)
        later = owner.stores("__getitem__", "on_epoch_end", "on_epoch_begin")
        return own and kept and asked.isdisjoint(later) and not _SAME.search(self._tree.text(test))

    def _takes_same_rows(self, lines: _Lines, index: str) -> bool:
        """Whether lines take rows of the instance by what is not the index, and call nothing that may draw or go on."""
        if any(self._mentions(line, index) for line in lines) or not isinstance(lines[-1], (cst.Return, cst.Assign)):
            return False
        for call in (call for line in lines for call in self._tree.inside(line, cst.Call)):
            name = self._names.qualified(call.func) or ""
            word = call.func.attr.value if isinstance(call.func, cst.Attribute) else ""
            drawn = name.startswith(RANDOM) or word in DRAWS
            if drawn or self._calls.called(call) is not None or not is_plain(self._calls, call, name, word):
                return False
        rows = lines[0].value if isinstance(lines[0], cst.Assign) else None
        if isinstance(rows, cst.Call) and self._names.qualified(rows.func) in _ROWS:
            return True
        return any(self._is_part_of_own(part) for line in lines for part in self._tree.inside(line, cst.Subscript))

    def _is_part_of_own(self, part: cst.Subscript) -> bool:
        own = isinstance(part.value, cst.Attribute) and self._values.self_class(part.value.value) is not None
        return own and isinstance(first_index(self._names, part), cst.Slice)

    def _mentions(self, node: cst.CSTNode, name: str) -> bool:
        return any(each.value == name and not self._tree.is_label(each) for each in self._tree.inside(node, cst.Name))
