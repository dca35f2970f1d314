"""Which rows of which collection a value holds at a moment of the run: arrays, lists, frames, and what is made of them row by row."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from seqlint.domains.parts.forms import (
    axis_of,
    first_of_zip,
    is_every_number,
    is_number,
    leaves_columns_out,
    root,
    side_of_fold,
    side_of_mask,
)
from seqlint.domains.parts.indexes import side_of_slice
from seqlint.domains.parts.part import Mix, Part, Take
from seqlint.domains.parts.streams import of_stream
from seqlint.domains.parts.windows import rows_of_windows
from seqlint.domains.rows.frames import Frames
from seqlint.domains.rows.in_place import InPlace
from seqlint.domains.rows.steps import Moment, made_at
from seqlint.domains.rows.terms import are_names, identity, is_nothing
from seqlint.knowledge.orders import PERMUTED, RANGES, VIEWING_ATTRIBUTES
from seqlint.knowledge.rows_kept import (
    CUTS_WINDOWS,
    DRAWN,
    FUNCTIONS,
    JOINS,
    MADE_UP,
    METHODS,
    REDUCES_IN_PLACE,
    SUMMARIES,
    TAKES_ROWS,
)
from seqlint.run import (
    Constant,
    Container,
    Generator,
    Instance,
    Result,
    Setting,
    Tuple,
    Unknown,
    Value,
)
from seqlint.run.heap import excluded

if TYPE_CHECKING:
    from seqlint.domains.parts.part import Step
    from seqlint.run import Object, Run

_DEEPEST = 40
_SPLIT = "sklearn.model_selection.train_test_split"


class Parts:
    """The parts of the collections of a run."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self._in_place = run.domain(InPlace)
        self._frames = run.domain(Frames)
        self._known: dict[tuple[Object, Moment], Part | None] = {}

    def of(self, found: Value | Object | None, at: Moment, depth: int = _DEEPEST) -> Part | None:
        """The rows of a value; None where nobody knows, or it holds none."""
        if depth <= 0 or found is None:
            return None
        if isinstance(found, Value):
            return self._of_options(found, at, depth)
        if isinstance(found, (Result, Container)):
            if (found, at) not in self._known:
                self._known[found, at] = None  # what is made of itself
                self._known[found, at] = self._moved(found, self._of_object(found, at, depth), at)
            return self._known[found, at]
        if isinstance(found, Tuple):
            return self.of(found.items[0], at, depth - 1) if found.items else None
        if isinstance(found, (Generator, Instance)):
            return of_stream(self, found, at, depth - 1)
        return None

    def _of_options(self, value: Value, at: Moment, depth: int) -> Part | None:
        """All that the way leaves open must agree."""
        options = [each.object for each in value.options if not excluded(each.guards, at.way)]
        found = [self.of(each, at, depth - 1) for each in options if not is_nothing(each)]
        first = found[0] if found else None
        return first if first is not None and all(each == first for each in found) else None

    def _of_object(self, found: Result | Container, at: Moment, depth: int) -> Part | None:
        if isinstance(found, Container):
            return self._of_container(found, at, depth)
        streamed = of_stream(self, found, at, depth - 1)
        if streamed is not None:
            return streamed
        if found.op == "item":
            return self._of_item(found, at, depth)
        if found.op == "attribute":
            return self._of_attribute(found, at, depth)
        if found.op == "call":
            return self._of_call(found, at, depth)
        if found.op == "operator":
            return self._of_operator(found, at, depth)
        return root(found)

    def _moved(self, found: Result | Container, part: Part | None, at: Moment) -> Part | None:
        """Rows with what happened to their collection since it was made."""
        if part is None:
            return None
        own, made = identity(found), getattr(found, "clock", 0)
        steps: list[Step] = [
            Mix(("moved", each.move.clock))
            for each in self._in_place.moves.get(own, ())
            if made < each.move.clock <= at.clock and not excluded(each.guards, at.way)
        ]
        steps += [Take(("in place", clock), ()) for clock in self._reduced.get(own, ()) if made < clock <= at.clock]
        return part.then(*steps) if steps else part

    @cached_property
    def _reduced(self) -> dict[tuple[object, ...], list[int]]:
        """When rows of a frame were left out in the frame itself."""
        found: dict[tuple[object, ...], list[int]] = {}
        for call in self.run.methods(*REDUCES_IN_PLACE):
            receiver, inplace = call.result.receiver, call.result.keyword("inplace")
            if isinstance(receiver, Result) and inplace is not None and not leaves_columns_out(self.run, call.result):
                found.setdefault(identity(receiver), []).append(call.context.clock)
        return found

    # -- calls ------------------------------------------------------------------------------------------------------

    def _of_call(self, found: Result, at: Moment, depth: int) -> Part | None:
        when, name, method = made_at(found, at), found.name, found.method
        first = found.args[0] if found.args else found.keyword("x") or found.keyword("data")
        if name in RANGES or name in MADE_UP or name.startswith(DRAWN):
            return self._made_up(found, when, depth)
        if name == "sklearn.utils.shuffle" or name in PERMUTED:
            return self._mixed(found, first, when, depth)
        if (
            (method in JOINS or method == "column_stack")
            and first is not None
            and (found.receiver is None or found.name.startswith("numpy"))
        ):
            return self._joined(found, first, when, depth)
        if method == "sample" and found.receiver is not None:
            return self._sampled(found, when, depth)
        if method in REDUCES_IN_PLACE and found.receiver is not None:
            return self._reduced_copy(found, when, depth)
        if method in METHODS and found.receiver is not None and name not in FUNCTIONS:
            part = self.of(found.receiver, when, depth - 1)
            return part.by(found) if part is not None else None
        if method in CUTS_WINDOWS and first is not None:
            return replace(root(found), windows=self.of(first, when, depth - 1))
        if (name in FUNCTIONS or method in TAKES_ROWS) and first is not None:
            part = self.of(first, when, depth - 1)
            return part.by(found) if part is not None else root(found)
        return None if method in SUMMARIES else root(found)

    def _joined(self, found: Result, first: Value, at: Moment, depth: int) -> Part | None:
        """`np.concatenate([x, y])`."""
        items = self.run.items(first)
        if items is None and len(found.args) > 1 and found.method == "append":
            items = list(found.args[:2])
        joined = [self.of(item, at, depth - 1) for item in items or ()]
        if len(joined) == 1:
            return joined[0]
        if found.method == "column_stack" or axis_of(found) in (1, -1):  # columns next to one another
            known = [part for part in joined if part is not None and not part.made_up]
            alike = known and all(part in (known[0], None) for part in joined)
            return known[0].by(found) if alike else root(found)
        return replace(root(found), joined=tuple(part for part in joined if part is not None and not part.made_up))

    def _made_up(self, found: Result, at: Moment, depth: int) -> Part | None:
        if found.name.endswith(("permutation", "permuted", "choice", "shuffle")) and found.args:
            return self._mixed(found, found.args[0], at, depth)
        return Part(("made", found.serial), (), found, (), made_up=True)

    def _mixed(self, found: Result, first: Value | None, at: Moment, depth: int) -> Part | None:
        part = self.of(first, at, depth - 1)
        if part is None or "choice" in found.method:
            return Part(("made", found.serial), (), found, (), made_up=True)
        return part.then(Mix(("mixed", found.serial)))

    def _sampled(self, found: Result, at: Moment, depth: int) -> Part | None:
        """`frame.sample(frac=0.8)`; with `frac=1` all rows in another order."""
        part = self.of(found.receiver, at, depth - 1)
        share = found.keyword("frac")
        if part is None or found.keyword("replace") is not None:
            return root(found)
        if share is not None and share.constant == 1:
            return part.then(Mix(("mixed", found.serial)))
        return part.then(Take(("sample", found.serial), ("in",)))

    def _reduced_copy(self, found: Result, at: Moment, depth: int) -> Part | None:
        """`frame.drop("age", axis=1)` has all rows; `frame.drop(train.index)` the others."""
        part = self.of(found.receiver, at, depth - 1)
        if part is None or leaves_columns_out(self.run, found):
            return part.by(found) if part is not None else None
        first = found.args[0] if found.args else found.keyword("index")
        only = first.only if first is not None else None
        if isinstance(only, Result) and only.op == "attribute" and only.method == "index":
            dropped = self.of(only.receiver, at, depth - 1)
            if dropped is not None and dropped.base == part.base and len(dropped.steps) == len(part.steps) + 1:
                taken = dropped.steps[-1]
                if isinstance(taken, Take) and dropped.steps[:-1] == part.steps:
                    return part.then(Take(taken.family, ("not", *taken.side)))
        return part.then(Take(("dropped", found.term), ()))

    # -- operators --------------------------------------------------------------------------------------------------

    def _of_operator(self, found: Result, at: Moment, depth: int) -> Part | None:
        """`(x - mean) / std` has the rows of x; `x + noise`, too."""
        if found.name == "slice":
            return None
        parts = [self.of(value, made_at(found, at), depth - 1) for value in found.args if not is_number(value)]
        known = [part for part in parts if part is not None and not (part.made_up and len(parts) > 1)]
        first = known[0] if known else None
        if first is None or any(part != first for part in known) or len(known) < sum(part is None for part in parts):
            return root(found)
        return first.by(found)

    # -- items ------------------------------------------------------------------------------------------------------

    def _of_attribute(self, found: Result, at: Moment, depth: int) -> Part | None:
        if found.method in SUMMARIES:
            return None
        if found.method in VIEWING_ATTRIBUTES or found.method in ("T", "str", "at", "index"):
            return self.of(found.receiver, at, depth - 1)
        return root(found)

    def _of_item(self, found: Result, at: Moment, depth: int) -> Part | None:
        holder, index = found.receiver, found.args[0]
        only = index.only
        if isinstance(only, Tuple) and only.items:
            index = only.items[0]
            only = index.only
        side = side_of_slice(index)
        when = made_at(found, at)
        if side is not None:
            part = self.of(holder, when, depth - 1)
            return part if part is None or side == (None, None, None) else part.then(Take(("slice",), side))
        key = index.constant
        if isinstance(key, int) and not isinstance(key, bool):
            return self._component(found, holder, key, at, depth)
        if isinstance(key, str) or are_names(self.run, index):
            return self._column(found, holder, when, depth)
        if isinstance(only, (Unknown, Constant, Setting)) or only is None:
            return None
        part = self.of(holder, when, depth - 1)
        return part.then(*self._steps_of_index(only, when, depth)) if part is not None else None

    def _column(self, found: Result, holder: Object | None, at: Moment, depth: int) -> Part | None:
        """A column of a frame; an entry of a dict, or of what a file holds, is a collection of its own."""
        part = self.of(holder, at, depth - 1)
        is_frame = not isinstance(found.args[0].constant, str) or self._frames.has(holder)
        return part if part is not None and is_frame else root(found)

    def _component(self, found: Result, holder: Object | None, key: int, at: Moment, depth: int) -> Part | None:
        """One of several collections that a call gives."""
        if not isinstance(holder, Result) or holder.op != "call":
            return root(found)
        when = made_at(holder, at)
        if holder.name == _SPLIT and key // 2 < len(holder.args):
            part = self.of(holder.args[key // 2], when, depth - 1)
            return part.then(Take(self._family(holder), (key % 2,))) if part is not None else None
        if holder.name == "sklearn.utils.shuffle" and key < len(holder.args) > 1:
            part = self.of(holder.args[key], when, depth - 1)
            return part.then(Mix(("mixed", holder.serial))) if part is not None else None
        if holder.name == "numpy.where" and key == 0 and len(holder.args) == 1:
            return None
        return root(found)

    def _family(self, split: Result) -> tuple[object, ...]:
        """Two calls of a split with one number as their seed divide alike."""
        seed = split.keyword("random_state")
        if seed is not None and isinstance(seed.constant, int):
            share = tuple((name, value.term) for name, value in split.keywords if name != "stratify")
            return ("split", *share)
        return ("split", split.serial)

    def _steps_of_index(self, index: Object, at: Moment, depth: int) -> tuple[Step, ...]:
        """The rows that an index takes: sides of a fold, a mask, numbers that were shuffled and cut."""
        fold = side_of_fold(index)
        if fold is not None:
            return (fold,)
        if isinstance(index, Result) and index.op == "operator":
            return (side_of_mask(index),)
        part = self.of(index, at, depth - 1)
        if part is not None and (part.steps or is_every_number(part)):
            return (Mix(("index", part.base)), *part.steps)
        return (Take(("index", index.term), ()),)

    # -- lists ------------------------------------------------------------------------------------------------------

    def _of_container(self, found: Container, at: Moment, depth: int) -> Part | None:
        """A list that is filled in one loop has a row for each that the loop goes through."""
        own = Part(("made", found.serial), (), found, windows=self._windows(found, at, depth))
        pieces = [each for each in self.run.pieces(found) if each.context.clock <= at.clock]
        items = self.run.items(found) if not pieces else None
        if items is not None:
            return self._of_items(found, items, at, depth)
        if not pieces or any(each.how != "append" or len(each.loops) != 1 for each in pieces):
            return own
        loop = pieces[-1].loops[0]
        if len({id(each.loops[0].node) for each in pieces}) != 1 or loop.iterable is None:
            return own
        part = self.of(first_of_zip(loop.iterable), Moment(pieces[-1].context.clock, at.way), depth - 1)
        if part is None or part.made_up:
            return own
        tests = tuple(sorted(str(guard) for guard in pieces[-1].context.guards if guard[0][0] != "round"))
        return part.then(Take(("tests", *tests), ())) if tests else replace(part, ways=part.ways)

    def _windows(self, found: Container, at: Moment, depth: int) -> Part | None:
        """The rows that a list holds windows of: `rows.append(series[i : i + 10])` in a loop over numbers."""
        holder = rows_of_windows(self.run, found, at.clock)
        return self.of(holder, at, depth - 1) if holder is not None else None

    def _of_items(self, found: Container, items: list[Value], at: Moment, depth: int) -> Part | None:
        """The first of several inputs; a list of numbers is one that the program writes."""
        if items and all(isinstance(each.only, (Result, Container)) for each in items):
            first = self.run.at_key(found, items[0].constant) if found.kind == "dict" else items[0]
            part = self.of(first, at, depth - 1)
            if part is not None and part.base[0] != "element":
                return part
        written = bool(items) and all(not isinstance(each.only, (Result, Instance)) for each in items)
        return Part(("made", found.serial), (), found, (), made_up=written)
