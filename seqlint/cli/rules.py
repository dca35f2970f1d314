"""`seqlint rules`."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from seqlint.cli.console import say


class ListFormat(str, Enum):
    """How the list is written."""

    text = "text"
    json = "json"
    markdown = "markdown"


def rules(
    output_format: Annotated[
        ListFormat,
        typer.Option("--output-format", help="How the list is written; markdown is the table of the README."),
    ] = ListFormat.text,
) -> int:
    """List all rules, with those of this project."""
    from seqlint.config import load_config
    from seqlint.output import json, table
    from seqlint.runner.rules import known

    found = known(load_config(Path.cwd()).rules)
    formats = {ListFormat.json: json.rules, ListFormat.markdown: table.markdown, ListFormat.text: table.columns}
    say(formats[output_format](found))
    return 0
