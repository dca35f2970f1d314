"""Findings for people: what is wrong, the code that it is about, what happens, and what to do."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from seqlint.model import LEVELS
from seqlint.output.frame import frame
from seqlint.output.words import contract_of, safety, too

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from seqlint.model import Diagnostic, Fix
    from seqlint.output.frame import Lines
    from seqlint.output.paint import Paint


def finding(diagnostic: Diagnostic, source: Lines, paint: Paint) -> str:
    """One finding with its frame of code; there is none where the file could not be decoded."""
    level = paint.level(diagnostic.level, f"{diagnostic.level}[{diagnostic.code}]")
    place = f"{diagnostic.path}:{diagnostic.start}"
    lines = [
        f"{level} {paint.bold(diagnostic.name)}: {diagnostic.sentence}",
        f"  {paint.dim('-->')} {place}",
        *([frame(source, diagnostic.start, diagnostic.end, paint)] if source.text else []),
        *_said("note", diagnostic.note, paint),
        *_said("help", diagnostic.help, paint),
        *_said("no fix", diagnostic.no_fix, paint),
        *(_fix(fix, number, paint) for number, fix in enumerate(diagnostic.fixes)),
    ]
    return "\n".join(lines) + "\n"


def summary(diagnostics: Sequence[Diagnostic], files: int, part: str = "") -> str:
    """The last line: how many findings of which level, and how many of them `fix` would take care of.

    Args:
        part: which part of a run it is, such as "shard 2 of 4"; empty for a whole one.
    """
    return f"{findings(diagnostics)} in {count(files, 'file')}{in_brackets(part)}{_fixable(diagnostics)}"


def in_brackets(part: str) -> str:
    """A part of a run after something."""
    return f" ({part})" if part else ""


def findings(diagnostics: Sequence[Diagnostic]) -> str:
    """Such as "3 findings (1 error, 2 warnings)"."""
    if not diagnostics:
        return "no findings"
    levels = Counter(diagnostic.level for diagnostic in diagnostics)
    parts = ", ".join(count(levels[level], level) for level in LEVELS if levels[level])
    return f"{count(len(diagnostics), 'finding')} ({parts})"


def count(number: int, word: str) -> str:
    """A number with its word, such as "2 files"."""
    if number == 1 or word == "advice":  # which has no plural
        return f"{number} {word}"
    return f"{number} {word}{'es' if word.endswith('x') else 's'}"


def _said(label: str, text: str, paint: Paint) -> Iterator[str]:
    if text:
        yield f"  {paint.dim(f'{label}:')} {text}"


def _fix(fix: Fix, number: int, paint: Paint) -> str:
    label = "fix" if number == 0 else "or"
    return f"  {paint.good(f'{label} ({safety(contract_of(fix))}):')} {fix.title}{too([each.path for each in fix.elsewhere])}"


def _fixable(diagnostics: Sequence[Diagnostic]) -> str:
    first = [diagnostic.fixes[0] for diagnostic in diagnostics if diagnostic.fixes]
    safe = sum(fix.safe for fix in first)
    if not first:
        return ""
    if safe == len(first):
        return f"; `seqlint fix` fixes {safe}"
    more = f"{len(first) - safe} with --unsafe"
    return f"; `seqlint fix` fixes {safe}, and {more}" if safe else f"; `seqlint fix --unsafe` fixes {len(first)}"
