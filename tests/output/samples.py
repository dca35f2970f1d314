"""Findings, made by hand, for the tests of what is written about them."""

from __future__ import annotations

from pathlib import Path

from seqlint.model import Contract, Diagnostic, Edit, Example, Fix, Levels, LoadedRule, Rule
from seqlint.sources import Source

UNSAFE = Contract(changes=frozenset({"history", "hooks"}))


def marked(text: str, path: str = "a.py") -> tuple[Source, int, int]:
    """A source, and the span between « and » in its text, which are taken out."""
    start = len(text.partition("«")[0].encode())
    end = len(text.partition("»")[0].replace("«", "").encode())
    return Source(path, text.replace("«", "").replace("»", "")), start, end


def diagnostic(text: str, *fixes: Fix, message: str = "this is wrong") -> tuple[Diagnostic, Source]:
    """A finding on the marked span."""
    source, start, end = marked(text)
    at = source.position
    found = Diagnostic(
        "SEQ999", "made-up", "error", message, source.path, at(start), at(end), ("3.0-3.9", "3.10+"), fixes
    )
    return found, source


def fix(title: str, *edits: Edit, contract: Contract | None = None) -> Fix:
    """A fix as the engine hands it on."""
    return Fix(title, edits, contract or Contract())


def rule(**changes: object) -> LoadedRule:
    """A rule with a page."""
    settings: dict[str, object] = {
        "code": "SEQ999",
        "name": "made-up",
        "since": "0.1.0",
        "levels": Levels(None, "error", "warning"),
        "contract": Contract(frozenset({"hooks"}), frozenset({"errors"})),
        "examples": (Example("\nimport keras\nx = 1\n", "\nimport keras\nx = 2\n"), Example.ok("import keras\n")),
        "sources": ("someone/something#12", "A talk"),
    }
    doc = (
        "What it finds, with a | in it.\n\n## Why\nBecause.\n\n## Measured\n- Keras 3: much.\n\n## Do this\nWrite 2.\n"
    )
    return LoadedRule.of(Rule(**{**settings, **changes}), lambda facts: iter(()), doc, Path("seq999_made_up.py"))  # type: ignore[arg-type]
