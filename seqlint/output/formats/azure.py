"""Issues of Azure Pipelines: logging commands on standard output.

Source: learn.microsoft.com, "Logging commands" of Azure Pipelines, LogIssue.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.output.formats.places import span

if TYPE_CHECKING:
    from seqlint.output.formats.result import Reported, Result

_ESCAPES = (("%", "%AZP25"), ("\r", "%0D"), ("\n", "%0A"))
_ESCAPES_OF_PROPERTIES = ((";", "%3B"), ("]", "%5D"))


def document(result: Result) -> str:
    """One command a finding, and one for each file that could not be looked at."""
    failed = (
        f"##vso[task.logissue type=error;sourcepath={_property(one['path'])}]{_text(one['message'])}"
        for one in result.errors
    )
    return "".join(f"{line}\n" for line in (*map(_finding, result.findings), *failed))


def _finding(found: Reported) -> str:
    diagnostic, place = found.diagnostic, span(found.diagnostic)
    kind = "error" if diagnostic.level == "error" else "warning"  # Azure knows these two alone
    where = f"sourcepath={_property(diagnostic.path)};linenumber={place.line};columnnumber={place.column}"
    return f"##vso[task.logissue type={kind};{where};code={diagnostic.code}]{_text(found.text)}"


def _text(text: str) -> str:
    for sign, escape in _ESCAPES:
        text = text.replace(sign, escape)
    return text


def _property(text: str) -> str:
    text = _text(text)
    for sign, escape in _ESCAPES_OF_PROPERTIES:
        text = text.replace(sign, escape)
    return text
