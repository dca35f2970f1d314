"""Where the code takes a part of a batch that keeps every row while another part loses one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.slices import first_index, is_slice
from seqlint.facts.flow.call_frames import Traced

if TYPE_CHECKING:
    from seqlint.facts.batches.batches import Batches
    from seqlint.facts.failures.skips import Collect, Skip, Skips
    from seqlint.facts.flow.call_frames import Flow, Frame

Keys = frozenset[Traced]
_COMPREHENSIONS = (cst.ListComp, cst.GeneratorExp, cst.SetComp, cst.DictComp)
_COPIES = frozenset({"builtins.list", "builtins.tuple", "numpy.array", "numpy.asarray"})
_RANGES = frozenset({"builtins.slice", "builtins.range", "numpy.arange"})


@dataclass(frozen=True, eq=False)
class Label:
    """Where a part is taken.

    Attributes:
        node: the slice, the comprehension, the call of a helper, or the call of `append`.
        frame: the run of the function in which that is.
        collect: the `append`, where it is one in the loop that loses the other part.
    """

    node: cst.BaseExpression
    frame: Frame
    collect: Collect | None = None


class Labels:
    """Finds where the code takes a part."""

    def __init__(self, batches: Batches, skips: Skips) -> None:
        self._batches = batches
        self._skips = skips
        self._flow: Flow = batches.flow
        self._tree = batches.flow.tree

    def lists(self, collect: Collect, frame: Frame, skip: Skip) -> Keys:
        """The lists that an `append` adds to; none where one is made again in each iteration."""
        found = self.keys(Traced(collect.target, frame))
        if skip.loop is None:
            return found
        inside = any(key.node is not None and self._tree.holds(skip.loop.body, key.node) for key in found)
        return frozenset() if inside else found

    def keys(self, traced: Traced) -> Keys:
        """What a variable holds, as something that can be compared."""
        return frozenset(self._flow.trace(traced))

    def rows(self, leaf: Traced) -> Keys:
        """What an array takes its rows from, as something that can be compared."""
        return frozenset(self._batches.rows(leaf))

    def kept(self, leaf: Traced, skip: Skip, frame: Frame) -> Label | None:
        """Where the code takes a part that surely keeps what `skip` removes from another one."""
        for collect in skip.kept:
            if isinstance(collect.node, cst.Call) and self.keys(Traced(collect.target, frame)) & self.rows(leaf):
                return Label(collect.node, frame, collect)
        if not isinstance(skip.loop, cst.For):
            return None
        touched = frozenset(key for node in skip.touched for key in self.keys(Traced(node, frame)))
        return (
            self._same_helper(leaf, skip, frame)
            or self._same_rows(leaf, skip, frame)
            or self.sliced(leaf, Traced(skip.loop.iter, frame), touched)
        )

    def _same_helper(self, leaf: Traced, skip: Skip, frame: Frame) -> Label | None:
        """Another call of the same helper, which loses samples of its own."""
        lost = {key.node for collect in skip.lost for key in self.lists(collect, frame, skip)}
        for row in self.rows(leaf):
            call, caller = row.frame.call, row.frame.caller
            if row.node not in lost or row.frame is frame or call is None or caller is None or frame.call is None:
                continue
            if self._tree.order.precedes(frame.call, call):  # each pair of calls once
                return Label(call, caller)
        return None

    def _same_rows(self, leaf: Traced, skip: Skip, frame: Frame) -> Label | None:
        """Another loop over the same rows that collects every one."""
        assert isinstance(skip.loop, cst.For)
        if frame.function is None:
            return None
        found: list[Collect] = []
        for collect in self._skips.collects(frame.function.body):
            if not self.keys(Traced(collect.target, frame)) & self.rows(leaf):
                continue
            loop = self._skips.loop(collect.node)
            same = isinstance(loop, cst.For) and self._tree.text(loop.iter) == self._tree.text(skip.loop.iter)
            if loop is None or not same or not self._skips.always(collect.node, loop.body):
                return None
            found.append(collect)
        if len(found) != 1 or not isinstance(found[0].node, cst.Call):
            return None
        return Label(found[0].node, frame)

    # -- a slice outside of the loop --------------------------------------------------------------------------------

    def sliced(self, leaf: Traced, rows: Traced, touched: Keys) -> Label | None:
        """What a part is taken from, if it is a slice of rows that does not depend on what the loop changes.

        Args:
            rows: what the loop iterates over.
        """
        mentioned = self._flow.mentioned(leaf)
        if touched & set(mentioned) or any(_is_filtered(traced.node) for traced in mentioned):
            return None
        if any(isinstance(traced.node, cst.List) and not traced.node.elements for traced in mentioned):
            return None  # a list that a loop fills; with what is unknown here
        subscripts = {traced: self._is_range(traced, rows.node) for traced in mentioned if _by_row(traced.node)}
        ranges = [traced for traced, whole in subscripts.items() if whole]
        if None in subscripts.values() or not ranges:
            return None
        own = self._batches.rows(leaf)
        shared = set(self._flow.mentioned(rows))
        if len(own) != 1 or not (own[0] in ranges or isinstance(own[0].node, cst.ListComp)):
            own = tuple(traced for traced in ranges if traced not in shared) or own
        return Label(own[0].node, own[0].frame) if own[0].node is not None else None

    def _is_range(self, traced: Traced, rows: cst.BaseExpression | None) -> bool | None:
        """Whether a subscript takes the rows of the batch; False for one item or column, None if unsure."""
        node = traced.node
        assert isinstance(node, cst.Subscript)
        first = first_index(self._flow.names, node)
        if isinstance(first, cst.Slice):
            return first.lower is not None or first.upper is not None
        assert isinstance(first, cst.Index)
        if rows is not None and self._tree.text(first.value) == self._tree.text(rows):
            return True
        numbers = (self._numbers(leaf) for leaf in self._flow.trace(Traced(first.value, traced.frame)))
        kinds = {self._is_range_index(leaf) for found in numbers for leaf in found}
        return kinds.pop() if len(kinds) == 1 else None

    def _numbers(self, leaf: Traced) -> tuple[Traced, ...]:
        """What a list or array is made of: `window` of `list(window)`."""
        node = leaf.node
        name = self._flow.names.qualified(node.func) if isinstance(node, cst.Call) and len(node.args) == 1 else None
        if not isinstance(node, cst.Call) or name not in _COPIES:
            return (leaf,)
        return self._flow.trace(Traced(node.args[0].value, leaf.frame))

    def _is_range_index(self, leaf: Traced) -> bool | None:
        node = leaf.node
        if isinstance(node, cst.Subscript):
            return True if is_slice(self._flow.names, node) else None
        if isinstance(node, cst.Call):
            return True if self._flow.names.qualified(node.func) in _RANGES else None
        if isinstance(node, cst.Name):  # the variable of a comprehension or loop
            kinds = {binding.kind for binding in self._flow.names.reaching(node)}
            return False if kinds == {"for"} else None
        if isinstance(node, cst.UnaryOperation):  # `-1`, not the mask `~bad`
            return False if isinstance(node.operator, cst.Minus) else None
        return False if isinstance(node, (cst.SimpleString, cst.Integer)) else None


def _is_filtered(node: cst.BaseExpression | None) -> bool:
    return isinstance(node, _COMPREHENSIONS) and bool(node.for_in.ifs)


def _by_row(node: cst.BaseExpression | None) -> bool:
    """A subscript whose first index can choose rows: not `a[..., 0]`, `a[:, 0]` or `a["name"]`."""
    if not isinstance(node, cst.Subscript):
        return False
    first = node.slice[0].slice
    if isinstance(first, cst.Slice):
        return first.lower is not None or first.upper is not None
    return isinstance(first, cst.Index) and not isinstance(first.value, (cst.Ellipsis, cst.SimpleString))
