"""Which rows of which collection a value holds, and in which order, at a moment of the run.

Every collection that nothing here derives from another has rows of its own. From there on a value is a sequence of steps: slices and
masks that take some rows, draws that move them. Two values that went the same way hold rows that belong together.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from seqlint.domains.values.random import Draw, Draws
from seqlint.knowledge.orders import (
    ALIKE,
    COPIES,
    IN_PLACE,
    MEASURES,
    PERMUTED,
    RANGES,
    VIEWING_ATTRIBUTES,
    VIEWS,
    moves_in_place,
)
from seqlint.run import Constant, Container, Result, Setting, Tuple, Unknown, Value
from seqlint.run.heap import excluded
from seqlint.run.objects import ALWAYS

if TYPE_CHECKING:
    from seqlint.run import Call, Object, Run
    from seqlint.run.machine import Piece
    from seqlint.run.objects import Guards

Key = tuple[object, ...]
_DEEPEST = 24
_NUMBERS: Key = ("numbers",)
"""The base of `np.arange(n)`: an index whose rows are their own places."""


@dataclass(frozen=True)
class Cut:
    """Some of the rows: a slice, a mask, one side of a split. Those of two values are the same if their keys are.

    Attributes:
        upto: the collection that a slice from the start is as long as: `y[: len(x)]`.
    """

    key: Key
    upto: Key | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Move:
    """All rows, in another order.

    Attributes:
        draw: what draws the order; None where it is not random, or nobody knows.
        guards: the conditions that are left open.
        made: the call that moves, or the expression that takes rows by an index.
    """

    draw: Draw | None
    key: Key
    guards: Guards = field(default=ALWAYS, compare=False)
    clock: int = field(default=0, compare=False)
    made: Result | None = field(default=None, compare=False)


Step = Cut | Move


@dataclass(frozen=True)
class Rows:
    """Rows of a collection.

    Attributes:
        base: the collection; `("numbers",)` for row numbers.
        steps: how they were taken from it, in order.
        since: the last moment at which code that is not followed has made them from others: a move before it may be in them.
        alike: whether they are all the same, so that any order is as good.
        holders: the collections on the way.
        by_row: whether they are taken one by one.
    """

    base: Key
    steps: tuple[Step, ...] = ()
    since: int = 0
    alike: bool = False
    holders: tuple[Key, ...] = field(default=(), compare=False)
    by_row: bool = field(default=False, compare=False)

    @property
    def cuts(self) -> tuple[Cut, ...]:
        """Which rows, whatever their order."""
        return tuple(step for step in self.steps if isinstance(step, Cut))

    @property
    def moves(self) -> tuple[Move, ...]:
        """In which order."""
        return tuple(step for step in self.steps if isinstance(step, Move))


@dataclass(frozen=True)
class Moment:
    """When a value is looked at, and on which way the reader came there."""

    clock: int
    way: Guards


@dataclass(frozen=True, eq=False)
class _InPlace:
    move: Move
    cut: tuple[Cut, ...]
    guards: Guards


class RowOrders:
    """The rows of the values of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._draws = run.domain(Draws)

    def of(self, found: Value | Object, at: Moment) -> Rows | None:
        """The rows of a value; None where that is not known, or the value has no rows."""
        return self._of(found, at, _DEEPEST)

    # -- moves in place ---------------------------------------------------------------------------------------------

    @cached_property
    def in_place(self) -> dict[Key, list[_InPlace]]:
        """The calls that move the rows of each collection, in running order."""
        found: dict[Key, list[_InPlace]] = {}
        for call in self._run.calls:
            if not call.result.args or not (moves_in_place(call.name) or call.result.method in ("sort", "reverse")):
                self._by_method(call, found)
                continue
            for option in call.result.args[0].options:
                target, cut = self._owner(option.object)
                if target is not None:
                    known = call.name in IN_PLACE and len(call.result.args) == 1
                    draw = self._draws.of(call.result) if known else None
                    move = _move(call, draw)
                    found.setdefault(target, []).append(_InPlace(move, cut, call.context.guards | option.guards))
        return found

    def _by_method(self, call: Call, found: dict[Key, list[_InPlace]]) -> None:
        """`x.sort()`."""
        receiver = call.result.receiver
        if call.result.method not in ("sort", "reverse") or receiver is None:
            return
        target, cut = self._owner(receiver)
        if target is not None:
            move = _move(call, None)
            found.setdefault(target, []).append(_InPlace(move, cut, call.context.guards))

    def _owner(self, found: Object) -> tuple[Key | None, tuple[Cut, ...]]:
        """The collection whose memory an object shows, and the part of it."""
        cuts: list[Cut] = []
        for _ in range(_DEEPEST):
            if isinstance(found, Result) and (inner := _shown(found)) is not None:
                if found.op == "item" and (cut := _slice_of(found.args[0])) is not None and cut.key != ("all",):
                    cuts.insert(0, cut)
                found = inner
                continue
            break
        if isinstance(found, (Result, Container)):
            return identity(found), tuple(cuts)
        return None, ()

    # -- rows -------------------------------------------------------------------------------------------------------

    def _of(self, found: Value | Object, at: Moment, depth: int) -> Rows | None:
        if depth <= 0:
            return None
        if isinstance(found, Value):
            return self._of_options(found, at, depth)
        if isinstance(found, Result):
            return self._moved(found, self._of_result(found, at, depth), found.clock, at)
        if isinstance(found, Container):
            rows, made = self._of_container(found, at, depth)
            return self._moved(found, rows, made, at)
        return None

    def _of_options(self, value: Value, at: Moment, depth: int) -> Rows | None:
        """All that the way leaves open must agree."""
        found: list[Rows | None] = []
        for option in value.options:
            if not excluded(option.guards, at.way) and not _is_nothing(option.object):
                found.append(self._of(option.object, at, depth - 1))
        first = found[0] if found else None
        return first if first is not None and all(each == first for each in found) else None

    def _moved(self, found: Result | Container, rows: Rows | None, made: int, at: Moment) -> Rows | None:
        """Rows with the moves that happened to their collection since it was made."""
        if rows is None:
            return None
        own = identity(found)
        moves = [
            replace(each.move, guards=each.guards - at.way)
            for each in self.in_place.get(own, ())
            if made < each.move.clock <= at.clock and not excluded(each.guards, at.way) and not each.cut
        ]
        if any(each.cut and made < each.move.clock <= at.clock for each in self.in_place.get(own, ())):
            return None
        return replace(rows, steps=(*rows.steps, *moves), holders=(*rows.holders, own))

    def _of_result(self, found: Result, at: Moment, depth: int) -> Rows | None:
        if found.op == "item":
            return self._of_item(found, at, depth)
        if found.op == "attribute":
            if found.method in MEASURES:
                return None
            shown = _shown(found)
            return self._of(shown, at, depth - 1) if shown is not None else _root(found)
        if found.op == "call":
            return self._of_call(found, at, depth)
        if found.op == "operator":
            return self._of_operator(found, at, depth)
        if found.op == "each" and isinstance(found.receiver, (Result, Container)):
            rows = self._of(found.receiver, self._at(found, at), depth - 1)
            return replace(rows, by_row=True) if rows is not None else None
        return _root(found)

    def _at(self, found: Result, at: Moment) -> Moment:
        """The moment at which a copy was made."""
        return Moment(min(found.clock, at.clock), at.way)

    # -- calls ------------------------------------------------------------------------------------------------------

    def _of_call(self, found: Result, at: Moment, depth: int) -> Rows | None:
        name = found.name
        if name in ALIKE and not self._is_written(found):
            return Rows(identity(found), alike=True)
        if name in ALIKE or name in MEASURES:
            return _root(found) if name in ALIKE else None
        if name in RANGES:
            cut = _cut(list(found.args)) if len(found.args) > 1 else None
            return Rows(_NUMBERS, (cut,) if cut is not None and cut.key != ("all",) else ())
        first = found.args[0] if found.args else None
        if name in PERMUTED and first is not None:
            return self._permuted(found, first, at, depth)
        if name == "sklearn.utils.shuffle" and len(found.args) == 1 and first is not None:
            return self._drawn(found, self._of(first, self._at(found, at), depth - 1))
        if name == "random.sample" and first is not None:
            return self._sampled(found, first, at, depth)
        if found.method == "sample" and found.receiver is not None:
            return self._fraction(found, at, depth)
        if name in ("numpy.take", ".take", "keras.ops.take", "tensorflow.gather"):
            return self._taken(found, at, depth)
        if (shown := _shown(found)) is not None:
            return self._of(shown, at, depth - 1)
        return self._made_from(found, at, depth)

    def _permuted(self, found: Result, first: Value, at: Moment, depth: int) -> Rows | None:
        axis = found.keyword("axis") or (
            found.args[1] if found.name == "keras.random.shuffle" and len(found.args) > 1 else None
        )
        if axis is not None and axis.constant != 0:
            return self._of(first, self._at(found, at), depth - 1)
        if _is_count(first):
            return self._drawn(found, Rows(_NUMBERS))
        return self._drawn(found, self._of(first, self._at(found, at), depth - 1))

    def _sampled(self, found: Result, first: Value, at: Moment, depth: int) -> Rows | None:
        """`random.sample(x, len(x))`."""
        many = found.keyword("k") or (found.args[1] if len(found.args) > 1 else None)
        only = many.only if many is not None else None
        rows = self._of(first, self._at(found, at), depth - 1)
        if isinstance(only, Result) and only.name == "builtins.len" and rows is not None:
            return self._drawn(found, rows)
        return None

    def _fraction(self, found: Result, at: Moment, depth: int) -> Rows | None:
        """`frame.sample(frac=1)`."""
        part = found.keyword("frac")
        assert found.receiver is not None
        rows = self._of(found.receiver, self._at(found, at), depth - 1)
        return self._drawn(found, rows) if part is not None and part.constant == 1 else None

    def _drawn(self, found: Result, rows: Rows | None) -> Rows | None:
        draw = self._draws.of(found)
        if rows is None:
            return None
        key: Key = ("draw", draw) if draw is not None else ("move", found.serial)
        return replace(rows, steps=(*rows.steps, Move(draw, key, ALWAYS, found.clock, found)))

    def _taken(self, found: Result, at: Moment, depth: int) -> Rows | None:
        given = [Value.of(found.receiver)] if found.receiver is not None else []
        given += found.args
        index = found.keyword("indices") or (given[1] if len(given) > 1 else None)
        if index is None:
            return None
        rows = self._of(given[0], self._at(found, at), depth - 1)
        return self._by_index(found, rows, index, at, depth)

    def _made_from(self, found: Result, at: Moment, depth: int) -> Rows | None:
        """What a function makes from one collection has its rows, in its order."""
        given = [*found.args, *(value for name, value in found.keywords if name in ("*", "x", "array", "data"))]
        if found.receiver is not None:
            given.append(Value.of(found.receiver))
        sources = self._sources(given, self._at(found, at), depth - 1)
        if sources is None or len(sources) != 1:
            return _root(found)
        rows = sources[0]
        known = found.name in COPIES or found.name.partition(".")[0] in (
            "numpy",
            "keras",
            "tensorflow",
            "pandas",
            "builtins",
        )
        return rows if known or rows.steps or rows.by_row else replace(rows, since=max(rows.since, found.clock))

    def _sources(self, given: list[Value], at: Moment, depth: int) -> list[Rows] | None:
        """The different rows among values, counts left out; None where one of them is not known."""
        found: list[Rows] = []
        for value in given:
            for each in value:
                if isinstance(each, (Result, Container)) and not _is_count(Value.of(each)) and not _is_path(each):
                    rows = self._of(each, at, depth)
                    if rows is not None and not any(_same(rows, other) for other in found):
                        found.append(rows)
                elif isinstance(each, Tuple):
                    inner = self._sources(list(each.items), at, depth - 1) if depth > 0 else None
                    found += [rows for rows in inner or () if not any(_same(rows, other) for other in found)]
        return [rows for rows in found if rows.base != _NUMBERS] or found

    def _of_operator(self, found: Result, at: Moment, depth: int) -> Rows | None:
        if found.name == "slice":
            return None
        if found.name == "*" and any(self._is_single(each) for each in found.args):
            return Rows(identity(found), alike=True)
        sources = self._sources(list(found.args), self._at(found, at), depth - 1)
        return sources[0] if sources is not None and len(sources) == 1 else None

    def _is_single(self, value: Value) -> bool:
        """The list of `[1] * n`."""
        only = value.only
        items = self._run.items(only) if isinstance(only, Container) else None
        return items is not None and len(items) == 1

    @cached_property
    def _written(self) -> frozenset[Key]:
        """The arrays that rows are stored into."""
        stores = (call.result.receiver for call in self._run.calls if call.name == "setitem")
        owners = (self._owner(each)[0] for each in stores if each is not None)
        return frozenset(each for each in owners if each is not None)

    def _is_written(self, found: Result) -> bool:
        return identity(found) in self._written

    # -- items ------------------------------------------------------------------------------------------------------

    def _of_item(self, found: Result, at: Moment, depth: int) -> Rows | None:
        holder, index = found.receiver, found.args[0]
        if holder is None:
            return None
        cut = _slice_of(index)
        if cut is not None:
            rows = self._of(holder, at, depth - 1)
            return rows if rows is None or cut.key == ("all",) else replace(rows, steps=(*rows.steps, cut))
        key = index.constant
        if isinstance(key, int) and not isinstance(key, bool):
            return self._component(found, holder, key, at, depth)
        if isinstance(key, str) or _are_names(self._run, index):
            return self._column(found, holder, at, depth)
        rows = self._of(holder, self._at(found, at), depth - 1)
        only = index.only
        if isinstance(only, Tuple) and only.items:
            index = only.items[0]
        return self._by_index(found, rows, index, at, depth)

    def _column(self, found: Result, holder: Object, at: Moment, depth: int) -> Rows | None:
        """A column may be a view of its frame: a move of the frame may be in it or not."""
        rows = self._of(holder, self._at(found, at), depth - 1)
        now = self._of(holder, at, depth - 1)
        return rows if rows == now else None

    def _component(self, found: Result, holder: Object, key: int, at: Moment, depth: int) -> Rows | None:
        """One of several collections that a call gives, or one item of each row of a loop over `zip`."""
        if isinstance(holder, Result) and holder.op == "call":
            when = self._at(holder, at)
            if holder.name == "sklearn.utils.shuffle" and key < len(holder.args) > 1:
                return self._drawn(holder, self._of(holder.args[key], when, depth - 1))
            if holder.name == "sklearn.model_selection.train_test_split" and key // 2 < len(holder.args):
                rows = self._of(holder.args[key // 2], when, depth - 1)
                cut = Cut(("split", holder.serial, key % 2))
                return replace(rows, steps=(*rows.steps, cut)) if rows is not None else None
            star = holder.keyword("*") if holder.name == "builtins.zip" else None
            if star is not None:
                return self._of(star, when, depth - 1)
        if isinstance(holder, Result) and holder.op == "each":
            part = _zipped(holder, key)
            return self._of(part, at, depth - 1) if part is not None else _root(found)
        return _root(found)

    def _by_index(self, found: Result, rows: Rows | None, index: Value, at: Moment, depth: int) -> Rows | None:
        """`x[order]`: the rows of x, taken in the way that the index was made."""
        if rows is None:
            return None
        only = index.only
        own = self._of(index, self._at(found, at), depth - 1)
        if own is not None and own.base == _NUMBERS:
            steps = tuple(
                replace(step, made=found, clock=max(step.clock, found.clock)) if isinstance(step, Move) else step
                for step in own.steps
            )
            return replace(rows, steps=(*rows.steps, *steps))
        if isinstance(only, (Unknown, Constant)) or only is None:
            return None
        steps = own.steps if own is not None else ()
        base = own.base if own is not None else ("index", index.term)
        if isinstance(only, Result) and only.op == "operator":
            base = ("index", index.term)
        return replace(rows, steps=(*rows.steps, Cut(("index", base)), *steps))

    # -- lists ------------------------------------------------------------------------------------------------------

    def _of_container(self, found: Container, at: Moment, depth: int) -> tuple[Rows | None, int]:
        """What a list that is filled in a loop holds: a row for each that the loop goes through; and when it was made."""
        pieces = [each for each in self._run.pieces(found) if each.context.clock <= at.clock]
        log = self._run.machine.heap.log.get((found.serial, "len"), ())
        made = log[0].clock if log else 0
        if not pieces:
            return Rows(identity(found)), made
        last = pieces[-1]
        if last.how == "extend" and len({each.value.term for each in pieces}) == 1:
            return self._of(last.value, Moment(last.context.clock, at.way), depth - 1), last.context.clock
        loops = {each.loops[-1].node for each in pieces if each.loops}
        if len(loops) != 1 or any(each.how != "append" or not each.loops for each in pieces):
            return Rows(identity(found), since=last.context.clock), last.context.clock
        rows = self._of_round(last, at, depth)
        return (rows if rows is not None else Rows(identity(found), since=last.context.clock)), last.context.clock

    def _of_round(self, piece: Piece, at: Moment, depth: int) -> Rows | None:
        when = Moment(piece.context.clock, at.way | piece.context.guards)
        found = self._sources([piece.value], when, depth - 1)
        if found is None or len(found) != 1:
            return None
        tests = tuple(sorted(str(guard) for guard in piece.context.guards if guard[0][0] != "round"))
        cut = (Cut(("tests", *tests)),) if tests and not {*piece.context.guards} <= at.way else ()
        return replace(found[0], steps=(*found[0].steps, *cut))


def _move(call: Call, draw: Draw | None) -> Move:
    key: Key = ("draw", draw) if draw is not None else ("move", call.result.serial)
    return Move(draw, key, ALWAYS, call.context.clock, call.result)


# -- small questions ----------------------------------------------------------------------------------------------------


def identity(found: Object) -> Key:
    """What tells a collection from others: two calls make two, an attribute is the same each time."""
    if isinstance(found, Container) or (isinstance(found, Result) and found.op == "call"):
        return ("made", found.serial)
    if isinstance(found, Result) and isinstance(found.receiver, (Result, Container)):
        return (found.op, found.name, identity(found.receiver), *(value.term for value in found.args))
    return ("term", found.term)


def _root(found: Result) -> Rows:
    unfollowed = found.op in ("call", "each", "item")
    return Rows(identity(found), since=found.clock if unfollowed else 0)


def _same(one: Rows, other: Rows) -> bool:
    return one.base == other.base and one.steps == other.steps


def _is_nothing(found: Object) -> bool:
    return isinstance(found, Constant) and found.value is None


def _is_count(value: Value) -> bool:
    """Whether a value is a number: `len(x)`, `x.shape[0]`, a sum of them."""
    only = value.only
    if isinstance(only, (Constant, Setting)):
        return True
    if not isinstance(only, Result):
        return False
    if only.op == "operator":
        return only.name != "slice" and bool(only.args) and all(_is_count(each) for each in only.args)
    if only.op == "item":
        return isinstance(only.receiver, Result) and only.receiver.method in MEASURES
    return (
        only.name in MEASURES
        or only.name in ("builtins.int", "builtins.min", "builtins.max", "builtins.sum", "math.floor")
        or (only.op == "attribute" and only.method in MEASURES)
    )


def _is_path(found: Object) -> bool:
    return isinstance(found, Result) and found.op == "call" and found.name.startswith(("os.path.", "pathlib."))


def _shown(found: Result) -> Object | None:
    """What an object is a view of: `x[2:]`, `x[:, 0]`, `x.values`, `np.asarray(x)`."""
    if found.op == "item" and _slice_of(found.args[0]) is not None:
        return found.receiver
    if (
        found.op == "attribute"
        and found.method in VIEWING_ATTRIBUTES
        and isinstance(found.receiver, (Result, Container))
    ):
        return found.receiver
    if found.op == "call" and found.name in VIEWS:
        return found.receiver if found.receiver is not None else found.args[0].only if found.args else None
    return None


def _slice_of(index: Value) -> Cut | None:
    """The rows of `x[a:b]` and `x[a:b, 0]`; None for other indexes."""
    only = index.only
    if isinstance(only, Tuple):
        return _slice_of(only.items[0]) if only.items else None
    if not isinstance(only, Result):
        return None
    if only.op == "operator" and only.name == "slice":
        bounds = list(only.args)
    elif only.op == "call" and only.name == "builtins.slice" and only.args:
        nothing = Value.of(Constant(None))
        bounds = [nothing, only.args[0], nothing] if len(only.args) == 1 else [*only.args, nothing][:3]
    else:
        return None
    return _cut(bounds)


def is_slice(index: Value) -> bool:
    """Whether an index takes neighbours: `a:b`, `slice(a, b)`, `a:b, 0`."""
    return _slice_of(index) is not None


def _cut(bounds: list[Value]) -> Cut:
    """The rows from a start to a stop."""
    nothing = Value.of(Constant(None))
    start, stop, step = [*bounds, nothing, nothing][:3]
    if start.constant in (None, 0) and stop.constant is None and step.constant in (None, 1):
        return Cut(("all",))
    first = ("constant", 0) if start.constant in (None, 0) else start.term
    upto = stop.only
    long = upto.args[0].only if isinstance(upto, Result) and upto.name == "builtins.len" and upto.args else None
    same = identity(long) if long is not None and first == ("constant", 0) else None
    return Cut(("slice", first, stop.term, ("constant", 1) if step.constant in (None, 1) else step.term), same)


def _are_names(run: Run, index: Value) -> bool:
    """Whether an index is a list of column names."""
    only = index.only
    items = run.items(only) if isinstance(only, (Container, Tuple)) else None
    return bool(items) and all(isinstance(value.constant, str) for value in items or ())


def _zipped(each: Result, key: int) -> Value | None:
    """What a loop over `zip(a, b)` or `enumerate(a)` takes an item from."""
    source = each.receiver
    if not isinstance(source, Result) or source.op != "call":
        return None
    if source.name == "builtins.zip" and key < len(source.args):
        return source.args[key]
    return source.args[0] if source.name == "builtins.enumerate" and key == 1 and source.args else None
