"""Checks and fixes of snapshots, under the configuration of each file. All of it runs on one thread, separate from the event loop."""

from __future__ import annotations

import gc
import os
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from seqlint import baseline, engine, registry, trees
from seqlint.config import finder, read_config, trust
from seqlint.model import SeqlintError
from seqlint.runner import plan, text
from seqlint.runner.rules import known, validate
from seqlint.sources.discovery import left_out

if TYPE_CHECKING:
    from collections.abc import Callable

    from seqlint.baseline import Baseline
    from seqlint.config import Config
    from seqlint.engine import Checked, Fixed
    from seqlint.facts.shown.line import ValueKnown
    from seqlint.model import Diagnostic, Fix, LoadedRule
    from seqlint.runner.plan import Request
    from seqlint.server.snapshot import Snapshot


_MANY = 100
FIX_TURN = 10.0
"""Seconds for all fixes of a text: nothing else is answered meanwhile."""


@dataclass(frozen=True)
class Analysis:
    """What a check of a snapshot found.

    Attributes:
        checked: None where the file is left out by the configuration, has no Keras in it, or could not be checked.
        problem: why it could not be checked; empty if it could.
        tried: why fixes of findings must not be applied, as far as somebody has asked; None where nothing speaks against one.
        late: whether it took longer than it had time for.
        known: those of the findings that the baseline of the project holds.
    """

    snapshot: Snapshot
    config: Config | None = None
    checked: Checked | None = None
    problem: str = ""
    tried: dict[tuple[str, int, Fix], str | None] = field(default_factory=dict, compare=False)
    late: bool = False
    known: frozenset[Diagnostic] = frozenset()

    @property
    def untrusted(self) -> tuple[Path, ...]:
        """The rule folders of the project that the user does not trust, so that they did not run."""
        return self.config.untrusted if self.config is not None else ()

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """The findings, in their order."""
        return self.checked.diagnostics if self.checked is not None else ()


@dataclass
class Analyst:
    """Checks snapshots. Keeps what it read of projects until `forget`."""

    _find: Callable[[Path], Config] = field(default_factory=finder)
    _baseline_of: Callable[[str], Baseline | None] = field(default_factory=baseline.find)
    _rests: int = 0
    _configs: dict[tuple[Path, Request], Config] = field(default_factory=dict)

    def __post_init__(self) -> None:
        trees.remember()

    def forget(self) -> None:
        """Read configurations, requirements and other modules anew: something has changed on the disk."""
        self._find = finder()
        self._baseline_of = baseline.find()
        self._configs.clear()
        engine.forget()

    def trust(self, folder: Path, seen: str | None) -> str:
        """Trust a rule folder as it was seen, and load its rules from now on; gives what stood in the way, or nothing."""
        try:
            trust.trust(folder, seen)
        except SeqlintError as error:
            return str(error)
        registry.forget()
        return ""

    def check(self, snapshot: Snapshot, request: Request, turn: float = 0) -> Analysis:
        """Check a file or a notebook. Whatever goes wrong is a problem of this one file.

        Args:
            turn: seconds after which others get theirs; 0: as many as the configuration gives to a file.
        """
        try:
            config = self._config(snapshot, request)
            if not self._concerns(snapshot, request, config):
                return Analysis(snapshot, config)
            registry.load(config.rules)  # which takes its time once
            seconds = min(filter(None, (turn, config.time_limit)), default=0.0)
            checked = engine.within(seconds, lambda: text.glance(snapshot.source, config))
            if checked is None:
                return self._late(snapshot, config)
            held = baseline.held(checked, self._baseline_of(snapshot.source.path))
            return Analysis(snapshot, config, checked, known=held)
        except SeqlintError as error:
            return Analysis(snapshot, problem=str(error))
        except Exception as error:  # of seqlint itself: the next keystroke may mend it, and the server must live
            return Analysis(snapshot, problem=f"seqlint could not check this file: {type(error).__name__}: {error}")

    def _late(self, snapshot: Snapshot, config: Config) -> Analysis:
        self._drop(snapshot)
        source = snapshot.source
        checked = engine.Checked(source, (engine.late(source, config.time_limit),), broken=True)
        return Analysis(snapshot, config, checked, late=True)

    def _drop(self, snapshot: Snapshot) -> None:
        """Let go of what may be half done."""
        trees.drop(snapshot.source.path)
        engine.forget()

    def rest(self) -> None:
        """Free what a check has left, while nobody waits: trees have reference cycles."""
        if not self._rests:
            gc.freeze()  # rules and libraries stay for good: no need to look through them each time
        self._rests += 1
        gc.collect(2 if self._rests % _MANY == 0 else 0)  # most of it is young

    def fix(self, analysis: Analysis, *, single: bool = False) -> Fixed | None:
        """The text after all safe fixes, or all where the settings say so; None where there is nothing to check, or no time.

        Args:
            single: without fixes that change other files, too.
        """
        if analysis.config is None or analysis.checked is None:
            return None
        config, source = replace(analysis.config, single=single), analysis.snapshot.source
        fixed = engine.within(min(config.time_limit or FIX_TURN, FIX_TURN), lambda: text.fix(source, config))
        if fixed is None:
            self._drop(analysis.snapshot)
        return fixed

    def attempt(self, analysis: Analysis, diagnostic: Diagnostic, fix: Fix) -> str | None:
        """Why a fix must not be applied; None where nothing speaks against it. It is tried once."""
        if analysis.config is None or analysis.checked is None:
            return "the file is not checked"
        key = diagnostic.code, diagnostic.start.offset, fix
        if key not in analysis.tried:
            analysis.tried[key] = text.attempt(analysis.checked, diagnostic, fix, analysis.config).reason
        return analysis.tried[key]

    def dataset(self, analysis: Analysis, offset: int) -> ValueKnown | None:
        """The dataset of tf.data that an expression at an offset, in bytes, is; None where there is none, or no time."""
        from seqlint.facts.shown.values import Shown

        config, source = analysis.config, analysis.snapshot.source
        if config is None or analysis.checked is None:
            return None
        seconds = min(config.time_limit or FIX_TURN, FIX_TURN)
        return engine.within(seconds, lambda: engine.facts_of(source, config).run.watched.domain(Shown).at(offset))

    def rules(self, analysis: Analysis | None) -> dict[str, LoadedRule]:
        """All rules by their codes, those of the project around a file included."""
        config = analysis.config if analysis is not None else None
        folders = config.rules if config is not None else ()
        return {loaded.code: loaded for loaded in known(folders)}

    def _config(self, snapshot: Snapshot, request: Request) -> Config:
        folder = _path(snapshot).parent
        key = (folder, request)
        if key not in self._configs:
            base = self._find(folder) if request.config is None else read_config(request.config)
            validate(base, request.over, thoroughly=True)
            self._configs[key] = plan.settings(base, request)
        return self._configs[key]

    def _concerns(self, snapshot: Snapshot, request: Request, config: Config) -> bool:
        path = _path(snapshot)
        if left_out(str(path), plan.excludes(request, lambda folder: config)):
            return False
        return plan.concerns(path, snapshot.source.utf8)


def _path(snapshot: Snapshot) -> Path:
    """The file of a snapshot; one that is not saved stands in the working directory."""
    return Path(os.path.abspath(snapshot.source.path))
