"""What `check` and `fix` say about what they found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.cli.options import Format, Threshold
from seqlint.model import LEVELS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from seqlint.engine import Checked, Fixed
    from seqlint.output.paint import Paint
    from seqlint.sources.discovery import Problem

CLEAN, FOUND, BROKEN = 0, 1, 2


def of_check(checked: Sequence[Checked], files: int, problems: Iterable[Problem], form: Format, paint: Paint) -> str:
    """The findings of a check.

    Args:
        checked: the files that were checked, in order.
        files: how many files were looked at.
        problems: what could not be looked at; part of the report only where it is for programs.
    """
    from seqlint.output import concise, json, text

    found = [(diagnostic, one.source) for one in checked for diagnostic in one.diagnostics]
    if form is Format.json:
        return json.document(found, _errors(problems))
    if form is Format.concise:
        return "".join(f"{concise.finding(diagnostic)}\n" for diagnostic, _ in found)
    return _frames(checked, paint) + text.summary([diagnostic for diagnostic, _ in found], files) + "\n"


def of_fix(files: Sequence[Fixed], problems: Iterable[Problem], form: Format, paint: Paint) -> str:
    """The fixes that were applied or refused, and the findings that are left."""
    from seqlint.output import concise, fixes, json

    checked = [file.checked for file in files]
    if form is Format.json:
        return json.fix_document(files, _errors(problems))
    if form is Format.concise:
        left = (concise.finding(diagnostic) for one in checked for diagnostic in one.diagnostics)
        lines = (*(line for file in files for line in fixes.concise(file)), *left)
        return "".join(f"{line}\n" for line in lines)
    done = "".join(fixes.done(file, paint) for file in files)
    return "\n".join(part for part in (done, _frames(checked, paint), fixes.summary(files) + "\n") if part)


def exit_code(checked: Iterable[Checked], problems: Sequence[Problem], fail_on: Threshold) -> int:
    """2 where something is broken, 1 where a finding reaches the level, 0 else."""
    everything = list(checked)
    if problems or any(one.broken for one in everything):
        return BROKEN
    failing = LEVELS[: LEVELS.index(fail_on.value) + 1]
    found = any(diagnostic.level in failing for one in everything for diagnostic in one.diagnostics)
    return FOUND if found else CLEAN


def _frames(checked: Iterable[Checked], paint: Paint) -> str:
    from seqlint.output import text

    return "".join(
        f"{text.finding(diagnostic, one.source, paint)}\n" for one in checked for diagnostic in one.diagnostics
    )


def _errors(problems: Iterable[Problem]) -> list[dict[str, str]]:
    return [{"path": problem.path, "message": problem.message} for problem in problems]
