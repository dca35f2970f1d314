"""Scalers and the like that learn from rows before these are split."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from seqlint.domains.parts.counted import Counted, Reader, Role
from seqlint.domains.parts.fed import Feds, moment
from seqlint.domains.parts.part import Part, relation
from seqlint.domains.parts.parts import Parts
from seqlint.domains.pipelines.draws import contents
from seqlint.knowledge.scalings import LEARNERS
from seqlint.run import Result, Value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Call, Object, Run

_LAYERS = frozenset({"Normalization", "TextVectorization", "StringLookup", "IntegerLookup", "Discretization"})
_VOCABULARIES = frozenset({"TextVectorization", "StringLookup", "IntegerLookup", "Tokenizer"})
_MOMENTS = frozenset({"mean", "std", "var", "nanmean", "nanstd", "reduce_mean", "reduce_std"})
_SPLIT_PLACE = 6


@dataclass(frozen=True, eq=False)
class Learned:
    """Something that has learned from rows of which some are held out later.

    Attributes:
        made: the call of `fit`, `fit_transform` or `adapt`, or the mean that is taken.
        what: "vocabulary" where only words are learned.
        split: how the rows are divided: "validation_split", or "" for parts that are cut by the program.
        held_by: the role in which the rows that are held out are read: "validation", "evaluate" or "predict".
    """

    made: Result
    what: Literal["numbers", "vocabulary"]
    split: str
    held_by: Role


class LearnedEarly:
    """What learns from rows in a run."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._parts = run.domain(Parts)
        self._counted = run.domain(Counted)
        self._feds = run.domain(Feds)
        self._made_by: dict[object, bool] = {}

    def all(self) -> Iterator[Learned]:
        """What learns from rows that are trained on and from rows that are held out, in running order.

        A mean and a deviation of the same rows are one: the first that is taken.
        """
        told: set[Part] = set()
        for made, part, is_words in self._learners:
            held = self._split(made, part)
            is_second = made.method in _MOMENTS and part in told
            if held is None or is_second:
                continue
            told |= {part} if made.method in _MOMENTS else set()
            yield Learned(made, "vocabulary" if is_words else "numbers", *held)

    @cached_property
    def _learners(self) -> tuple[tuple[Result, Part, bool], ...]:
        return (*self._of_calls(), *self._of_moments())

    def _of_calls(self) -> Iterator[tuple[Result, Part, bool]]:
        for call in self._run.methods("fit", "fit_transform", "adapt", "fit_on_texts"):
            receiver, result = call.result.receiver, call.result
            if not isinstance(receiver, Result) or not result.args:
                continue
            is_layer = result.method == "adapt" and receiver.method in _LAYERS
            words = result.method == "fit_on_texts" or (is_layer and receiver.method in _VOCABULARIES)
            if is_layer or words or (result.method != "adapt" and receiver.name in LEARNERS):
                part = self._parts.of(result.args[0], moment(call))
                if part is not None:
                    yield result, part, words

    def _of_moments(self) -> Iterator[tuple[Result, Part, bool]]:
        """`x - x.mean()`: means and deviations that rows are changed by."""
        seen: set[Result] = set()
        for reader in self._counted.readers:
            for way in (way for part in reader.own for way in part.ways if way.op == "operator" and way not in seen):
                seen.add(way)
                for value in way.args:
                    made = _moment_in(value)
                    rows = _rows_of(made) if made is not None else None
                    part = self._parts.of(rows, moment(reader.call)) if rows is not None else None
                    if made is not None and part is not None and made not in seen:
                        seen.add(made)
                        yield made, part, False

    # -- what is held out -------------------------------------------------------------------------------------------

    def _split(self, made: Result, learned: Part) -> tuple[str, Role] | None:
        """How rows that were learned from are divided later; None where they are not, or nobody knows."""
        used = [
            (reader, part)
            for reader in self._counted.readers
            for part in (each.unwound for each in reader.own)
            if self._uses(reader, part, made)
        ]
        trained = [(reader, part) for reader, part in used if reader.role == "train"]
        for reader, part in trained:
            if self._cuts_itself(reader.call) and relation(learned, part) in ("same", "part"):
                return "validation_split", "validation"
            for other in self._others(reader):
                if any(self._is_held(learned, part, each.unwound) for each in other.own[:1]):
                    return "", other.role
        return self._split_after(made, learned)

    def _split_after(self, made: Result, learned: Part) -> tuple[str, Role] | None:
        """The same where rows were changed by what was learned, put together anew, and divided after that: windows of each place, say."""
        if learned.takes or learned.made_up or made.op != "call" or made.method == "adapt" or learned.source is None:
            return None
        for reader in self._counted.readers:
            for part in reader.own[:1] if reader.role == "train" else ():
                if part.made_up or not self._is_made_by(part, made, learned.source):
                    continue
                for other in self._others(reader):
                    if other.own and relation(part, other.own[0]) == "disjoint" and part.base == other.own[0].base:
                        return "", other.role
        return None

    def _is_made_by(self, part: Part, made: Result, source: Object) -> bool:
        """Whether a collection holds what was learned from another, and what it was learned from."""
        key = (part.base, made)
        if key not in self._made_by:
            inside = set(self._inside(part.source)) if part.source is not None else set()
            used = [each for each in inside if isinstance(each, Result) and _applies(each, made)]
            self._made_by[key] = any(source in self._inside(each) for each in used)
        return self._made_by[key]

    def _inside(self, found: Object) -> Iterator[Object]:
        """All that a value is made of, with what lists are filled with."""
        return contents(self._run, Value.of(found), filled=True, sources=True)

    def _others(self, train: Reader) -> Iterator[Reader]:
        for reader in self._counted.readers:
            if reader.role != "train" and reader.call.result.receiver is train.call.result.receiver:
                yield reader

    def _is_held(self, learned: Part, train: Part, other: Part) -> bool:
        within = [relation(learned, part) for part in (train, other)]
        return all(each == "part" for each in within) and (
            relation(train, other) == "disjoint" or _reaches_on(train, other)
        )

    def _uses(self, reader: Reader, part: Part, made: Result) -> bool:
        """Whether rows are changed by what was learned: by `transform`, by a layer that is called or that the model may hold."""
        if made.method == "adapt":
            return True
        if made.op == "operator" or made.method in _MOMENTS:
            return any(_moment_in(value) is made for way in part.ways for value in way.args)
        return (
            self._is_stored_before_split(reader, part, made)
            or any(way is made or (way.receiver is made.receiver and way.clock > made.clock) for way in part.ways)
            or any(way.receiver is made for way in part.ways)
        )

    def _is_stored_before_split(self, reader: Reader, part: Part, made: Result) -> bool:
        """Whether columns of a table are replaced by what was learned, and the table is split after that alone."""
        if part.source is None or not part.takes or part.takes[0].family[0] != "split":
            return False
        stores = [call for call in self._run.methods("setitem") if call.result.receiver is part.source]
        own = [call for call in stores if call.result.args[-1].only is made]
        data = reader.call.result.argument("x", 0)
        read = self._columns(data.only if data is not None else None)
        clocks = [call.context.clock for call in own if not read.isdisjoint(self._named(call.result.args[0]))]
        splits = [call.context.clock for call in self._run.methods("train_test_split")]
        return bool(clocks and splits) and max(clocks) < min(splits)

    def _columns(self, found: Object | None) -> frozenset[str]:
        """The columns of a table that a call surely gets: `left[["wind", "wave"]].values`."""
        while isinstance(found, Result):
            if found.op == "item" and (names := self._named(found.args[0])):
                return names
            found = found.receiver
        return frozenset()

    def _named(self, index: Value) -> frozenset[str]:
        given = [index] if isinstance(index.constant, str) else self._run.items(index) or ()
        return frozenset(name for each in given if isinstance(name := each.constant, str))

    def _cuts_itself(self, call: Call) -> bool:
        given = call.result.keyword("validation_split")
        if given is None and call.result.method == "fit" and len(call.result.args) > _SPLIT_PLACE:
            given = call.result.args[_SPLIT_PLACE]
        return given is not None and given.constant not in (None, 0, 0.0)


def _applies(found: Result, made: Result) -> bool:
    """Whether rows are changed by what was learned: by what `fit_transform` gives, or by a later `transform`."""
    is_later = found.method == "transform" and found.receiver is made.receiver and found.clock > made.clock
    return is_later or (found is made and made.method == "fit_transform")


def _reaches_on(train: Part, other: Part) -> bool:
    """Whether rows end where a collection ends, and those of a training end before: `x[:n]` and `x[n - 60 :]`."""
    if train.base != other.base or len(train.takes) != 1 or len(other.takes) != 1:
        return False
    (one,), (two,) = train.takes, other.takes
    if one.family != ("slice",) or two.family != ("slice",):
        return False
    return one.side[0] in (None, 0) and one.side[1] is not None and two.side[0] is not None and two.side[1] is None


def _moment_in(value: Value, depth: int = 5) -> Result | None:
    """The mean or deviation in a number."""
    only = value.only
    if not isinstance(only, Result) or depth == 0:
        return None
    if only.op == "call" and only.method in _MOMENTS:
        return only
    if only.op == "operator":
        return next((found for each in only.args if (found := _moment_in(each, depth - 1)) is not None), None)
    return None


def _rows_of(made: Result) -> Value | None:
    if made.name.startswith(("numpy", "tensorflow")) and made.args and made.receiver is None:
        return made.args[0]
    return Value.of(made.receiver) if made.receiver is not None else None
