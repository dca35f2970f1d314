"""One line a finding, as pylint writes them with `--output-format=parseable`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.output.formats.places import span

if TYPE_CHECKING:
    from seqlint.output.formats.result import Reported, Result


def document(result: Result) -> str:
    """Such as `src/a.py:3: [SEQ201(swallowed-exception)] the message`."""
    return "".join(f"{_line(found)}\n" for found in result.findings)


def _line(found: Reported) -> str:
    diagnostic = found.diagnostic
    message = found.text.partition("\n")[0]
    return f"{diagnostic.path}:{span(diagnostic).line}: [{diagnostic.code}({diagnostic.name})] {message}"
