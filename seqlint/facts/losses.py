"""Samples that are left out of one part of a batch and not of another: x loses a row and y keeps it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.frames import Traced
from seqlint.facts.skips import Collect, Skip, Skips

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.batches import Batches, Maker
    from seqlint.facts.frames import Flow, Frame
    from seqlint.facts.handlers import Handler, Handlers

Keys = frozenset[Traced]
_COMPREHENSIONS = (cst.ListComp, cst.GeneratorExp, cst.SetComp, cst.DictComp)
_RANGES = frozenset({"builtins.slice", "builtins.range", "numpy.arange", "numpy.s_"})
_NONE_MAKERS = frozenset({"cv2.imread", "re.match", "re.search"})


@dataclass(frozen=True, eq=False)
class Loss:
    """A sample that a batch loses in one part alone.

    Attributes:
        skip: where it is left out.
        frame: the run of the function in which that is.
        dropped: the part of the batch that loses it.
        collect: what would have taken it in; None for a comprehension.
        kept: the part that keeps it.
        label: where that is taken: the slice, or the call of `append`.
        label_frame: the run of the function in which that is.
        label_collect: the `append`, where it is one in the same loop.
        cause: the broad handler that makes it so.
    """

    maker: Maker
    skip: Skip
    frame: Frame
    dropped: Traced
    collect: Collect | None
    kept: Traced
    label: cst.BaseExpression
    label_frame: Frame
    label_collect: Collect | None
    cause: Handler | None


class Losses:
    """The samples that the batches of a file lose."""

    def __init__(self, batches: Batches, handlers: Handlers) -> None:
        self._batches = batches
        self._handlers = handlers
        self._flow: Flow = batches.flow
        self._tree = batches.flow.tree
        self._skips = Skips(batches.flow, handlers)

    @cached_property
    def all(self) -> tuple[Loss, ...]:
        """One for each place where a sample is left out, with the first part that keeps it."""
        found: dict[tuple[cst.CSTNode, cst.CSTNode], Loss] = {}
        for maker in self._batches.makers:
            for loss in self._of(maker):
                found.setdefault((loss.skip.node, loss.label), loss)
        return tuple(found.values())

    def _of(self, maker: Maker) -> Iterator[Loss]:
        wholes = [whole for batch in self._batches.of(maker) for whole in self._batches.values(batch)]
        parts = [leaves for whole in wholes if len(leaves := self._batches.leaves(whole)) > 1]
        if not parts:
            return
        for frame in self._batches.frames(maker):
            for skip in self._skips.of(frame.function) if frame.function is not None else ():
                for leaves in parts:
                    yield from self._in_loop(maker, skip, frame, leaves)
        for leaves in parts:
            yield from self._in_comprehension(maker, leaves)

    # -- a loop that appends ----------------------------------------------------------------------------------------

    def _in_loop(self, maker: Maker, skip: Skip, frame: Frame, leaves: tuple[Traced, ...]) -> Iterator[Loss]:
        if not self._can_happen(skip, frame):
            return
        lost = {collect: keys for collect in skip.lost if (keys := self._list(collect, frame, skip))}
        gone: Keys = frozenset().union(*lost.values())
        dropped = [leaf for leaf in leaves if self._rows(leaf) & gone]
        if not dropped:
            return
        taken = next(collect for collect, keys in lost.items() if keys & self._rows(dropped[0]))
        cause = skip.handler if skip.handler is not None and skip.handler.broad else self._cause(skip, frame)
        for leaf in leaves:
            if leaf in dropped:
                continue
            for label, where, collect in self._kept(leaf, skip, frame):
                yield Loss(maker, skip, frame, dropped[0], taken, leaf, label, where, collect, cause)
                break

    def _list(self, collect: Collect, frame: Frame, skip: Skip) -> Keys:
        """The lists that an `append` adds to; none where one is made anew in each round."""
        found = self._keys(Traced(collect.target, frame))
        if skip.loop is None:
            return found
        inside = any(key.node is not None and self._tree.holds(skip.loop.body, key.node) for key in found)
        return frozenset() if inside else found

    def _keys(self, traced: Traced) -> Keys:
        return frozenset(self._flow.trace(traced))

    def _rows(self, leaf: Traced) -> Keys:
        return frozenset(self._batches.rows(leaf))

    def _kept(
        self, leaf: Traced, skip: Skip, frame: Frame
    ) -> Iterator[tuple[cst.BaseExpression, Frame, Collect | None]]:
        """Where a part is taken that surely keeps what another one loses."""
        for collect in skip.kept:
            if isinstance(collect.node, cst.Call) and self._keys(Traced(collect.target, frame)) & self._rows(leaf):
                yield collect.node, frame, collect
                return
        touched = frozenset(key for node in skip.touched for key in self._keys(Traced(node, frame)))
        label = self._label(leaf, touched, skip.loop.iter if isinstance(skip.loop, cst.For) else None)
        if label is not None and isinstance(skip.loop, cst.For):
            assert label.node is not None
            yield label.node, label.frame, None

    def _label(self, leaf: Traced, touched: Keys, rows: cst.BaseExpression | None) -> Traced | None:
        """The slice that a part is taken from, if nothing that the loop changes has a part in it."""
        mentioned = self._flow.mentioned(leaf)
        if touched & set(mentioned) or any(_is_filtered(traced.node) for traced in mentioned):
            return None
        subscripts = [(traced, self._is_range(traced, rows)) for traced in mentioned if _by_row(traced.node)]
        if any(whole is None for _, whole in subscripts):
            return None
        return next((traced for traced, whole in subscripts if whole), None)

    def _is_range(self, traced: Traced, rows: cst.BaseExpression | None) -> bool | None:
        """Whether a subscript takes the rows of the batch; False for one item or column, None if unsure."""
        node = traced.node
        assert isinstance(node, cst.Subscript)
        first = node.slice[0].slice
        if isinstance(first, cst.Slice):
            return first.lower is not None or first.upper is not None
        assert isinstance(first, cst.Index)
        index = first.value
        if rows is not None and self._tree.text(index) == self._tree.text(rows):
            return True
        kinds = {self._is_range_index(leaf) for leaf in self._flow.trace(Traced(index, traced.frame))}
        return kinds.pop() if len(kinds) == 1 else None

    def _is_range_index(self, leaf: Traced) -> bool | None:
        node = leaf.node
        if isinstance(node, cst.Subscript):
            return True if isinstance(node.slice[0].slice, cst.Slice) else None
        if isinstance(node, cst.Call):
            return True if self._flow.names.qualified(node.func) in _RANGES else None
        if isinstance(node, cst.Name):  # the variable of a comprehension or loop
            kinds = {binding.kind for binding in self._flow.names.reaching(node)}
            return False if kinds == {"for"} else None
        return False if isinstance(node, (cst.SimpleString, cst.Integer, cst.UnaryOperation)) else None

    # -- a comprehension with a condition ---------------------------------------------------------------------------

    def _in_comprehension(self, maker: Maker, leaves: tuple[Traced, ...]) -> Iterator[Loss]:
        for dropped in leaves:
            for rows in self._rows(dropped):
                if not isinstance(rows.node, cst.ListComp) or not rows.node.for_in.ifs:
                    continue
                skip = Skip(rows.node, None, None, tuple(item.test for item in rows.node.for_in.ifs))
                if not self._can_happen(skip, rows.frame):
                    continue
                for leaf in leaves:
                    label = self._label(leaf, frozenset({rows}), rows.node.for_in.iter) if leaf is not dropped else None
                    if label is not None and isinstance(label.node, cst.BaseExpression):
                        cause = self._cause(skip, rows.frame)
                        yield Loss(
                            maker, skip, rows.frame, dropped, None, leaf, label.node, label.frame, None, cause
                        )  # fmt: skip
                        break

    # -- whether a filter can leave anything out, and why -------------------------------------------------------------

    def _can_happen(self, skip: Skip, frame: Frame) -> bool:
        """`if image is None: continue` leaves out nothing where the helper never gives None."""
        return all(self._may_hold(test, frame) for test in skip.tests)

    def _may_hold(self, test: cst.BaseExpression, frame: Frame) -> bool:
        subject = none_tested(test)
        if subject is None:
            return True
        leaves = self._flow.trace(Traced(subject, frame))
        return any(self._may_be_none(leaf, frame) for leaf in leaves)

    def _may_be_none(self, leaf: Traced, frame: Frame) -> bool:
        node = leaf.node
        if node is None or (isinstance(node, cst.Name) and node.value == "None"):
            return True
        if isinstance(node, cst.Call):
            name = self._flow.names.qualified(node.func)
            known = name in _NONE_MAKERS or (isinstance(node.func, cst.Attribute) and node.func.attr.value == "get")
            return known or leaf.frame is frame
        return leaf.frame is frame and isinstance(node, (cst.Name, cst.Subscript, cst.Attribute))

    def _cause(self, skip: Skip, frame: Frame) -> Handler | None:
        """The broad handler because of which the tested value can be None."""
        return next((found for test in skip.tests for found in self._causes(test, frame)), None)

    def _causes(self, test: cst.BaseExpression, frame: Frame) -> Iterator[Handler]:
        frames = dict.fromkeys(traced.frame for traced in self._flow.mentioned(Traced(test, frame)))
        for other in frames:
            if other is not frame:
                yield from (h for h in self._broad(other) if h.end == "nothing" or h.nothing)
        subject = none_tested(test)
        if isinstance(subject, cst.Name):
            yield from (h for h in self._broad(frame) if self._leaves_none(h, subject))

    def _broad(self, frame: Frame) -> tuple[Handler, ...]:
        if frame.function is None:
            return ()
        return tuple(h for h in self._handlers.of(frame.function) if h.broad and h.swallows)

    def _leaves_none(self, handler: Handler, name: cst.Name) -> bool:
        if name.value in handler.nothing:
            return True
        inside = any(self._tree.holds(handler.guarded.body, b.node) for b in self._flow.names.reaching(name))
        return inside and handler.end == "on" and name.value not in handler.given


def none_tested(test: cst.BaseExpression) -> cst.BaseExpression | None:
    """What `x is None` and `x is not None` ask about."""
    if not isinstance(test, cst.Comparison) or len(test.comparisons) != 1:
        return None
    part = test.comparisons[0]
    asks = isinstance(part.operator, (cst.Is, cst.IsNot)) and isinstance(part.comparator, cst.Name)
    return test.left if asks and isinstance(part.comparator, cst.Name) and part.comparator.value == "None" else None


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
