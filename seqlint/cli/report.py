"""What `check` and `fix` say about what they found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.cli.choices import Format, Threshold
from seqlint.model import LEVELS
from seqlint.output.about import About

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from seqlint.engine import Checked, Fixed
    from seqlint.model import Diagnostic
    from seqlint.output.frame import Lines
    from seqlint.output.paint import Paint
    from seqlint.output.reports import Report
    from seqlint.proof import FileProof
    from seqlint.runner.shard import Part
    from seqlint.sources import Source
    from seqlint.sources.discovery import Problem

CLEAN, FOUND, BROKEN = 0, 1, 2
NOTHING = About()


def of_check(
    checked: Sequence[Checked],
    files: int,
    problems: Iterable[Problem],
    form: Format,
    paint: Paint,
    part: Part | None = None,
    about: About = NOTHING,
) -> str:
    """The findings of a check.

    Args:
        checked: the files that were checked, in order.
        files: how many files were looked at.
        problems: what could not be looked at; told only where the report is for programs.
        part: which part of a run it is; None: a whole one.
        about: what was taken for granted and left out.
    """
    if form is Format.json:
        from seqlint.output import json

        shard = None if part is None else _part(part, checked, files)
        return json.document(_told(checked), _errors(problems), shard, about.values())
    if form is Format.concise:
        return _lines(_concise(_diagnostics(checked)))
    from seqlint.output import text

    summary = text.summary(_diagnostics(checked), files, str(part.shard) if part is not None else "")
    return _frames(_told(checked), paint) + _lines((summary, *_more(about)))


def of_parts(whole: Report, form: Format, paint: Paint) -> str:
    """The findings of a check whose parts were made elsewhere, as if it had been made here."""
    if form is Format.json:
        from seqlint.output import json

        return json.whole_document(whole.findings, whole.errors, whole.about.values())
    diagnostics = [diagnostic for diagnostic, _ in whole.told]
    if form is Format.concise:
        return _lines(_concise(diagnostics))
    from seqlint.output import text

    return _frames(whole.told, paint) + _lines((text.summary(diagnostics, whole.files), *_more(whole.about)))


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
) -> str:
    """The fixes that were applied or refused, and the findings that are left.

    Args:
        proofs: those of the files; told only where the report is for programs.
        part: which part of a run it is; None: a whole one.
        about: what was taken for granted and left out.
    """
    checked = [file.checked for file in files]
    if form is Format.json:
        from seqlint.output import json

        told = None if proofs is None else _values(proofs)
        return json.fix_document(files, _errors(problems), told, about.values())
    from seqlint.output import fixes

    if form is Format.concise:
        return _lines(line for file in files for line in fixes.concise(file)) + _lines(_concise(_diagnostics(checked)))
    done = "".join(fixes.done(file, paint) for file in files)
    summary = fixes.summary(files, str(part.shard) if part is not None else "")
    return "\n".join(text for text in (done, _frames(_told(checked), paint), _lines((summary, *_more(about)))) if text)


def _more(about: About) -> tuple[str, ...]:
    line = about.line()
    return (line,) if line else ()


def _values(proofs: Iterable[FileProof]) -> list[dict[str, object]]:
    from seqlint.proof import files_as_dict

    return [files_as_dict(proof) for proof in proofs]


def exit_code(checked: Sequence[Checked], problems: Sequence[Problem], fail_on: Threshold) -> int:
    """2 where something is broken, 1 where a finding reaches the level, 0 else."""
    if problems or any(one.broken for one in checked):
        return BROKEN
    return reached(_diagnostics(checked), fail_on)


def reached(diagnostics: Iterable[Diagnostic], fail_on: Threshold) -> int:
    """1 where a finding reaches the level, 0 else."""
    failing = LEVELS[: LEVELS.index(fail_on.value) + 1]
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
