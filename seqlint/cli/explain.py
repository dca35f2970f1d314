"""`seqlint explain`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from seqlint.cli import console, options

if TYPE_CHECKING:
    from collections.abc import Iterable

    from seqlint.model import LoadedRule


def explain(
    rule: Annotated[str, typer.Argument(metavar="RULE", help="A code or a name, such as SEQ102.")],
    color: options.Color = options.Colour.auto,
) -> int:
    """Say what a rule finds, why, and what its fix changes."""
    from seqlint.config import load_config
    from seqlint.output import markdown
    from seqlint.runner.rules import known

    found = _named(rule, known(load_config(Path.cwd()).rules))
    console.say(markdown.painted(markdown.page(found), console.paint(color)))
    return 0


def _named(word: str, rules: Iterable[LoadedRule]) -> LoadedRule:
    from seqlint.config import complaint
    from seqlint.model import ConfigError

    by_word = {name: loaded for loaded in rules for name in (loaded.rule.code, loaded.rule.name)}
    found = by_word.get(word.upper()) or by_word.get(word.lower())
    if found is None:
        raise ConfigError(complaint(word, {loaded.rule.code: loaded.rule.name for loaded in by_word.values()}))
    return found
