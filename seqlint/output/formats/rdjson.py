"""The format of reviewdog.

Source: the JSON schema `DiagnosticResult` in proto/rdf of reviewdog/reviewdog. Columns count bytes of UTF-8, from 1.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from seqlint.output.links import documentation, page_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from seqlint.model import Level
    from seqlint.output.formats.result import Reported, Result
    from seqlint.output.frame import Lines

_SEVERITIES: Mapping[Level, str] = {"error": "ERROR", "warning": "WARNING", "advice": "INFO"}


def document(result: Result) -> str:
    """All findings, and a suggestion where the fix is one edit of the same file: reviewdog takes several for so many ways out."""
    source = {"name": "seqlint", **({"url": documentation()} if documentation() else {})}
    diagnostics = [_finding(found) for found in result.findings]
    return json.dumps({"source": source, "diagnostics": diagnostics}, indent=2) + "\n"


def _finding(found: Reported) -> dict[str, object]:
    diagnostic, url = found.diagnostic, page_of(found.diagnostic.code)
    return {
        "message": found.text,
        "severity": _SEVERITIES[diagnostic.level],
        "code": {"value": diagnostic.code, **({"url": url} if url else {})},
        "location": {"path": diagnostic.path, **_where(found)},
        **_suggestions(found),
    }


def _where(found: Reported) -> dict[str, object]:
    if found.diagnostic.start.cell is not None:  # a file of JSON, which has other lines
        return {}
    return {"range": _range(found.value, found.code)}


def _suggestions(found: Reported) -> dict[str, object]:
    edits = found.edits
    if len(edits) != 1 or "cell" in edits[0] or "path" in edits[0]:
        return {}
    return {"suggestions": [{"range": _range(edits[0], found.code), "text": edits[0]["text"]}]}


def _range(value: Mapping[str, Any], code: Lines) -> dict[str, object]:
    return {"start": _position(value["start"], code), "end": _position(value["end"], code)}


def _position(value: Mapping[str, int], code: Lines) -> dict[str, int]:
    if value["column"] == 1 or not code.text:  # no text: a file that could not be decoded
        return {"line": value["line"], "column": value["column"]}
    before = code.written_line(value["line"])[: value["column"] - 1]
    return {"line": value["line"], "column": len(before.encode("utf-8", "surrogateescape")) + 1}
