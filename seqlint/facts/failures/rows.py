"""Rows of an array that stay as they were made when a sample fails."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.batches.batches import parts_of
from seqlint.facts.code.control_flow import statements
from seqlint.facts.flow.call_frames import Traced
from seqlint.facts.flow.none_tests import none_tested

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.batches.batches import Batches, Maker
    from seqlint.facts.flow.call_frames import Flow, Frame
    from seqlint.facts.flow.handlers import Handler

_BLANK = frozenset({"numpy.empty", "numpy.zeros", "numpy.ones", "numpy.full"})


class Rows:
    """The rows that the loops of a batch write."""

    def __init__(self, batches: Batches) -> None:
        self._batches = batches
        self._flow: Flow = batches.flow
        self._tree = batches.flow.tree

    def of(self, handler: Handler, maker: Maker, frame: Frame) -> str:
        """An array of the batch whose row for this iteration is written only by the guarded code."""
        loop = self.loop(handler.guarded)
        if (
            self.is_weighted(maker)
            or not isinstance(loop, cst.For)
            or handler.end not in ("continue", "on")
            or handler.given
        ):
            return ""
        region = [handler.guarded.body]
        if handler.end == "continue":
            region += self.following(handler.guarded)  # type: ignore[arg-type]
        for part in region:
            for node in self._tree.inside(part, cst.AssignTarget):
                target = node.target
                if (
                    isinstance(target, cst.Subscript)
                    and self.counts(target, loop)
                    and self._is_blank(target, maker, frame)
                ):
                    return self._tree.text(target.value)
        return ""

    def without(self, maker: Maker, frame: Frame) -> str:
        """An array of which a row is only written where the result of a function is not None."""
        caller, assign = frame.caller, self._tree.parents[frame.call] if frame.call is not None else None
        name = assign.targets[0].target if isinstance(assign, cst.Assign) else None
        if caller is None or assign is None or not isinstance(name, cst.Name) or self.is_weighted(maker):
            return ""
        loop = self.loop(assign)
        for part in self._unless_none(assign, name):
            for node in self._tree.inside(part, cst.AssignTarget):
                target = node.target
                if not isinstance(target, cst.Subscript):
                    continue
                of_round = (
                    isinstance(loop, cst.For) and self.counts(target, loop) and self._is_blank(target, maker, caller)
                )
                if of_round or (loop is None and self._is_given(target, caller)):
                    return self._tree.text(target.value)
        return ""

    def is_weighted(self, maker: Maker) -> bool:
        """Whether batches have weights, which can leave a row out."""
        wholes = (whole for batch in self._batches.of(maker) for whole in self._batches.values(batch))
        return any(len(parts_of(whole) or ()) > 2 for whole in wholes)

    def _unless_none(self, assign: cst.CSTNode, name: cst.Name) -> Iterator[cst.CSTNode]:
        """The code that only runs where a variable is not None."""
        for node in self.following(assign):
            if not isinstance(node, cst.If) or node.orelse is not None:
                continue
            asked = none_tested(node.test)
            if not isinstance(asked, cst.Name) or asked.value != name.value:
                continue
            if self._tree.inside(node.test, cst.IsNot):
                yield node.body
            elif isinstance(statements(node.body)[-1], cst.Continue):
                yield from self.following(node)

    def is_filled_before(self, loop: cst.For, write: cst.Subscript) -> bool:
        """`rows.fill(0)` before a loop: what the loop does not write is not uninitialised."""
        function = self._tree.function(loop)
        calls = self._tree.inside(function.body, cst.Call) if function is not None else ()
        text = f"{self._tree.text(write.value)}.fill"
        return any(self._tree.order.precedes(call, loop) and self._tree.text(call.func) == text for call in calls)

    def counts(self, target: cst.Subscript, loop: cst.For) -> bool:
        """Whether the first index is the variable of the loop."""
        first = target.slice[0].slice
        if not isinstance(first, cst.Index) or not isinstance(first.value, cst.Name):
            return False
        bindings = self._flow.names.reaching(first.value)
        return bool(bindings) and all(b.kind == "for" and self._tree.holds(loop.target, b.node) for b in bindings)

    def are_marked(self, loop: cst.For) -> bool:
        """Whether each iteration marks its row as written: `mask[row] = 1`."""
        for target in self._tree.inside(loop.body, cst.AssignTarget):
            mark, assign = target.target, self._tree.parents[target]
            if isinstance(mark, cst.Subscript) and len(mark.slice) == 1 and _is_one(assign) and self.counts(mark, loop):
                return True
        return False

    def _is_blank(self, target: cst.Subscript, maker: Maker, frame: Frame) -> bool:
        """Whether an array is made without a value of a sample, and goes into the batch."""
        made = self._made_blank(target, frame)
        return any(self.is_part(maker, one) for one in made)

    def _is_given(self, target: cst.Subscript, frame: Frame) -> bool:
        """Whether an array is made so, and is what its function returns."""
        made = self._made_blank(target, frame)
        return any(one in made for given in self._flow.returned(frame) for one in self._flow.trace(given))

    def _made_blank(self, target: cst.Subscript, frame: Frame) -> tuple[Traced, ...]:
        made = self._flow.trace(Traced(target.value, frame))
        calls = [one.node for one in made if isinstance(one.node, cst.Call)]
        known = all(self._flow.names.qualified(call.func) in _BLANK for call in calls)
        return made if known and len(calls) == len(made) else ()

    # -- what the code around a statement is -----------------------------------------------------------------------

    def is_part(self, maker: Maker, made: Traced) -> bool:
        """Whether a list becomes an array of the batch as it is."""
        wholes = [whole for batch in self._batches.of(maker) for whole in self._batches.values(batch)]
        leaves = [leaf for whole in wholes for leaf in self._batches.leaves(whole)]
        return any(made in self._batches.rows(leaf) for leaf in leaves)

    def loop(self, node: cst.CSTNode) -> cst.For | cst.While | None:
        """The innermost loop around a node in its function."""
        found = self._tree.enclosing(node, cst.For, cst.While, cst.FunctionDef)
        return found if isinstance(found, (cst.For, cst.While)) else None

    def following(self, node: cst.CSTNode) -> list[cst.CSTNode]:
        """The statements that follow a node in its block, and in the blocks around it up to its loop or function."""
        ends = (cst.For, cst.While, cst.FunctionDef)
        outer = node if isinstance(node, ends) else self._tree.enclosing(node, *ends)
        return self._tree.following(node, outer or self._tree.module)


def _is_one(assign: cst.CSTNode) -> bool:
    value = assign.value if isinstance(assign, cst.Assign) else None
    if isinstance(value, cst.Name):
        return value.value == "True"
    return isinstance(value, (cst.Integer, cst.Float)) and value.evaluated_value == 1
