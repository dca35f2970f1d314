"""Patterns in the language of .gitignore, and where they hold."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


@dataclass(frozen=True)
class Patterns:
    """Lines of a .gitignore, or of an `exclude` that speaks its language.

    Attributes:
        root: the absolute path of the folder that the lines are relative to.
        lines: the patterns; a later one overrides an earlier one.
    """

    root: str
    lines: tuple[str, ...] = ()

    def says(self, path: str, *, folder: bool = False) -> bool | None:
        """True: left out. False: a negated pattern keeps it. None: nothing is said.

        Args:
            path: an absolute path.
            folder: whether it is a folder; patterns that end in a slash match folders alone.
        """
        if not self.lines:
            return None
        return _spec(self.lines).check_file(self._relative(path) + ("/" if folder else "")).include

    def without(self, path: str) -> Patterns:
        """The patterns that don't leave out the folder `path` itself: what still holds inside it when it was named."""
        kept = tuple(line for line in self.lines if Patterns(self.root, (line,)).says(path, folder=True) is not True)
        return replace(self, lines=kept)

    def _relative(self, path: str) -> str:
        if path.startswith(self.root + os.sep):
            return path[len(self.root) + 1 :].replace(os.sep, "/")
        return os.path.relpath(path, self.root).replace(os.sep, "/")


def wrong(line: str) -> bool:
    """Whether a line is no pattern."""
    try:
        _compiled((line,))
    except ValueError:
        return True
    return False


@lru_cache(maxsize=512)
def _spec(lines: tuple[str, ...]) -> GitIgnoreSpec:
    try:
        return _compiled(lines)
    except ValueError:
        # Git passes over a line that it can't read, and so does seqlint.
        return _compiled(tuple(line for line in lines if not wrong(line)))


def _compiled(lines: tuple[str, ...]) -> GitIgnoreSpec:
    # This import is a fifth of the time that a clean file may cost, so only where there are patterns.
    from pathspec import GitIgnoreSpec

    return GitIgnoreSpec.from_lines(lines)
