"""The order in which Python looks up a method, with the bases of other code by their names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.knowledge.canonical_names import SEQUENCE

if TYPE_CHECKING:
    import libcst as cst

    from seqlint.facts.classes.classes import ClassFacts

_OF_KERAS = frozenset({"__getitem__", "on_epoch_end"})  # what the base class has on every Keras, and hands on to nobody


def linear(owner: ClassFacts, steps: int = 8) -> list[ClassFacts | str]:
    """The class, its bases of this file, and the canonical names of all others, in the order of Python (C3)."""
    bases: list[ClassFacts | str] = [owner.base(each) for each in owner.bases]
    ways = [linear(base, steps - 1) if not isinstance(base, str) and steps else [base] for base in bases]
    return [owner, *_merged([*ways, bases])]


def _merged(ways: list[list[ClassFacts | str]]) -> list[ClassFacts | str]:
    found: list[ClassFacts | str] = []
    ways = [list(way) for way in ways if way]
    while ways:
        following = [each for way in ways for each in way[1:]]
        head = next((way[0] for way in ways if way[0] not in following), ways[0][0])
        found.append(head)
        ways = [rest for way in ways if (rest := [each for each in way if each != head])]
    return found


def visible(order: list[ClassFacts | str], name: str) -> tuple[ClassFacts, cst.FunctionDef] | None:
    """The method of this file that a look-up finds; None where there is none, or that of Keras's base class comes before it."""
    for each in order:
        if isinstance(each, str):
            if each in SEQUENCE and name in _OF_KERAS:
                return None
        elif name in each.methods:
            return each, each.methods[name]
    return None
