"""What `check` and `fix` say about what they found."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from seqlint.cli.choices import Format
from seqlint.model import LEVELS
from seqlint.output.about import About
from seqlint.output.formats.result import Reported, Result

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from seqlint.engine import Checked, Fixed
    from seqlint.model import Diagnostic, Level
    from seqlint.output.frame import Lines
    from seqlint.output.paint import Paint
    from seqlint.output.reports import Report
    from seqlint.proof import FileProof
    from seqlint.runner.shard import Part
    from seqlint.sources import Source
    from seqlint.sources.discovery import Problem

CLEAN, FOUND, BROKEN = 0, 1, 2
NOTHING = About()
_PLAIN = (Format.text, Format.concise, Format.grouped, Format.pylint)
"""The formats that need no more than the findings themselves."""


def of_check(
    checked: Sequence[Checked],
    files: int,
    problems: Iterable[Problem],
    form: Format,
    paint: Paint,
    part: Part | None = None,
    about: About = NOTHING,
    *,
    summed: bool = True,
) -> str:
    """The findings of a check.

    Args:
        checked: the files that were checked, in order.
        files: how many files were looked at.
        problems: what could not be looked at; told only where the report is for programs.
        part: which part of a run it is; None: a whole one.
        about: what was taken for granted and left out.
        summed: whether a text for people ends with a summary.
    """
    result = Result(_reported(checked, form), files, _errors(problems), about, str(part.shard) if part else "")
    shard = None if part is None or form is not Format.json else _part(part, checked, files)
    return _written(result, form, paint, shard, summed=summed)


def of_parts(whole: Report, form: Format, paint: Paint) -> str:
    """The findings of a check whose parts were made elsewhere, as if it had been made here."""
    pairs = zip(whole.told, whole.findings, strict=True)
    findings = [Reported(diagnostic, code, value) for (diagnostic, code), value in pairs]
    return _written(Result(findings, whole.files, whole.errors, whole.about), form, paint)


def _reported(checked: Iterable[Checked], form: Format) -> list[Reported]:
    if form in _PLAIN:
        return [Reported(diagnostic, source, {}) for diagnostic, source in _told(checked)]
    from seqlint.output import json

    return [Reported(diagnostic, source, json.finding(diagnostic, source)) for diagnostic, source in _told(checked)]


def _written(
    result: Result, form: Format, paint: Paint, shard: Mapping[str, object] | None = None, *, summed: bool = True
) -> str:
    """A result in a format.

    Args:
        shard: what the report of a part of a run says of itself; None for a whole one.
        summed: whether a text for people ends with a summary.
    """
    if form is Format.text:
        told = _frames(((found.diagnostic, found.code) for found in result.findings), paint)
        return told + (_summary(result) if summed else "")
    if form is Format.concise:
        return _lines(_concise(result.diagnostics))
    if form is Format.json:
        from seqlint.output import json

        return json.document([found.value for found in result.findings], result.errors, shard, result.about.values())
    if form is Format.sarif:
        from seqlint.output.formats import sarif
        from seqlint.runner.rules import known

        return sarif.document(result, known(()))
    document: Callable[[Result], str] = import_module(f"seqlint.output.formats.{form.value}").document
    return document(result)


def counts(checked: Iterable[Checked], form: Format) -> str:
    """How often each rule found something."""
    from seqlint.output import statistics

    counted = statistics.count(_diagnostics(checked))
    return statistics.document(counted) if form is Format.json else statistics.columns(counted)


def _summary(result: Result) -> str:
    from seqlint.output import text

    return _lines((text.summary(result.diagnostics, result.files, result.part), *_more(result.about)))


def _part(part: Part, checked: Sequence[Checked], files: int) -> dict[str, object]:
    """What a report of a part has to say so that `merge` can say the same as a whole run."""
    from seqlint.output import json
    from seqlint.version import __version__

    return {
        "number": part.shard.number,
        "count": part.shard.count,
        "run": part.run,
        "seqlint": __version__,
        "files": files,
        "broken": any(one.broken for one in checked),
        "code": [json.snippet(diagnostic, source) for diagnostic, source in _told(checked)],
    }


def of_fix(
    files: Sequence[Fixed],
    problems: Iterable[Problem],
    form: Format,
    paint: Paint,
    proofs: Sequence[FileProof] | None = None,
    part: Part | None = None,
    about: About = NOTHING,
    *,
    summed: bool = True,
) -> str:
    """The fixes that were applied or refused, and the findings that are left.

    Args:
        proofs: those of the files; told only where the report is for programs.
        part: which part of a run it is; None: a whole one.
        about: what was taken for granted and left out.
        summed: whether a text for people ends with a summary.
    """
    checked = [file.checked for file in files]
    if form is Format.json:
        from seqlint.output import json

        told = None if proofs is None else _values(proofs)
        return json.fix_document(files, _errors(problems), told, about.values())
    from seqlint.output import fixes

    if form is Format.concise:
        return _lines(line for file in files for line in fixes.concise(file)) + _lines(_concise(_diagnostics(checked)))
    if form is not Format.text:
        return _written(Result(_reported(checked, form), len(files), _errors(problems), about), form, paint)
    done = "".join(fixes.done(file, paint) for file in files)
    summary = fixes.summary(files, str(part.shard) if part is not None else "")
    end = _lines((summary, *_more(about))) if summed else ""
    return "\n".join(text for text in (done, _frames(_told(checked), paint), end) if text)


def _more(about: About) -> tuple[str, ...]:
    line = about.line()
    return (line,) if line else ()


def _values(proofs: Iterable[FileProof]) -> list[dict[str, object]]:
    from seqlint.proof import files_as_dict

    return [files_as_dict(proof) for proof in proofs]


def exit_code(checked: Sequence[Checked], problems: Sequence[Problem], fail_on: Level) -> int:
    """2 where something is broken, 1 where a finding reaches the level, 0 else."""
    if problems or any(one.broken for one in checked):
        return BROKEN
    return reached(_diagnostics(checked), fail_on)


def reached(diagnostics: Iterable[Diagnostic], fail_on: Level) -> int:
    """1 where a finding reaches the level, 0 else."""
    failing = LEVELS[: LEVELS.index(fail_on) + 1]
    return FOUND if any(diagnostic.level in failing for diagnostic in diagnostics) else CLEAN


def _diagnostics(checked: Iterable[Checked]) -> list[Diagnostic]:
    return [diagnostic for one in checked for diagnostic in one.diagnostics]


def _told(checked: Iterable[Checked]) -> Iterator[tuple[Diagnostic, Source]]:
    return ((diagnostic, one.source) for one in checked for diagnostic in one.diagnostics)


def _concise(diagnostics: Iterable[Diagnostic]) -> Iterator[str]:
    from seqlint.output import concise

    return (concise.finding(diagnostic) for diagnostic in diagnostics)


def _lines(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _frames(told: Iterable[tuple[Diagnostic, Lines]], paint: Paint) -> str:
    from seqlint.output import text

    return "".join(f"{text.finding(diagnostic, lines, paint)}\n" for diagnostic, lines in told)


def _errors(problems: Iterable[Problem]) -> list[dict[str, str]]:
    return [{"path": problem.path, "message": problem.message} for problem in problems]
