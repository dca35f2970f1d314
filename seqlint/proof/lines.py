"""Which parts of some lines two equal runs do not agree on, and the lines without them: a time says nothing of what stands near it."""

from __future__ import annotations

import re
from collections import Counter
from difflib import SequenceMatcher
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from seqlint.proof.observables import Entry

_NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")
_WORD = re.compile(r"[^\W\d_]{2}")
_TOKEN = re.compile(r"[^\W_]+|[\W_]+")
_OF_ALL_FILES = frozenset({"was", "written", "removed"})
ORDER = "the order of lines"
_KIND, _LIKE = "lines like ", "parts of "
_MANY = 2000
"""Lines above which the search for those that both runs have takes a short cut."""


def loosened(one: Sequence[Entry], other: Sequence[Entry]) -> frozenset[str] | None:
    """Names of what differs between two equal runs: numbers, other words, lines that come more or less often, their order.

    Returns:
        None where less than half of the lines can be compared.
    """
    kinds, others = _kinds(one), _kinds(other)
    found: set[str] = set()
    if Counter(kinds) == Counter(others):
        found |= {ORDER} if kinds != others else set()
    else:
        matcher = SequenceMatcher(None, kinds, others, autojunk=len(kinds) > _MANY)
        for tag, a, b, c, d in matcher.get_opcodes():
            if tag != "equal":
                found |= _unlike(one[a:b], other[c:d])
    names = frozenset(found)
    rest, other_rest = masked(one, names), masked(other, names)
    if _kinds(rest) != _kinds(other_rest) or 2 * len(rest) < len(one):
        return None
    return names | _loose(rest, other_rest)


def masked(entries: Sequence[Entry], loose: frozenset[str]) -> list[Entry]:
    """The lines without what is loose."""
    if not loose:
        return list(entries)
    gone = {name.removeprefix(_KIND) for name in loose if name.startswith(_KIND)}
    shapes = [re.compile(name.removeprefix(_LIKE)) for name in sorted(loose) if name.startswith(_LIKE)]
    kept = [(place, _shaped(str(value), shapes)) for place, value in entries if _kind(value) not in gone]
    if ORDER in loose:
        kept.sort(key=lambda entry: entry[1])
    shown = iter(["#" if name in loose else number for name, number in _numbers(kept)])
    found: list[Entry] = [(place, _NUMBER.sub(lambda _: next(shown), value)) for place, value in kept]
    return sorted(found, key=lambda entry: str(entry[1])) if ORDER in loose else found


def _unlike(one: Sequence[Entry], other: Sequence[Entry]) -> set[str]:
    """What tells lines that only one run has: the words that differ where lines stand in pairs, else all lines of their kinds."""
    shapes = [_shape(str(a), str(b)) for (_, a), (_, b) in zip(one, other, strict=False)]
    if len(one) == len(other) and all(shapes):
        return {f"{_LIKE}{shape}" for shape in shapes}
    return {f"{_KIND}{kind}" for kind in (*_kinds(one), *_kinds(other))}


def _shape(one: str, other: str) -> str:
    """A pattern for two lines that have the same number of words, and some in common; empty where they have not."""
    if one == other:
        return re.escape(one)
    parts, others = _TOKEN.findall(one), _TOKEN.findall(other)
    if len(parts) != len(others):
        return ""
    pairs = list(zip(parts, others, strict=True))
    common = {a for a, b in pairs if a == b and _WORD.search(a)} - _OF_ALL_FILES
    if not common or any(a != b and not (a.isalnum() and b.isalnum()) for a, b in pairs):
        return ""
    return "".join(re.escape(a) if a == b else r"([^\W_]+)" for a, b in pairs)


def _shaped(line: str, shapes: Sequence[re.Pattern[str]]) -> str:
    """A line with marks for the words that differ between equal runs."""
    found = next(filter(None, (shape.fullmatch(line) for shape in shapes)), None)
    if found is None:
        return line
    edges = [0, *(edge for group in range(1, found.re.groups + 1) for edge in found.span(group)), len(line)]
    return "…".join(line[start:end] for start, end in list(pairwise(edges))[::2])


def _kind(value: object) -> str:
    return _NUMBER.sub("#", str(value))


def _kinds(entries: Sequence[Entry]) -> list[str]:
    return [_kind(value) for _, value in entries]


def _loose(one: Sequence[Entry], other: Sequence[Entry]) -> frozenset[str]:
    return frozenset(name for (name, a), (_, b) in zip(_numbers(one), _numbers(other), strict=True) if a != b)


def _numbers(entries: Sequence[Entry] | Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Each number of some lines, and what it is called: lines that differ in their numbers alone are of one kind.

    Lines without a word are distinguished by how many of them came before.
    """
    seen: Counter[str] = Counter()
    for _, value in entries:
        kind = _kind(value)
        seen[kind] += 1
        called = kind if _WORD.search(kind) else f"{kind} {seen[kind]}"
        for place, number in enumerate(_NUMBER.findall(str(value))):
            yield f"number {place} of {called}", number
