"""Modules as one file meets them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.facts.project.modules import OUTSIDE

if TYPE_CHECKING:
    from seqlint.facts.project.modules import Modules
    from seqlint.facts.project.summary import ModuleSummary


class Met:
    """The modules of a project, and the names of those that one file has led to.

    A module that was met on another way can be found by what it calls itself. What other files have led to does not count:
    what is said of a file must not depend on what was looked at before it.
    """

    def __init__(self, modules: Modules) -> None:
        self._modules = modules
        self._named: dict[str, str] = {}

    def name_of(self, path: str) -> str:
        """The import name of a file."""
        name = self._modules.name_of(path)
        self._named.setdefault(name, path)
        return name

    def summary(self, path: str) -> ModuleSummary | None:
        """What a module says."""
        found = self._modules.summary(path)
        if found is not None:
            self._named.setdefault(found.name, path)
        return found

    def find(self, name: str, folder: str) -> tuple[str, str] | None:
        """The module that a dotted name starts with, as code in a folder sees it, and the rest; None if it is outside."""
        return self._modules.find(name, folder) or self._by_own_name(name.split("."))

    def _by_own_name(self, parts: list[str]) -> tuple[str, str] | None:
        for end in range(len(parts), 0, -1):
            path = self._named.get(".".join(parts[:end]))
            if path is not None and parts[0] not in OUTSIDE:
                return path, ".".join(parts[end:])
        return None
