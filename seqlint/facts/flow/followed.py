"""Where data come from: as values are followed, and further through methods, dicts and tuples."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.values.taken import Taken

if TYPE_CHECKING:
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.scopes import Binding
    from seqlint.facts.flow.call_graph import CallGraph
    from seqlint.facts.values.values import Value, Values

_MAX_STEPS = 4


class Followed:
    """Follows data through one file."""

    def __init__(self, names: Names, values: Values, calls: CallGraph) -> None:
        self._names = names
        self._values = values
        self._calls = calls
        self._taken = Taken(names, values)

    def of(self, node: cst.BaseExpression, steps: int = _MAX_STEPS) -> tuple[Value, ...]:
        """The expressions that compute a value; None stands for one that can't be followed."""
        found: list[Value] = []
        for value in self._values.of(node):
            inner = self._source(value) if steps else None
            if inner is None:
                found.append(value)
                continue
            for one in inner:
                found += [None] if one is None else self.of(one, steps - 1)
        if found == [None] and steps and isinstance(node, cst.Name):
            found = [value for binding in self._names.reaching(node) for value in self._unpacked(binding, steps)]
        return tuple(dict.fromkeys(found))

    def _source(self, value: Value) -> tuple[Value, ...] | None:
        """What a call of a method returns, or a property, and what `feeds["train"]` is; None where that is not in sight."""
        if isinstance(value, cst.Subscript):
            return self._taken.of(value)
        if isinstance(value, cst.Attribute):
            return self._values.getters.gives(value)
        return self._calls.returned(value) if isinstance(value, cst.Call) else None

    def only(self, node: cst.BaseExpression) -> Value:
        """The one expression that computes the value; None if unsure."""
        found = self.of(node)
        return found[0] if len(found) == 1 else None

    def _unpacked(self, binding: Binding, steps: int) -> list[Value]:
        if binding.kind != "unpack":
            return [None]
        return self._values.unpacked(binding, lambda node: self.of(node, steps - 1))
