"""Samples that are left out of one part of a batch and not of another: x loses a row and y keeps it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.batches.batches import parts_of
from seqlint.facts.failures.labels import Label, Labels
from seqlint.facts.failures.masks import Masks
from seqlint.facts.failures.skips import Collect, Skip, Skips
from seqlint.facts.flow.call_frames import Traced
from seqlint.facts.flow.none_tests import Nones

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.batches.batches import Batches, Maker
    from seqlint.facts.flow.call_frames import Frame
    from seqlint.facts.flow.handlers import Handler, Handlers


@dataclass(frozen=True, eq=False)
class PartialDrop:
    """A sample that a batch loses in one part alone.

    Attributes:
        skip: where it is left out.
        frame: the run of the function in which that is.
        dropped: the part of the batch that loses it.
        collect: the statement that would have collected it; None for a comprehension.
        label: where the code takes the part that keeps it.
        cause: the broad handler that makes it so.
    """

    maker: Maker
    skip: Skip
    frame: Frame
    dropped: Traced
    collect: Collect | None
    label: Label
    cause: Handler | None


class PartialDrops:
    """The samples that the batches of a file lose."""

    def __init__(self, batches: Batches, handlers: Handlers) -> None:
        self._batches = batches
        self._tree = batches.flow.tree
        self._skips = Skips(batches.flow, handlers)
        self._masks = Masks(batches.flow)
        self._labels = Labels(batches, self._skips)
        self._nones = Nones(batches.flow, handlers)

    @cached_property
    def all(self) -> tuple[PartialDrop, ...]:
        """One for each place where a sample is left out, and each part that keeps it."""
        found: dict[tuple[cst.CSTNode, cst.CSTNode], PartialDrop] = {}
        for maker in self._batches.makers:
            for loss in self._of(maker):
                if not self._is_counted(loss):
                    found.setdefault((loss.skip.node, loss.label.node), loss)
        return tuple(found.values())

    def _of(self, maker: Maker) -> Iterator[PartialDrop]:
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
        for whole in wholes:
            yield from self._by_mask(maker, whole)

    def _is_counted(self, loss: PartialDrop) -> bool:
        """Whether the code counts what is left and raises where something is missing: `assert len(images) == len(labels)`."""
        rows = self._labels.rows(loss.dropped)
        for frame in dict.fromkeys((loss.frame, loss.maker.frame)):
            body = frame.function.body if frame.function is not None else None
            for check in self._tree.inside_any(body, (cst.Assert, cst.If)) if body is not None else ():
                assert isinstance(check, (cst.Assert, cst.If))
                raises = isinstance(check, cst.Assert) or bool(self._tree.inside(check.body, cst.Raise))
                sides = [Traced(side, frame) for side in _compared(check.test)] if raises else []
                if any(self._is_count_of(side, rows) for side in sides):
                    return True
        return False

    def _is_count_of(self, side: Traced, rows: frozenset[Traced]) -> bool:
        """`len(images)`, for a list of the batch."""
        node = side.node
        if not isinstance(node, cst.Call) or len(node.args) != 1:
            return False
        held = Traced(node.args[0].value, side.frame)
        return self._batches.flow.names.qualified(node.func) == "builtins.len" and bool(self._labels.rows(held) & rows)

    def _in_loop(self, maker: Maker, skip: Skip, frame: Frame, leaves: tuple[Traced, ...]) -> Iterator[PartialDrop]:
        if not all(self._nones.can_hold(test, frame) for test in skip.tests):
            return
        lost = {collect: keys for collect in skip.lost if (keys := self._labels.lists(collect, frame, skip))}
        gone = frozenset(key for keys in lost.values() for key in keys)
        dropped = [leaf for leaf in leaves if self._labels.rows(leaf) & gone]
        if not dropped:
            return
        taken = next(collect for collect, keys in lost.items() if keys & self._labels.rows(dropped[0]))
        for leaf in leaves:
            label = self._labels.kept(leaf, skip, frame) if leaf not in dropped else None
            if label is not None:
                yield PartialDrop(maker, skip, frame, dropped[0], taken, label, self._cause(skip, frame))

    def _in_comprehension(self, maker: Maker, leaves: tuple[Traced, ...]) -> Iterator[PartialDrop]:
        for dropped in leaves:
            for made in self._labels.rows(dropped):
                chain = self._comprehensions(made)
                for rows in chain:
                    skip = self._skips.comprehension(rows.node)
                    if skip is None or not all(self._nones.can_hold(test, rows.frame) for test in skip.tests):
                        continue
                    for leaf in leaves:
                        label = self._of_loop(leaf, chain) if leaf is not dropped else None
                        if label is not None:
                            yield PartialDrop(
                                maker, skip, rows.frame, dropped, None, label, self._cause(skip, rows.frame)
                            )

    def _comprehensions(self, rows: Traced) -> tuple[Traced, ...]:
        """A list comprehension, and those that make what it iterates over: `[w for w in waves if w.any()]` for `[f(w) for w in kept]`."""
        found: list[Traced] = []
        here: tuple[Traced, ...] = (rows,)
        while len(here) == 1 and isinstance(node := here[0].node, cst.ListComp) and here[0] not in found:
            found.append(here[0])
            here = self._batches.flow.trace(Traced(node.for_in.iter, here[0].frame))
        return tuple(found)

    def _of_loop(self, leaf: Traced, chain: tuple[Traced, ...]) -> Label | None:
        first = chain[-1]
        assert isinstance(first.node, cst.ListComp)
        return self._labels.sliced(leaf, Traced(first.node.for_in.iter, first.frame), frozenset(chain))

    def _by_mask(self, maker: Maker, whole: Traced) -> Iterator[PartialDrop]:
        parts = [self._batches.leaves(part) for part in parts_of(whole) or ()]
        for dropped in [leaf for part in parts for leaf in part]:
            for rows in (table for own in self._labels.rows(dropped) for table in self._tables(own)):
                skip = self._masks.skip(rows)
                if skip is None or not isinstance(rows.node, cst.Subscript):
                    continue
                before = Traced(self._masks.before(rows.node), rows.frame)
                if self._labels.sliced(before, before, frozenset()) is None:
                    continue
                for part in parts:
                    found = [self._labels.sliced(leaf, before, frozenset({rows})) for leaf in part]
                    if dropped not in part and found and found[0] is not None and None not in found:
                        yield PartialDrop(maker, skip, rows.frame, dropped, None, found[0], None)

    def _tables(self, rows: Traced) -> Iterator[Traced]:
        """The rows themselves, and the table whose column makes them: `frame` for `[load(path) for path in frame["path"]]`."""
        yield rows
        column = rows.node.for_in.iter if isinstance(rows.node, cst.ListComp) else self._looped_over(rows)
        yield from self._masks.tables(rows if column is None else Traced(column, rows.frame))

    def _looped_over(self, rows: Traced) -> cst.BaseExpression | None:
        """What the only loop that fills a list iterates over, one item per iteration."""
        function = rows.frame.function if isinstance(rows.node, cst.List) else None
        every = self._skips.collects(function.body) if function is not None else ()
        mine = [each for each in every if rows in self._labels.keys(Traced(each.target, rows.frame))]
        loop = self._skips.loop(mine[0].node) if len(mine) == 1 else None
        filled = isinstance(loop, cst.For) and self._skips.always(mine[0].node, loop.body)
        return loop.iter if filled and isinstance(loop, cst.For) else None

    def _cause(self, skip: Skip, frame: Frame) -> Handler | None:
        if skip.handler is not None:
            return skip.handler if skip.handler.broad else None
        return next((cause for test in skip.tests if (cause := self._nones.cause(test, frame)) is not None), None)


def _compared(test: cst.BaseExpression) -> tuple[cst.BaseExpression, ...]:
    """The two sides of a comparison, unless one is a literal number: `if len(images) == 0` counts nothing."""
    if not isinstance(test, cst.Comparison) or len(test.comparisons) != 1:
        return ()
    sides = (test.left, test.comparisons[0].comparator)
    return () if any(isinstance(side, cst.Integer) for side in sides) else sides
