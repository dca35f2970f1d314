"""Patterns in the language of .gitignore, and where they hold."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


_ANYWHERE = "^(?:.+/)?"  # how pathspec begins a pattern that holds in any folder

_IN_ANY_PLACE = "(?s:.*)"  # of `*/` pathspec makes a slash that it searches for


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
        relative = self._relative(path) + ("/" if folder else "")
        rough = _rough(self.lines)
        if rough is not None and rough.match(relative) is None:
            return None
        return _spec(self.lines).check_file(relative).include

    def without(self, path: str) -> Patterns:
        """The patterns that don't leave out the folder `path` itself: what still holds inside it when it was named."""
        return _without(self, path) if self.lines else self

    def _relative(self, path: str) -> str:
        if path.startswith(self.root + os.sep):
            return path[len(self.root) + 1 :].replace(os.sep, "/")
        return os.path.relpath(path, self.root).replace(os.sep, "/")


@lru_cache(maxsize=512)
def _without(patterns: Patterns, path: str) -> Patterns:
    lines = patterns.lines
    kept = tuple(line for line in lines if Patterns(patterns.root, (line,)).says(path, folder=True) is not True)
    return replace(patterns, lines=kept)


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


@lru_cache(maxsize=512)
def _rough(lines: tuple[str, ...]) -> re.Pattern[str] | None:
    """One expression that matches wherever one of the lines does; None where there is none.

    Most paths match no line. Each line asked by itself takes ten times as long to say so.
    """
    alternatives: dict[str, list[str]] = {}
    for pattern in _spec(lines).patterns:
        if pattern.include is not None and pattern.regex is not None:
            text = pattern.regex.pattern.replace("(?P<ps_d>/)", "/")
            begin = next(begin for begin in (_ANYWHERE, "^", "") if text.startswith(begin))
            alternatives.setdefault(begin or _IN_ANY_PLACE, []).append(text[len(begin) :])
    try:
        return re.compile("|".join(f"{begin}(?:{'|'.join(ends)})" for begin, ends in alternatives.items()))
    except re.error:
        return None


def _compiled(lines: tuple[str, ...]) -> GitIgnoreSpec:
    # This import is a fifth of the time that a clean file may cost, so only where there are patterns.
    from pathspec import GitIgnoreSpec

    return GitIgnoreSpec.from_lines(lines)
