"""What `fix` did to a file, for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.engine import FAULTS
from seqlint.output.concise import finding as concise_finding
from seqlint.output.diff import diff
from seqlint.output.text import count, findings, in_brackets
from seqlint.output.words import safety, too

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from seqlint.engine import Applied, Fixed, Refused
    from seqlint.output.paint import Paint
    from seqlint.sources import Source


def done(fixed: Fixed, paint: Paint) -> str:
    """The fixes that were applied to a file, and those that were refused; empty where there are none."""
    lines = [*(_applied(fix, paint) for fix in fixed.applied), *(_refused(fix, paint) for fix in fixed.refused)]
    return "".join(f"{line}\n" for line in (paint.bold(fixed.source.path), *lines)) if lines else ""


def concise(fixed: Fixed) -> Iterator[str]:
    """One line for each fix that was applied or refused."""
    for fix in fixed.applied:
        yield f"{_place(fixed, fix)}: {fix.code} fixed: {fix.title}"
    for refused in fixed.refused:
        yield _not_fixed(fixed, refused)


def faults(files: Iterable[Fixed]) -> Iterator[str]:
    """One line for all that kept a file from being checked as it should, for where findings are not listed."""
    found = (diagnostic for file in files for diagnostic in file.checked.diagnostics)
    return (concise_finding(diagnostic) for diagnostic in found if diagnostic.code in FAULTS)


def refusals(files: Iterable[Fixed]) -> Iterator[str]:
    """One line for each fix that was refused."""
    return (_not_fixed(file, refused) for file in files for refused in file.refused)


def summary(files: Sequence[Fixed], part: str = "") -> str:
    """The last line: how many fixes were applied, and what is left; in which part of a run, if it is no whole one."""
    left = [diagnostic for file in files for diagnostic in file.checked.diagnostics]
    return f"{applied(files, 'applied')}{in_brackets(part)}; {findings(left)} left"


def applied(files: Sequence[Fixed], how: str) -> str:
    """Such as "applied 3 fixes in 2 files"."""
    changed = [file for file in files if file.applied or file.source.text != file.before.text]
    number = sum(len(file.applied) for file in changed)
    return f"{how} {count(number, 'fix')} in {count(len(changed), 'file')}"


def file_diff(before: Source, after: Source) -> str:
    """The diff of a file, made of its bytes: byte order mark, newlines and encoding are those of the file.

    Of a notebook, that of each cell's code, which is for people: it does not apply to the JSON. Bytes that are not UTF-8 are surrogate escapes, so encode it with "surrogateescape" to get a diff that applies.
    """
    if before.notebook is not None and after.notebook is not None:
        return "".join(_cell_diffs(before.path, before.notebook.texts(), after.notebook.texts()))
    old, new = (source.to_bytes().decode("utf-8", "surrogateescape") for source in (before, after))
    return diff(old, new, before.path)


def _cell_diffs(path: str, before: Mapping[int, str], after: Mapping[int, str]) -> Iterator[str]:
    for number, old in before.items():
        new = after[number]
        if old != new:
            yield diff(_ended(old), _ended(new), f"{path}:cell {number}")


def _ended(text: str) -> str:
    """A cell rarely ends with a newline; that it does not is no news."""
    return text if text.endswith("\n") else f"{text}\n"


def _applied(fix: Applied, paint: Paint) -> str:
    what = f"{fix.code} {fix.name} at {fix.start}"
    return f"  {paint.good('fixed')} {what}: {fix.title} ({safety(fix.contract)}){too(fix.files)}"


def _refused(fix: Refused, paint: Paint) -> str:
    return f"  {paint.bad('not fixed')} {fix.code} at {fix.start}: {fix.title}: {fix.reason}"


def _not_fixed(fixed: Fixed, refused: Refused) -> str:
    return f"{_place(fixed, refused)}: {refused.code} not fixed: {refused.title}: {refused.reason}"


def _place(fixed: Fixed, fix: Applied | Refused) -> str:
    return f"{fixed.source.path}:{fix.start}"
