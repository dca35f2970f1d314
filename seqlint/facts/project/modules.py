"""Where the modules of a project are, and what their import names are. Folders are listed once, modules read once."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from seqlint.facts.project.kept import digest_of
from seqlint.facts.project.reading import summarise
from seqlint.facts.project.summary import ModuleSummary
from seqlint.knowledge.canonical_names import LIBRARIES
from seqlint.sources import is_notebook, notebook, surroundings
from seqlint.sources.reading import Memo, note_summary

OUTSIDE = sys.stdlib_module_names | frozenset(LIBRARIES) | {"tf_keras", "typing_extensions"}
"""What is never looked for in a project."""

_BIGGEST = 2_000_000  # bytes; a bigger module is data

Summarise = Callable[[bytes, str, bool], ModuleSummary | None]


@dataclass(eq=False)
class Modules:
    """The files of a project, as far as they have been asked for.

    Attributes:
        root: where the project starts if nothing around a file says where: no repository, no pyproject.toml.
        summarise: makes a summary of the bytes of a module, its name, and whether it is a package; `Kept.summarise`
            has a cache on the disk.
    """

    root: Path | None = None
    summarise: Summarise = summarise
    _listings: Memo[str, frozenset[str]] = field(default_factory=Memo)
    _tops: Memo[str, str] = field(default_factory=Memo)
    _prefixes: Memo[str, tuple[str, ...]] = field(default_factory=Memo)
    _roots: Memo[str, tuple[str, ...]] = field(default_factory=Memo)
    _found: Memo[tuple[str, str], tuple[str, str] | None] = field(default_factory=Memo)
    _summaries: Memo[str, ModuleSummary | None] = field(default_factory=Memo)

    # -- names of files ---------------------------------------------------------------------------------------------

    def name_of(self, path: str) -> str:
        """The import name of a file.

        Inside packages it starts at the top one. A file outside packages is named from the nearest `src` above it or
        the root of the project, so that two scripts of one name stay apart.
        """
        folder, file = os.path.split(path)
        parts = [] if file == "__init__.py" else [os.path.splitext(file)[0]]
        return ".".join((*self._prefixes.get(folder, self._packages), *parts)) or os.path.basename(folder)

    def _packages(self, folder: str) -> tuple[str, ...]:
        """What stands before the names of the modules in a folder."""
        top = self._tops.get(folder, self._top)
        relative = os.path.relpath(folder, self._base(folder) if top == folder else top)
        return tuple(part for part in relative.split(os.sep) if part != ".")

    def _top(self, folder: str) -> str:
        """The folder above the top package that a folder is part of; the folder itself if it is no package."""
        above = os.path.dirname(folder)
        is_package = above != folder and "__init__.py" in self._names(folder)
        return self._tops.get(above, self._top) if is_package else folder

    def _base(self, folder: str) -> str:
        """Where the name of a file outside packages starts."""
        boundary = self._boundary(folder)
        here = folder
        while here != boundary:
            if os.path.basename(here) == "src":
                return here
            here = os.path.dirname(here)
        return boundary

    def _boundary(self, folder: str) -> str:
        """The root of the project around a folder, else the one that was given, else the folder above."""
        project = surroundings.project(Path(folder))
        if project is not None:
            return str(project)
        root, above = str(self.root.absolute()) if self.root is not None else "", os.path.dirname(folder)
        return root if root and f"{above}{os.sep}".startswith(root.rstrip(os.sep) + os.sep) else above

    # -- files of names ---------------------------------------------------------------------------------------------

    def find(self, name: str, folder: str) -> tuple[str, str] | None:
        """The module that a dotted name starts with, as code in a folder sees it, and the rest; None if it is outside.

        Libraries that the vocabulary knows and the standard library are never looked for.
        """
        return self._found.get((name, folder), self._find)

    def _find(self, key: tuple[str, str]) -> tuple[str, str] | None:
        name, folder = key
        parts = name.split(".")
        if parts[0] in OUTSIDE:
            return None
        for root in (*self.roots(folder), *_above(folder, parts[0])):
            found = self._descend(root, parts)
            if found is not None:
                return found
        return None

    def _descend(self, root: str, parts: list[str]) -> tuple[str, str] | None:
        found, folder = None, root
        for index, part in enumerate(parts):
            names = self._names(folder)
            rest = ".".join(parts[index + 1 :])
            inside = f"{folder.rstrip(os.sep)}{os.sep}{part}"  # os.path.join is slow
            if part in names and "__init__.py" in self._names(inside):
                found = f"{inside}{os.sep}__init__.py", rest
            elif f"{part}.py" in names:
                return f"{inside}.py", rest
            elif part not in names:
                return found
            folder = inside
        return found

    def ships(self, name: str, folder: str) -> bool:
        """Whether a module is part of the project that a folder belongs to, a library's own as well: Keras's where Keras is checked."""
        packages = (root for root in self.roots(folder) if "__init__.py" not in self._names(root))
        found = (self._descend(root, name.split(".")) for root in packages)
        return any(each is not None and not each[1] for each in found)

    def child(self, path: str, name: str) -> str | None:
        """The file of a module inside the package that an `__init__.py` makes."""
        found = self._descend(os.path.dirname(path), [name])
        return found[0] if found is not None else None

    def roots(self, folder: str) -> tuple[str, ...]:
        """The folders in which code of a folder can find its modules, the likeliest first.

        A script finds its neighbours; a package is found from the folder above it. Further up, any folder can be the
        one that the program is started in.
        """
        return self._roots.get(folder, self._roots_of)

    def _roots_of(self, folder: str) -> tuple[str, ...]:
        boundary, top = self._boundary(folder), self._tops.get(folder, self._top)
        found = [top, folder]
        here = top
        while here.startswith(boundary):
            found += [here, os.path.join(here, "src")]
            if here in (boundary, os.path.dirname(here)):
                break
            here = os.path.dirname(here)
        return tuple(root for root in dict.fromkeys(found) if self._names(root))

    def _names(self, folder: str) -> frozenset[str]:
        return self._listings.get(folder, _listed)

    # -- what is in them --------------------------------------------------------------------------------------------

    @property
    def read(self) -> tuple[Path, ...]:
        """The modules that were read so far."""
        return tuple(map(Path, self._summaries))

    def summary(self, path: str) -> ModuleSummary | None:
        """What a module says; None if it can't be read, is no Python or is too big to be code."""
        return self._summaries.get(path, self._summary)

    def _summary(self, path: str) -> ModuleSummary | None:
        name = self.name_of(path)
        found, state = read_summary(path, name, self.summarise)
        note_summary(path, name, digest_of(found), state)
        return found


def read_summary(path: str, name: str, summarise: Summarise = summarise) -> tuple[ModuleSummary | None, str]:
    """What a file says as a module of a name, and the state of the file."""
    data, state = surroundings.read(Path(path), _BIGGEST)
    if data is not None and is_notebook(path):
        data = notebook.code(data)
    package = os.path.basename(path) == "__init__.py"
    return summarise(data, name, package) if data is not None else None, state


def _above(folder: str, name: str) -> Iterator[str]:
    """The folders above one of a name that a folder is in: code in app/ that imports `app.data` is started there."""
    here = folder
    while (above := os.path.dirname(here)) != here:
        if os.path.basename(here) == name:
            yield above
        here = above


def _listed(folder: str) -> frozenset[str]:
    return surroundings.names(Path(folder))
