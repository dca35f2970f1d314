"""SARIF 2.1.0, which code scanning reads.

Source: "Static Analysis Results Interchange Format Version 2.1.0" of OASIS; docs.github.com, "SARIF support for code scanning".
"""

from __future__ import annotations

import json
from pathlib import PurePath
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from seqlint.output.formats.places import span
from seqlint.output.links import documentation, page_of
from seqlint.output.markdown import page
from seqlint.output.prose import summary
from seqlint.output.words import family
from seqlint.version import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from seqlint.model import Level, LoadedRule
    from seqlint.output.formats.result import Reported, Result

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
FINGERPRINT = "seqlint/v1"
_LEVELS: Mapping[Level, str] = {"error": "error", "warning": "warning", "advice": "note"}


def document(result: Result, known: Sequence[LoadedRule]) -> str:
    """One run with the rules that found something.

    Args:
        result: the run.
        known: the rules there are. One that found something and is not among them is told by its code and name alone.
    """
    pages = {loaded.rule.code: loaded for loaded in known}
    names = {found.diagnostic.code: found.diagnostic.name for found in result.findings}
    codes = sorted(names)
    run = {
        "tool": {"driver": {**_driver(), "rules": [_rule(code, names[code], pages.get(code)) for code in codes]}},
        "columnKind": "unicodeCodePoints",
        "invocations": [_invocation(result)],
        "results": [_result(found, codes.index(found.diagnostic.code)) for found in result.findings],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _driver() -> dict[str, object]:
    home = documentation()
    return {"name": "seqlint", "version": __version__, **({"informationUri": home} if home else {})}


def _rule(code: str, name: str, loaded: LoadedRule | None) -> dict[str, object]:
    address = page_of(code)
    told: dict[str, object] = {"id": code, "name": name, **({"helpUri": address} if address else {})}
    if loaded is None:
        return told
    return {
        **told,
        "shortDescription": {"text": summary(loaded)},
        "help": {"text": summary(loaded), "markdown": page(loaded)},
        "properties": {"tags": [family(code)]},
    }


def _invocation(result: Result) -> dict[str, object]:
    failed = [
        {
            "level": "error",
            "message": {"text": one["message"]},
            "locations": [{"physicalLocation": {"artifactLocation": {"uri": _uri(one["path"])}}}],
        }
        for one in result.errors
    ]
    return {"executionSuccessful": not failed, **({"toolExecutionNotifications": failed} if failed else {})}


def _result(found: Reported, index: int) -> dict[str, object]:
    diagnostic = found.diagnostic
    return {
        "ruleId": diagnostic.code,
        "ruleIndex": index,
        "level": _LEVELS[diagnostic.level],
        "message": {"text": found.text},
        "locations": [_location(found)],
        "partialFingerprints": {FINGERPRINT: found.value["fingerprint"]},
        **_fixes(found),
        "properties": {"keras": list(diagnostic.keras)},
    }


def _location(found: Reported) -> dict[str, object]:
    """A cell is a logical location: its lines are not lines of the file, and code scanning needs one of these."""
    diagnostic, place = found.diagnostic, span(found.diagnostic)
    uri = {"artifactLocation": {"uri": _uri(diagnostic.path)}}
    cell = diagnostic.start.cell
    if cell is None:
        region = {
            "startLine": place.line,
            "startColumn": place.column,
            "endLine": place.end_line,
            "endColumn": place.end_column,
        }
        return {"physicalLocation": {**uri, "region": region}}
    named = [{"name": f"cell {cell.number}", "fullyQualifiedName": f"{diagnostic.path}:{diagnostic.start}"}]
    return {"physicalLocation": {**uri, "region": {"startLine": 1}}, "logicalLocations": named}


def _fixes(found: Reported) -> dict[str, object]:
    if found.diagnostic.start.cell is not None or not found.value["fixes"]:
        return {}
    return {"fixes": [_fix(fix, found.diagnostic.path) for fix in found.value["fixes"] if fix["edits"]]}


def _fix(fix: Mapping[str, Any], path: str) -> dict[str, object]:
    replacements: dict[str, list[dict[str, object]]] = {}
    for edit in fix["edits"]:
        replaced: dict[str, object] = {"deletedRegion": _region(edit), "insertedContent": {"text": edit["text"]}}
        replacements.setdefault(edit.get("path", path), []).append(replaced)
    changes = [{"artifactLocation": {"uri": _uri(each)}, "replacements": some} for each, some in replacements.items()]
    return {"description": {"text": fix["title"]}, "artifactChanges": changes}


def _region(edit: Mapping[str, Any]) -> dict[str, int]:
    start, end = edit["start"], edit["end"]
    return {
        "startLine": start["line"],
        "startColumn": start["column"],
        "endLine": end["line"],
        "endColumn": end["column"],
    }


def _uri(path: str) -> str:
    """A path as a URI: relative to where the run was started, or absolute."""
    pure = PurePath(path)
    if pure.is_absolute():
        return pure.as_uri()
    return quote(pure.as_posix(), errors="surrogateescape")
