"""Sequences whose `__len__` counts too few batches or too many, also where it, or what cuts a batch, is in another file."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from seqlint.domains.counts.counts import Counts
from seqlint.domains.sequences.cuts import Cuts, collection, made, without_int
from seqlint.knowledge.orders import PERMUTED, moves_in_place
from seqlint.run import Constant, Function, Result, Setting
from seqlint.run.attributes import lineage, lookup
from seqlint.run.objects import constant

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.domains.sequences.cuts import Cut
    from seqlint.run import Batch, Instance, Object, Run, Value

How = Literal["floor", "floor-plus-one", "samples"]
"""What it returns: full batches, those and one more, samples."""
_DOWN = frozenset(
    {"builtins.int", "math.floor", "math.trunc", "numpy.floor", "numpy.int64", "numpy.int32", "numpy.trunc"}
)
_NUMBERS = PERMUTED | {"numpy.arange", "builtins.range", "builtins.list"}
_DRAWS = ("shuffle", "permutation", "permuted", "sample", "choice")
_HOOKS = ("on_epoch_begin", "on_epoch_end")


@dataclass(frozen=True, eq=False)
class Miscounted:
    """Sequences with such a `__len__`.

    Attributes:
        sources: all that have it.
        span: where this file says it, in bytes: the count, what `__len__` returns, or the `__getitem__` that it does not fit.
        owner: the class in which the `__len__` is written.
        size: how the Sequence keeps the number of samples of a batch: "self.size", "8"; empty where nothing says.
        reordered: whether an epoch has, or may have, another order than the one before.
    """

    how: How
    sources: tuple[Instance, ...]
    span: tuple[int, int]
    owner: str
    size: str
    reordered: bool


@dataclass(frozen=True, eq=False)
class _Count:
    how: How
    whole: Value
    size: Value | None
    made: Result


class Miscounts:
    """The lengths of the Sequences of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._cuts = run.domain(Cuts)
        self._counts = run.domain(Counts)

    @cached_property
    def all(self) -> tuple[Miscounted, ...]:
        """One for each place and kind, where all Sequences that have it are miscounted."""
        judged: dict[ast.AST, list[Miscounted | None]] = {}
        for source, value in self._run.machine.lengths.items():
            place = self._place(source, value) if source.made or self._is_last(source) else None
            if place is not None:
                judged.setdefault(place, []).append(self._judged(source, value, place))
        return tuple(found for each in judged.values() if (found := _one(each)) is not None)

    def _is_last(self, source: Instance) -> bool:
        """Whether no class of this file is made from that of an object, so that its methods are those that run."""
        return not any(source.cls in lineage(each)[1:] for each in self._run.machine.classes)

    # -- what is counted --------------------------------------------------------------------------------------------

    def _judged(self, source: Instance, value: Value, place: ast.AST) -> Miscounted | None:
        cuts = self._cut_by(source)
        count = _quotient(value) or _samples(value)
        if not cuts or count is None:
            return None
        size = cuts[0].size
        alike = all(cut.size.term == size.term for cut in cuts)
        if not alike or self._counts.whole(size) == 1 or self._handles_rest(size):
            return None
        if count.size is not None and count.size.term != size.term:
            return None
        if not self._is_wrong(count, cuts):
            return None
        owner = lookup(self._run.machine, source.cls, "__len__").holder or source.cls
        reordered = any(self._reorders(source))
        return Miscounted(count.how, (source,), self._span(place), owner.name, self._named(source, size), reordered)

    def _is_wrong(self, count: _Count, cuts: tuple[Cut, ...]) -> bool:
        if count.how == "samples":
            return any(_holds(cut, count.whole) for cut in cuts)
        rest = self._rest(count)
        if _counted(count.whole) is None and not _is_plain(count.whole):
            return False
        return rest != 0 if count.how == "floor" else not rest and all(cut.ends_early for cut in cuts)

    def _rest(self, count: _Count) -> int | None:
        """How many samples a division leaves; None where that is not known."""
        whole, size = self._counts.whole(count.whole), self._counts.whole(count.size)
        return whole % size if whole is not None and size else None

    def _cut_by(self, source: Instance) -> tuple[Cut, ...]:
        """The cuts of all batches of a Sequence; none where one of them is made in another way."""
        batches: list[Batch] = [each for each in self._run.batches if each.source is source]
        found = [self._cuts.of(batch) for batch in batches]
        return tuple(cut for cuts in found for cut in cuts) if found and all(found) else ()

    def _handles_rest(self, size: Value) -> bool:
        """Whether the program looks at the rest: `n % size`, or `n // size * size` samples that are kept."""
        for each in self._run.results:
            if each.op != "operator" or len(each.args) != 2:
                continue
            if each.name == "%" and each.args[1].term == size.term:
                return True
            sides = [made(value) for value in each.args] if each.name == "*" else []
            floors = [side for side in sides if isinstance(side, Result) and side.name == "//"]
            if any(floor.args[1].term == size.term for floor in floors):
                return True
        return False

    def _reorders(self, source: Instance) -> Iterator[bool]:
        hooks = [phase for phase in self._run.machine.phases_of[source.serial] if phase.method in _HOOKS]
        for call in self._run.calls:
            if any(phase in hooks for phase in call.context.phases):
                yield moves_in_place(call.name) or call.result.method in _DRAWS

    # -- where, and by which name -----------------------------------------------------------------------------------

    def _place(self, source: Instance, value: Value) -> ast.AST | None:
        """Where this file says it; None where other files do."""
        main = self._run.machine.main
        count = _quotient(value)
        worked_out = count.made.node if count is not None and count.made.module is main else None
        counts, makes = self._method(source, "__len__"), self._method(source, "__getitem__")
        if counts is not None and counts.frame.module is main:
            return _returned(counts.node, worked_out)
        if worked_out is not None:
            return worked_out
        return makes.node if makes is not None and makes.frame.module is main else None

    def _span(self, place: ast.AST) -> tuple[int, int]:
        """What a reader looks at: of a definition its head."""
        start, end = self._run.span(place)
        return (
            (start, start + len(f"def {place.name}".encode())) if isinstance(place, ast.FunctionDef) else (start, end)
        )

    def _method(self, source: Instance, name: str) -> Function | None:
        member = lookup(self._run.machine, source.cls, name).value
        only = member.only if member is not None else None
        return only if isinstance(only, Function) else None

    def _named(self, source: Instance, size: Value) -> str:
        if isinstance(constant(size), int):
            return str(constant(size))
        for name in self._run.machine.heap.names[source.serial]:
            held = self._run.attribute(source, name)
            if held is not None and held.term == size.term:
                return f"self.{name}"
        return ""


def _one(judged: list[Miscounted | None]) -> Miscounted | None:
    """The finding of all Sequences that share a place; None where one of them is well."""
    found = [each for each in judged if each is not None]
    if len(found) < len(judged) or not found:
        return None
    sources = tuple(source for each in found for source in each.sources)
    return replace(found[0], sources=sources, reordered=all(each.reordered for each in found))


def _returned(function: ast.AST, worked_out: ast.AST | None) -> ast.AST:
    """The count in a `__len__` of this file, else what it returns."""
    given = [node.value for node in ast.walk(function) if isinstance(node, ast.Return) and node.value is not None]
    kept = len(given) == 1 and isinstance(given[0], (ast.Name, ast.Attribute))
    if worked_out is not None and (kept or any(node is worked_out for node in ast.walk(function))):
        return worked_out
    return given[0] if len(given) == 1 else function


def _quotient(value: Value) -> _Count | None:
    found = made(value)
    if isinstance(found, Result) and found.name == "+" and found.op == "operator":
        for one, other in (found.args, found.args[::-1]):
            floor = _quotient(one)
            if constant(other) == 1 and floor is not None and floor.how == "floor":
                return _Count("floor-plus-one", floor.whole, floor.size, found)
    return _floor(found)


def _floor(found: Object | None) -> _Count | None:
    """`n // b`, `int(n / b)`, `np.floor(n / b)`, `divmod(n, b)[0]`."""
    outer = found
    down = False
    while isinstance(found, Result) and found.op == "call" and found.name in _DOWN and len(found.args) == 1:
        found, down = made(found.args[0]), True
    if not isinstance(found, Result) or not isinstance(outer, Result):
        return None
    if found.op == "item" and constant(found.args[0]) == 0 and isinstance(found.receiver, Result):
        pair = found.receiver
        return (
            _Count("floor", pair.args[0], pair.args[1], outer)
            if pair.name == "builtins.divmod" and len(pair.args) == 2
            else None
        )
    if found.op == "operator" and (found.name == "//" or (found.name == "/" and down)):
        return _Count("floor", found.args[0], found.args[1], outer)
    return None


def _samples(value: Value) -> _Count | None:
    found = without_int(value)
    return _Count("samples", value, None, found) if isinstance(found, Result) else None


def _holds(cut: Cut, count: Value) -> bool:
    """Whether a number counts the items that are cut."""
    counted = _counted(count)
    limited = any(limit.term == count.term for limit in cut.limits)
    if cut.items is None or limited:
        return limited
    if counted is not None and counted.term == cut.items.term:
        return True
    numbers = cut.items
    return (
        isinstance(numbers, Result)
        and numbers.name in _NUMBERS
        and len(numbers.args) == 1
        and numbers.args[0].term == count.term
    )


def _counted(count: Value) -> Object | None:
    """What `len(x)` and `x.shape[0]` count."""
    found = without_int(count)
    if not isinstance(found, Result):
        return None
    if found.name == "builtins.len" and found.args:
        return collection(found.args[0].only)
    shape = found.receiver
    first = found.op == "item" and constant(found.args[0]) == 0
    return collection(shape.receiver) if first and isinstance(shape, Result) and shape.method == "shape" else None


def _is_plain(value: Value) -> bool:
    """Whether a number is kept or given, not worked out: `self.count`."""
    only = value.only
    return isinstance(only, (Constant, Setting)) or (isinstance(only, Result) and only.op in ("attribute", "parameter"))
