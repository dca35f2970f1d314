"""What of the findings of a run a baseline knows, and what it holds that is found no more."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from seqlint.baseline.file import NAME, Baseline, read
from seqlint.baseline.keys import Key, key_of
from seqlint.sources import disk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from seqlint.checked import Checked
    from seqlint.model import Diagnostic

_NEVER = frozenset({"SEQ001", "SEQ002", "SEQ005", "SEQ006"})
"""What says that a file was not checked whole: nobody can know that and leave it at that."""


@dataclass(frozen=True)
class Left:
    """What a run says that knows a baseline.

    Attributes:
        checked: the files with the findings that no baseline holds.
        known: how many findings were left out.
        stale: what the baselines hold of the files that were looked at, and is found no more: file of the baseline, path, key and number.
    """

    checked: Sequence[Checked]
    known: int
    stale: Sequence[tuple[Path, str, Key, int]]


def find(named: Path | None = None) -> Callable[[str], Baseline | None]:
    """A function that gives the baseline of a path: the nearest `seqlint-baseline.json` up the folder tree, each read once.

    Args:
        named: the one for all files.

    Raises (here for a named one, else the function that is returned):
        ConfigError: the file can't be read, or is none.
    """
    if named is not None:
        one = _read(Path(os.path.abspath(named)))
        return lambda path: one

    @cache
    def of_folder(folder: str) -> Baseline | None:
        file = os.path.join(folder, NAME)
        if os.path.isfile(file):
            return _read(Path(file))
        above = os.path.dirname(folder)
        return None if above == folder else of_folder(above)

    return lambda path: of_folder(os.path.dirname(os.path.abspath(path)))


def path_in(baseline: Baseline, path: str) -> str:
    """A path as the baseline writes it."""
    return Path(os.path.relpath(os.path.abspath(path), baseline.file.parent)).as_posix()


def is_kept(diagnostic: Diagnostic) -> bool:
    """Whether a baseline may hold a finding."""
    return diagnostic.code not in _NEVER


def leave_out(
    checked: Iterable[Checked],
    paths: Iterable[str],
    of_path: Callable[[str], Baseline | None],
    ran: Callable[[str, str], bool],
) -> Left:
    """Leave out what the baselines of files hold.

    Args:
        checked: the files in which something was found.
        paths: all that were looked at.
        of_path: gives the baseline of a path.
        ran: whether the rule with a code is on for a path: what did not run finds nothing, and makes nothing stale.
    """
    found = {one.source.path: one for one in checked}
    left: list[Checked] = []
    stale: list[tuple[Path, str, Key, int]] = []
    known = 0
    for path in dict.fromkeys([*found, *paths]):
        baseline, one = of_path(path), found.get(path)
        if baseline is None:
            left += [one] if one is not None else []
            continue
        rest = Counter(baseline.entries.get(path_in(baseline, path), {}))
        if one is not None:
            kept = _left(one, rest)
            known += len(one.diagnostics) - len(kept.diagnostics)
            left.append(kept)
        if one is None or not one.broken:
            stale += [(baseline.file, path, key, count) for key, count in rest.items() if count and ran(key.rule, path)]
    return Left([one for one in left if one.diagnostics or one.broken], known, sorted(stale))


def held(one: Checked, baseline: Baseline | None) -> frozenset[Diagnostic]:
    """What a baseline holds of the findings of a file."""
    if baseline is None:
        return frozenset()
    rest = Counter(baseline.entries.get(path_in(baseline, one.source.path), {}))
    return frozenset(one.diagnostics) - frozenset(_left(one, rest).diagnostics)


def _left(one: Checked, rest: Counter[Key]) -> Checked:
    """A file without what is known of it, which is taken from the rest."""
    kept = []
    for diagnostic in one.diagnostics:
        key = key_of(diagnostic, one.source)
        if is_kept(diagnostic) and rest[key] > 0:
            rest[key] -= 1
        else:
            kept.append(diagnostic)
    return replace(one, diagnostics=tuple(kept))


def _read(file: Path) -> Baseline:
    from seqlint.model import ConfigError, UnreadableSource

    try:
        data = disk.read(file)
    except UnreadableSource as error:
        raise ConfigError(f"{file}: {error}") from error
    return read(file, data)
