"""What bad input did to a program, in words."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from seqlint.proof.failures import telling

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.proof.pairings import Pairing
    from seqlint.proof.run import Proof, Run

_LONGEST = 160


def own_story(clean: Proof) -> Iterator[str]:
    """What the program's own input shows, where that is bad already."""
    yield "the program's own input is bad already, and shows what the fix does: no other file was spoiled"
    yield f"before: {_raised(clean.before) or 'nothing was raised'}"
    yield f"after: {_raised(clean.after) or 'nothing was raised'}"


def fate(name: str, run: Run, found: Pairing | None) -> str:
    """What became of a spoiled file in one run: whether it was raised with its name, dropped, or lost."""
    return "; ".join([_end(name, run), *(_lost(found, run) if found is not None else ())])


def preview(run: Run, row: str) -> str:
    """The first values of a sample, by its digest."""
    return run.recording["previews"].get(row, row) if run.recording else row


def _end(name: str, run: Run) -> str:
    if run.status == "limit":
        return f"it did not end: {run.detail}"
    file = PurePath(name).name
    text = _raised(run, file)
    if not text:
        return "nothing was raised"
    return f"{text}, {'which names the file' if file in text else 'which does not name the file'}"


def _raised(run: Run, file: str = "") -> str:
    """The error that ended a run, by the line of its text that names the file, or else by the first that says something."""
    error = run.recording["error"] if run.recording else None
    if error is None:
        return ""
    lines = telling(error["text"])
    line = next((line for line in error["text"].splitlines() if file and file in line), lines[0]).strip()
    return _shortened(f"{error['type']}: {line}", file)


def _shortened(text: str, file: str) -> str:
    """The start of a long text; where the file is named further on, that part as well."""
    if len(text) <= _LONGEST:
        return text
    start = text.find(file) if file else -1
    tail = f" {text[start : start + _LONGEST // 2]}…" if start >= _LONGEST // 2 else ""
    return f"{text[: _LONGEST // 2 if tail else _LONGEST - 1]}…{tail}"


def _lost(found: Pairing, run: Run) -> Iterator[str]:
    """What happened to samples and labels."""
    if found.foreign and not found.repeats:
        yield "good input does not give the same samples in each epoch, so that labels can't be distinguished"
        return
    if not run.failed and found.missing:
        never = "never comes" if found.missing == 1 else "never come"
        yield f"{found.missing} of {found.known} samples {never} to a train step"
    for rows, what in (
        (found.wrong, "goes with the label of another sample"),
        (found.alone, "holds a label and no sample"),
        (found.bare, "holds a sample and no label"),
        (found.foreign, "holds a sample that good input does not have"),
    ):
        if rows:
            yield f"{_counted(len(rows))} {what}, the first in {rows[0].place}: {preview(run, rows[0].digest)}"
    if not run.failed and found.whole:
        dropped = "what was lost was dropped with its label, and " if found.missing else ""
        yield f"{dropped}{found.known - found.missing} samples came, each with its own label"


def _counted(rows: int) -> str:
    return "1 row" if rows == 1 else f"each of {rows} rows"
