"""Inputs and targets that go together row by row, but were moved separately."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from seqlint.domains.rows import Moment, Move, RowOrders, Rows, identity
from seqlint.run import Class, Container, Instance, Result, Tuple, Value
from seqlint.run.attributes import lineage
from seqlint.run.heap import excluded
from seqlint.run.types import type_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Batch, Call, Context, Object, Run
    from seqlint.run.objects import Guards

_TARGET = re.compile(
    r"(?i)^(?:y|ys)$|^y_|_y$|label|target|mask|truth|annot|(?:^|_)(?:classes|ages|heights|answers|scores|outputs)$"
)
_FITS = frozenset({"fit", "evaluate", "train_on_batch", "test_on_batch"})
_HELD = frozenset({
    "tensorflow.data.Dataset.from_tensor_slices", "tensorflow.data.Dataset.from_tensors", "builtins.zip", "torch.utils.data.TensorDataset",
    "sklearn.model_selection.train_test_split",
})  # fmt: skip


@dataclass(frozen=True, eq=False)
class Pair:
    """Two values that Keras takes row by row.

    Attributes:
        names: what the program calls them; empty where it does not.
        surely: whether something says that one is the target of the other; otherwise their names have to.
        alone: whether it counts that only one of them is moved.
        fit: the call that takes both.
        source: the Sequence that a batch is from.
        start: when the making of the batch began.
        several: whether the batch has more parts than these two.
    """

    inputs: Value
    targets: Value
    context: Context
    names: tuple[str, str]
    surely: bool
    alone: bool
    fit: Call | None = None
    source: Instance | None = None
    start: int | None = None
    several: bool = False


@dataclass(frozen=True, eq=False)
class Misalignment:
    """A pair of which only one is moved, or each in its own order.

    Attributes:
        second: the last move of the other; None where the other keeps its order.
        names: what the program calls the two, that of the first move first.
        places: where a reader of this file sees the moves.
        several: whether more than these two belong together.
    """

    pair: Pair
    first: Move
    second: Move | None
    names: tuple[str, str]
    places: tuple[ast.AST | None, ast.AST | None] = (None, None)
    several: bool = False


class Misalignments:
    """The moved pairs of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._rows = run.domain(RowOrders)

    @cached_property
    def all(self) -> tuple[Misalignment, ...]:
        """In running order; two uses of one pair are two."""
        found = [each for pair in self._pairs() for each in self._of_pair(pair)] if self._has_moves else []
        together: dict[object, set[str]] = {}
        for each in found:
            for place in each.places:
                together.setdefault(place, set()).update(each.names)
        return tuple(
            replace(
                each,
                several=each.pair.several
                or any(len(together[each_]) > 2 for each_ in each.places if each_ is not None),
            )
            for each in found
        )

    @property
    def _has_moves(self) -> bool:
        from seqlint.domains.random import Draws

        return bool(self._run.domain(Draws).any)

    # -- pairs ------------------------------------------------------------------------------------------------------

    def _pairs(self) -> Iterator[Pair]:
        for batch in self._run.batches:
            yield from self._of_batch(batch)
        for call in self._run.calls:
            if call.result.method in _FITS:
                yield from self._fitted(call)
            elif call.name in _HELD:
                yield from self._held(call.result.args, call.node, call.context)
        for read in self._run.reads:
            if read.kind == "give" and isinstance(read.node, ast.Return):
                yield from self._held((read.value,), read.node, read.context)

    def _of_batch(self, batch: Batch) -> Iterator[Pair]:
        owner = batch.context.phases[-1].owner
        surely = owner is not None and self._trains_on_pairs(owner)
        for option in batch.value.options:
            parts = self._parts(option.object)
            if len(parts) < 2:
                continue
            context = replace(batch.context, guards=batch.context.guards | option.guards)
            left, right = list(self._leaves(parts[0])), list(self._leaves(parts[1]))
            many = len(left) + len(right) > 2
            for one in left:
                for other in right:
                    names = (self._name(one, context, batch.source), self._name(other, context, batch.source))
                    yield Pair(
                        one,
                        other,
                        context,
                        names,
                        surely,
                        batch.source is not None,
                        None,
                        batch.source,
                        batch.start,
                        many,
                    )

    def _trains_on_pairs(self, fit: Result) -> bool:
        """Whether a call fits a model as Keras makes it, with a loss of inputs and targets."""
        model = fit.receiver
        if model is None or type_of(model) != "keras.Model":
            return False
        return any(
            call.result.receiver is model
            and call.result.method == "compile"
            and call.result.keyword("loss") is not None
            for call in self._run.calls
        )

    def _fitted(self, call: Call) -> Iterator[Pair]:
        given = call.result
        inputs = given.keyword("x") or (given.args[0] if given.args else None)
        targets = given.keyword("y") or (given.args[1] if len(given.args) > 1 else None)
        if inputs is not None and targets is not None:
            yield from self._of_two(inputs, targets, call)
        checked = given.keyword("validation_data")
        for each in checked or ():
            parts = self._parts(each)
            if len(parts) > 1:
                yield from self._of_two(parts[0], parts[1], call)

    def _of_two(self, inputs: Value, targets: Value, call: Call) -> Iterator[Pair]:
        for one in self._leaves(inputs):
            for other in self._leaves(targets):
                names = (self._name(one, call.context, None), self._name(other, call.context, None))
                yield Pair(one, other, call.context, names, surely=True, alone=True, fit=call)

    def _held(self, values: tuple[Value, ...], node: ast.AST, context: Context) -> Iterator[Pair]:
        """`return x, y`, `from_tensor_slices((x, y))`, `zip(x, y)`: their names say whether they belong together."""
        parts = list(values)
        if len(parts) == 1:
            only = parts[0].only
            parts = list(only.items) if isinstance(only, Tuple) else []
        for number, one in enumerate(parts):
            for other in parts[number + 1 :]:
                names = (self._name(one, context, None), self._name(other, context, None))
                yield Pair(one, other, context, names, surely=False, alone=False)

    def _parts(self, found: Object) -> list[Value]:
        if isinstance(found, Tuple):
            return list(found.items)
        return []

    def _leaves(self, value: Value, depth: int = 2) -> Iterator[Value]:
        """The arrays of `[left, right]` and `{"a": left}`."""
        only = value.only
        if depth and isinstance(only, (Tuple, Container)):
            items = self._run.items(only)
            if isinstance(only, Container) and only.kind == "dict" and items:
                items = [found for key in items if (found := self._run.at_key(only, key.constant)) is not None]
            if items:
                for each in items:
                    yield from self._leaves(each, depth - 1)
                return
        yield value

    # -- names ------------------------------------------------------------------------------------------------------

    def _name(self, value: Value, context: Context, source: Instance | None) -> str:
        """What the program calls the collection that a value is of: an attribute, a variable, a parameter."""
        rows = self._rows.of(value, Moment(context.clock, context.guards))
        if rows is None:
            return ""
        held = [place for key in reversed(rows.holders) for place in self._places.get(key, ())]
        own = [f"self.{name}" for owner, name in held if source is not None and owner == source.serial]
        return own[0] if own else held[0][1] if held else ""

    @cached_property
    def _places(self) -> dict[tuple[object, ...], list[tuple[object, str]]]:
        """The names that hold each collection."""
        found: dict[tuple[object, ...], list[tuple[object, str]]] = {}
        for (owner, name), log in self._run.machine.heap.log.items():
            for put in log:
                for each in put.value or ():
                    if isinstance(each, (Result, Container)):
                        places = found.setdefault(identity(each), [])
                        if (owner, name) not in places:
                            places.append((owner, name))
                        if isinstance(each, Result) and each.op in ("attribute", "parameter"):
                            places.append((None, each.name.rpartition(".")[2]))
        return found

    # -- places -----------------------------------------------------------------------------------------------------

    def _place(self, move: Move, other: Move | None) -> ast.AST | None:
        """Where a reader of this file sees a move: where it differs from the other, which the same helper may make."""
        path, beside = _path(move), _path(other) if other is not None else []
        if beside and beside[-1] is path[-1]:
            for number in range(len(path) - 1, -1, -1):
                if number >= len(beside) or path[number] is not beside[number]:
                    path = path[: number + 1]
                    break
        return next((node for node in reversed(path) if node in self._here), None)

    @cached_property
    def _here(self) -> frozenset[ast.AST]:
        return frozenset(ast.walk(self._run.machine.main.tree))

    # -- judgement --------------------------------------------------------------------------------------------------

    def _of_pair(self, pair: Pair) -> Iterator[Misalignment]:
        moment = Moment(pair.context.clock, pair.context.guards)
        one, other = self._rows.of(pair.inputs, moment), self._rows.of(pair.targets, moment)
        if one is None or other is None or one.alike or other.alike or not (one.moves or other.moves):
            return
        named = _is_target(pair.names[0]) is not _is_target(pair.names[1])
        if not (pair.surely or named) or not _same_rows(one, other) or self._may_be_aligned(pair):
            return
        if not pair.alone and not all(_is_from(pair, move) for move in (*one.moves, *other.moves)):
            return
        for guards in _scenarios(one, other):
            found = self._judged(pair, one, other, moment.way | guards)
            if found is not None:
                yield found
                return

    def _may_be_aligned(self, pair: Pair) -> bool:
        """Whether a base in another file has a method that nobody calls here, and that sets one of the two."""
        line = lineage(pair.source.cls) if pair.source is not None else []
        methods = [
            each
            for cls in line
            if isinstance(cls, Class) and cls.frame.module is not self._run.machine.main
            for each in cls.node.body
            if isinstance(each, ast.FunctionDef) and each not in self._run.machine.ran
        ]
        stores = (part for each in methods for part in ast.walk(each) if isinstance(part, ast.Attribute))
        return any(f"self.{part.attr}" in pair.names and isinstance(part.ctx, ast.Store) for part in stores)

    def _judged(self, pair: Pair, one: Rows, other: Rows, way: Guards) -> Misalignment | None:
        left, right = _happened(one, way), _happened(other, way)
        while left and right and _compared(left[0], right[0]) == "same":
            left, right = left[1:], right[1:]
        if any(move.draw is None for move in (*left, *right)) or not (left or right):
            return None
        if left and right:
            if _compared(left[0], right[0]) != "different":
                return None
            first, second = sorted((left[-1], right[-1]), key=lambda move: move.clock)
            if first.clock == second.clock:
                return None
            names = pair.names if first is left[-1] else pair.names[::-1]
            return self._found(pair, first, second, names)
        moves, still, names = (left, other, pair.names) if left else (right, one, pair.names[::-1])
        if not pair.alone or still.since >= moves[0].clock or _is_taken_in(pair, moves[-1]):
            return None
        return self._found(pair, moves[-1], None, names)

    def _found(self, pair: Pair, first: Move, second: Move | None, names: tuple[str, str]) -> Misalignment:
        places = (self._place(first, second), self._place(second, first) if second is not None else None)
        return Misalignment(pair, first, second, names, places)


def _is_from(pair: Pair, move: Move) -> bool:
    """Whether the code that passes a pair on is the one that moves it."""
    return move.draw is not None and move.draw.call.context.phases[-1] is pair.context.phases[-1]


def _is_taken_in(pair: Pair, move: Move) -> bool:
    """Whether the batch itself takes its rows through a shuffled index."""
    taken = move.made is not None and move.draw is not None and move.made is not move.draw.call.result
    return pair.start is not None and taken and move.clock >= pair.start


def _is_target(name: str) -> bool:
    return bool(_TARGET.search(name.rpartition(".")[2]))


def _path(move: Move) -> list[ast.AST]:
    """The calls that lead to a move, and what moves."""
    assert move.made is not None
    assert move.made.node is not None
    stack = move.draw.call.context.stack if move.draw is not None else ()
    return [*stack, move.made.node]


def _compared(one: Move, other: Move) -> str:
    if one.draw is None or other.draw is None:
        return "same" if one.key == other.key else "unsure"
    return one.draw.compared(other.draw)


def _same_rows(one: Rows, other: Rows) -> bool:
    """Whether two values hold the same rows; `y[: len(x)]` are those of x."""
    left = [cut.key for cut in one.cuts if cut.upto is None or cut.upto not in (other.base, *other.holders)]
    right = [cut.key for cut in other.cuts if cut.upto is None or cut.upto not in (one.base, *one.holders)]
    return left == right


def _scenarios(one: Rows, other: Rows) -> list[Guards]:
    """The conditions to look at: those of each move that may have happened, and none."""
    found = {move.guards for move in (*one.moves, *other.moves)}
    return sorted(found, key=len) or [frozenset()]


def _happened(rows: Rows, way: Guards) -> list[Move]:
    return [move for move in rows.moves if move.guards <= way and not excluded(move.guards, way)]
