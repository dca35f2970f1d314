"""Compares what two runs have printed, and the files that they have written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.proof.lines import loosened, masked
from seqlint.proof.observables import CONTENT, FILE, SAID
from seqlint.proof.sequences import in_turn, starts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from seqlint.proof.observables import Entry
    from seqlint.proof.run import Difference

_LINE = "line "
_IN = " has loose "
"""Stands between a part of the output and what is loose in it."""


def unstable(one: Sequence[Entry], other: Sequence[Entry]) -> frozenset[str] | None:
    """What two equal runs don't agree on, by the part of the output: a stream, the names of files, or what is in one of them.

    Returns:
        None where no part can be compared.
    """
    parts, others = _parts(one), _parts(other)
    found: set[str] = set()
    for name in parts:
        if name.startswith(CONTENT) and name not in others:
            continue
        loose = loosened(parts[name], others[name])
        found |= {name} if loose is None else {f"{name}{_IN}{item}" for item in loose}
    filled = [name for name, lines in parts.items() if lines]
    return None if filled and found.issuperset(filled) else frozenset(found)


def first_difference(one: Sequence[Entry], other: Sequence[Entry], loose: frozenset[str]) -> Difference | None:
    """The first difference of two outputs, but for what is loose: of the lines of each stream, and of the files."""
    return next(filter(None, _differences(one, other, loose)), None)


def left_out(entries: Sequence[Entry], loose: frozenset[str]) -> int:
    """How many lines and files hold what is loose."""
    return sum(_left_out(name, lines, loose) for name, lines in _parts(entries).items())


def reaches(one: Sequence[Entry], other: Sequence[Entry]) -> bool:
    """Whether the output of a run that ended early is what another one begins with; its files may not be whole."""
    return (
        {entry for entry in one if entry[0].startswith(FILE)} <= set(other)
        and starts(_part(one, _LINE), _part(other, _LINE))
        and starts(_part(one, SAID), _part(other, SAID))
    )


def steady(entries: Sequence[Entry], loose: frozenset[str]) -> list[Entry]:
    """The lines of both streams, the files and what is in them, but for what is loose."""
    kept = {name: _kept(name, lines, loose) for name, lines in _parts(entries).items() if name not in loose}
    return [entry for lines in kept.values() for entry in lines]


def _differences(one: Sequence[Entry], other: Sequence[Entry], loose: frozenset[str]) -> Iterator[Difference | None]:
    parts, others = _parts(one), _parts(other)
    for name in parts:
        if name in others and name not in loose:
            yield in_turn(_kept(name, parts[name], loose), _kept(name, others[name], loose))


def _parts(entries: Sequence[Entry]) -> dict[str, list[Entry]]:
    """The lines of each stream, the names of the files, and for each file what is in it."""
    parts = {name: _part(entries, name) for name in (_LINE, SAID, FILE)}
    return {**parts, **{name: _written(name, str(text)) for name, text in _part(entries, CONTENT)}}


def _part(entries: Sequence[Entry], start: str) -> list[Entry]:
    return [entry for entry in entries if entry[0].startswith(start)]


def _written(name: str, text: str) -> list[Entry]:
    lines = text.split("\n")
    return [(f"{name}, line {k}", line) for k, line in enumerate(lines, 1)] if len(lines) > 1 else [(name, text)]


def _kept(name: str, lines: list[Entry], loose: frozenset[str]) -> list[Entry]:
    start = f"{name}{_IN}"
    return masked(lines, frozenset(item.removeprefix(start) for item in loose if item.startswith(start)))


def _left_out(name: str, lines: list[Entry], loose: frozenset[str]) -> int:
    """How many lines of a part hold what is loose; a file counts once."""
    if name in loose:
        return 1 if name.startswith(CONTENT) else len(lines)
    kept = _kept(name, lines, loose)
    number = len(lines) - len(set(kept) & set(lines))
    return min(number, 1) if name.startswith(CONTENT) else number
