"""From the arguments of a command to a plan."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from seqlint.cli import console, progress
from seqlint.cli.choices import Threshold
from seqlint.model import LEVELS, ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from seqlint.model import Level
    from seqlint.runner.plan import Plan, Request

STDIN = "-"
AUTO = "auto"
"""For `--keras`: what the project uses, as without it."""
TRUSTING = "SEQLINT_TRUST_RULES"


def asked_for(keras: str) -> str:
    """The range of Keras that the user names; empty for what the project uses."""
    return "" if keras == AUTO else keras


def refuse_missing(paths: Iterable[str] | None, option: str = "") -> None:
    """Refuse paths where nothing is.

    Args:
        option: what names them, such as "--data"; empty: the arguments of the command.

    Raises:
        ConfigError: there is such a path.
    """
    missing = next((path for path in paths or () if not os.path.exists(path)), None)
    if missing is not None:
        raise ConfigError(
            f"{option}: {missing}: no such file or directory" if option else f"{missing}: no such file or directory"
        )


def stdin(paths: Sequence[str] | None) -> bytes | None:
    """Standard input where the paths ask for it.

    Raises:
        ConfigError: other paths are given, too.
    """
    if not paths or STDIN not in paths:
        return None
    if len(paths) > 1:
        raise ConfigError("'-' is standard input, and can't be combined with other paths")
    return console.take()


def planned(
    paths: Sequence[str] | None, data: bytes | None, stdin_filename: str, request: Request, workers: int = 1
) -> Plan:
    """The files to work on: standard input where there are bytes of it, else what the paths stand for.

    Args:
        workers: how many processes are to work on them, in case they are many.

    Raises:
        ConfigError: an option or a configuration is wrong.
        RuleError: a rule can't be loaded.
    """
    from seqlint.runner import plan

    if data is not None and request.shard is not None:
        raise ConfigError("--shard needs many files, and '-' is only one")
    if data is not None:
        return plan.plan_text(data, stdin_filename, request)
    if stdin_filename:
        raise ConfigError("--stdin-filename needs '-' among the paths")
    with progress.shown("looking for files"):
        return plan.plan(paths or ["."], request, _start_ahead if workers > 1 else lambda: None)


def _start_ahead() -> None:
    from seqlint.runner import pool

    pool.start_ahead()


def threshold(asked: Threshold | None, planned: Plan) -> Level:
    """The level from which findings fail the run: as asked for, or the lowest that a configuration of its files names."""
    if asked is not None:
        return LEVELS[[level.value for level in Threshold].index(asked.value)]
    named = [config.fail_on for config in planned.configs.values()]
    return max(named, key=LEVELS.index, default="warning")


def processes(jobs: int | None, executor: str = "") -> int:
    """The number of processes: as asked for, or as many as the processors that this process may use.

    Raises:
        ConfigError: there are to be some here, and the work is to be done by an executor.
    """
    if executor and jobs is not None:
        raise ConfigError("--jobs and --executor can't be combined: with an executor no process works here")
    if executor:
        return 1
    if jobs is not None:
        return jobs
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def request(
    *,
    select: Iterable[str] | None,
    ignore: Iterable[str] | None,
    extend_select: Iterable[str] | None,
    exclude: Iterable[str] | None,
    force_exclude: bool,
    config: str | None,
    keras: str,
    unsafe: bool | None = None,
    cache: bool = False,
    shard: str = "",
    trust_rules: bool = False,
    time_limit: float | None = None,
) -> Request:
    """What the shared options ask for.

    Raises:
        ConfigError: `shard` is no part of a run.
    """
    from seqlint.config import Overrides
    from seqlint.runner.plan import Request

    part = None
    if shard:
        from seqlint.runner import shard as shards

        part = shards.shard(shard)
    over = Overrides(words(select), words(ignore), words(extend_select), asked_for(keras), unsafe, time_limit)
    file = Path(config) if config else None
    trusting = trusts_rules(trust_rules)
    return Request(over, file, tuple(exclude or ()), force_exclude, cache, part, trust_rules=trusting)


def trusts_rules(asked: bool) -> bool:
    """Whether the rules of projects are loaded whatever `seqlint trust` says: by an option, or by the environment, as in CI."""
    return asked or os.environ.get(TRUSTING) == "1"


def words(given: Iterable[str] | None) -> tuple[str, ...]:
    """The words of an option that takes several, separated by commas."""
    return tuple(word.strip() for words in given or () for word in words.split(",") if word.strip())
