"""Rows of an array of a batch that some iterations of its loop leave as they were made."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.aliases import unaliased
from seqlint.facts.code.control_flow import runs_off, statements
from seqlint.facts.code.slices import first_index
from seqlint.facts.failures.rows import Rows
from seqlint.facts.flow.call_frames import Traced
from seqlint.facts.values.values import bound

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.batches.batches import Batches, Maker
    from seqlint.facts.classes.classes import ClassFacts
    from seqlint.facts.flow.call_frames import Frame
    from seqlint.facts.numbers.counts import Counts

_EMPTY = frozenset({"numpy.empty", "numpy.empty_like"})
_BLANK = _EMPTY | {"numpy.zeros", "numpy.ones"}
_THROUGH = frozenset({"builtins.enumerate", "builtins.zip", "builtins.list", "builtins.tuple", "builtins.range", "builtins.len", "numpy.array", "numpy.asarray"})  # fmt: skip
_BROAD = frozenset({"builtins.Exception", "builtins.BaseException"})
_SAME = frozenset({"builtins.bool", "builtins.callable", "builtins.hasattr", "builtins.isinstance", "builtins.len"})
_STEPS = 6


@dataclass(frozen=True, eq=False)
class Unwritten:
    """Rows that stay as they were made.

    Attributes:
        made: the call that makes the array.
        name: what the array is called where it is filled.
        skip: the `if` or handler whose iterations leave their row out; None for a short last batch.
        size: the first axis of the array, where the last batch can be shorter.
        items: what the loop iterates over, where the last batch can be shorter.
        is_empty: whether the rows are uninitialised memory, and not zeros.
    """

    maker: Maker
    frame: Frame
    made: cst.Call
    name: str
    skip: cst.If | cst.ExceptHandler | None
    size: cst.BaseExpression | None
    items: cst.BaseExpression | None
    is_empty: bool


class UnwrittenRows:
    """The unwritten rows of one file."""

    def __init__(self, batches: Batches, counts: Counts) -> None:
        self._batches = batches
        self._flow = batches.flow
        self._tree = batches.flow.tree
        self._names = batches.flow.names
        self._counts = counts
        self._rows = Rows(batches)

    @cached_property
    def all(self) -> tuple[Unwritten, ...]:
        """Each array once for each reason, in reading order."""
        found: dict[tuple[cst.CSTNode, cst.CSTNode | None], Unwritten] = {}
        for maker in (maker for maker in self._batches.makers if not self._rows.is_weighted(maker)):
            for frame in self._batches.frames(maker):
                for unwritten in self._in(maker, frame):
                    found.setdefault((unwritten.made, unwritten.skip), unwritten)
        return self._tree.order.sorted(found.values(), lambda each: each.made)

    def sizes(self, unwritten: Unwritten) -> tuple[cst.BaseExpression, ...]:
        """The first axes of all arrays of the function that have as many rows; none where the number is used for more."""
        function, size = unwritten.frame.function, unwritten.size
        if function is None or size is None:
            return ()
        made = (
            call for call in self._tree.inside(function.body, cst.Call) if self._names.qualified(call.func) in _BLANK
        )
        text = self._tree.text(size)
        found = [axis for call in made if (axis := self._size(call)) is not None and self._tree.text(axis) == text]
        mentions = () if isinstance(size, cst.Integer) else self._tree.inside(function.body, type(size))
        others = [node for node in mentions if self._tree.text(node) == text and node not in found]
        return tuple(found) if all(self._is_of_slice(node) for node in others) else ()

    def _is_of_slice(self, node: cst.CSTNode) -> bool:
        """Whether a number is where the rows of a batch start or end: `index * size`, `start + size`."""
        around = self._tree.parents[node]
        return isinstance(around, cst.BinaryOperation) and isinstance(around.operator, (cst.Multiply, cst.Add))

    def _in(self, maker: Maker, frame: Frame) -> Iterator[Unwritten]:
        for loop in self._tree.inside(frame.function.body, cst.For) if frame.function is not None else ():
            if self._tree.function(loop) is not frame.function:
                continue
            for target in self._tree.inside(loop.body, cst.AssignTarget):
                node = target.target
                if isinstance(node, cst.Subscript) and self._tree.enclosing(node, cst.For, cst.While) is loop:
                    yield from self._of_write(maker, frame, loop, node)

    def _of_write(self, maker: Maker, frame: Frame, loop: cst.For, write: cst.Subscript) -> Iterator[Unwritten]:
        made = self._made(maker, frame, write)
        if made is None or self._rows.is_filled_before(loop, write):
            return
        if not (self._rows.counts(write, loop) or self._counts_on(write, loop)):
            return
        name = self._tree.text(write.value)
        is_empty = self._names.qualified(made.func) in _EMPTY
        skip = self._skip(loop, write) if is_empty else None
        if skip is not None:
            yield Unwritten(maker, frame, made, name, skip, None, None, is_empty)
        short = self._short(maker, frame, loop, made) if is_empty or not self._rows.are_marked(loop) else None
        if short is not None:
            yield Unwritten(maker, frame, made, name, None, *short, is_empty)

    def _counts_on(self, write: cst.Subscript, loop: cst.For) -> bool:
        """Whether the first index is a counter that the loop increases by `row += 1`, and that nothing reads after the loop."""
        first = write.slice[0].slice
        if not isinstance(first, cst.Index) or not isinstance(first.value, cst.Name):
            return False
        bindings, function = self._names.bindings(first.value), self._tree.function(loop)
        steps = [b for b in bindings if b.kind == "augment" and self._tree.holds(loop.body, b.node)]
        starts = [b for b in bindings if b.kind == "assign" and isinstance(b.value, cst.Integer)]
        if not steps or len(steps) + len(starts) != len(bindings) or self._tree.inside(loop, cst.Break):
            return False
        if any(self._tree.holds(loop, start.node) for start in starts) or function is None:
            return False
        after = self._tree.span(loop)[1]
        later = [n for n in self._tree.inside(function.body, cst.Name) if self._tree.span(n)[0] >= after]
        text = self._tree.text(write.value)
        written = [
            t.target for t in self._tree.inside(function.body, cst.AssignTarget) if self._tree.span(t)[0] >= after
        ]
        filled = any(isinstance(t, cst.Subscript) and self._tree.text(t.value) == text for t in written)
        return not filled and all(n.value != first.value.value or self._tree.is_label(n) for n in later)

    def _made(self, maker: Maker, frame: Frame, write: cst.Subscript) -> cst.Call | None:
        """The call that makes the array that is written to, where the array goes into the batch as it is."""
        made = self._flow.trace(Traced(write.value, frame))
        if len(made) != 1 or not isinstance(made[0].node, cst.Call):
            return None
        call = made[0].node
        return call if self._names.qualified(call.func) in _BLANK and self._is_whole(maker, made[0]) else None

    def _is_whole(self, maker: Maker, made: Traced) -> bool:
        """Whether an array goes into a batch with all of its rows; not as `x[: len(ids)]`."""
        wholes = (whole for batch in self._batches.of(maker) for whole in self._batches.values(batch))
        return any(made in self._sources(leaf, _STEPS) for whole in wholes for leaf in self._batches.leaves(whole))

    def _sources(self, leaf: Traced, steps: int) -> Iterator[Traced]:
        for whole in self._flow.trace(leaf):
            node, inner = whole.node, None
            if isinstance(node, cst.BinaryOperation):
                inner = node.left
            elif (
                isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and node.func.attr.value == "astype"
            ):
                inner = node.func.value
            elif isinstance(node, cst.Call) and (self._names.qualified(node.func) or "").startswith("keras."):
                inner = node.args[0].value if node.args else None
            yield whole
            if inner is not None and steps:
                yield from self._sources(Traced(inner, whole.frame), steps - 1)

    # -- rounds that write nothing ----------------------------------------------------------------------------------

    def _skip(self, loop: cst.For, write: cst.Subscript) -> cst.If | cst.ExceptHandler | None:
        """What makes an iteration leave its row out; broad handlers are dealt with elsewhere."""
        text = self._tree.text(write.value)
        for outer in self._tree.ancestors(write):
            if outer is loop:
                break
            if isinstance(outer, cst.Try) and self._tree.holds(outer.body, write):
                return self._handler(outer, text) if self._only(loop, text, write) else None
            if isinstance(outer, cst.Else | cst.Try | cst.ExceptHandler | cst.Match):
                return None
            if isinstance(outer, cst.If):
                plain = outer.orelse is None and self._differs(loop, outer.test)
                return outer if plain and self._only(loop, text, write) else None
        for node in self._tree.inside(loop.body, cst.Continue):
            around = self._tree.enclosing(node, cst.If, cst.ExceptHandler, cst.For, cst.While)
            before = self._tree.order.precedes(node, write)
            alone = isinstance(around, cst.If) and statements(around.body)[-1] is node and around.orelse is None
            inner = self._tree.enclosing(node, cst.For, cst.While) is loop
            if not before or not alone or not inner or not isinstance(around, cst.If):
                continue
            if self._differs(loop, around.test) and not self._writes(around.body, text):
                return around
        return None

    def _differs(self, loop: cst.For, test: cst.BaseExpression) -> bool:
        """Whether a test may differ between the iterations of one loop; `if self.masks is not None` does not."""
        calls = self._tree.inside(test, cst.Call)
        if any(self._names.qualified(call.func) not in _SAME for call in calls):
            return True
        names = (name for name in self._tree.inside(test, cst.Name) if not self._tree.is_label(name))
        return any(self._tree.holds(loop, binding.node) for name in names for binding in self._names.bindings(name))

    def _handler(self, guarded: cst.Try, text: str) -> cst.ExceptHandler | None:
        """The narrow handler after which the next iteration follows, with nothing written."""
        for handler in guarded.handlers:
            if handler.type is None or self._names.qualified(handler.type) in _BROAD:
                return None
            last = statements(handler.body)[-1]
            if isinstance(last, cst.Continue) or (runs_off(handler.body) and guarded.orelse is None):
                return handler if not self._writes(handler.body, text) else None
        return None

    def _only(self, loop: cst.For, text: str, write: cst.Subscript) -> bool:
        targets = (t.target for t in self._tree.inside(loop.body, cst.AssignTarget))
        others = (t for t in targets if isinstance(t, cst.Subscript) and self._tree.text(t.value) == text)
        return all(other is write for other in others)

    def _writes(self, node: cst.CSTNode, text: str) -> bool:
        targets = (t.target for t in self._tree.inside(node, cst.AssignTarget))
        return any(isinstance(t, cst.Subscript) and self._tree.text(t.value) == text for t in targets)

    # -- a short last batch -----------------------------------------------------------------------------------------

    def _short(
        self, maker: Maker, frame: Frame, loop: cst.For, made: cst.Call
    ) -> tuple[cst.BaseExpression, cst.BaseExpression] | None:
        """The size of the array and what the loop iterates over, where `__len__` counts a last batch that is not full."""
        size = self._size(made)
        items = self._items(loop.iter)
        if size is None or items is None or maker.owner is None or not self._counts_the_rest(maker, size):
            return None
        if self._comes_out_even(maker.owner, size):
            return None
        slices = [self._slice(whole, _STEPS) for whole in self._flow.trace(Traced(items, frame))]
        full = all(part is not None and self._is_by_batch(part, self._said(size)) for part in slices)
        return (size, items) if slices and full else None

    def _size(self, made: cst.Call) -> cst.BaseExpression | None:
        """`self.batch_size` of `np.empty((self.batch_size, 3))`, also a constant of the module."""
        argument = bound(made, ("shape",)).get("shape")
        shape = argument.value if argument is not None else None
        if isinstance(shape, cst.BinaryOperation) and isinstance(shape.operator, cst.Add):  # `(size,) + self.shape`
            shape = shape.left
        if isinstance(shape, (cst.Tuple, cst.List)) and shape.elements:
            shape = shape.elements[0].value
        inner = unaliased(self._names, shape) if shape is not None else None
        own = isinstance(inner, cst.Attribute) and self._flow.values.self_class(inner.value) is not None
        return shape if own or self._is_of_module(shape) else None

    def _is_of_module(self, size: cst.BaseExpression | None) -> bool:
        """Whether a size is the same everywhere in the file: `BATCH`, or the number itself."""
        if not isinstance(size, cst.Name):
            return isinstance(size, cst.Integer)
        bindings = self._names.reaching(size)
        return bool(bindings) and all(self._tree.function(binding.node) is None for binding in bindings)

    def _items(self, node: cst.BaseExpression) -> cst.BaseExpression | None:
        while isinstance(node, cst.Call) and node.args and self._names.qualified(node.func) in _THROUGH:
            node = node.args[0].value
        return node if isinstance(node, (cst.Name, cst.Subscript)) else None

    def _counts_the_rest(self, maker: Maker, size: cst.BaseExpression) -> bool:
        found = maker.owner.method("__len__") if maker.owner is not None else None
        counts = self._counts.returned(found[1]) if found is not None else ()
        text = self._said(size)
        return bool(counts) and all(
            c is not None and c.kind in ("ceil", "floor-plus-one") and self._said(c.denominator) == text for c in counts
        )

    def _comes_out_even(self, owner: ClassFacts, size: cst.BaseExpression) -> bool:
        """Whether `__init__` works with the rest, `len(ids) % size`, or with whole batches, `count * size`.

        It may fill the last batch up, cut it off or refuse such data.
        """
        methods = [reached.node for reached in owner.reachable("__init__")]
        inside = (node for method in methods for node in self._tree.inside(method.body, cst.BinaryOperation))
        sides = [
            side
            for node in inside
            if isinstance(node.operator, (cst.Modulo, cst.Multiply))
            for side in (node.left, node.right)
        ]
        name = self._said(size).removeprefix("self.")
        return any(self._said(side).removeprefix("self.") == name for side in sides)

    def _slice(self, whole: Traced, steps: int) -> tuple[Traced, Traced] | None:
        """The bounds of the samples that make a batch: those of `self.ids[index * size : (index + 1) * size]`."""
        node = whole.node
        if steps == 0 or node is None:
            return None
        if isinstance(node, cst.Subscript):
            inner = first_index(self._names, node)
            if len(node.slice) > 1 or not isinstance(inner, cst.Slice) or inner.lower is None or inner.upper is None:
                return None
            return Traced(inner.lower, whole.frame), Traced(inner.upper, whole.frame)
        if isinstance(node, cst.ListComp) and not node.for_in.ifs:
            items = self._items(node.for_in.iter) or node.for_in.iter
            found = {self._slice(each, steps - 1) for each in self._flow.trace(Traced(items, whole.frame))}
            return found.pop() if len(found) == 1 else None
        return None

    def _said(self, size: cst.BaseExpression) -> str:
        return self._tree.text(unaliased(self._names, size))

    def _is_by_batch(self, bounds: tuple[Traced, Traced], size: str) -> bool:
        """Whether a slice starts at a multiple of the size, and is as long as that where enough is left."""
        lower, upper = bounds
        starts = self._flow.trace(lower)
        return all(self._is_multiple(start.node, size) for start in starts) and any(
            each.node is not None and self._said(each.node) == size for each in self._flow.mentioned(upper)
        )

    def _is_multiple(self, node: cst.BaseExpression | None, size: str) -> bool:
        if not isinstance(node, cst.BinaryOperation) or not isinstance(node.operator, cst.Multiply):
            return False
        return size in (self._said(node.left), self._said(node.right))
