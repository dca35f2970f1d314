"""`seqlint migrate`."""

from __future__ import annotations

import os
from dataclasses import replace
from enum import Enum
from typing import TYPE_CHECKING, Annotated

import typer

from seqlint.cli import console, inputs, options, progress, proving
from seqlint.cli.report import BROKEN, CLEAN, FOUND
from seqlint.model import ConfigError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from seqlint.migrate.values import Aim, Migration
    from seqlint.runner.plan import Plan, Request


class Target(str, Enum):
    """The Keras to go to."""

    three = "3"


class Form(str, Enum):
    """How the report is written."""

    text = "text"
    markdown = "markdown"
    html = "html"
    json = "json"


def migrate(
    context: options.Context = None,  # type: ignore[assignment]
    paths: Annotated[
        list[str] | None,
        typer.Argument(metavar="PATH", help="Files and folders. Default: the working directory."),
    ] = None,
    to: Annotated[Target, typer.Option("--to", help="The Keras to go to.")] = Target.three,
    write: Annotated[bool, typer.Option("--write", help="Write the files; without it nothing is written.")] = False,
    show_diff: options.Diff = False,
    keep_both: Annotated[
        bool, typer.Option("--keep-both", help="Write only code that runs on Keras 2, too; leave requirements alone.")
    ] = False,
    safe: Annotated[bool, typer.Option("--safe", help="Apply safe fixes alone.")] = False,
    allow_dirty: Annotated[
        bool, typer.Option("--allow-dirty", help="Also write files with changes that are not in git yet.")
    ] = False,
    report: Annotated[
        str,
        typer.Option("--report", metavar="FILE", help="Write the report there: .md, .html, .txt or .json."),
    ] = "",
    output_format: Annotated[Form, typer.Option("--output-format", help="How the report is written.")] = Form.text,
    ignore: options.Ignore = None,
    extend_select: options.ExtendSelect = None,
    exclude: options.Exclude = None,
    force_exclude: options.ForceExclude = False,
    config: options.ConfigFile = None,
    file_time_limit: options.FileTimeLimit = None,
    trust_rules: options.TrustRules = False,
    follow_links: options.FollowLinks = False,
    verify: Annotated[
        bool,
        typer.Option("--verify", help="Run each script before, on tf-keras, and after, on Keras 3, and compare."),
    ] = False,
    before: Annotated[
        str,
        typer.Option(
            "--before",
            metavar="FILE",
            help="With --verify: the script as it was on Keras 2, if PATH is migrated already.",
        ),
    ] = "",
    time_limit: options.TimeLimit = 120,
    epochs: options.Epochs = 3,
    steps: options.Steps = 500,
    root: options.Root = "",
    data: options.Data = None,
    python: options.Python = "",
) -> int:
    """Bring a project from Keras 2 to Keras 3: its code, notebooks and requirement files.

    Without --write it is a plan: nothing is written. The report says what is done, what to do by hand and what to write
    there, which names of Keras no rule judges, and what is not sure. Fixes that change a working program are applied where
    Keras 3 fails over the code or does something else with it than Keras 2. Lock files are never edited.

    With --verify each script and notebook is run as `seqlint verify` runs it: the old text on tf-keras, the new one on Keras 3,
    with the same data, seeds and initial weights. --before, --time-limit, --epochs, --steps, --root, --data and --python belong
    to it, and what follows '--' goes to the scripts. Where one does something else afterwards, --write writes nothing.

    In a git repository --write refuses files whose last text is in no commit; --allow-dirty writes them.

    Exit code: 0 nothing is left to do, 1 something would change, is left to do by hand, or does something else afterwards,
    2 something is broken, could not be read, written or run.
    """
    from seqlint.migrate.values import Aim

    given = list(paths or ["."])
    _check(given, report, write=write, show_diff=show_diff)
    if before and not (verify and len(given) == 1 and os.path.isfile(given[0]) and os.path.isfile(before)):
        raise ConfigError("--before names the old text of one script: give that one path, and --verify")
    trial = proving.Trial(
        time_limit=time_limit, epochs=epochs, steps=steps, python=python, root=root, data=tuple(data or ())
    )
    if not verify:
        proving.refuse(trial)
    request = inputs.request(
        select=None, ignore=ignore, extend_select=extend_select, exclude=exclude, force_exclude=force_exclude, config=config,
        keras="", trust_rules=trust_rules, time_limit=file_time_limit,
    )  # fmt: skip
    request = replace(request, results=False, inside=not follow_links)
    migration = _planned(given, request, Aim(keep_both, safe), report)
    if verify:
        from seqlint.cli import migrate_verify

        argv = tuple(context.obj or ()) if context is not None else ()
        trial = replace(trial, data=proving.data(data), argv=argv)
        migration, different = migrate_verify.verified(migration, given, request, trial, before)
        if different and write:
            console.complain("a script does something else afterwards, so nothing was written")
            write = False
    if write:
        migration = _written(migration, allow_dirty=allow_dirty)
    _say(migration, report, output_format.value, show_diff=show_diff)
    return _exit_code(migration)


def _check(paths: Sequence[str], report: str, *, write: bool, show_diff: bool) -> None:
    """Refuse what can't be done before anything is read.

    Raises:
        ConfigError: it can't.
    """
    from seqlint.cli import destinations
    from seqlint.migrate.needs import is_need
    from seqlint.migrate.report import SUFFIXES
    from seqlint.sources.discovery import SUFFIXES as CODE

    if inputs.STDIN in paths:
        raise ConfigError("migrate takes files and folders, not standard input")
    if write and show_diff:
        raise ConfigError("--diff writes nothing, so it can't be combined with --write")
    inputs.refuse_missing(paths)
    for path in paths:
        if os.path.isfile(path) and not (path.endswith(CODE) or is_need(path)):
            raise ConfigError(f"migrate takes Python files, notebooks and requirement files, and {path} is none")
    if report and os.path.splitext(report)[1].lower() not in SUFFIXES:
        raise ConfigError(f"--report: {report} ends in none of {', '.join(SUFFIXES)}")
    destinations.check_file(report)


def _planned(paths: Sequence[str], request: Request, aim: Aim, report: str) -> Migration:
    from seqlint.migrate import migration
    from seqlint.migrate.needs import is_need
    from seqlint.runner import plan

    needs = plan.others(paths, request, is_need)
    if report and os.path.abspath(report) in map(os.path.abspath, needs):
        raise ConfigError(f"--report: {report} says what the project needs, and would be overwritten")
    code = [path for path in paths if os.path.isdir(path) or os.path.basename(path) == "setup.py" or not is_need(path)]
    planned = plan.plan(code, request) if code else _nothing()
    with progress.shown("migrating", len(planned.jobs)) as done:
        return migration.plan(planned, needs, aim, done)


def _nothing() -> Plan:
    from seqlint.runner.plan import Plan

    return Plan((), 0)


def _written(migration: Migration, *, allow_dirty: bool) -> Migration:
    """The same with its files written.

    Raises:
        ConfigError: the text of some would be lost. None is written then.
    """
    from seqlint.migrate import writing
    from seqlint.migrate.values import Row

    dirty, outside = writing.uncommitted([one.path for one in migration.changed])
    if dirty and not allow_dirty:
        more = f" and {len(dirty) - 1} more" if len(dirty) > 1 else ""
        raise ConfigError(
            f"{dirty[0]}{more}: the text is in no commit, and would be lost; commit it first, or use --allow-dirty. Nothing was written"
        )
    if outside:
        console.remark("not in a git repository: keep a copy to go back to\n")
    problems = writing.write(migration.changed)
    left = {one.path for one in problems}
    rows = tuple(Row(one.path, "", one.message, "see why, and migrate again") for one in problems)
    parts = {**migration.rows, "unsure": (*migration.part("unsure"), *rows)}
    parts["done"] = tuple(row for row in migration.part("done") if row.path not in left)
    changed = tuple(one for one in migration.changed if one.path not in left)
    return replace(migration, rows=parts, changed=changed, written=True, broken=migration.broken or bool(problems))


def _say(migration: Migration, report: str, form: str, *, show_diff: bool) -> None:
    from seqlint.cli import destinations
    from seqlint.migrate.report import SUFFIXES, render
    from seqlint.migrate.report.words import headline

    if report:
        destinations.write_file(report, render(migration, SUFFIXES[os.path.splitext(report)[1].lower()]))
        console.remark(f"wrote {report}\n")
    if not show_diff:
        console.say(render(migration, form))
        return
    for one in migration.changed:
        console.hand_over(one.diff.encode("utf-8", "surrogateescape"))
    console.remark(f"{headline(migration)}\n")


def _exit_code(migration: Migration) -> int:
    if migration.broken:
        return BROKEN
    waiting = bool(migration.changed) and not migration.written
    unlike = any(row.code == "DIFFERENT" for row in migration.part("verified"))
    return FOUND if waiting or unlike or migration.left else CLEAN
