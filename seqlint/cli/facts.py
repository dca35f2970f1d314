"""`seqlint facts`."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from seqlint.cli import choices, console, inputs, options

if TYPE_CHECKING:
    from collections.abc import Callable

    from seqlint.config import Config
    from seqlint.output.paint import Paint
    from seqlint.sources import Source
    from seqlint.trees import Grown

BROKEN = 2


class FactsFormat(str, Enum):
    """How facts are written."""

    text = "text"
    json = "json"


Format = Annotated[FactsFormat, typer.Option("--output-format", help="How facts are written.")]


def facts(
    path: Annotated[str, typer.Argument(metavar="PATH", help="A Python file.")],
    at: Annotated[int | None, typer.Option("--at", metavar="LINE", min=1, help="Only what concerns this line.")] = None,
    output_format: Format = FactsFormat.text,
    keras: options.Keras = "",
    color: options.Color = choices.Colour.auto,
) -> int:
    """Show what is known about a file, and so why a finding came or did not.

    Exit code: 0, or 2 where the file can't be read.
    """
    from seqlint.config import load_config
    from seqlint.engine.parse import Unparsable, with_tree
    from seqlint.model import ConfigError, UnreadableSource
    from seqlint.sources import Source, disk, is_notebook, is_page

    if is_notebook(path) or is_page(path):
        raise ConfigError(
            f"facts reads Python files, and {path} is a {'notebook' if is_notebook(path) else 'page of text'}"
        )
    config = load_config(path)
    config = replace(config, keras=inputs.asked_for(keras) or config.keras)
    try:
        source = Source.from_bytes(disk.read(Path(path)), path)
        text = with_tree(source, lambda grown: _shown(source, grown, config, at, output_format, console.paint(color)))
    except UnreadableSource as error:
        place = f"{path}:{error.line}:{error.column}" if isinstance(error, Unparsable) else path
        console.complain(f"{place}: {error}")
        return BROKEN
    console.say(text)
    return 0


def _shown(
    source: Source, grown: Callable[[], Grown], config: Config, at: int | None, form: FactsFormat, paint: Paint
) -> str:
    from seqlint.engine import facts_of
    from seqlint.facts.shown.line import line_known
    from seqlint.facts.shown.overview import overview
    from seqlint.facts.shown.values import Shown
    from seqlint.model import ConfigError
    from seqlint.output import facts as output

    known = facts_of(source, config, grown)
    if at is None:
        whole = overview(known)
        return (
            output.document(whole, known.keras) if form is FactsFormat.json else output.file(whole, known.keras, paint)
        )
    if at > len(source.line_starts):
        raise ConfigError(f"--at {at}: {source.path} has only {len(source.line_starts)} lines")
    line = replace(line_known(known, at), run=known.run.watched.domain(Shown).line(at))
    return output.document(line, known.keras) if form is FactsFormat.json else output.line(line, known.keras, paint)
