"""What is to be done: which files, with which bytes, under which configuration."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from seqlint.config import Config, Overrides, finder, read_config
from seqlint.model import ConfigError, UnreadableSource
from seqlint.runner.pieces import MANY
from seqlint.runner.planned import Job, Plan
from seqlint.runner.rules import untrusted, validate
from seqlint.runner.shard import Part, Shard, run_of
from seqlint.sources import disk, drafts, is_notebook, several, surroundings, user
from seqlint.sources.discovery import Found, Problem, discover, left_out
from seqlint.sources.patterns import Patterns, wrong
from seqlint.sources.reading import note_file, recorded, state
from seqlint.sources.screen import Imports, has_class_or_fit, may_reach_keras, mentions_keras

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from seqlint.runner.earlier.earlier import Earlier
    from seqlint.sources.discovery import Takes
    from seqlint.sources.reading import Reading

__all__ = ["STDIN", "Job", "Plan", "Request", "concerns", "excludes", "others", "plan", "plan_text", "settings"]

STDIN = "<stdin>"
FEW = 200
"""The number of files up to which only those that concern seqlint are looked up among earlier results."""


@dataclass(frozen=True)
class Request:
    """What the command line asks for, whatever the command.

    Attributes:
        over: what it says over the configuration files.
        config: one configuration file for all; None: the nearest of each file.
        exclude: patterns, relative to the working directory, in addition to those of the configuration.
        force_exclude: patterns hold for named files, too.
        cache: keep what is read of a project in its folder, for the next run.
        shard: the part of the files to take; None: all.
        results: with `cache`, keep what was found, too.
        trust_rules: load the rules of projects, though the user may not trust them.
        inside: a walk leaves links alone that lead out of its folder.
    """

    over: Overrides = field(default_factory=Overrides)
    config: Path | None = None
    exclude: tuple[str, ...] = ()
    force_exclude: bool = False
    cache: bool = False
    shard: Shard | None = None
    results: bool = True
    trust_rules: bool = False
    inside: bool = False


def plan(paths: Sequence[str], request: Request, many: Callable[[], None] = lambda: None) -> Plan:
    """Find and read the files of a command line.

    Args:
        many: is called once there are many jobs, while more are looked for.

    Raises:
        ConfigError: a configuration file or an option is wrong.
        RuleError: a rule can't be loaded.
    """
    find = _configs(request)
    found = discover(
        paths,
        excludes(request, find),
        docs=lambda folder: find(Path(folder)).docs,
        respects=lambda folder: find(Path(folder)).respect_gitignore,
        force_exclude=request.force_exclude,
        inside=request.inside,
    )
    unfinished = tuple(Problem(*said) for said in several.recover())
    drafts.sweep(found.drafts)
    part = _part(found, request)
    if request.shard is not None:
        found = request.shard.of(found)
    shown = list(map(str, found.files))
    configs = _by_folder(shown, find)
    by_config = {config: settings(config, request) for config in dict.fromkeys(configs.values())}
    by_folder = {folder: by_config[config] for folder, config in configs.items()}
    files = {path: by_folder[path.rpartition(os.sep)[0]] for path in shown}
    folder = _folder(paths[0], request, find)
    # To read a few files and look for a word in them takes less time than to open a database.
    earlier = _earlier(folder) if len(files) > FEW else None
    known = {} if earlier is None else earlier.known(files)
    jobs: list[Job] = []
    problems: list[Problem] = []
    imports = Imports()
    for path in found.files if len(known) < len(files) else ():
        read = None if str(path) in known else _read(path, files[str(path)], imports, keep=folder is not None)
        if isinstance(read, Problem):
            problems.append(read)
        elif isinstance(read, Job):  # the bytes of all others are gone with the next file
            jobs.append(read)
            if len(jobs) == MANY and (earlier is not None or folder is None):
                many()
        elif read is not None and earlier is not None:
            earlier.keep_screened(str(path), read)
    if jobs and earlier is None:
        earlier = _earlier(folder)
        known = {} if earlier is None else earlier.known({job.path: job.config for job in jobs})
        jobs = [job for job in jobs if job.path not in known]
    used = {job.config for job in jobs}
    _validate(by_config, {config for config in by_config if by_config[config] in used}, request.over)
    concerned = [one for one in known.values() if one is not None]
    telling = tuple(one for one in concerned if one.diagnostics)
    quiet = tuple(one.keras for one in concerned if not one.diagnostics)
    barred = untrusted(by_config)
    read_files, all_problems = len(found.files) - len(problems), (*unfinished, *barred, *found.problems, *problems)
    return Plan(
        tuple(jobs), read_files, all_problems, part, telling, earlier, quiet, found.skipped, barred, found.outside,
        tuple(shown), by_folder,
    )  # fmt: skip


def others(paths: Sequence[str], request: Request, takes: Takes) -> tuple[str, ...]:
    """The files of another kind than code that the same walk meets.

    Args:
        paths: as for `plan`.
        takes: whether a file is of that kind, by its name.

    Raises:
        ConfigError: a configuration file or an option is wrong.
    """
    find = _configs(request)
    found = discover(
        [path for path in paths if os.path.isdir(path) or takes(path)],
        excludes(request, find),
        respects=lambda folder: find(Path(folder)).respect_gitignore,
        force_exclude=request.force_exclude,
        inside=request.inside,
        takes=takes,
    )
    return tuple(map(str, found.files))


def _by_folder(files: Iterable[str], find: Callable[[Path], Config]) -> dict[str, Config]:
    """The configurations of files, by what stands before the name of each."""
    folders = {path.rpartition(os.sep)[0]: path for path in files}
    return {folder: find(Path(os.path.abspath(path)).parent) for folder, path in folders.items()}


def _folder(first: str, request: Request, find: Callable[[Path], Config]) -> Path | None:
    """Where results are kept: in the project of the first path."""
    if not request.cache or not request.results:
        return None
    path = Path(os.path.abspath(first))
    return settings(find(path if os.path.isdir(path) else path.parent), request).cache


def _earlier(folder: Path | None) -> Earlier | None:
    if folder is None:
        return None
    from seqlint.runner.earlier.earlier import Earlier

    if not os.path.isdir(folder):  # a new one: the time to look at the old ones
        from seqlint.runner.earlier.sweep import sweep

        sweep()
    return Earlier(folder)


def _read(path: Path, config: Config, imports: Imports, *, keep: bool) -> Job | Problem | Reading | None:
    """A job, if a file concerns seqlint; else what was read to know that, if it is to be kept."""
    if not keep:
        data = _bytes(path)
        wanted = isinstance(data, bytes) and concerns(path, data, imports)
        return data if isinstance(data, Problem) else Job(str(path), data, config) if wanted else None
    with recorded() as reading:
        before = state(str(path))
        data = _bytes(path)
        if isinstance(data, Problem):
            return data
        note_file(os.path.abspath(path), data, before)
        wanted = concerns(path, data, imports)
    return Job(str(path), data, config, reading) if wanted else reading


def _part(found: Found, request: Request) -> Part | None:
    if request.shard is None:
        return None
    asked = (request.over, request.exclude, request.force_exclude)
    return Part(request.shard, run_of(found, asked))


def plan_text(data: bytes, name: str, request: Request) -> Plan:
    """Plan for the bytes of standard input.

    Args:
        data: the bytes.
        name: the file that they stand for; empty: none.

    Raises:
        ConfigError: a configuration file or an option is wrong.
        RuleError: a rule can't be loaded.
    """
    find = _configs(request)
    path = Path(os.path.abspath(name)) if name else Path.cwd() / STDIN
    config = find(path.parent)
    excluded = request.force_exclude and left_out(str(path), excludes(request, find))
    wanted = concerns(path, data) and not excluded
    _validate((config,), {config} if wanted else set(), request.over)
    alone = replace(config.overridden(request.over), single=True)
    jobs = (Job(name or STDIN, data, alone),) if wanted else ()
    barred = untrusted((config,))
    configs = {name.rpartition(os.sep)[0]: config.overridden(request.over)} if name else {}
    return Plan(jobs, 1, barred, untrusted=barred, paths=(name,) if name else (), configs=configs)


def settings(config: Config, request: Request) -> Config:
    """What holds for a job."""
    kept = kept_at(config) if request.cache else None
    return replace(config.overridden(request.over), cache=kept)


def kept_at(config: Config) -> Path | None:
    """The cache of the project that a configuration is of; without a project, that of the working directory.

    It lies in the user's own folder: what lies in a repository may come from anybody, and would be taken for what was found.
    """
    home = user.cache_folder()
    root = config.root if config.file is not None else surroundings.repository(config.root) or config.root
    return None if home is None else home / user.name_of(root)


def concerns(path: Path, data: bytes, imports: Imports | None = None) -> bool:
    """Whether a file can hold a finding: it mentions Keras, has a class whose base does, or trains what another file makes.

    Args:
        path: the file.
        data: its bytes.
        imports: what other files of the run have led to.
    """
    return mentions_keras(data) or may_reach_keras(path, _code(path, data), imports)


def _code(path: Path, data: bytes) -> bytes:
    if not is_notebook(path.name) or not has_class_or_fit(data):
        return data
    from seqlint.sources import notebook

    return notebook.code(data)


def _bytes(path: Path) -> bytes | Problem:
    try:
        return disk.read(path)
    except UnreadableSource as error:
        return Problem(str(path), str(error))


def _configs(request: Request) -> Callable[[Path], Config]:
    if request.config is None:
        return finder(trust_rules=request.trust_rules)
    config = read_config(request.config, trust_rules=request.trust_rules)
    return lambda folder: config


def excludes(request: Request, find: Callable[[Path], Config]) -> Callable[[str], tuple[Patterns, ...]]:
    """The patterns that leave out files, by the folder.

    Raises:
        ConfigError: a pattern of the command line is none.
    """
    for pattern in request.exclude:
        if wrong(pattern):
            raise ConfigError(f"--exclude: {pattern!r} is not a .gitignore pattern")
    asked = Patterns(os.getcwd(), request.exclude)

    def of_folder(folder: str) -> tuple[Patterns, ...]:
        config = find(Path(folder))
        return (Patterns(str(config.root), config.exclude), asked)

    return of_folder


def _validate(configs: Iterable[Config], used: set[Config], over: Overrides) -> None:
    for config in dict.fromkeys(configs):
        validate(config, over, thoroughly=config in used)
