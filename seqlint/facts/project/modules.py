"""Where the modules of a project are, and what their import names are. Folders are listed once, modules read once."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from seqlint.facts.code.vocabulary import LIBRARIES
from seqlint.facts.project.reading import summarise
from seqlint.facts.project.summary import ModuleSummary
from seqlint.sources import is_notebook, notebook, surroundings

_OUTSIDE = sys.stdlib_module_names | frozenset(LIBRARIES) | {"tf_keras", "typing_extensions"}
_BIGGEST = 2_000_000  # bytes; a bigger module is data

Summarise = Callable[[bytes, str, bool], ModuleSummary | None]


@dataclass(eq=False)
class Modules:
    """The files of a project, as far as they have been asked for.

    Attributes:
        root: the folder of the project; the root of the repository around it counts.
        summarise: makes a summary of the bytes of a module, its name, and whether it is a package; `Kept.summarise`
            has a cache on the disk.
    """

    root: Path | None = None
    summarise: Summarise = summarise
    _listings: dict[str, frozenset[str]] = field(default_factory=dict)
    _tops: dict[str, str] = field(default_factory=dict)
    _prefixes: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _roots: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _found: dict[tuple[str, str], tuple[str, str] | None] = field(default_factory=dict)
    _summaries: dict[str, ModuleSummary | None] = field(default_factory=dict)
    _named: dict[str, str] = field(default_factory=dict)

    # -- names of files ---------------------------------------------------------------------------------------------

    def name_of(self, path: str) -> str:
        """The import name of a file.

        Inside packages it starts at the top one. A file outside packages is named from the nearest `src` above it or
        the root of the project, so that two scripts of one name stay apart.
        """
        folder, file = os.path.split(path)
        parts = [] if file == "__init__.py" else [os.path.splitext(file)[0]]
        name = ".".join((*self._packages(folder), *parts)) or os.path.basename(folder)
        self._named.setdefault(name, path)
        return name

    def _packages(self, folder: str) -> tuple[str, ...]:
        """What stands before the names of the modules in a folder."""
        known = self._prefixes.get(folder)
        if known is None:
            top = self._top(folder)
            relative = os.path.relpath(folder, self._base(folder) if top == folder else top)
            known = self._prefixes[folder] = tuple(part for part in relative.split(os.sep) if part != ".")
        return known

    def _top(self, folder: str) -> str:
        """The folder above the top package that a folder is part of; the folder itself if it is no package."""
        known = self._tops.get(folder)
        if known is None:
            above = os.path.dirname(folder)
            is_package = above != folder and "__init__.py" in self._names(folder)
            known = self._tops[folder] = self._top(above) if is_package else folder
        return known

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
        """The root of the repository, else the root of the project, else the folder itself."""
        repository = surroundings.repository(Path(folder))
        if repository is not None:
            return str(repository)
        root = str(self.root.absolute()) if self.root is not None else ""
        return root if root and (folder == root or folder.startswith(root + os.sep)) else folder

    # -- files of names ---------------------------------------------------------------------------------------------

    def find(self, name: str, folder: str) -> tuple[str, str] | None:
        """The module that a dotted name starts with, as code in a folder sees it, and the rest; None if it is outside.

        Libraries that the vocabulary knows and the standard library are never looked for.
        """
        key = (name, folder)
        if key not in self._found:
            self._found[key] = self._find(name, folder)
        return self._found[key]

    def _find(self, name: str, folder: str) -> tuple[str, str] | None:
        parts = name.split(".")
        if parts[0] in _OUTSIDE:
            return None
        for root in self.roots(folder):
            found = self._descend(root, parts)
            if found is not None:
                return found
        return self._by_given_name(parts)

    def _by_given_name(self, parts: list[str]) -> tuple[str, str] | None:
        """A module that was met from elsewhere and is named by what `name_of` gave it."""
        for end in range(len(parts), 0, -1):
            path = self._named.get(".".join(parts[:end]))
            if path is not None:
                return path, ".".join(parts[end:])
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

    def child(self, path: str, name: str) -> str | None:
        """The file of a module inside the package that an `__init__.py` makes."""
        found = self._descend(os.path.dirname(path), [name])
        return found[0] if found is not None else None

    def roots(self, folder: str) -> tuple[str, ...]:
        """The folders in which code of a folder can find its modules, the likeliest first.

        A script finds its neighbours; a package is found from the folder above it. Further up, any folder can be the
        one that the program is started in.
        """
        if folder not in self._roots:
            boundary, top = self._boundary(folder), self._top(folder)
            found = [top, folder]
            here = top
            while here.startswith(boundary):
                found += [here, os.path.join(here, "src")]
                if here in (boundary, os.path.dirname(here)):
                    break
                here = os.path.dirname(here)
            self._roots[folder] = tuple(root for root in dict.fromkeys(found) if self._names(root))
        return self._roots[folder]

    def _names(self, folder: str) -> frozenset[str]:
        known = self._listings.get(folder)
        if known is None:
            known = self._listings[folder] = surroundings.names(Path(folder))
        return known

    # -- what is in them --------------------------------------------------------------------------------------------

    @property
    def read(self) -> tuple[Path, ...]:
        """The modules that were read so far."""
        return tuple(map(Path, self._summaries))

    def summary(self, path: str) -> ModuleSummary | None:
        """What a module says; None if it can't be read, is no Python or is too big to be code."""
        if path not in self._summaries:
            data = surroundings.content(Path(path), _BIGGEST)
            if data is not None and is_notebook(path):
                data = notebook.code(data)
            package = os.path.basename(path) == "__init__.py"
            self._summaries[path] = self.summarise(data, self.name_of(path), package) if data is not None else None
        return self._summaries[path]
