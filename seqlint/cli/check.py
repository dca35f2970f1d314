"""`seqlint check`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.cli import console, inputs, report
from seqlint.cli.choices import Colour, Format, Threshold

if TYPE_CHECKING:
    from collections.abc import Iterable

    from seqlint.cli import options
    from seqlint.engine import Checked
    from seqlint.runner.plan import Plan
    from seqlint.sources.discovery import Problem


def check(
    paths: options.Paths = None,
    output_format: options.OutputFormat = Format.text,
    select: options.Select = None,
    ignore: options.Ignore = None,
    extend_select: options.ExtendSelect = None,
    fail_on: options.FailOn = Threshold.warning,
    exclude: options.Exclude = None,
    force_exclude: options.ForceExclude = False,
    config: options.ConfigFile = None,
    stdin_filename: options.StdinFilename = "",
    jobs: options.Jobs = None,
    shard: options.OnePart = "",
    keras: options.Keras = "",
    no_cache: options.NoCache = False,
    color: options.Color = Colour.auto,
) -> int:
    """Report what Keras really does with data code.

    Exit code: 0 clean, 1 findings of the level --fail-on or worse, 2 something is broken: an argument, a configuration,
    a file that can't be read, a rule.
    """
    asked = inputs.request(
        select=select,
        ignore=ignore,
        extend_select=extend_select,
        exclude=exclude,
        force_exclude=force_exclude,
        config=config,
        keras=keras,
        cache=not no_cache,
        shard=shard,
    )
    planned = inputs.planned(paths, inputs.stdin(paths), stdin_filename, asked)
    checked, problems = _checked(planned, inputs.processes(jobs))
    looked_at = planned.files + len(planned.problems) - len(problems)
    console.say(report.of_check(checked, looked_at, problems, output_format, console.paint(color), planned.part))
    console.complain_of(problems)
    return report.exit_code(checked, problems, fail_on)


def _checked(planned: Plan, processes: int) -> tuple[list[Checked], list[Problem]]:
    """The files in which something was found, and what went wrong."""
    if not planned.jobs:
        return [], _sorted(planned.problems)
    from seqlint.runner import work
    from seqlint.sources.discovery import Problem

    results = work.run(work.find, planned.jobs, processes)
    died = [result for result in results if isinstance(result, Problem)]
    telling = (
        (job, found)
        for job, found in zip(planned.jobs, results, strict=True)
        if not isinstance(found, Problem) and (found.diagnostics or found.broken)
    )
    return [found.of(job) for job, found in telling], _sorted([*planned.problems, *died])


def _sorted(problems: Iterable[Problem]) -> list[Problem]:
    return sorted(problems, key=lambda problem: (problem.path, problem.message))
