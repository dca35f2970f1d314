"""`seqlint rules`."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from seqlint.cli import console, inputs, options

BROKEN = 2


class ListFormat(str, Enum):
    """How the list is written."""

    text = "text"
    json = "json"
    markdown = "markdown"


def rules(
    output_format: Annotated[
        ListFormat,
        typer.Option("--output-format", help="How the list is written; markdown is the table of docs/rules.md."),
    ] = ListFormat.text,
    trust_rules: options.TrustRules = False,
) -> int:
    """List all rules, with those of this project that you trust.

    Exit code: 0, or 2 where this project has rules that you do not trust.
    """
    from seqlint.config import load_config
    from seqlint.output import json, table
    from seqlint.runner.rules import known, untrusted

    config = load_config(Path.cwd(), trust_rules=inputs.trusts_rules(trust_rules))
    formats = {ListFormat.json: json.rules, ListFormat.markdown: table.markdown, ListFormat.text: table.columns}
    console.say(formats[output_format](known(config.rules)))
    console.complain_of(untrusted([config]))
    return BROKEN if config.untrusted else 0
