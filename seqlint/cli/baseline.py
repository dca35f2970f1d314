"""`seqlint baseline`."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from seqlint.cli import baselined, check, console, inputs, options
from seqlint.model import ConfigError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from seqlint.baseline import Baseline, Key
    from seqlint.engine import Checked
    from seqlint.runner.plan import Plan

Prune = Annotated[
    bool, typer.Option("--prune", help="Only take away the entries of what is found no more; add nothing.")
]
File = Annotated[
    str,
    typer.Option("--baseline", metavar="FILE", help="Write this file, in place of the nearest seqlint-baseline.json."),
]


def baseline(
    paths: options.Paths = None,
    prune: Prune = False,
    file: File = "",
    select: options.Select = None,
    ignore: options.Ignore = None,
    extend_select: options.ExtendSelect = None,
    exclude: options.Exclude = None,
    force_exclude: options.ForceExclude = False,
    config: options.ConfigFile = None,
    jobs: options.Jobs = None,
    keras: options.Keras = "",
    no_cache: options.NoCache = False,
    trust_rules: options.TrustRules = False,
    file_time_limit: options.FileTimeLimit = None,
) -> int:
    """Record what is found now in seqlint-baseline.json, so that later checks report only what is new.

    Entries of files that are not among the paths stay as they are. The file lies where the configuration of the first path
    lies, else at the root of the repository. Findings that say that a file could not be checked are not recorded.

    Exit code: 0 it is written, 2 something is broken.
    """
    asked = inputs.request(
        select=select, ignore=ignore, extend_select=extend_select, exclude=exclude, force_exclude=force_exclude,
        config=config, keras=keras, cache=not no_cache, time_limit=file_time_limit, trust_rules=trust_rules,
    )  # fmt: skip
    if inputs.STDIN in (paths or ()):
        raise ConfigError("a baseline is of files, not of standard input")
    inputs.refuse_missing(paths)
    processes = inputs.processes(jobs)
    planned = inputs.planned(paths, None, "", asked, processes)
    there = _there(file, (paths or ["."])[0], planned)
    if prune and not there.file.exists():
        raise ConfigError(f"--prune: there is no {there.file.name} yet; `seqlint baseline` writes one")
    checked, problems, _ = check.checked_files(planned, processes, "")
    after = _pruned(there, planned, checked) if prune else _recorded(there, planned, checked)
    _write(after)
    console.say(_told(there, after, prune=prune))
    console.complain_of(problems)
    return 2 if problems or any(one.broken for one in checked) else 0


def _there(named: str, first: str, planned: Plan) -> Baseline:
    """The baseline as it is, or a new one where it belongs.

    Raises:
        ConfigError: it can't be read, or its folder does not exist.
    """
    from seqlint import baseline as baselines

    if named and not os.path.exists(named):
        file = Path(os.path.abspath(named))
        if not file.parent.is_dir():
            raise ConfigError(f"{named}: the folder {file.parent} does not exist")
        return baselines.Baseline(file, {})
    inside = os.path.join(first, "_") if os.path.isdir(first) else first
    found = baselines.find(Path(named) if named else None)(inside)
    return found or baselines.Baseline(_home(first, planned) / baselines.NAME, {})


def _home(first: str, planned: Plan) -> Path:
    from seqlint.sources import surroundings

    path = Path(os.path.abspath(first))
    folder = path if path.is_dir() else path.parent
    config = next((one for one in planned.configs.values() if one.file is not None), None)
    if config is not None and folder.is_relative_to(config.root):
        return config.root
    return surroundings.repository(folder) or folder


def _recorded(there: Baseline, planned: Plan, checked: Sequence[Checked]) -> Baseline:
    """A baseline with what was found in the files that were looked at, and what it held of the others."""
    from seqlint import baseline as baselines

    looked_at = {baselines.path_in(there, path) for path in planned.paths}
    entries: dict[str, Counter[Key]] = {
        path: Counter(keys) for path, keys in there.entries.items() if path not in looked_at and _is_there(there, path)
    }
    for one in checked:
        keys = Counter(baselines.key_of(each, one.source) for each in one.diagnostics if baselines.is_kept(each))
        if keys:
            entries[baselines.path_in(there, one.source.path)] = keys
    return baselines.Baseline(there.file, entries)


def _pruned(there: Baseline, planned: Plan, checked: Sequence[Checked]) -> Baseline:
    """A baseline without what is found no more."""
    from seqlint import baseline as baselines

    stale = baselined.left(planned, checked, lambda path: there).stale
    entries = {path: Counter(keys) for path, keys in there.entries.items() if _is_there(there, path)}
    for _, path, key, count in stale:
        entries[baselines.path_in(there, path)][key] -= count
    return baselines.Baseline(there.file, {path: +keys for path, keys in entries.items() if +keys})


def _is_there(there: Baseline, path: str) -> bool:
    return (there.file.parent / path).exists()


def _write(after: Baseline) -> None:
    from seqlint import baseline as baselines
    from seqlint.model import SeqlintError
    from seqlint.sources import drafts
    from seqlint.sources.disk import reason

    try:
        with drafts.written(str(after.file), baselines.written(after)) as temporary:
            os.replace(temporary, after.file)
    except OSError as error:
        raise SeqlintError(f"{after.file}: the baseline can't be written: {reason(error)}") from error


def _told(before: Baseline, after: Baseline, *, prune: bool) -> str:
    from seqlint.config import shown
    from seqlint.output.text import count

    name = shown(after.file)
    if prune:
        gone = before.count - after.count
        removed = f"{gone} {'entry' if gone == 1 else 'entries'} removed"
        return f"{name}: {removed}, {count(after.count, 'finding')} left\n"
    return f"{name}: {count(after.count, 'finding')} in {count(len(after.entries), 'file')}\n"
