"""Where data come from: as values are followed, and further through methods."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

if TYPE_CHECKING:
    from seqlint.facts.code.calls import Calls
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.scopes import Binding
    from seqlint.facts.values.values import Value, Values

_MAX_STEPS = 4


class Followed:
    """Follows data through one file."""

    def __init__(self, names: Names, values: Values, calls: Calls) -> None:
        self._names = names
        self._values = values
        self._calls = calls

    def of(self, node: cst.BaseExpression, steps: int = _MAX_STEPS) -> tuple[Value, ...]:
        """The expressions that compute a value; None stands for one that can't be followed."""
        found: list[Value] = []
        for value in self._values.of(node):
            returned = self._calls.returned(value) if isinstance(value, cst.Call) and steps else None
            if returned is None:
                found.append(value)
                continue
            for inner in returned:
                found += self.of(inner, steps - 1)
        if found == [None] and steps and isinstance(node, cst.Name):
            found = [value for binding in self._names.reaching(node) for value in self._unpacked(binding, steps)]
        return tuple(dict.fromkeys(found))

    def only(self, node: cst.BaseExpression) -> Value:
        """The one expression that computes the value; None if unsure."""
        found = self.of(node)
        return found[0] if len(found) == 1 else None

    def _unpacked(self, binding: Binding, steps: int) -> list[Value]:
        if binding.kind != "unpack":
            return [None]
        return self._values.unpacked(binding, lambda node: self.of(node, steps - 1))
