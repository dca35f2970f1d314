"""`seqlint merge`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from seqlint.cli import console, options, report
from seqlint.cli.choices import Colour, Format, Threshold


def merge(
    reports: Annotated[
        list[str],
        typer.Argument(
            metavar="REPORT",
            help="What `seqlint check --shard I/N --output-format json` wrote: one file for each shard.",
        ),
    ],
    output_format: options.OutputFormat = Format.text,
    fail_on: options.FailOn = Threshold.warning,
    color: options.Color = Colour.auto,
) -> int:
    """Put the reports of all shards together, as one run over all files would have reported.

    Exit code: as of that run: 0 clean, 1 findings of the level --fail-on or worse, 2 something is broken: a file that
    could not be read, a rule, a report, or a shard that is missing.
    """
    from seqlint.output import reports as parts

    whole = parts.merged([parts.read(name, _content(name)) for name in reports])
    console.say(report.of_parts(whole, output_format, console.paint(color)))
    for error in whole.errors:
        console.complain(f"{error['path']}: {error['message']}")
    if whole.broken or whole.errors:
        return report.BROKEN
    return report.reached([diagnostic for diagnostic, _ in whole.told], fail_on)


def _content(name: str) -> bytes:
    from seqlint.model import ConfigError, UnreadableSource
    from seqlint.sources import disk

    try:
        return disk.read(Path(name))
    except UnreadableSource as error:
        raise ConfigError(f"{name}: {error}") from error
