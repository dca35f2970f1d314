"""The baseline of a project as the command line uses it."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from seqlint.cli import console
from seqlint.model import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from seqlint.baseline import Baseline, Key, Left
    from seqlint.config import Config
    from seqlint.engine import Checked
    from seqlint.runner.plan import Plan

_MOST = 10


def finder(named: str, *, off: bool) -> Callable[[str], Baseline | None]:
    """A function that gives the baseline of a path.

    Args:
        named: the one that the command line names; empty: the nearest of each file.
        off: there is to be none.

    Raises:
        ConfigError: both are given, or the one that is named can't be read.
    """
    if off and named:
        raise ConfigError("--baseline and --no-baseline can't be combined")
    if off:
        return lambda path: None
    from seqlint import baseline

    return baseline.find(Path(named) if named else None)


def left(planned: Plan, checked: Sequence[Checked], find: Callable[[str], Baseline | None]) -> Left:
    """What a run has found without what the baselines of its files hold.

    Raises:
        ConfigError: a baseline can't be read.
    """
    from seqlint import baseline

    return baseline.leave_out(checked, planned.paths, find, _ran(planned))


def tell_of_stale(stale: Sequence[tuple[Path, str, Key, int]]) -> None:
    """Say which entries of a baseline match no finding any more."""
    for file, count in Counter(file for file, *_ in stale).items():
        from seqlint.config import shown

        console.remark(
            f"{shown(file)}: {count} {'entry is' if count == 1 else 'entries are'} stale; `seqlint baseline --prune` removes them\n"
        )
        for _, path, key, number in [one for one in stale if one[0] == file][:_MOST]:
            where = f" in {key.scope}" if key.scope else ""
            console.remark(f"  {path}: {key.rule}{where}: {key.text}{f' ({number} times)' if number > 1 else ''}\n")
        if count > _MOST:
            console.remark(f"  and {count - _MOST} more\n")


def _ran(planned: Plan) -> Callable[[str, str], bool]:
    """Whether a rule is on for a file. One that does not exist any more finds nothing wherever it is."""

    @cache
    def names(config: Config) -> dict[str, str]:
        from seqlint.runner.rules import known

        return {loaded.code: loaded.name for loaded in known(config.rules)}

    def ran(code: str, path: str) -> bool:
        from seqlint import registry

        config = planned.config_of(path)
        if config is None:
            return False
        if code not in names(config):
            return True
        return any(loaded.code == code for loaded in config.rules_for(Path(path), registry.load(config.rules)))

    return ran
