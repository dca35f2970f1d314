"""What is shown over a finding: what was measured, and what its fixes change."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from seqlint.output import markdown
from seqlint.output.prose import sections
from seqlint.output.words import LINES, contract_of, listed, safety
from seqlint.server.places import at

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from seqlint.facts.shown.line import ValueKnown
    from seqlint.model import Diagnostic, LoadedRule
    from seqlint.server.analysis import Analysis

_CODE = re.compile(r"\bSEQ[0-9]{3}\b")
_WRAPPED = re.compile(r"(?<!\n)\n(?!\n|[-*|] |\||```) *")
_SHOWN = ("Do this", "Why", "Measured")


@dataclass(frozen=True, slots=True)
class Told:
    """What an editor itself shows of a finding together with the hover, which need not say it again.

    Attributes:
        message: its message.
        notes: what happens, what to do, and why there is no fix.
    """

    message: bool = True
    notes: bool = False


def hover(analysis: Analysis, rules: Mapping[str, LoadedRule], uri: str, place: lsp.Position, told: Told) -> str:
    """The findings under the cursor with their facts, or the page of the rule whose code is there, as Markdown.

    Args:
        told: what the editor shows together with it.
    """
    found = [
        "\n\n".join(_parts(diagnostic, rules[diagnostic.code], told))
        for diagnostic in at(analysis, uri, lsp.Range(place, place))
        if diagnostic.code in rules
    ]
    named = _named(analysis, uri, place)
    if not found and named in rules:
        found = [markdown.page(rules[named])]
    return "\n\n---\n\n".join(found)


def dataset(known: ValueKnown) -> str:
    """What a dataset is made of, and what its reader gets, as Markdown."""
    parts = [f"**dataset** `{known.text}`"]
    for each in known.datasets:
        steps = [
            f"{n}. `{step.text}`{f' (line {step.line})' if step.line else ''}" for n, step in enumerate(each.steps, 1)
        ]
        parts += ["\n".join(steps), "\n".join(f"- {said}" for said in each.more)]
    return "\n\n".join(parts)


def _named(analysis: Analysis, uri: str, place: lsp.Position) -> str:
    """The code of a rule that is written under the cursor."""
    source, offset = analysis.snapshot.source, analysis.snapshot.offset(uri, place)
    if offset is None:
        return ""
    line = source.position(offset).line
    column = offset - source.line_starts[line - 1]
    text = source.line(line).encode("utf-8")
    return next((m[0] for m in _CODE.finditer(text.decode("latin-1")) if m.start() <= column <= m.end()), "")


def _parts(diagnostic: Diagnostic, loaded: LoadedRule, told: Told) -> Iterator[str]:
    lines = listed([LINES[line] for line in diagnostic.keras]) or "no line of Keras"
    yield f"**{diagnostic.code} {diagnostic.name}** ({diagnostic.level} on {lines})"
    if not told.message:
        yield _sentence(diagnostic.sentence)
    if not told.notes:
        yield from map(_sentence, diagnostic.notes)
    for name, text in sections(loaded).items():
        if name in _SHOWN:
            yield f"**{name}**\n\n{_unwrapped(text)}"
    for fix in diagnostic.fixes:
        yield f"*Fix: {fix.title} ({safety(contract_of(fix))}).*"


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def _unwrapped(text: str) -> str:
    """Paragraphs and items each on one line: some editors keep the line breaks of Markdown."""
    return _WRAPPED.sub(" ", text.strip())
