"""Nodes as a reader finds them: a line, a piece of text, what it names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

if TYPE_CHECKING:
    from seqlint.facts import Facts

_WIDEST = 100
UNKNOWN = "?"


@dataclass(frozen=True)
class Spoken:
    """A piece of code with its line, and what it means where that is asked for."""

    text: str
    line: int
    name: str = ""


@dataclass(frozen=True)
class Way:
    """A function that runs, by the names that lead to it: ("__getitem__", "_load", "read_image"), and its line."""

    path: tuple[str, ...]
    line: int


def here(facts: Facts, node: cst.CSTNode) -> int:
    """The line on which a reader finds a node."""
    return facts.source.position(facts.pointer(node)[0]).line


def short(facts: Facts, node: cst.CSTNode) -> str:
    """The text of a node on one line, cut where it is long."""
    text = " ".join(facts.text(node).split())
    return text if len(text) <= _WIDEST else text[: _WIDEST - 3] + "..."


def spoken(facts: Facts, value: cst.BaseExpression | None) -> Spoken:
    """An expression with its line; what can't be followed is "?"."""
    return Spoken(UNKNOWN, 0) if value is None else Spoken(short(facts, value), here(facts, value))


def known_as(facts: Facts, node: cst.CSTNode) -> str:
    """What an expression names: a canonical name, a class or function of the file with its line, "?" for all else.

    Where it can name several things, they stand with "or" between them.
    """
    found = sorted({_origin(facts, origin) for origin in facts.names.origins(node)})
    return " or ".join(found)


def _origin(facts: Facts, origin: str | None) -> str:
    if origin is None:
        return UNKNOWN
    definition = facts.names.defined(origin)
    if definition is None:
        return facts.names.canonical_of(origin) or UNKNOWN
    kind = "class" if isinstance(definition, cst.ClassDef) else "function"
    return f"{kind} {definition.name.value}, line {here(facts, definition)}"
