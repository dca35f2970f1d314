"""What is to be done: which files, with which bytes, under which configuration."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from seqlint.config import Config, Overrides, finder, read_config
from seqlint.model import ConfigError, UnreadableSource
from seqlint.runner.pieces import MANY
from seqlint.runner.rules import validate
from seqlint.runner.shard import Part, Shard, run_of
from seqlint.sources import disk, is_notebook, surroundings
from seqlint.sources.discovery import Found, Problem, discover, left_out
from seqlint.sources.patterns import Patterns, wrong
from seqlint.sources.screen import Imports, may_inherit_keras, mentions_keras

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

STDIN = "<stdin>"


@dataclass(frozen=True)
class Request:
    """What the command line asks for, whatever the command.

    Attributes:
        over: what it says over the configuration files.
        config: one configuration file for all; None: the nearest of each file.
        exclude: patterns, relative to the working directory, besides those of the configuration.
        force_exclude: patterns hold for named files, too.
        cache: keep what is read of a project in its folder, for the next run.
        shard: the part of the files to take; None: all.
    """

    over: Overrides = field(default_factory=Overrides)
    config: Path | None = None
    exclude: tuple[str, ...] = ()
    force_exclude: bool = False
    cache: bool = False
    shard: Shard | None = None


@dataclass(frozen=True)
class Job:
    """One file that may hold a finding: its bytes as they were read, and its settings."""

    path: str
    data: bytes
    config: Config


@dataclass(frozen=True)
class Plan:
    """The files to work on, in order.

    Attributes:
        jobs: those that mention Keras at all.
        files: how many files were read, with those that don't.
        problems: what could not be read.
        part: which part of a run it is; None: all of it.
    """

    jobs: tuple[Job, ...]
    files: int
    problems: tuple[Problem, ...] = ()
    part: Part | None = None


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
        force_exclude=request.force_exclude,
    )
    part = _part(found, request)
    if request.shard is not None:
        found = request.shard.of(found)
    wanted: list[tuple[Path, bytes, Config]] = []
    problems: list[Problem] = []
    configs: dict[str, Config] = {}
    imports = Imports()
    for path in found.files:
        folder = os.path.dirname(path)
        if folder not in configs:
            configs[folder] = find(Path(os.path.abspath(folder)))
        data = _bytes(path)
        if isinstance(data, Problem):
            problems.append(data)
        elif concerns(path, data, imports):  # the bytes of all others are gone with the next file
            wanted.append((path, data, configs[folder]))
            if len(wanted) == MANY:
                many()
    used = {config for _, _, config in wanted}
    _validate(configs.values(), used, request.over)
    by_config = {config: settings(config, request) for config in used}
    jobs = tuple(Job(str(path), data, by_config[config]) for path, data, config in wanted)
    return Plan(jobs, len(found.files) - len(problems), (*found.problems, *problems), part)


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
    jobs = (Job(name or STDIN, data, config.overridden(request.over)),) if wanted else ()
    return Plan(jobs, 1)


def settings(config: Config, request: Request) -> Config:
    """What holds for a job: a project has a cache where its root is known."""
    root = config.root if config.file is not None else surroundings.repository(config.root)
    kept = root / surroundings.CACHE if request.cache and root is not None else None
    return replace(config.overridden(request.over), cache=kept)


def concerns(path: Path, data: bytes, imports: Imports | None = None) -> bool:
    """Whether a file can hold a finding: it mentions Keras, or has a class whose base does.

    Args:
        path: the file.
        data: its bytes.
        imports: what other files of the run have led to.
    """
    return mentions_keras(data) or may_inherit_keras(path, _code(path, data), imports)


def _code(path: Path, data: bytes) -> bytes:
    if not is_notebook(path.name) or b"class " not in data:
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
        return finder()
    config = read_config(request.config)
    return lambda folder: config


def excludes(request: Request, find: Callable[[Path], Config]) -> Callable[[str], tuple[Patterns, ...]]:
    """The patterns that leave out files, by the folder.

    Raises:
        ConfigError: a pattern of the command line is none.
    """
    for pattern in request.exclude:
        if wrong(pattern):
            raise ConfigError(f"--exclude: {pattern!r} is not a pattern as in a .gitignore")
    asked = Patterns(os.getcwd(), request.exclude)

    def of_folder(folder: str) -> tuple[Patterns, ...]:
        config = find(Path(folder))
        return (Patterns(str(config.root), config.exclude), asked)

    return of_folder


def _validate(configs: Iterable[Config], used: set[Config], over: Overrides) -> None:
    for config in dict.fromkeys(configs):
        validate(config, over, thoroughly=config in used)
