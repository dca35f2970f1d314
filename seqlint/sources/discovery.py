"""From the paths of a command line to the files that are to be read."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from seqlint.sources import surroundings
from seqlint.sources.disk import reason
from seqlint.sources.drafts import SUFFIX as DRAFT
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

Respects = Callable[[str], bool]
"""Whether what git ignores in a folder is left out, by its absolute path."""

Excludes = Callable[[str], tuple[Patterns, ...]]
"""The `exclude` patterns that hold in a folder, by its absolute path."""

Takes = Callable[[str], bool]
"""Whether a file is of the kind that a walk looks for, by its path."""


def is_code_or_page(path: str) -> bool:
    """Whether a file can hold code, in itself or in its blocks."""
    return path.endswith((*SUFFIXES, *DOCS))


_Ranked = tuple[bool, int, str, str]
"""A file, so that the best of its names comes first: whether it is a link, how long the path is as the user wrote it, that
path, and the real one."""


@dataclass(frozen=True)
class Problem:
    """Why a path could not be looked at."""

    path: str
    message: str

    def at(self, path: str) -> Problem:
        """The same of a path that is named in another way."""
        return Problem(path, self.message)


@dataclass(frozen=True)
class Found:
    """Files, each once, sorted; and the paths that gave none for a reason that the user should know.

    Attributes:
        skipped: what a walk met and did not take, sorted.
        drafts: files in the same folders that may be left of a run that was killed.
        outside: the links of a walk that lead out of its folder, where these are not taken.
    """

    files: tuple[Path, ...]
    problems: tuple[Problem, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    drafts: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()


Reason = Literal["ignored", "excluded", "page"]
"""Why a walk does not take a file: a .gitignore says so, the configuration or the command line says so, or it is a page and
nobody asked for pages."""


@dataclass(frozen=True, order=True)
class Skipped:
    """A file that would have been taken, or a folder that would have been walked.

    Attributes:
        path: absolute.
    """

    reason: Reason
    path: str
    folder: bool = False


@dataclass(frozen=True)
class _Draft:
    path: str


@dataclass(frozen=True)
class _Outside:
    """A link that leads out of the folder that is walked."""

    ranked: _Ranked


_Item = _Ranked | Problem | Skipped | _Draft | _Outside


@dataclass(frozen=True)
class _Folder:
    shown: str  # as the user wrote it
    absolute: str
    real: str
    ignores: tuple[Patterns, ...]  # those of .gitignore files, the nearest first


def discover(
    paths: Iterable[str | Path],
    excludes: Excludes,
    *,
    docs: Docs = lambda folder: False,
    respects: Respects = lambda folder: True,
    force_exclude: bool = False,
    inside: bool = False,
    takes: Takes = is_code_or_page,
) -> Found:
    """The files that the paths stand for.

    A folder is walked: .py, .pyi and .ipynb files and the pages that `docs` asks for, without what .gitignore files up to the root of the repository leave out,
    what `excludes` leaves out, the folders in PASSED_OVER and virtual environments. Folders that symbolic links lead to are
    not walked, so there are no loops, and a link to a disk of training data costs nothing. A path that is named is
    always taken, even where a pattern leaves it out; patterns that match a named folder itself say nothing inside it.

    Args:
        paths: files and folders, as the user wrote them.
        excludes: gives the patterns of the configuration that holds in a folder.
        docs: whether pages in a folder are taken.
        respects: whether a walk leaves out what git ignores.
        force_exclude: `excludes` and PASSED_OVER hold for named paths, too.
        inside: a walk leaves links alone that lead to files out of its folder: what is fixed is written.
        takes: whether a walk takes a file, by its path. Those that it does not take go unsaid.
    """
    paths = tuple(paths)
    found = {item for path in paths for item in _named(path, excludes, docs, respects, force_exclude, takes)}
    found.update(_drafts_next_to(paths))
    links = [item.ranked for item in found if isinstance(item, _Outside)]
    files = [*(item for item in found if isinstance(item, tuple)), *(() if inside else links)]
    skipped = sorted(item for item in found if isinstance(item, Skipped))
    unique, real = _unique(files), {real for _, _, _, real in files}
    taken = set(map(os.path.abspath, unique)) if skipped else set()  # another path may name what a walk has left out
    return Found(
        unique,
        tuple(sorted((item for item in found if isinstance(item, Problem)), key=lambda problem: problem.path)),
        tuple(item for item in skipped if item.path not in taken),
        tuple(sorted(item.path for item in found if isinstance(item, _Draft))),
        tuple(sorted({shown for _, _, shown, target in links if target not in real})),
    )


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


def is_left_out(path: str, top: str, excluded: tuple[Patterns, ...], *, respects: bool) -> bool:
    """Whether a walk through a folder would not take a file below it.

    Args:
        path: the file, absolute.
        top: the folder, absolute.
        excluded: the `exclude` patterns that hold.
        respects: whether what git ignores is left out.
    """
    here, ignores = top, (_ignore_file(top), *_ignores_above(top)) if respects else ()
    *folders, name = Path(os.path.relpath(path, top)).parts
    for folder in folders:
        here = os.path.join(here, folder)
        if folder in (*PASSED_OVER, os.pardir) or os.path.exists(os.path.join(here, "pyvenv.cfg")):
            return True
        if _why(here, excluded, ignores, folder=True) is not None:
            return True
        ignores = (_ignore_file(here), *ignores) if respects else ()
    return _why(os.path.join(here, name), excluded, ignores) is not None


def _named(
    named: str | Path, excludes: Excludes, docs: Docs, respects: Respects, force_exclude: bool, takes: Takes
) -> Iterator[_Item]:
    try:
        mode = os.stat(named).st_mode
    except (OSError, ValueError) as error:  # a path with a null byte is a ValueError
        yield Problem(str(named) or "''", reason(error) if isinstance(error, OSError) else str(error))
        return
    path = Path(named)
    folder = stat.S_ISDIR(mode)
    absolute = os.path.abspath(path)
    if force_exclude and left_out(absolute, excludes, folder=folder):
        yield Skipped("excluded", absolute, folder)
    elif folder:
        yield from _walk(str(path), excludes, docs, respects, force_exclude, takes)
    elif not stat.S_ISREG(mode):
        yield Problem(str(path), "this is not a regular file")
    else:
        yield _ranked(str(path), os.path.realpath(path), link=path.is_symlink())


def _walk(
    top: str, excludes: Excludes, docs: Docs, respects: Respects, force_exclude: bool, takes: Takes
) -> Iterator[_Item]:
    named = os.path.abspath(top)
    home = os.path.realpath(top)
    waiting = [_Folder(top, named, home, _ignores_above(named))]
    while waiting:
        here = waiting.pop()
        entries = _entries(here.shown)
        if isinstance(entries, Problem):
            yield entries
            continue
        names = {entry.name for entry in entries}
        if here.absolute != named and "pyvenv.cfg" in names:
            continue
        excluded = tuple(patterns if force_exclude else patterns.without(named) for patterns in excludes(here.absolute))
        ignores = (_ignore_file(here.absolute), *here.ignores) if ".gitignore" in names else here.ignores
        pages = docs(here.absolute)
        ignored = ignores if respects(here.absolute) else ()
        shown = "" if here.shown == os.curdir else os.path.join(here.shown, "")
        absolute, real = os.path.join(here.absolute, ""), os.path.join(here.real, "")
        for entry in entries:
            name = entry.name
            if _is(entry, folder=True):
                if name in PASSED_OVER:
                    continue
                why = _why(absolute + name, excluded, ignored, folder=True)
                if why is None:
                    waiting.append(_Folder(shown + name, absolute + name, real + name, ignores))
                else:
                    yield Skipped(why, absolute + name, folder=True)
            elif takes(absolute + name) and _is(entry):
                why = _why(absolute + name, excluded, ignored)
                page = name.endswith(DOCS) and not pages
                if why is None and not page:
                    yield _file(entry, shown + name, absolute + name, real + name, home)
                elif why is None or not page:
                    yield Skipped(why or "page", absolute + name)
            elif name.endswith(DRAFT):
                yield _Draft(real + name)


def _file(entry: os.DirEntry[str], shown: str, absolute: str, real: str, home: str) -> _Ranked | _Outside:
    """A file that a walk through the folder `home` takes, or a link that leads out of it."""
    if not entry.is_symlink():
        return _ranked(shown, real, link=False)
    ranked = _ranked(shown, os.path.realpath(absolute), link=True)
    return ranked if ranked[3].startswith(os.path.join(home, "")) else _Outside(ranked)


def _drafts_next_to(named: Iterable[str | Path]) -> Iterator[_Draft]:
    """Those in the folders of files that are named, each folder once; folders that are named are walked."""
    files = (path for path in named if os.path.isfile(path))
    for folder in {os.path.dirname(os.path.realpath(path)) for path in files}:
        entries = _entries(folder)
        for entry in entries if not isinstance(entries, Problem) else ():
            if entry.name.endswith(DRAFT):
                yield _Draft(os.path.join(folder, entry.name))


def _ranked(shown: str, real: str, *, link: bool) -> _Ranked:
    return link, len(shown), shown, real


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


def _why(
    path: str, excluded: tuple[Patterns, ...], ignores: tuple[Patterns, ...], *, folder: bool = False
) -> Reason | None:
    """Why a file or folder is left out; None where it is taken."""
    for patterns in excluded:
        if patterns.says(path, folder=folder):
            return "excluded"
    for patterns in ignores:
        answer = patterns.says(path, folder=folder)
        if answer is not None:
            return "ignored" if answer else None
    return None


def _ignores_above(folder: str) -> tuple[Patterns, ...]:
    """The .gitignore files above a folder up to the root of its repository, without lines that ignore the folder."""
    chain = [Path(folder), *Path(folder).parents]
    root = next((number for number, parent in enumerate(chain) if os.path.exists(parent / ".git")), 0)
    return tuple(_ignore_file(str(parent)).without(folder) for parent in chain[1 : root + 1])


def _ignore_file(folder: str) -> Patterns:
    data = surroundings.content(Path(folder, ".gitignore"))
    if data is None:
        return Patterns(folder)
    text = data.decode("utf-8", "surrogateescape").replace("\r\n", "\n").replace("\r", "\n")
    return Patterns(folder, tuple(text.split("\n")))


def _unique(files: Iterable[_Ranked]) -> tuple[Path, ...]:
    """Each file once: the target rather than a link to it, then the shortest way to write it."""
    kept: dict[str, str] = {}
    for _, _, shown, real in sorted(files):
        kept.setdefault(real, shown)
    return tuple(map(Path, sorted(kept.values())))
