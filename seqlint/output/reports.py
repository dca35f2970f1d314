"""Reports of the parts of a run, read back and put together as one run would have reported."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from seqlint.model import Cell, ConfigError, Contract, Diagnostic, Fix, Position
from seqlint.output.about import About
from seqlint.output.json import FORMAT
from seqlint.output.snippet import Snippet
from seqlint.version import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_NUMBERS = ("number", "count", "files")


@dataclass(frozen=True)
class Report:
    """What one part of a run has found.

    Attributes:
        name: of the file that holds the report.
        number, count: which part it is, from 1, and of how many.
        run: the digest that all parts of a run share.
        files: how many files were looked at.
        broken: a file could not be read, or a rule crashed.
        findings: as they are written.
        told: the same, to be shown.
        errors: path and message of each file that could not be looked at.
        about: what was taken for granted and left out.
    """

    name: str
    number: int
    count: int
    run: str
    files: int
    broken: bool
    findings: Sequence[Mapping[str, Any]]
    told: Sequence[tuple[Diagnostic, Snippet]]
    errors: Sequence[Mapping[str, str]]
    about: About


def read(name: str, data: bytes) -> Report:
    """The report in a file.

    Raises:
        ConfigError: it is no report of a part of a run, or one that another seqlint has written.
    """
    try:
        found = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{name}: this is not JSON: {error}") from error
    if not isinstance(found, dict) or not isinstance(found.get("findings"), list):
        raise ConfigError(f"{name}: this is not a report of `seqlint check --output-format json`")
    if found.get("format") != FORMAT:
        raise ConfigError(f"{name}: the report has the format {found.get('format')!r}, and this seqlint reads {FORMAT}")
    if "fixed" in found:
        raise ConfigError(f"{name}: this is a report of `seqlint fix`; those of `seqlint check` can be merged")
    if "shard" not in found:
        raise ConfigError(f"{name}: this is the report of a whole run; `--shard` reports on a part")
    _of_this_version(name, found["shard"])
    try:
        return _report(name, found)
    except KeyError as error:
        raise ConfigError(f"{name}: this is not a report as seqlint writes it: {error.args[0]!r} is missing") from error
    except (AttributeError, TypeError, ValueError) as error:
        raise ConfigError(f"{name}: this is not a report as seqlint writes it: a value has another type") from error


def merged(reports: Sequence[Report]) -> Report:
    """All parts as one, files in the order of a run.

    Raises:
        ConfigError: they are not the parts of one run, each once.
    """
    _whole(reports)
    findings = [pair for report in reports for pair in zip(report.findings, report.told, strict=True)]
    findings.sort(key=lambda pair: pair[1][0].path)  # all of one file are in one part, and in their order
    # What is wrong with a configuration is said in each part whose files it holds for.
    told = {(error["path"], error["message"]): error for report in reports for error in report.errors}
    errors = [told[key] for key in sorted(told)]
    return Report(
        "", 1, 1, reports[0].run, sum(report.files for report in reports), any(report.broken for report in reports),
        [finding for finding, _ in findings], [told for _, told in findings], errors,
        About.sum(report.about for report in reports),
    )  # fmt: skip


def _of_this_version(name: str, shard: object) -> None:
    version = shard.get("seqlint") if isinstance(shard, dict) else None
    if version != __version__:
        raise ConfigError(f"{name}: seqlint {version or '?'} wrote this report, and this is {__version__}")


def _whole(reports: Sequence[Report]) -> None:
    first, *others = reports
    for report in others:
        if report.count != first.count:
            raise ConfigError(f"{first.name} is a part of {first.count}, and {report.name} one of {report.count}")
        if report.run != first.run:
            raise ConfigError(
                f"{first.name} and {report.name} are not from one run: the files or the options were different"
            )
    seen: dict[int, str] = {}
    for report in reports:
        if report.number in seen:
            raise ConfigError(f"shard {report.number} is given twice: {seen[report.number]} and {report.name}")
        seen[report.number] = report.name
    missing = [str(number) for number in range(1, first.count + 1) if number not in seen]
    if missing:
        raise ConfigError(f"shard {', '.join(missing)} of {first.count} is missing")


def _report(name: str, found: Mapping[str, Any]) -> Report:
    shard, findings = found["shard"], found["findings"]
    number, count, files = (int(shard[key]) for key in _NUMBERS)
    told = [_told(*pair) for pair in zip(findings, shard["code"], strict=True)]
    errors = [{"path": str(error["path"]), "message": str(error["message"])} for error in found["errors"]]
    broken, about = bool(shard["broken"]), About.read(found)
    return Report(name, number, count, str(shard["run"]), files, broken, findings, told, errors, about)


def _told(finding: Mapping[str, Any], code: Mapping[str, Any]) -> tuple[Diagnostic, Snippet]:
    snippet = Snippet({int(number): str(line) for number, line in code["lines"].items()}, int(code["last"]))
    cell = Cell(finding["cell"], 0, 0) if "cell" in finding else None
    diagnostic = Diagnostic(
        finding["code"], finding["name"], finding["level"], finding["message"], finding["path"],
        _position(finding["start"], cell), _position(finding["end"], cell), tuple(finding["keras"]),
        tuple(_fix(fix) for fix in finding["fixes"]),
        str(finding.get("note", "")), str(finding.get("help", "")), str(finding.get("no_fix", "")),
    )  # fmt: skip
    return snippet.around(diagnostic), snippet


def _position(found: Mapping[str, int], cell: Cell | None) -> Position:
    return Position(int(found["line"]), int(found["column"]), int(found["offset"]), cell)


def _fix(found: Mapping[str, Any]) -> Fix:
    return Fix(found["title"], (), Contract(frozenset(found["changes"]), frozenset(found["repairs"])))
