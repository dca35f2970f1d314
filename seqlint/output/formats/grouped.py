"""Findings under the names of their files, one line each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.output import concise

if TYPE_CHECKING:
    from seqlint.output.formats.result import Reported, Result


def document(result: Result) -> str:
    """The name of each file, and below it place, level, code and message of each of its findings."""
    return "\n".join(_file(path, found) for path, found in result.by_path().items())


def _file(path: str, findings: list[Reported]) -> str:
    places = [str(found.diagnostic.start) for found in findings]
    levels = [found.diagnostic.level for found in findings]
    wide, broad = max(map(len, places)), max(map(len, levels))
    lines = [
        f"  {place:<{wide}}  {level:<{broad}}  {found.diagnostic.code}  {concise.message(found.diagnostic)}\n"
        for place, level, found in zip(places, levels, findings, strict=True)
    ]
    return f"{path}:\n{''.join(lines)}"
