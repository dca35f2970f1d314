"""Compares what two runs have printed, and the files that they have written."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from seqlint.proof.observables import CONTENT, FILE, SAID
from seqlint.proof.sequences import in_turn, starts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from seqlint.proof.observables import Entry
    from seqlint.proof.run import Difference

_NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")
_WORD = re.compile(r"[^\W\d_]{2}")


def unstable(one: Sequence[Entry], other: Sequence[Entry]) -> frozenset[str] | None:
    """What two equal runs don't agree on: numbers, by the lines that they stand in, contents of files, all that was said.

    Returns:
        None where the lines differ by more than their numbers.
    """
    lines, others = _lines(one), _lines(other)
    if _kinds(lines) != _kinds(others):
        return None
    said, other_said = _part(one, SAID), _part(other, SAID)
    told = _kinds(said) == _kinds(other_said)
    texts, other_texts = dict(_part(one, CONTENT)), dict(_part(other, CONTENT))
    return frozenset(
        {name for name in texts if texts[name] != other_texts.get(name)}
        | _loose(lines, others)
        | (_loose(said, other_said) if told else {SAID})
    )


def first_difference(one: Sequence[Entry], other: Sequence[Entry], loose: frozenset[str]) -> Difference | None:
    """The first difference of two outputs, but for what is loose: of the lines of each stream, and of the files."""
    return next(filter(None, _differences(one, other, loose)), None)


def left_out(entries: Sequence[Entry], loose: frozenset[str]) -> int:
    """How many lines and files hold what is loose."""
    lines, said = _lines(entries), _part(entries, SAID)
    held = [one != other for one, other in zip(_masked(lines, loose), lines, strict=True)]
    held += [SAID in loose or one != other for one, other in zip(_masked(said, loose), said, strict=True)]
    return sum(held) + sum(name in loose for name, _ in _part(entries, CONTENT))


def reaches(one: Sequence[Entry], other: Sequence[Entry]) -> bool:
    """Whether the output of a run that ended early is what another one begins with; its files may not be whole."""
    return (
        {entry for entry in one if entry[0].startswith(FILE)} <= set(other)
        and starts(_part(one, "line "), _part(other, "line "))
        and starts(_part(one, SAID), _part(other, SAID))
    )


def _differences(one: Sequence[Entry], other: Sequence[Entry], loose: frozenset[str]) -> Iterator[Difference | None]:
    for kind in ("line ", SAID, FILE):
        if kind not in loose:
            yield in_turn(_masked(_part(one, kind), loose), _masked(_part(other, kind), loose))
    texts, other_texts = dict(_part(one, CONTENT)), dict(_part(other, CONTENT))
    for name in texts:
        if name in other_texts and name not in loose:
            yield in_turn(*(_written(name, str(text)) for text in (texts[name], other_texts[name])))


def steady(entries: Sequence[Entry], loose: frozenset[str]) -> list[Entry]:
    """The lines of both streams, the files and what is in them, but for what is loose."""
    said = [] if SAID in loose else _masked(_part(entries, SAID), loose)
    texts = [entry for entry in _part(entries, CONTENT) if entry[0] not in loose]
    return [*_masked(_lines(entries), loose), *said, *texts]


def _lines(entries: Sequence[Entry]) -> list[Entry]:
    """The lines of the standard output, and after them the names of files."""
    return [entry for entry in entries if not entry[0].startswith((SAID, CONTENT))]


def _part(entries: Sequence[Entry], start: str) -> list[Entry]:
    return [entry for entry in entries if entry[0].startswith(start)]


def _written(name: str, text: str) -> list[Entry]:
    lines = text.split("\n")
    return [(f"{name}, line {k}", line) for k, line in enumerate(lines, 1)] if len(lines) > 1 else [(name, text)]


def _kinds(entries: Sequence[Entry]) -> list[str]:
    return [_NUMBER.sub("#", str(value)) for _, value in entries]


def _loose(one: Sequence[Entry], other: Sequence[Entry]) -> set[str]:
    return {name for (name, a), (_, b) in zip(_numbers(one), _numbers(other), strict=True) if a != b}


def _numbers(entries: Sequence[Entry]) -> Iterator[tuple[str, str]]:
    """Each number of some lines, and what it is called: lines that differ in their numbers alone are of one kind.

    Lines without a word are distinguished by how many of them came before.
    """
    seen: Counter[str] = Counter()
    for kind, (_, value) in zip(_kinds(entries), entries, strict=True):
        seen[kind] += 1
        called = kind if _WORD.search(kind) else f"{kind} {seen[kind]}"
        for place, number in enumerate(_NUMBER.findall(str(value))):
            yield f"number {place} of {called}", number


def _masked(entries: Sequence[Entry], loose: frozenset[str]) -> list[Entry]:
    """The lines without their loose numbers."""
    if not loose:
        return list(entries)
    shown = iter(["#" if name in loose else number for name, number in _numbers(entries)])
    return [(place, _NUMBER.sub(lambda _: next(shown), str(value))) for place, value in entries]
