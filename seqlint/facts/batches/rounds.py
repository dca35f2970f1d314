"""What one round of a loop over samples takes: a sample, or the rows of the whole batch."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.slices import first_index, is_slice
from seqlint.facts.flow.call_frames import Traced

if TYPE_CHECKING:
    from seqlint.facts.flow.call_frames import Flow

_BOUNDS = frozenset({"builtins.min", "builtins.max", "builtins.int"})
_STEPS = 4


class Rounds:
    """The items that loops and comprehensions of one file make."""

    def __init__(self, flow: Flow) -> None:
        self._flow = flow
        self._tree = flow.tree
        self._names = flow.names
        self._values = flow.values

    def takes_rows(self, leaf: Traced) -> bool:
        """`answers[rows, column]`: all rows of the batch."""
        if not isinstance(leaf.node, cst.Subscript):
            return False
        first = first_index(self._names, leaf.node)
        if isinstance(first, cst.Slice):
            bounds = [Traced(bound, leaf.frame) for bound in (first.lower, first.upper) if bound is not None]
            of_index = any(self._is_of_index(bound) for bound in bounds)
            return of_index or not self._is_made_each_round(Traced(leaf.node.value, leaf.frame))
        assert isinstance(first, cst.Index)
        return any(self._is_several(one.node) for one in self._flow.trace(Traced(first.value, leaf.frame)))

    def _is_of_index(self, bound: Traced, steps: int = _STEPS) -> bool:
        """Whether a bound hangs on what a function is given: `source[start:stop]` may be the rows of the batch."""
        if steps == 0:
            return True
        for leaf in self._flow.trace(bound):
            node = leaf.node
            given = isinstance(node, cst.Name) and self._values.self_class(node) is None
            bindings = self._names.reaching(node) if given and isinstance(node, cst.Name) else ()
            if any(binding.kind == "parameter" for binding in bindings):
                return True
            parts = [node.left, node.right] if isinstance(node, cst.BinaryOperation) else []
            if isinstance(node, cst.Call) and self._names.qualified(node.func) in _BOUNDS:
                parts = [argument.value for argument in node.args]
            if any(self._is_of_index(Traced(part, leaf.frame), steps - 1) for part in parts):
                return True
        return False

    def _is_made_each_round(self, value: Traced) -> bool:
        """`image` of `image[:, :, None]`, where the loop reads one or goes over them: a sample, with all of its rows or some."""
        return all(self._is_of_round(leaf) for leaf in self._flow.trace(value))

    def _is_of_round(self, leaf: Traced) -> bool:
        node = leaf.node
        if isinstance(node, cst.Subscript):  # `self.waves[row]` of `for row in rows`
            index = node.slice[0].slice
            node = index.value if isinstance(index, cst.Index) else None
        bindings = self._names.reaching(node) if isinstance(node, cst.Name) else ()
        kind = bindings[0].kind if len(bindings) == 1 else ""
        if kind == "for":
            return True
        unpacked = kind == "unpack" and node is leaf.node  # `wave, rate = librosa.load(path)`
        made = bindings[0].value if unpacked else leaf.node
        loops = (cst.For, cst.While, cst.ListComp, cst.GeneratorExp, cst.FunctionDef)
        calls = (made if isinstance(made, cst.Call) else None, leaf.frame.call if leaf.frame.depth else None)
        around = [self._tree.enclosing(call, *loops) for call in calls if call is not None]
        return any(outer is not None and not isinstance(outer, cst.FunctionDef) for outer in around)

    def _is_several(self, index: cst.BaseExpression | None) -> bool:
        """`slice(...)`, `self.order[start:stop]`, `[row for ...]`, `np.arange(...)`."""
        if isinstance(index, cst.Subscript):
            return is_slice(self._names, index)
        name = self._names.qualified(index.func) if isinstance(index, cst.Call) else None
        return isinstance(index, cst.ListComp) or name == "builtins.slice" or (name or "").startswith("numpy.arange")
