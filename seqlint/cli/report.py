"""What `check` and `fix` say about what they found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.cli.choices import Format, Threshold
from seqlint.model import LEVELS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from seqlint.engine import Checked, Fixed
    from seqlint.model import Diagnostic
    from seqlint.output.paint import Paint
    from seqlint.proof import FileProof
    from seqlint.sources.discovery import Problem

CLEAN, FOUND, BROKEN = 0, 1, 2


def of_check(checked: Sequence[Checked], files: int, problems: Iterable[Problem], form: Format, paint: Paint) -> str:
    """The findings of a check.

    Args:
        checked: the files that were checked, in order.
        files: how many files were looked at.
        problems: what could not be looked at; part of the report only where it is for programs.
    """
    if form is Format.json:
        from seqlint.output import json

        found = ((diagnostic, one.source) for one in checked for diagnostic in one.diagnostics)
        return json.document(found, _errors(problems))
    if form is Format.concise:
        return _lines(_concise(checked))
    from seqlint.output import text

    return _frames(checked, paint) + text.summary(_diagnostics(checked), files) + "\n"


def of_fix(
    files: Sequence[Fixed],
    problems: Iterable[Problem],
    form: Format,
    paint: Paint,
    proofs: Sequence[FileProof] | None = None,
) -> str:
    """The fixes that were applied or refused, and the findings that are left.

    Args:
        proofs: those of the files; part of the report only where it is for programs.
    """
    checked = [file.checked for file in files]
    if form is Format.json:
        from seqlint.output import json

        return json.fix_document(files, _errors(problems), None if proofs is None else _values(proofs))
    from seqlint.output import fixes

    if form is Format.concise:
        return _lines(line for file in files for line in fixes.concise(file)) + _lines(_concise(checked))
    done = "".join(fixes.done(file, paint) for file in files)
    return "\n".join(part for part in (done, _frames(checked, paint), fixes.summary(files) + "\n") if part)


def _values(proofs: Iterable[FileProof]) -> list[dict[str, object]]:
    from seqlint.proof import files_as_dict

    return [files_as_dict(proof) for proof in proofs]


def exit_code(checked: Sequence[Checked], problems: Sequence[Problem], fail_on: Threshold) -> int:
    """2 where something is broken, 1 where a finding reaches the level, 0 else."""
    if problems or any(one.broken for one in checked):
        return BROKEN
    failing = LEVELS[: LEVELS.index(fail_on.value) + 1]
    return FOUND if any(diagnostic.level in failing for diagnostic in _diagnostics(checked)) else CLEAN


def _diagnostics(checked: Iterable[Checked]) -> list[Diagnostic]:
    return [diagnostic for one in checked for diagnostic in one.diagnostics]


def _concise(checked: Iterable[Checked]) -> Iterator[str]:
    from seqlint.output import concise

    return (concise.finding(diagnostic) for diagnostic in _diagnostics(checked))


def _lines(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _frames(checked: Iterable[Checked], paint: Paint) -> str:
    from seqlint.output import text

    return "".join(
        f"{text.finding(diagnostic, one.source, paint)}\n" for one in checked for diagnostic in one.diagnostics
    )


def _errors(problems: Iterable[Problem]) -> list[dict[str, str]]:
    return [{"path": problem.path, "message": problem.message} for problem in problems]
