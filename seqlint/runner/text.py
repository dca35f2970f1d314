"""Check or fix one text under a configuration: what the command line, the Python API and its workers all call."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from seqlint import engine, registry
from seqlint.config import Config, Overrides
from seqlint.runner import pages
from seqlint.runner.rules import validate
from seqlint.sources.surroundings import supposing

if TYPE_CHECKING:
    from collections.abc import Iterable

    from seqlint.engine import Alone, Checked, Fixed, Tried
    from seqlint.model import Diagnostic, Fix, LoadedRule
    from seqlint.sources import Source


def check(source: Source, config: Config) -> Checked:
    """What the rules that are on for this file find in it, with the fixes that can be applied.

    Raises:
        RuleError: a rule can't be loaded.
    """
    rules = registry.load(config.rules)
    on = _on(source, config, rules)
    if source.is_page:
        return pages.check(source, on, config, rules)
    return engine.guarded(engine.check(source, on, config, rules), on, config, rules)


def glance(source: Source, config: Config) -> Checked:
    """The same at once, with all fixes that rules have: whether they can be applied is a question for later.

    Raises:
        RuleError: a rule can't be loaded.
    """
    rules = registry.load(config.rules)
    on = _on(source, config, rules)
    if source.is_page:
        return pages.glance(source, on, config, rules)
    return engine.check(source, on, config, rules)


def fix(source: Source, config: Config) -> Fixed:
    """The text after the fixes; those that change a working program only where the configuration says `unsafe`.

    Raises:
        RuleError: a rule can't be loaded.
    """
    rules = registry.load(config.rules)
    on = _on(source, config, rules)
    if source.is_page:
        return pages.fix(source, on, config, rules)
    fixed = engine.fix(source, on, config, unsafe=config.unsafe, known=rules)
    if not fixed.others:
        return replace(fixed, checked=engine.guarded(fixed.checked, on, config, rules))
    with supposing(engine.texts({other.path: other for other in fixed.others})):
        return replace(fixed, checked=engine.guarded(fixed.checked, on, config, rules))


def attempt(checked: Checked, diagnostic: Diagnostic, fix: Fix, config: Config) -> Tried:
    """The text after one fix, whatever it changes, and why it must not be applied; None where nothing speaks against it.

    Raises:
        RuleError: a rule can't be loaded.
    """
    rules = registry.load(config.rules)
    on = _on(checked.source, config, rules)
    if checked.source.is_page:
        return pages.attempt(checked.source, diagnostic, fix, on, config, rules)
    return engine.attempt(checked, diagnostic, fix, on, config, rules)


def alone(source: Source, config: Config) -> tuple[Alone, ...]:
    """Each fix of the text by itself; those that change a working program only where the configuration says `unsafe`.

    None of a page: it can't be run.

    Raises:
        RuleError: a rule can't be loaded.
    """
    if source.is_page:
        return ()
    rules = registry.load(config.rules)
    return engine.alone(source, _on(source, config, rules), config, unsafe=config.unsafe, known=rules)


def settings(config: Config | None, keras: str, select: Iterable[str], *, unsafe: bool | None = None) -> Config:
    """A configuration with what a caller says over it, for one text alone; None: the defaults.

    Raises:
        ConfigError: `keras` is no range, or `select` names no rule.
        RuleError: a rule can't be loaded.
    """
    base = Config.default() if config is None else config
    over = Overrides(select=tuple(select), keras=keras, unsafe=unsafe)
    validate(base, over, thoroughly=True)
    return replace(base.overridden(over), single=True)


def _on(source: Source, config: Config, rules: tuple[LoadedRule, ...]) -> tuple[LoadedRule, ...]:
    return config.rules_for(None if source.path.startswith("<") else Path(source.path), rules)
