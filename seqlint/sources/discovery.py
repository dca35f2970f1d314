"""From the paths of a command line to the files that are to be read."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from seqlint.sources.disk import reason
from seqlint.sources.patterns import Patterns

SUFFIXES = (".py", ".pyi", ".ipynb")
"""The files that a walk through a folder takes."""

DOCS = (".md", ".markdown", ".rst")
"""Those that it takes where the configuration asks for pages."""

PASSED_OVER = frozenset(
    {
        ".bzr", ".direnv", ".eggs", ".git", ".hg", ".ipynb_checkpoints", ".mypy_cache", ".nox", ".pants.d", ".pixi",
        ".pytest_cache", ".ruff_cache", ".seqlint_cache", ".svn", ".tox", ".venv", "__pycache__", "__pypackages__",
        "_build", "build", "dist", "node_modules", "site-packages", "venv",
    }
)  # fmt: skip
"""Names of folders that a walk does not enter: what tools make and what others wrote."""

Docs = Callable[[str], bool]
"""Whether the configuration asks for pages in a folder, by its absolute path."""

Excludes = Callable[[str], tuple[Patterns, ...]]
"""The `exclude` patterns that hold in a folder, by its absolute path."""


@dataclass(frozen=True)
class Problem:
    """Why a path could not be looked at."""

    path: str
    message: str


@dataclass(frozen=True)
class Found:
    """Files, each once, sorted; and the paths that gave none for a reason that the user should know."""

    files: tuple[Path, ...]
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True)
class _Folder:
    shown: str  # as the user wrote it
    absolute: str
    ignores: tuple[Patterns, ...]  # those of .gitignore files, the nearest first


def discover(
    paths: Iterable[str | Path], excludes: Excludes, *, docs: Docs = lambda folder: False, force_exclude: bool = False
) -> Found:
    """The files that the paths stand for.

    A folder is walked: .py, .pyi and .ipynb files and the pages that `docs` asks for, without what .gitignore files up to the root of the repository leave out,
    what `excludes` leaves out, the folders in PASSED_OVER and virtual environments. Folders behind symbolic links are
    not walked, so there are no loops, and a link to a disk of training data costs nothing. A path that is named is
    always taken, even where a pattern leaves it out; patterns that match a named folder itself say nothing inside it.

    Args:
        paths: files and folders, as the user wrote them.
        excludes: gives the patterns of the configuration that holds in a folder.
        docs: whether pages in a folder are taken.
        force_exclude: `excludes` and PASSED_OVER hold for named paths, too.
    """
    found = [item for path in paths for item in _named(path, excludes, docs, force_exclude)]
    problems = {item for item in found if isinstance(item, Problem)}
    files = [item for item in found if isinstance(item, Path)]
    return Found(_unique(files), tuple(sorted(problems, key=lambda problem: problem.path)))


def left_out(path: str, excludes: Excludes, *, folder: bool = False) -> bool:
    """Whether `exclude` patterns or PASSED_OVER leave out a path.

    Args:
        path: absolute.
        excludes: gives the patterns of the configuration that holds in a folder.
        folder: whether the path is a folder.
    """
    parts = Path(os.path.relpath(path)).parts
    if not PASSED_OVER.isdisjoint(parts if folder else parts[:-1]):
        return True
    patterns = excludes(path if folder else os.path.dirname(path))
    return any(some.says(path, folder=folder) for some in patterns)


def _named(named: str | Path, excludes: Excludes, docs: Docs, force_exclude: bool) -> Iterator[Path | Problem]:
    try:
        mode = os.stat(named).st_mode
    except (OSError, ValueError) as error:  # a path with a null byte is a ValueError
        yield Problem(str(named) or "''", reason(error) if isinstance(error, OSError) else str(error))
        return
    path = Path(named)
    folder = stat.S_ISDIR(mode)
    if force_exclude and left_out(os.path.abspath(path), excludes, folder=folder):
        return
    if folder:
        yield from _walk(str(path), excludes, docs, force_exclude)
    elif not stat.S_ISREG(mode):
        yield Problem(str(path), "this is not a regular file")
    else:
        yield path


def _walk(top: str, excludes: Excludes, docs: Docs, force_exclude: bool) -> Iterator[Path | Problem]:
    named = os.path.abspath(top)
    waiting = [_Folder(top, named, _ignores_above(named))]
    while waiting:
        here = waiting.pop()
        entries = _entries(here.shown)
        if isinstance(entries, Problem):
            yield entries
            continue
        if here.absolute != named and any(entry.name == "pyvenv.cfg" for entry in entries):
            continue
        excluded = tuple(patterns if force_exclude else patterns.without(named) for patterns in excludes(here.absolute))
        ignores = (*_own_ignores(here.absolute, entries), *here.ignores)
        suffixes = (*SUFFIXES, *DOCS) if docs(here.absolute) else SUFFIXES
        for entry in entries:
            absolute = os.path.join(here.absolute, entry.name)
            if _is(entry, folder=True):
                if entry.name not in PASSED_OVER and not _ignored(absolute, excluded, ignores, folder=True):
                    waiting.append(_Folder(entry.path, absolute, ignores))
            elif entry.name.endswith(suffixes) and not _ignored(absolute, excluded, ignores) and _is(entry):
                yield Path(entry.path)


def _entries(folder: str) -> Sequence[os.DirEntry[str]] | Problem:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError as error:
        return Problem(str(Path(folder)), reason(error))


def _is(entry: os.DirEntry[str], *, folder: bool = False) -> bool:
    """Whether an entry is a folder and no link to one, or a file or a link to one. A dead link or a loop is neither."""
    try:
        return entry.is_dir(follow_symlinks=False) if folder else entry.is_file()
    except OSError:
        return False


def _ignored(path: str, excluded: tuple[Patterns, ...], ignores: tuple[Patterns, ...], *, folder: bool = False) -> bool:
    if any(patterns.says(path, folder=folder) for patterns in excluded):
        return True
    said = (patterns.says(path, folder=folder) for patterns in ignores)
    return next((answer for answer in said if answer is not None), False)


def _ignores_above(folder: str) -> tuple[Patterns, ...]:
    """The .gitignore files above a folder up to the root of its repository, without lines that ignore the folder."""
    chain = [Path(folder), *Path(folder).parents]
    root = next((number for number, parent in enumerate(chain) if os.path.exists(parent / ".git")), 0)
    return tuple(_ignore_file(str(parent)).without(folder) for parent in chain[1 : root + 1])


def _own_ignores(folder: str, entries: Sequence[os.DirEntry[str]]) -> tuple[Patterns, ...]:
    return (_ignore_file(folder),) if any(entry.name == ".gitignore" for entry in entries) else ()


def _ignore_file(folder: str) -> Patterns:
    try:
        text = Path(folder, ".gitignore").read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return Patterns(folder)
    return Patterns(folder, tuple(text.split("\n")))


def _unique(files: Iterable[Path]) -> tuple[Path, ...]:
    """Each file once: the target rather than a link to it, then the shortest way to write it."""
    kept: dict[str, Path] = {}
    for path in sorted(set(files), key=lambda path: (path.is_symlink(), len(str(path)), str(path))):
        kept.setdefault(os.path.realpath(path), path)
    return tuple(sorted(kept.values(), key=str))
