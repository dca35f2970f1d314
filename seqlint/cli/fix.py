"""`seqlint fix`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from seqlint.cli import baselined, console, inputs, progress, proving, report
from seqlint.cli.choices import Colour, On
from seqlint.cli.destinations import destinations
from seqlint.cli.proving import Trial
from seqlint.model import ConfigError
from seqlint.output.about import About
from seqlint.output.paint import Paint

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from seqlint.cli import options
    from seqlint.engine import Checked, Fixed
    from seqlint.proof import FileProof
    from seqlint.runner.plan import Job, Plan
    from seqlint.runner.work import FixedFile
    from seqlint.sources.discovery import Problem


def fix(
    context: options.Context = None,  # type: ignore[assignment]
    paths: options.Paths = None,
    unsafe: options.Unsafe = None,
    verify: options.Verify = False,
    page: options.Report = "",
    device: options.Device = On.cpu,
    replicas: options.Replicas = 0,
    time_limit: options.TimeLimit = 120,
    epochs: options.Epochs = 3,
    steps: options.Steps = 500,
    factory: options.Factory = "",
    script: options.Script = False,
    root: options.Root = "",
    data: options.Data = None,
    python: options.Python = "",
    show_diff: options.Diff = False,
    interactive: options.Interactive = False,
    output_format: options.OutputFormat = None,
    output_file: options.OutputFile = "",
    quiet: options.Quiet = False,
    exit_zero: options.ExitZero = False,
    baseline: options.BaselineFile = "",
    no_baseline: options.NoBaseline = False,
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
    follow_links: options.FollowLinks = False,
    file_time_limit: options.FileTimeLimit = None,
    color: options.Color = Colour.auto,
) -> int:
    """Apply safe fixes until nothing changes; with --unsafe all fixes.

    With --verify the files are run as `seqlint verify` runs them, and a fix is applied only where its contract held; what
    could not be run is not fixed. --report, --device, --replicas, --time-limit, --epochs, --steps, --factory, --script,
    --root, --data and --python belong to it, and what follows '--' goes to the scripts.

    In a folder, symbolic links that lead out of it are skipped. A file with several names (hard links) is not
    written.

    Exit code: 0 nothing is left, 1 findings of the level --fail-on or worse are left, 2 something is broken, or could not
    be proved with --verify.
    With --diff: 0 nothing would change, 1 something would, 2 something is broken.
    """
    asked = inputs.request(
        select=select,
        ignore=ignore,
        extend_select=extend_select,
        exclude=exclude,
        force_exclude=force_exclude,
        config=config,
        keras=keras,
        unsafe=unsafe,
        cache=not no_cache,
        time_limit=file_time_limit,
        shard=shard,
        trust_rules=trust_rules,
    )
    asked = replace(asked, results=not verify, inside=not follow_links)
    trial = Trial(device, replicas, time_limit, epochs, steps, python, root, tuple(data or ()), factory, script=script)
    if not verify:
        proving.refuse(trial, page)
    if verify:
        if inputs.STDIN in (paths or ()):
            raise ConfigError("--verify runs files, not standard input")
        if executor:
            raise ConfigError("--verify runs the files on this machine, so it takes no --executor")
    places = destinations(output_format, output_file)
    find = baselined.finder(baseline, off=no_baseline)
    if interactive and (verify or show_diff or executor or inputs.STDIN in (paths or ())):
        raise ConfigError(
            "--interactive asks about files; it can't be combined with --verify, --diff, --executor or '-'"
        )
    stdin = inputs.stdin(paths)
    processes = (jobs or 1) if verify else inputs.processes(jobs, executor)
    planned = inputs.planned(paths, stdin, stdin_filename, asked, processes)
    write = stdin is None and not show_diff
    proofs = None
    if verify:
        given = tuple(context.obj or ()) if context is not None else ()
        trial = replace(trial, data=proving.data(data), argv=given, keras=keras)
        files, problems, proofs = _proved_files(planned, trial, page, processes, write=write)
    elif interactive:
        files, problems = _asked_for(planned, console.paint(color))
    else:
        files, problems = _files(planned, processes, executor, write=write)
    console.complain_of(problems)
    _tell_of_links(planned.outside)
    paint = console.paint(color)
    about = About.of([*planned.quiet, *(file.checked.keras for file in files)], planned.skipped, keras)
    if show_diff:
        code = max(_diff(files, problems, paint), _unproved(proofs))
        return report.CLEAN if exit_zero and code == report.FOUND else code
    left = baselined.left(planned, [file.checked for file in files], find)
    files, about = _without(files, left.checked), replace(about, known=left.known)
    if stdin is not None:
        changed = next((file.source for file in files if file.source.text != file.before.text), None)
        console.hand_over(stdin if changed is None else changed.to_bytes())
    for place in places:
        colours = paint if not place.file else Paint()
        text = report.of_fix(files, problems, place.form, colours, proofs, planned.part, about, summed=not quiet)
        if stdin is None or place.file:
            place.write(text)
        else:  # standard output has the fixed text
            console.remark(text)
    if not quiet:
        baselined.tell_of_stale(left.stale)
    code = report.exit_code([file.checked for file in files], problems, inputs.threshold(fail_on, planned))
    code = max(code, _unproved(proofs))
    return report.CLEAN if exit_zero and code == report.FOUND else code


def _without(files: Sequence[Fixed], left: Sequence[Checked]) -> list[Fixed]:
    """The files without the findings that a baseline holds."""
    kept = {one.source.path: one for one in left}
    return [
        replace(file, checked=kept.get(file.checked.source.path, replace(file.checked, diagnostics=())))
        for file in files
    ]


def _unproved(proofs: Sequence[FileProof] | None) -> int:
    """The exit code for fixes that could not be proved."""
    unproved = any(item.outcome == "NOT RUN" for proof in proofs or () for item in proof.items)
    return report.BROKEN if unproved else report.CLEAN


def _tell_of_links(links: Sequence[str]) -> None:
    if not links:
        return
    what = f"{links[0]} leads" if len(links) == 1 else f"{links[0]} and {len(links) - 1} more links lead"
    console.remark(f"skipped: {what} out of the folder; name the file, or use --follow-links\n")


def _asked_for(planned: Plan, paint: Paint) -> tuple[list[Fixed], list[Problem]]:
    """The files with those fixes that the user wants."""
    from seqlint.cli.interactive import Session
    from seqlint.runner import work

    jobs = sorted([*planned.jobs, *(one.job for one in planned.known if one.diagnostics)], key=lambda job: job.path)
    files, problems = Session(paint).run(jobs)
    seen = {file.before.path for file in files}
    rest = [work.left(work.check(job)) for job in jobs if job.path not in seen]
    return [*files, *rest], [*planned.problems, *problems]


def _files(planned: Plan, processes: int, executor: str, *, write: bool) -> tuple[list[Fixed], list[Problem]]:
    jobs, left = planned.to_fix()
    if not jobs and not left:
        planned.remember()
        return [], list(planned.problems)
    from seqlint.runner import settle, work
    from seqlint.sources.discovery import Problem

    with progress.shown("fixing", len(jobs)) as done:
        results = _results(jobs, processes, executor, done, write=write)
    results, others = settle.settled(jobs, results, write=write)
    died = [result for result in results if isinstance(result, Problem)]
    # What an engine found elsewhere depends on the Python and the files there.
    planned.remember(() if executor else [None if isinstance(one, Problem) else one.found for one in results], jobs)
    files = [result for result in results if not isinstance(result, Problem)]
    unwritten = [file.problem for file in files if file.problem is not None]
    fixed = [*(file.fixed for file in files), *map(work.left, left)]
    fixed = settle.with_others(fixed, others, planned.config_of)
    return sorted(fixed, key=lambda file: file.source.path), [*planned.problems, *died, *unwritten]


def _results(
    jobs: Sequence[Job], processes: int, executor: str, done: Callable[[int], object], *, write: bool
) -> list[FixedFile | Problem]:
    from seqlint.runner import work
    from seqlint.sources.discovery import Problem

    if not executor:
        return work.run(work.fix_on_disk if write else work.fix, jobs, processes, done)
    from seqlint.runner import remote

    with remote.engine(executor) as engine:
        results = remote.run(work.fix, jobs, engine, done)
    if not write:
        return results
    pairs = zip(jobs, results, strict=True)
    return [one if isinstance(one, Problem) or one.waits else work.written(job, one) for job, one in pairs]


def _proved_files(
    planned: Plan, trial: Trial, page: str, processes: int, *, write: bool
) -> tuple[list[Fixed], list[Problem], list[FileProof]]:
    """The files with those fixes that a proof has shown to keep their contract, and the proofs.

    Raises:
        ConfigError: there is nothing to run them with.
    """
    from seqlint.cli import fix_proved
    from seqlint.runner import settle

    proving.check_report(page)
    files, problems, proofs = fix_proved.run(planned.jobs, trial, page, processes, write=write)
    files = settle.with_others(files, {one.path: one for file in files for one in file.others}, planned.config_of)
    return files, [*planned.problems, *problems], proofs


def _diff(files: list[Fixed], problems: list[Problem], paint: Paint) -> int:
    from seqlint.output import fixes

    changed = [file for file in files if file.source.text != file.before.text]
    for file in changed:
        text = paint.diff(fixes.file_diff(file.before, file.source))
        console.hand_over(text.encode("utf-8", "surrogateescape"))
    for line in fixes.faults(files):
        console.complain(line)
    for line in fixes.refusals(files):
        console.remark(f"{line}\n")
    console.remark(f"{fixes.applied(changed, 'would apply')}\n")
    if problems or any(file.checked.broken for file in files):
        return report.BROKEN
    return report.FOUND if changed else report.CLEAN
