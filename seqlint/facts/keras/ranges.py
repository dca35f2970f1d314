"""Ranges of versions: which of the measured lines of Keras they admit.

A range is a tuple of alternatives, one of which holds; an alternative is a tuple of demands, all of which hold; a
demand is the name of a distribution with a PEP 440 specifier.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from seqlint.model import KERAS_LINES, KerasLine

if TYPE_CHECKING:
    from collections.abc import Iterable

    from packaging.specifiers import Specifier
    from packaging.version import Version

Demand = tuple[str, str]
Range = tuple[tuple[Demand, ...], ...]
Lines = frozenset[KerasLine]

ALL: Lines = frozenset(KERAS_LINES)
KERAS3: Lines = frozenset({"3.0-3.9", "3.10+"})
KERAS2: Lines = frozenset({"2"})
LEGACY = "tf-keras"

TENSORFLOW = frozenset(
    {
        "intel-tensorflow", "intel-tensorflow-avx512", "tensorflow", "tensorflow-aarch64", "tensorflow-cpu",
        "tensorflow-cpu-aws", "tensorflow-gpu", "tensorflow-intel", "tensorflow-macos", "tensorflow-rocm",
    }
)  # fmt: skip
"""The distributions that bring TensorFlow."""

# The first releases that count, with their pre-releases. 2.16 was the first TensorFlow to bring Keras 3, and 2.20 asks
# for keras>=3.10 (2.16: 3.0, 2.17: 3.2, 2.18 and 2.19: 3.5).
_KERAS_LINES: tuple[tuple[KerasLine, str, str], ...] = (
    ("2", "0", "3.0a0"),
    ("3.0-3.9", "3.0a0", "3.10a0"),
    ("3.10+", "3.10a0", ""),
)
_TENSORFLOW_LINES: tuple[tuple[KerasLine, str, str], ...] = (
    ("2", "0", "2.16a0"),
    ("3.0-3.9", "2.16a0", "2.20a0"),
    ("3.10+", "2.16a0", ""),
)


def is_known(name: str) -> bool:
    """Whether a distribution says something about the Keras in use."""
    return name in ("keras", LEGACY) or name in TENSORFLOW


def lines(found: Range) -> Lines:
    """The lines of Keras of which a range admits a version; all of them for the empty range."""
    if not found:
        return ALL
    return frozenset(line for alternative in found for line in _lines_of_alternative(alternative))


@cache
def _lines_of_alternative(alternative: tuple[Demand, ...]) -> Lines:
    left = ALL
    for name in dict.fromkeys(name for name, _ in alternative):
        left &= _lines_of_distribution(name, _joined(alternative, name))
    return left


def _lines_of_distribution(name: str, specifier: str) -> Lines:
    if name == LEGACY:
        return KERAS2
    if name == "keras":
        table = _KERAS_LINES
    elif name in TENSORFLOW:
        table = _TENSORFLOW_LINES
    else:
        return ALL
    return frozenset(line for line, low, high in table if admits(specifier, low, high))


def _joined(alternative: tuple[Demand, ...], name: str) -> str:
    return ",".join(specifier for found, specifier in alternative if found == name and specifier)


def both(one: Range, other: Range) -> Range:
    """The range in which both hold."""
    if not one or not other:
        return one or other
    return _unique(tuple(dict.fromkeys((*left, *right))) for left in one for right in other)


def either(found: list[Range]) -> Range:
    """The range in which one of several holds; the empty one if one of them is empty."""
    if not all(found):
        return ()
    return _unique(alternative for part in found for alternative in part)


def _unique(alternatives: Iterable[tuple[Demand, ...]]) -> Range:
    return tuple(dict.fromkeys(alternatives))


def possible(found: Range) -> Range:
    """The alternatives that admit a Keras at all."""
    return tuple(alternative for alternative in found if _lines_of_alternative(alternative))


def text(found: Range) -> str:
    """A range as a user writes it: ">=3.10", "3.3.3", "tensorflow<2.16", "keras>=2.3, tensorflow==2.7"."""
    return " or ".join(", ".join(_demand(*demand) for demand in alternative) for alternative in found)


def _demand(name: str, specifier: str) -> str:
    if name != "keras":
        return name + specifier
    if specifier.startswith("==") and not specifier.startswith("===") and "," not in specifier:
        return specifier[2:].strip()
    return specifier


def narrowed(found: Range) -> Range:
    """The same range without the demands that change nothing, so that it is short to read."""
    return _unique(_narrowed(alternative) for alternative in found)


def _narrowed(alternative: tuple[Demand, ...]) -> tuple[Demand, ...]:
    kept = alternative
    for demand in reversed(alternative):
        fewer = tuple(other for other in kept if other != demand)
        if fewer and _lines_of_alternative(fewer) == _lines_of_alternative(alternative):
            kept = fewer
    return kept


def may_be(found: Range, low: str, high: str = "") -> bool:
    """Whether all distributions of a range can be from `low` to below `high`. True for the empty range."""
    return not found or any(
        all(admits(_joined(alternative, name), low, high) for name, _ in alternative) for alternative in found
    )


def of(found: Range, names: frozenset[str]) -> Range:
    """What a range says about some distributions; empty if an alternative says nothing about them."""
    return either([(part,) if (part := _part(alternative, names)) else () for alternative in found])


def _part(alternative: tuple[Demand, ...], names: frozenset[str]) -> tuple[Demand, ...]:
    return tuple(demand for demand in alternative if demand[0] in names)


@cache
def admits(specifier: str, low: str, high: str = "") -> bool:
    """Whether a PEP 440 specifier set admits any version from `low` (included) to `high` (excluded, "" is no end).

    A set can change its mind only at the versions that it names; so those, and a version right behind each, are tried.

    Raises:
        packaging.specifiers.InvalidSpecifier: the text is no specifier set.
    """
    from packaging.specifiers import SpecifierSet
    from packaging.version import Version

    allowed = SpecifierSet(specifier)
    start, end = Version(low), Version(high) if high else None
    probes = [start, _behind(start)]
    for part in allowed:
        probes += _edges(part)
    return any(
        allowed.contains(probe, prereleases=True) for probe in probes if probe >= start and (end is None or probe < end)
    )


def _edges(part: Specifier) -> list[Version]:
    from packaging.version import InvalidVersion, Version

    try:
        named = Version(part.version.removesuffix(".*"))
    except InvalidVersion:  # `===` takes any text
        return []
    edges = [named, _next(named)]
    if part.operator == "~=":
        edges.append(_next(Version(".".join(map(str, named.release[:-1])))))
    return [probe for edge in edges for probe in (edge, _behind(edge))]


def _next(version: Version) -> Version:
    """The end of "version.*"."""
    from packaging.version import Version

    *head, last = version.release
    return Version(".".join(map(str, (*head, last + 1))))


def _behind(version: Version) -> Version:
    """A version right behind, so near that no one names a version in between."""
    from packaging.version import Version

    padded = (*version.release, 0, 0, 0)[: max(3, len(version.release))]
    return Version(".".join(map(str, (*padded, 0, 1))))
