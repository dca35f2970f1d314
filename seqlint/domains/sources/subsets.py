"""The two parts of a directory that are split by two calls of a loader, and whether both calls split it alike."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from seqlint.domains.pipelines.pipelines import Pipelines
from seqlint.run import Constant, Result, Setting, Tuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Call, Object, Run, Value

LOADERS = frozenset({"image_dataset_from_directory", "text_dataset_from_directory", "audio_dataset_from_directory"})
Difference = Literal["seed", "shuffle", "share", "order"]
"""What is wrong with two parts: other seeds; only one is shuffled; other shares, so that they overlap; *order*: neither is shuffled, so that
the validation part holds the last classes."""


@dataclass(frozen=True, eq=False)
class Split:
    """Two calls that are to split one directory.

    Attributes:
        train, held: the calls of the training and of the validation part.
        differs: what is wrong.
    """

    train: Call
    held: Call
    differs: Difference

    @property
    def by_two_calls(self) -> bool:
        """Whether each part has a place of its own in the text."""
        return self.train.node is not self.held.node

    @property
    def argument(self) -> str:
        """The argument that makes the difference."""
        return {"seed": "seed", "share": "validation_split"}.get(self.differs, "shuffle")

    @property
    def first(self) -> Call:
        """The one that is called earlier."""
        return min((self.train, self.held), key=lambda call: call.context.clock)

    @property
    def second(self) -> Call:
        """The one that is called later."""
        return max((self.train, self.held), key=lambda call: call.context.clock)


class Subsets:
    """The parts of directories in a run."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._pipelines = run.domain(Pipelines)

    @cached_property
    def uneven(self) -> tuple[Split, ...]:
        """Each validation part that no training part of its directory was split like, with the nearest one before it."""
        return tuple(self._uneven())

    def _uneven(self) -> Iterator[Split]:
        train = [call for call in self._calls if self._constant(call, "subset") == "training"]
        for held in self._calls:
            if self._constant(held, "subset") != "validation":
                continue
            same = [call for call in train if self._is_one_directory(call, held)]
            found = [Split(call, held, differs) for call in same if (differs := self._differs(call, held)) is not None]
            if found and len(found) == len(same):
                before = [each for each in found if each.train.context.clock < held.context.clock]
                yield (before or found[:1])[-1]

    @cached_property
    def _calls(self) -> tuple[Call, ...]:
        return tuple(
            call
            for call in self._run.calls
            if call.result.method in LOADERS
            and self._pipelines.is_step(call.result)
            and not self._pipelines.hides_arguments(call.result)
        )

    def _is_one_directory(self, one: Call, other: Call) -> bool:
        return one.result.method == other.result.method and self._term(one, "directory") == self._term(
            other, "directory"
        )

    def _differs(self, train: Call, held: Call) -> Difference | None:
        """What makes the two parts unlike; None where they are, or may be, alike."""
        shuffled = [self._constant(call, "shuffle", True) for call in (train, held)]
        if not all(isinstance(each, bool) for each in shuffled):
            return None
        if shuffled[0] is not shuffled[1]:
            return "shuffle"
        if shuffled[0] and surely_differ(self._given(train, "seed"), self._given(held, "seed")):
            return "seed"
        shares = [self._constant(call, "validation_split") for call in (train, held)]
        if all(isinstance(each, (int, float)) for each in shares):
            if shares[1] > shares[0]:  # type: ignore[operator]
                return "share"
            return "order" if not shuffled[0] and self._is_by_class(train) and self._is_by_class(held) else None
        is_one = self._term(train, "validation_split") == self._term(held, "validation_split")
        return "order" if is_one and not shuffled[0] and self._is_by_class(train) and self._is_by_class(held) else None

    def _is_by_class(self, call: Call) -> bool:
        """Whether the files come sorted by class: their folders are their labels."""
        return (
            self._constant(call, "labels", "inferred") == "inferred"
            and self._constant(call, "label_mode", "") is not None
        )

    # -- arguments --------------------------------------------------------------------------------------------------

    def _given(self, call: Call, name: str) -> Value | None:
        return self._pipelines.argument(call.result, name)

    def _term(self, call: Call, name: str) -> int:
        value = self._given(call, name)
        return value.term if value is not None else 0

    def _constant(self, call: Call, name: str, default: object = ...) -> object:
        """The constant that an argument surely is, its default where it is left out, `...` where nobody knows."""
        value = self._given(call, name)
        if value is None:
            return default
        only = value.only
        return only.value if isinstance(only, Constant) else ...


def surely_differ(one: Value | None, other: Value | None) -> bool:
    """Whether two values are never the same: two constants, or two draws. Chance that makes two draws alike does not count."""
    if one is None or other is None or one.term == other.term:
        return False
    left, right = one.only, other.only
    if isinstance(left, Constant) and isinstance(right, Constant):
        return None not in (left.value, right.value) and left.value != right.value
    return is_drawn(left) or is_drawn(right) or _is_next(left, other) or _is_next(right, one)


def _is_next(found: Object | None, other: Value) -> bool:
    """Whether a value is another one plus or minus a number."""
    made = found.origin if isinstance(found, Setting) else found
    if not isinstance(made, Result) or made.op != "operator" or made.name not in ("+", "-") or len(made.args) != 2:
        return False
    by = made.args[1].only
    return made.args[0].term == other.term and isinstance(by, Constant) and isinstance(by.value, int) and by.value != 0


def is_drawn(found: Object | None, depth: int = 6) -> bool:
    """Whether a value is made anew each time: a draw, the time, or what is worked out from one."""
    if depth == 0 or found is None:
        return False
    if isinstance(found, Result):
        parts = [value.only for value in (*found.args, *(value for _, value in found.keywords))]
        return found.fresh or any(is_drawn(part, depth - 1) for part in (found.receiver, *parts))
    if isinstance(found, Tuple):
        return any(is_drawn(item.only, depth - 1) for item in found.items)
    return False
