"""`seqlint migrate --verify`: the programs of a project, before on tf-keras and after on Keras 3."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from seqlint.cli import console, progress, proving
from seqlint.migrate.values import Row
from seqlint.model import UnreadableSource
from seqlint.sources import Source, disk

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from seqlint.cli.proving import Trial
    from seqlint.migrate.values import Migration
    from seqlint.proof.across import Across, Crossing
    from seqlint.runner.plan import Job, Request

_OLDER = "2.11"


def verified(
    migration: Migration, paths: Sequence[str], request: Request, trial: Trial, before: str
) -> tuple[Migration, bool]:
    """The migration with what running its programs has shown, and whether one of them does something else afterwards.

    Args:
        before: a file with the old text of the one script; empty: it is what the script holds now.

    Raises:
        ConfigError: there is nothing to run programs with.
    """
    from seqlint.proof import workers
    from seqlint.proof.across import prove_across
    from seqlint.runner import plan

    old, new = trial.settings("legacy"), trial.settings("3")
    crossings = list(_crossings(migration, plan.plan(list(paths), request).jobs, trial, before))
    found: list[Across] = []
    with workers() as lent, progress.shown("running", len(crossings)) as done:
        for crossing in crossings:
            console.remark(f"running {crossing.path} on tf-keras and on Keras 3, in a temporary folder\n")
            found.append(prove_across(crossing, lent.under(old), lent.under(new)))
            done(1)
    rows = tuple(map(_row, found)) or (Row("", "", "no script or notebook runs a model", "name one", "NOT RUN"),)
    broken = migration.broken or any(row.code == "NOT RUN" for row in rows)
    told = replace(migration, rows={**migration.rows, "verified": rows}, broken=broken)
    return told, any(one.answer == "DIFFERENT" for one in found)


def _row(found: Across) -> Row:
    same = [
        f"{one.name}{f' ({one.detail})' if one.detail else ''}"
        for one in found.judged
        if one.outcome in ("SAME", "BY CHANCE")
    ]
    note = "; ".join((*found.ran_on, *found.notes))
    if found.answer == "SAME ACROSS":
        return Row(found.path, "", f"the same: {', '.join(same)}", "", found.answer, note)
    return Row(found.path, "", found.reason, "", found.answer, note)


def _crossings(migration: Migration, jobs: Sequence[Job], trial: Trial, before: str) -> Iterator[Crossing]:
    from seqlint.proof import place_of, program_for
    from seqlint.proof.across import Crossing

    after = {os.path.abspath(one.path): one.after for one in migration.changed}
    for job in jobs:
        script = Path(os.path.abspath(job.path))
        try:
            text = Source.from_bytes(job.data, job.path).text
        except UnreadableSource:
            continue
        program = program_for(script, text, trial.argv)
        if program.kind == "classes":
            continue
        place = place_of(script, text, program, trial.root_of(script))
        program = replace(program, start=place.start, data=trial.data, older=_may_be_older(job))
        others = tuple(
            (Path(path).relative_to(place.folder).as_posix(), data)
            for path, data in after.items()
            if path != str(script) and path.startswith(f"{place.folder}{os.sep}")
        )
        old = disk.read(Path(before)) if before else job.data
        yield Crossing(job.path, old, after.get(str(script), job.data), place.folder, place.script, program, others)


def _may_be_older(job: Job) -> bool:
    """Whether the project may have run on a Keras before 2.11, which took what tf-keras ignores."""
    return proving.in_use(job.source(), job.config).may_be_older(_OLDER)
