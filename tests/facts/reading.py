"""Facts of a piece of text, for tests that ask one question."""

from __future__ import annotations

from textwrap import dedent

import libcst as cst

from seqlint.facts import Facts
from seqlint.facts.keras import KerasInUse
from seqlint.sources import Source
from seqlint.trees import grow


def facts_of(text: str, path: str = "example.py") -> Facts:
    source = Source(path, dedent(text).lstrip("\n"))
    return Facts(source, grow(source), KerasInUse())


def last(facts: Facts, text: str) -> cst.BaseExpression:
    """The last expression of the file that is written like this."""
    found = [
        node
        for node in facts.tree.walk(facts.module)
        if isinstance(node, cst.BaseExpression) and facts.text(node) == text
    ]
    assert found, f"{text!r} is not in the program"
    return found[-1]


def texts(facts: Facts, nodes: object) -> list[str | None]:
    assert isinstance(nodes, tuple)
    return [None if node is None else facts.text(node) for node in nodes]
