"""Annotations of GitHub Actions: workflow commands on standard output.

Source: docs.github.com, "Workflow commands for GitHub Actions".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.output.formats.places import span

if TYPE_CHECKING:
    from collections.abc import Mapping

    from seqlint.model import Level
    from seqlint.output.formats.result import Reported, Result

_COMMANDS: Mapping[Level, str] = {"error": "error", "warning": "warning", "advice": "notice"}


def document(result: Result) -> str:
    """One command a finding, and one for each file that could not be looked at."""
    failed = (f"::error title=seqlint,file={_property(one['path'])}::{_text(one['message'])}" for one in result.errors)
    return "".join(f"{line}\n" for line in (*map(_finding, result.findings), *failed))


def _finding(found: Reported) -> str:
    diagnostic, place = found.diagnostic, span(found.diagnostic)
    properties = {
        "title": f"seqlint ({diagnostic.code})",
        "file": diagnostic.path,
        "line": place.line,
        "endLine": place.end_line,
        # Columns belong to a span in one line; GitHub refuses them else.
        **({"col": place.column, "endColumn": place.end_column} if place.line == place.end_line else {}),
    }
    listed = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
    return f"::{_COMMANDS[diagnostic.level]} {listed}::{_text(found.text)}"


def _text(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _text(text).replace(":", "%3A").replace(",", "%2C")
