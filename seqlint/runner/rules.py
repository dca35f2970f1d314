"""Rules for a configuration, and the check that what selects them names rules that exist.

To load the rules is most of what a run without Keras would cost. So the words in a configuration are first compared
with the names of the rule files, such as `seq201_swallowed_exception.py`; the rules are loaded only where a word is not
among them, or where a project has rules of its own and a file is to be checked anyway. A process that has others do the
checks needs no rules.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from seqlint import registry
from seqlint.config import check_config, complaint, first_unknown, place, shown
from seqlint.model import ConfigError
from seqlint.sources.discovery import Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from seqlint.config import Config, Overrides
    from seqlint.model import LoadedRule

# What is surely a range that some Keras is in; anything else is given to the parser of ranges, which needs the facts.
_VERSION = r"[1-9]\d*(?:\.\d+)*"
_RANGE = re.compile(rf"(?:tf-keras|(?:==|>=|<=|<|>|!=)?\s*{_VERSION}|>=\s*({_VERSION})\s*,\s*<\s*({_VERSION}))?")


def known(folders: tuple[Path, ...]) -> tuple[LoadedRule, ...]:
    """All rules: those that were found, and what seqlint says about itself (SEQ001 to SEQ006).

    Raises:
        RuleError: a rule can't be loaded.
    """
    from seqlint.engine import OWN

    return (*OWN, *registry.load(folders))


def validate(config: Config, over: Overrides, *, thoroughly: bool) -> None:
    """Make sure that a configuration and a command line name rules that exist, and a range of Keras versions.

    Args:
        config: as it was read from its file.
        over: what the command line adds.
        thoroughly: load the rules of the project, if it has any; else what looks right is taken to be right.

    Raises:
        ConfigError: with the place and the nearest right word.
        RuleError: a rule can't be loaded.
    """
    # The tests hold the names of the shipped files to their rules; nobody holds those of others.
    if not (thoroughly and config.rules) and _looks_right(config, over):
        return
    if not config.untrusted:  # else it may name a rule that was not loaded
        _check_words(config, over, {loaded.code: loaded.name for loaded in known(config.rules)})
    _check_range(config.keras, lambda: place(config, "keras"))
    _check_range(over.keras, lambda: "--keras")


def _looks_right(config: Config, over: Overrides) -> bool:
    try:
        _check_words(config, over, _named_by_files((registry.home(), *config.rule_folders)))
    except ConfigError:
        return False
    return is_surely_range(config.keras) and is_surely_range(over.keras)


def is_surely_range(text: str) -> bool:
    """Whether a text is a range of the plainest kind; one of two demands must leave something between them."""
    found = _RANGE.fullmatch(text)
    if found is None or found[1] is None:
        return found is not None
    low, high = ([int(part) for part in version.split(".")] for version in found.groups())
    width = max(len(low), len(high))
    return [*low, *[0] * (width - len(low))] < [*high, *[0] * (width - len(high))]


def untrusted(configs: Iterable[Config]) -> tuple[Problem, ...]:
    """What to say of the rule folders that configurations name and the user does not trust, once for each."""
    folders = dict.fromkeys(folder for config in configs for folder in config.untrusted)
    if not folders:
        return ()
    from seqlint.config import trust

    return tuple(Problem(shown(folder), trust.complaint(folder)) for folder in folders)


def _check_words(config: Config, over: Overrides, words: Mapping[str, str]) -> None:
    check_config(config, words)
    options = {"--select": over.select, "--ignore": over.ignore, "--extend-select": over.extend_select}
    for option, selectors in options.items():
        unknown = first_unknown(selectors, words)
        if unknown is not None:
            raise ConfigError(f"{option}: {complaint(unknown, words)}")


def _named_by_files(folders: tuple[Path, ...]) -> dict[str, str]:
    files = (registry.words_of(file.name) for folder in folders for file in folder.iterdir())
    return dict(words for words in files if words is not None)


def _check_range(keras: str, where: Callable[[], str]) -> None:
    from seqlint.facts.keras import parse_range

    try:
        parse_range(keras)
    except ConfigError as error:
        raise ConfigError(f"{where()}: {error}") from error
