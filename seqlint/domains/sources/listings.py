"""Lists of files in the order in which a folder lists them, and pairs that are made of two such lists."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING

from seqlint.domains.pipelines.pipelines import Pipelines
from seqlint.knowledge.types import MODEL
from seqlint.run import Constant, Container, Result, Tuple, Value
from seqlint.run.types import type_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Call, Object, Run

_LISTS = re.compile(
    r"os\.(listdir|scandir)|glob\.i?glob|tensorflow\.io\.gfile\.(glob|listdir)|(pathlib\.Path)?\.?(iterdir|r?glob)"
)
_SAME = frozenset({
    "builtins.list", "builtins.tuple", "numpy.array", "numpy.asarray", "numpy.stack", "numpy.concatenate", "numpy.vstack", "tensorflow.constant",
    "tensorflow.convert_to_tensor", "tensorflow.stack", "numpy.expand_dims", "numpy.squeeze", "numpy.copy",
})  # fmt: skip
"""They give the rows of their first argument, in their order."""
_SAME_METHODS = frozenset({"astype", "reshape", "copy", "tolist"})
_KEEP = frozenset({"map", "batch", "prefetch", "cache", "with_options"})
"""Steps of a dataset that leave each row at its place."""
_DEEPEST = 14
_Over = frozenset["Object | None"] | None


@dataclass(frozen=True)
class Origin:
    """Where the order of rows comes from.

    Attributes:
        listing: the call that lists files.
        is_sorted: whether they were sorted after it.
    """

    listing: Result
    is_sorted: bool = False


class Listings:
    """The lists of files of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._pipelines = run.domain(Pipelines)

    @cached_property
    def unsorted(self) -> tuple[Call, ...]:
        """The calls that list files in no order, where their rows are paired with those of another folder."""
        found: dict[Result, None] = {}
        for one, other in self._pairs():
            if one.listing.term == other.listing.term or (one.is_sorted and other.is_sorted):
                continue
            if not any(origin.listing in self._changed for origin in (one, other)):
                found |= {origin.listing: None for origin in (one, other) if not origin.is_sorted}
        calls = self._run.call_of
        return tuple(calls[listing] for listing in found if listing in calls)

    def _pairs(self) -> Iterator[tuple[Origin, Origin]]:
        for values in self._paired() if self._pipelines.imports_tensorflow else ():
            origins = [origin for value in values if (origin := self._of_rows(value)) is not None]
            yield from combinations(origins, 2)

    @cached_property
    def _changed(self) -> frozenset[object]:
        """What is sorted or shuffled in place, and the listings that it is made of."""
        found: set[object] = set()
        for call in self._run.calls:
            if call.result.method in ("sort", "shuffle", "reverse") and not self._pipelines.is_step(call.result):
                given = [call.result.receiver, *(value.only for value in call.result.args[:2])]
                for each in given:
                    origin = self._of_list(each, 0) if each is not None else None
                    found |= {origin.listing} if origin is not None else set()
        return frozenset(found)

    # -- pairs ------------------------------------------------------------------------------------------------------

    def _paired(self) -> Iterator[tuple[Value, ...]]:
        """Values whose rows belong together: parts of a batch, inputs and targets of a fit, parts of slices and of a zip."""
        for call in self._run.calls:
            step = call.result
            if step.method in ("from_tensor_slices", "from_tensors") and self._pipelines.is_step(step) and step.args:
                yield self._parts(step.args[0])
            elif step.method == "zip" and self._pipelines.is_step(step):
                sliced = (self._sliced(above) for above in self._pipelines.parents(step))
                yield tuple(value for value in sliced if value is not None)
            elif step.method == "fit" and step.receiver is not None and type_of(step.receiver) in (MODEL, ""):
                yield tuple(
                    value for value in (*step.args[:2], step.keyword("x"), step.keyword("y")) if value is not None
                )
                held = step.keyword("validation_data")
                yield self._parts(held) if held is not None else ()
        for batch in self._run.batches:
            yield self._parts(batch.value)

    def _parts(self, value: Value) -> tuple[Value, ...]:
        only = value.only
        if isinstance(only, Container) and only.kind == "dict":
            return tuple(
                part
                for key in self._run.items(only) or ()
                if (part := self._run.at_key(only, key.constant)) is not None
            )
        return only.items if isinstance(only, Tuple) else ()

    def _sliced(self, dataset: Result) -> Value | None:
        """What a dataset goes through row by row, where its steps keep the order."""
        *steps, source = self._pipelines.line(dataset)
        kept = all(step.method in _KEEP for step in steps) and source.method == "from_tensor_slices"
        return source.args[0] if kept and source.args else None

    # -- where an order comes from ------------------------------------------------------------------------------------

    def _of_rows(self, value: Value) -> Origin | None:
        """The origin of a list, or of a row of one."""
        only = value.only
        return (self._of_list(only, 0) or self._of_row(only, 0)) if only is not None else None

    def _of_list(self, found: Object, depth: int) -> Origin | None:
        """The origin of the order of a list; None where it has another one, or nobody knows."""
        if depth > _DEEPEST:
            return None
        if isinstance(found, Container):
            return self._of_pieces(found, depth)
        if not isinstance(found, Result):
            return None
        if found.op == "call" and _LISTS.fullmatch(found.name):
            return Origin(found)
        first = found.args[0].only if found.args else None
        if found.op == "call" and found.name == "builtins.sorted" and first is not None:
            inner = self._of_list(first, depth + 1)
            return Origin(inner.listing, True) if inner is not None else None
        if found.op == "call" and found.name in _SAME and first is not None:
            return self._of_list(first, depth + 1)
        if found.op == "operator" and len(found.args) == 2:
            return self._scaled(found, depth)
        keeps = (found.op == "call" and found.method in _SAME_METHODS) or (found.op == "item" and _is_of_all(first))
        return self._of_list(found.receiver, depth + 1) if keeps and found.receiver is not None else None

    def _scaled(self, found: Result, depth: int) -> Origin | None:
        """The origin of `rows / 255`."""
        sides = [value.only for value in found.args]
        rows = [side for side in sides if side is not None and not isinstance(side, Constant)]
        return self._of_list(rows[0], depth + 1) if len(rows) == 1 and len(sides) == 2 else None

    def _of_pieces(self, found: Container, depth: int) -> Origin | None:
        """A list that a loop fills: row by row, in the order that the loop goes in."""
        pieces = self._run.pieces(found)
        if found.kind != "list" or not pieces or any(piece.how != "append" or not piece.loops for piece in pieces):
            return None
        origins = set()
        for piece in pieces:
            over = frozenset(each for loop in piece.loops for each in self._gone_through(loop.iterable, depth))
            origins.add(self._of_row(piece.value.only, depth + 1, over))
        return origins.pop() if len(origins) == 1 else None

    def _gone_through(self, value: Value | None, depth: int) -> Iterator[Object]:
        """What a loop goes through, and what the list that it goes through was filled from."""
        only = value.only if value is not None else None
        if only is None or depth > _DEEPEST:
            return
        yield only
        if isinstance(only, Container):
            for piece in self._run.pieces(only):
                for loop in piece.loops:
                    yield from self._gone_through(loop.iterable, depth + 1)
        if isinstance(only, Result):
            first = only.args[0] if only.args else None
            inner = Value.of(only.receiver) if only.op == "item" and only.receiver is not None else first
            yield from self._gone_through(inner, depth + 1)

    def _of_row(self, found: Object | None, depth: int, over: _Over = None) -> Origin | None:
        """The origin of the list that a row is taken from; None where it is made of rows of several lists.

        Args:
            over: what the loops go through that the row is made in; None where any loop will do.
        """
        if depth > _DEEPEST or found is None:
            return None
        if isinstance(found, (Tuple, Container)):
            return self._one([value.only for value in self._run.items(found) or ()], depth, over)
        if not isinstance(found, Result):
            return None
        taken = self._taken(found, depth, over)
        if taken is not None:
            return taken
        parts = [found.receiver, *(value.only for value in (*found.args, *(value for _, value in found.keywords)))]
        return self._one(parts, depth, over)

    def _one(self, parts: list[Object | None], depth: int, over: _Over) -> Origin | None:
        origins = {origin for part in parts if (origin := self._of_row(part, depth + 1, over)) is not None}
        return origins.pop() if len(origins) == 1 else None

    def _taken(self, found: Result, depth: int, over: _Over) -> Origin | None:
        """The origin of a row that is taken right from a list: by a loop, by an index, as a part of a `zip` or `enumerate`."""
        if found.op == "each" and found.receiver is not None:
            return self._of_list(found.receiver, depth + 1) if over is None or found.receiver in over else None
        if found.op != "item" or not isinstance(found.receiver, Result) or not found.args:
            return None
        joined = self._joined(found.receiver, over)
        place = found.args[0].only
        if joined is not None and isinstance(place, Constant) and isinstance(place.value, int):
            part = joined.args[place.value].only if -1 < place.value < len(joined.args) else None
            if joined.name == "builtins.enumerate":
                part = joined.args[0].only if place.value == 1 and joined.args else None
            return self._of_list(part, depth + 1) if part is not None else None
        return None if _is_slice(place) else self._of_list(found.receiver, depth + 1)

    def _joined(self, found: Result, over: _Over) -> Result | None:
        """The `zip` or `enumerate` that a loop takes an item from."""
        if found.op == "item" and isinstance(found.receiver, Result):  # for i, (x, y) in enumerate(zip(...))
            outer = self._joined(found.receiver, over)
            inner = (
                outer.args[0].only if outer is not None and outer.name == "builtins.enumerate" and outer.args else None
            )
            return inner if isinstance(inner, Result) and inner.name == "builtins.zip" else None
        source = found.receiver if found.op == "each" and (over is None or found.receiver in over) else None
        return source if isinstance(source, Result) and source.name in ("builtins.zip", "builtins.enumerate") else None


def _is_slice(index: Object | None) -> bool:
    return isinstance(index, Result) and index.op == "operator" and index.name == "slice"


def _is_of_all(index: Object | None) -> bool:
    """Whether an index takes a range of rows: `[2:]`, `[..., 0]`, `[:, :, None]`."""
    first = index.items[0].only if isinstance(index, Tuple) and index.items else index
    return _is_slice(first) or (first is not index and isinstance(first, Constant) and first.value is ...)
