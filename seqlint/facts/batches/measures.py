"""Maxima of the lengths of samples: `max(len(x) for x in batch)`, `np.array([len(x) for x in batch]).max()`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.flow.call_frames import Traced

if TYPE_CHECKING:
    from seqlint.facts.flow.call_frames import Flow

_MAXIMA = frozenset({"builtins.max", "numpy.max", "numpy.amax"})
_ARRAYS = frozenset({"numpy.array", "numpy.asarray", "builtins.list", "numpy.fromiter"})
_MOST_STEPS = 6  # from one array to the next


class Measures:
    """The maxima of one file."""

    def __init__(self, flow: Flow) -> None:
        self._flow = flow
        self._names = flow.names

    def is_longest(self, one: Traced) -> bool:
        """Whether an expression is the greatest length of several samples."""
        call = one.node
        if not isinstance(call, cst.Call):
            return False
        if self._names.qualified(call.func) in _MAXIMA:
            return len(call.args) == 1 and self._has_length(one)
        func = call.func
        if not isinstance(func, cst.Attribute) or func.attr.value != "max" or call.args:
            return False
        found = self._flow.trace(Traced(func.value, one.frame))
        return bool(found) and all(self._is_lengths(each) for each in found)

    def _has_length(self, longest: Traced) -> bool:
        for part in self._flow.mentioned(longest):
            if isinstance(part.node, cst.Call) and self._names.qualified(part.node.func) == "builtins.len":
                return True
            if isinstance(part.node, cst.Attribute) and part.node.attr.value == "shape":
                return True
            if isinstance(part.node, cst.Name) and self._names.qualified(part.node) == "builtins.len":  # `map(len, x)`
                return True
        return False

    def _is_lengths(self, array: Traced, steps: int = _MOST_STEPS) -> bool:
        """Whether an array holds nothing but lengths, one for each sample."""
        node = array.node
        if isinstance(node, (cst.ListComp, cst.GeneratorExp)):
            item = node.elt
            return isinstance(item, cst.Call) and self._names.qualified(item.func) == "builtins.len"
        if not isinstance(node, cst.Call) or not node.args:
            return False
        name = self._names.qualified(node.func)
        if name == "builtins.map":
            return self._names.qualified(node.args[0].value) == "builtins.len"
        inner = self._flow.trace(Traced(node.args[0].value, array.frame)) if name in _ARRAYS and steps else ()
        return bool(inner) and all(self._is_lengths(each, steps - 1) for each in inner)
