"""`seqlint check`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from seqlint.cli import baselined, console, inputs, progress, report, shown
from seqlint.cli.choices import Colour, Format
from seqlint.cli.destinations import destinations
from seqlint.model import ConfigError
from seqlint.output.about import About

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from seqlint.checked import Assumed
    from seqlint.cli import options
    from seqlint.engine import Checked
    from seqlint.runner.plan import Job, Plan
    from seqlint.runner.work import Found
    from seqlint.sources.discovery import Problem


def check(
    paths: options.Paths = None,
    output_format: options.OutputFormat = None,
    output_file: options.OutputFile = "",
    statistics: options.Statistics = False,
    quiet: options.Quiet = False,
    exit_zero: options.ExitZero = False,
    show_files: options.ShowFiles = False,
    show_settings: options.ShowSettings = False,
    baseline: options.BaselineFile = "",
    no_baseline: options.NoBaseline = False,
    add_ignore: options.AddIgnore = None,
    fix: options.Fixing = False,
    watch: options.Watch = False,
    select: options.Select = None,
    ignore: options.Ignore = None,
    extend_select: options.ExtendSelect = None,
    fail_on: options.FailOn = None,
    exclude: options.Exclude = None,
    force_exclude: options.ForceExclude = False,
    config: options.ConfigFile = None,
    stdin_filename: options.StdinFilename = "",
    jobs: options.Jobs = None,
    shard: options.OnePart = "",
    executor: options.Executor = "",
    keras: options.Keras = "",
    no_cache: options.NoCache = False,
    trust_rules: options.TrustRules = False,
    file_time_limit: options.FileTimeLimit = None,
    color: options.Color = Colour.auto,
) -> int:
    """Report what Keras really does with data code.

    Exit code: 0 clean, 1 findings of the level --fail-on or worse, 2 something is broken: an argument, a configuration,
    a file that can't be read, a rule.
    """
    given = locals().copy()
    if watch:
        return _watched(given)
    if fix:
        return _fixed(given)
    asked = inputs.request(
        select=select,
        ignore=ignore,
        extend_select=extend_select,
        exclude=exclude,
        force_exclude=force_exclude,
        config=config,
        keras=keras,
        cache=not no_cache,
        time_limit=file_time_limit,
        shard=shard,
        trust_rules=trust_rules,
    )
    places = destinations(output_format, output_file)
    if statistics and (odd := next((place.form for place in places if place.form not in _COUNTED), None)):
        raise ConfigError(f"--statistics are written as text or json, not as {odd.value}")
    processes = inputs.processes(jobs, executor)
    find = baselined.finder(baseline, off=no_baseline)
    planned = inputs.planned(paths, inputs.stdin(paths), stdin_filename, asked, processes)
    if show_files or show_settings:
        return shown.show(planned, files=show_files, settings=show_settings)
    checked, problems, assumed = checked_files(planned, processes, executor)
    left = baselined.left(planned, checked, find)
    looked_at = planned.files + len(planned.problems) - len(problems)
    about = replace(About.of(assumed, planned.skipped, keras), known=left.known)
    if add_ignore is not None:
        return _ignored(left.checked, add_ignore, paths)
    for place in places:
        if statistics:
            place.write(report.counts(left.checked, place.form))
            continue
        paint = console.paint(color if not place.file else Colour.never)
        text = report.of_check(
            left.checked, looked_at, problems, place.form, paint, planned.part, about, summed=not quiet
        )  # fmt: skip
        place.write(text)
    console.complain_of(problems)
    if not quiet:
        baselined.tell_of_stale(left.stale)
    code = report.exit_code(left.checked, problems, inputs.threshold(fail_on, planned))
    return report.CLEAN if exit_zero and code == report.FOUND else code


_COUNTED = (Format.text, Format.concise, Format.grouped, Format.json)
"""The formats that can hold counts."""
_ONLY_OF_CHECK = ("add_ignore", "show_files", "show_settings", "statistics")


def _watched(given: Mapping[str, Any]) -> int:
    from seqlint.cli import watching

    if inputs.STDIN in (given["paths"] or ()):
        raise ConfigError("--watch looks at files, not at standard input")
    if given["fix"] or given["add_ignore"] is not None or given["show_files"] or given["show_settings"]:
        others = "--fix, --add-ignore, --show-files or --show-settings"
        raise ConfigError(f"--watch only checks; it can't be combined with {others}")
    inputs.refuse_missing(given["paths"], "--watch")
    reports = [place.file for place in destinations(given["output_format"], given["output_file"]) if place.file]
    return watching.watch(given["paths"] or ["."], lambda: check(**{**given, "watch": False}), reports)


def _fixed(given: Mapping[str, Any]) -> int:
    """What `seqlint fix` does under the same options."""
    from seqlint.cli.fix import fix

    for name in _ONLY_OF_CHECK:
        if given[name] not in (None, False):
            raise ConfigError(f"--fix and --{name.replace('_', '-')} can't be combined")
    return fix(**{name: value for name, value in given.items() if name not in (*_ONLY_OF_CHECK, "fix", "watch")})


def _ignored(checked: Sequence[Checked], reason: str, paths: Sequence[str] | None) -> int:
    from seqlint.cli import ignoring

    if inputs.STDIN in (paths or ()):
        raise ConfigError("--add-ignore writes files, not standard input")
    if "\n" in reason or "\r" in reason:
        raise ConfigError("--add-ignore: the reason must be one line")
    return ignoring.add(checked, reason.strip())


def checked_files(
    planned: Plan, processes: int, executor: str
) -> tuple[list[Checked], list[Problem], list[Assumed | None]]:
    """The files in which something was found, what went wrong, and the Keras of each file that concerns seqlint."""
    known = [one.checked() for one in planned.known]
    assumed = [*planned.quiet, *(one.keras for one in known)]
    if not planned.jobs:
        planned.remember()
        return known, _sorted(planned.problems), assumed
    from seqlint.sources.discovery import Problem

    with progress.shown("checking", len(planned.jobs)) as done:
        results = _results(planned.jobs, processes, executor, done)
    died = [result for result in results if isinstance(result, Problem)]
    telling = (
        (job, found)
        for job, found in zip(planned.jobs, results, strict=True)
        if not isinstance(found, Problem) and (found.diagnostics or found.broken)
    )
    # What an engine found elsewhere depends on the Python and the files there.
    planned.remember(() if executor else results)
    checked = sorted([*known, *(found.of(job) for job, found in telling)], key=lambda one: one.source.path)
    assumed += [result.keras for result in results if not isinstance(result, Problem)]
    return checked, _sorted([*planned.problems, *died]), assumed


def _results(
    jobs: Sequence[Job], processes: int, executor: str, done: Callable[[int], object]
) -> list[Found | Problem]:
    from seqlint.runner import work

    if executor:
        from seqlint.runner import remote

        with remote.engine(executor) as engine:
            return remote.run(work.find, jobs, engine, done)
    return work.run(work.find, jobs, processes, done)


def _sorted(problems: Iterable[Problem]) -> list[Problem]:
    return sorted(problems, key=lambda problem: (problem.path, problem.message))
