"""The configuration as a value, and the rules that it turns on for a file."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from seqlint.config.selectors import closest
from seqlint.sources.patterns import Patterns

if TYPE_CHECKING:
    from collections.abc import Sequence

    from seqlint.model import Level, LoadedRule


TIME_LIMIT = 30.0
"""Seconds of the processor for one file: many times what the biggest file that a person wrote takes."""


@dataclass(frozen=True)
class Overrides:
    """What the command line says over the configuration.

    Attributes:
        select: if not empty, replaces `select`, `extend-select` and `ignore` of the configuration.
        ignore, extend_select: added to those of the configuration.
        keras: replaces the range of the configuration, if not empty.
        unsafe, time_limit: replace those of the configuration, if not None.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    keras: str = ""
    unsafe: bool | None = None
    time_limit: float | None = None


@dataclass(frozen=True)
class Config:
    """The settings that hold for a file.

    Attributes:
        root: the folder of the configuration file, or the working directory; patterns are relative to it.
        file: the configuration file; None without one.
        select: selectors of rules; empty: the rules that are on by default.
        ignore: selectors of rules that are off.
        extend_select: selectors of rules that are on in addition to those of `select`.
        per_file_ignores: for each pattern of paths, the selectors that are off there.
        exclude: patterns of paths that a walk leaves out.
        unsafe: whether `fix` applies unsafe fixes, too.
        keras: the range of Keras versions, such as ">=3.10" or "tf-keras"; empty: not configured.
        rules: those of the project's own rule folders that are loaded, absolute.
        digests: for each of these what its files were when they were read here, as `seqlint.config.trust` gives it.
        rule_folders: all that the configuration names, absolute; those that the user does not trust are not loaded.
        docs: whether a walk takes pages of Markdown and reStructuredText, too.
        time_limit: seconds of the processor for each file; 0: no limit.
        fail_on: the lowest level of findings that gives exit code 1.
        respect_gitignore: whether a walk leaves out what git ignores.
        cache: the folder in which is kept what was read of the project; None: nothing is kept.
        single: whether the text that is checked is all that may be changed: no fix changes another file.
        migrating: whether the code ran on Keras 2, and is looked at for the Keras of `keras`.
    """

    root: Path
    file: Path | None = None
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    exclude: tuple[str, ...] = ()
    unsafe: bool = False
    keras: str = ""
    rules: tuple[Path, ...] = ()
    digests: tuple[str | None, ...] = ()
    rule_folders: tuple[Path, ...] = ()
    docs: bool = False
    time_limit: float = TIME_LIMIT
    fail_on: Level = "warning"
    respect_gitignore: bool = True
    cache: Path | None = None
    single: bool = False
    migrating: bool = False

    @classmethod
    def default(cls) -> Config:
        """The settings of a project that has no configuration."""
        return cls(Path.cwd())

    @property
    def untrusted(self) -> tuple[Path, ...]:
        """The rule folders that the configuration names and nobody trusts."""
        return tuple(folder for folder in self.rule_folders if folder not in self.rules)

    def overridden(self, over: Overrides) -> Config:
        """These settings under those of the command line, which speaks last."""
        here = replace(self, select=over.select, ignore=(), extend_select=()) if over.select else self
        return replace(
            here,
            ignore=(*(word for word in here.ignore if word not in over.extend_select), *over.ignore),
            extend_select=(*here.extend_select, *over.extend_select),
            keras=over.keras or self.keras,
            unsafe=self.unsafe if over.unsafe is None else over.unsafe,
            time_limit=self.time_limit if over.time_limit is None else over.time_limit,
        )

    def rules_for(self, path: Path | None, rules: Sequence[LoadedRule]) -> tuple[LoadedRule, ...]:
        """The rules that are on for a file; None: text without a file, to which no per-file-ignores apply."""
        off = self._off_in(path)
        return tuple(loaded for loaded in rules if self._runs(loaded, off))

    def _runs(self, loaded: LoadedRule, off: tuple[str, ...]) -> bool:
        default = not self.select and loaded.rule.default  # what is not selected need not be read
        return self._on(loaded.code, loaded.name, default, off)

    def selects(self, code: str, name: str) -> bool:
        """Whether a selector names a rule: not one that is on by default alone."""
        return closest((*self.select, *self.extend_select), code, name) is not None

    def reports(self, code: str, name: str, path: Path | None) -> bool:
        """Whether something that seqlint says about itself (SEQ0xx) is to be said for a file."""
        return self._on(code, name, True, self._off_in(path))

    def ignores(self, code: str, name: str, path: Path | None) -> bool:
        """Whether something is turned off by name for a file; that others are selected does not turn it off."""
        return not _is_on(code, name, True, (), self.extend_select, self.ignore, self._off_in(path))

    def _on(self, code: str, name: str, default: bool, off: tuple[str, ...]) -> bool:
        return _is_on(code, name, default, self.select, self.extend_select, self.ignore, off)

    def _off_in(self, path: Path | None) -> tuple[str, ...]:
        if path is None:
            return ()
        absolute = os.path.abspath(path)
        return tuple(
            selector
            for pattern, selectors in self.per_file_ignores
            if Patterns(str(self.root), (pattern,)).says(absolute)
            for selector in selectors
        )


# Asked for each rule and each file, and the answers are the same for nearly all files of a project.
@lru_cache(maxsize=4096)
def _is_on(
    code: str,
    name: str,
    default: bool,
    select: tuple[str, ...],
    extend_select: tuple[str, ...],
    ignore: tuple[str, ...],
    off: tuple[str, ...],
) -> bool:
    """The closest selector decides; where two are equally close, `ignore` does."""
    if closest(off, code, name) is not None:
        return False
    wanted = closest((*select, *extend_select), code, name)
    if wanted is None and default and not select:
        wanted = -1  # even ALL is closer than the default
    unwanted = closest(ignore, code, name)
    return wanted is not None and (unwanted is None or wanted > unwanted)
