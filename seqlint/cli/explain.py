"""`seqlint explain`."""

from __future__ import annotations

import os
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from seqlint.cli import choices, console, inputs, options

if TYPE_CHECKING:
    from collections.abc import Iterable

    from seqlint.model import LoadedRule
    from seqlint.output.paint import Paint

BROKEN = 2


class ExplainFormat(str, Enum):
    """How an explanation is written."""

    text = "text"
    json = "json"


def explain(
    rule: Annotated[str | None, typer.Argument(metavar="RULE", help="A code or a name, such as SEQ102.")] = None,
    keras: Annotated[
        str | None, typer.Option("--keras", metavar="PATH", help="Say which Keras a file or folder uses instead.")
    ] = None,
    output_format: Annotated[
        ExplainFormat, typer.Option("--output-format", help="How the explanation is written.")
    ] = ExplainFormat.text,
    trust_rules: options.TrustRules = False,
    color: options.Color = choices.Colour.auto,
) -> int:
    """Say what a rule finds, why, and what its fix changes; or with --keras which Keras is in use, and how that is known."""
    from seqlint.model import ConfigError

    if rule is None and keras is None:
        raise ConfigError("Missing argument 'RULE', or the option '--keras PATH'.")
    if rule is not None and keras is not None:
        raise ConfigError("'--keras PATH' explains a file or folder, and can't stand beside a rule.")
    as_json = output_format is ExplainFormat.json
    if keras is not None:
        return _keras(keras, as_json, console.paint(color))
    return _rule(rule or "", as_json, console.paint(color), inputs.trusts_rules(trust_rules))


def _rule(word: str, as_json: bool, paint: Paint, trust_rules: bool) -> int:
    from seqlint.config import load_config
    from seqlint.output import json, markdown
    from seqlint.runner.rules import known, untrusted

    config = load_config(Path.cwd(), trust_rules=trust_rules)
    rules = known(config.rules)
    found = _named(word, rules)
    if found is None and config.untrusted:  # it may be one of those
        console.complain_of(untrusted([config]))
        return BROKEN
    if found is None:
        raise _unknown(word, rules)
    console.say(json.rules([found]) if as_json else markdown.painted(markdown.page(found), paint))
    return 0


def _keras(name: str, as_json: bool, paint: Paint) -> int:
    from seqlint.config import load_config
    from seqlint.facts.keras import keras_in_use
    from seqlint.model import UnreadableSource
    from seqlint.output import facts

    path, config = Path(name), load_config(name)
    try:
        text, written = ("", "") if os.path.isdir(path) else _text(path)
    except UnreadableSource as error:
        console.complain(f"{name}: {error}")
        return BROKEN
    # The search starts in the folder of a file, so that of a folder needs a file in it.
    path = path / "__init__.py" if os.path.isdir(path) else path
    found = keras_in_use(path, config.root, config.keras, text, written=written)
    console.say(facts.keras_document(name, found) if as_json else facts.keras(name, found, paint))
    return 0


def _text(path: Path) -> tuple[str, str]:
    """The text of a file, and that of a notebook with its magics."""
    from seqlint.sources import Source, disk

    source = Source.from_bytes(disk.read(path), str(path))
    if not source.is_page:
        return source.text, source.with_magics
    from seqlint.sources.pages import programs

    return "\n".join(program.text for program in programs(source)), ""


def _named(word: str, rules: Iterable[LoadedRule]) -> LoadedRule | None:
    by_word = {name: loaded for loaded in rules for name in (loaded.rule.code, loaded.rule.name)}
    return by_word.get(word.upper()) or by_word.get(word.lower())


def _unknown(word: str, rules: Iterable[LoadedRule]) -> Exception:
    from seqlint.config import complaint
    from seqlint.model import ConfigError

    return ConfigError(complaint(word, {loaded.rule.code: loaded.rule.name for loaded in rules}))
