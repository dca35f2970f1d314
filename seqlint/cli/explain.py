"""`seqlint explain`."""

from __future__ import annotations

import os
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from seqlint.cli import choices, console, inputs, options

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from seqlint.model import LoadedRule
    from seqlint.output.paint import Paint

BROKEN = 2


class ExplainFormat(str, Enum):
    """How an explanation is written."""

    text = "text"
    json = "json"


def explain(
    rule: Annotated[
        str | None,
        typer.Argument(metavar="RULE", help="A code or a name, such as SEQ102; the start of a code lists its family."),
    ] = None,
    all_rules: Annotated[bool, typer.Option("--all", help="Explain every rule.")] = False,
    keras: Annotated[
        str | None, typer.Option("--keras", metavar="PATH", help="Show which Keras a file or folder uses instead.")
    ] = None,
    output_format: Annotated[
        ExplainFormat, typer.Option("--output-format", help="How the explanation is written.")
    ] = ExplainFormat.text,
    trust_rules: options.TrustRules = False,
    color: options.Color = choices.Colour.auto,
) -> int:
    """Say what a rule finds, why, and what its fix changes; or with --keras which Keras is in use, and how that is known."""
    from seqlint.model import ConfigError

    given = [rule is not None, all_rules, keras is not None]
    if not any(given):
        raise ConfigError("Missing argument 'RULE', or one of the options '--all' and '--keras PATH'.")
    if sum(given) > 1:
        raise ConfigError("Give only one of 'RULE', '--all' and '--keras PATH'.")
    as_json = output_format is ExplainFormat.json
    if keras is not None:
        return _keras(keras, as_json, console.paint(color))
    return _rules(rule, as_json, console.paint(color), inputs.trusts_rules(trust_rules))


def _rules(word: str | None, as_json: bool, paint: Paint, trust_rules: bool) -> int:
    """Explain one rule, list a family, or explain all rules where no word is given."""
    from seqlint.config import load_config
    from seqlint.output import json, markdown
    from seqlint.runner.rules import known, untrusted

    config = load_config(Path.cwd(), trust_rules=trust_rules)
    everything = known(config.rules)
    found = everything if word is None else _named(word, everything)
    if config.untrusted and (word is None or not found):  # it may be one of those
        console.complain_of(untrusted([config]))
        if not found:
            return BROKEN
    if not found:
        raise _unknown(word or "", everything)
    if as_json:
        console.say(json.explained(found))
    elif word is not None and len(found) > 1:
        console.say(_list(found, paint))
    else:
        console.say("\n".join(markdown.painted(_laid_out(markdown.page(one)), paint) for one in found))
    return 0


def _list(family: Iterable[LoadedRule], paint: Paint) -> str:
    from seqlint.output.prose import summary

    lines = (f"{paint.bold(one.rule.code)} {one.rule.name}\n    {summary(one)}\n" for one in family)
    return "".join(lines)


def _laid_out(page: str) -> str:
    """The page as wide as the terminal is; where it goes to a file or program, as it was written."""
    from seqlint.output.prose import wrapped

    width = console.width()
    return page if width is None else wrapped(page, width)


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


def _named(word: str, rules: Sequence[LoadedRule]) -> Sequence[LoadedRule]:
    """The rule of a code or a name, or those whose codes begin with a word."""
    by_word = {name: loaded for loaded in rules for name in (loaded.code, loaded.name)}
    one = by_word.get(word.upper()) or by_word.get(word.lower())
    return [one] if one is not None else [each for each in rules if each.rule.code.startswith(word.upper())]


def _unknown(word: str, rules: Iterable[LoadedRule]) -> Exception:
    from seqlint.config import complaint
    from seqlint.model import ConfigError

    return ConfigError(complaint(word, {loaded.code: loaded.name for loaded in rules}))
