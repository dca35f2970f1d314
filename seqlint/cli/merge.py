"""`seqlint merge`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from seqlint.cli import console, options, progress, report
from seqlint.cli.choices import Colour, Threshold
from seqlint.cli.destinations import destinations
from seqlint.model import LEVELS, ConfigError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from seqlint.cli.destinations import Destination
    from seqlint.model import Level

Reports = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="REPORT",
        help="The reports of `seqlint check --shard I/N --output-format json`, one file for each shard.",
    ),
]
Caches = Annotated[
    list[str] | None,
    typer.Option(
        "--cache",
        metavar="FOLDER",
        help="The cache of a shard (its SEQLINT_CACHE_DIR), to add to the cache of this project.",
    ),
]


def merge(
    reports: Reports = None,
    cache: Caches = None,
    output_format: options.OutputFormat = None,
    output_file: options.OutputFile = "",
    fail_on: options.FailOn = None,
    color: options.Color = Colour.auto,
) -> int:
    """Put the reports of all shards together, as one run over all files would have reported; and their caches.

    Exit code: as of that run: 0 clean, 1 findings of the level --fail-on or worse, 2 something is broken: a file that
    could not be read, a rule, a report, or a shard that is missing.
    """
    if not reports and not cache:
        raise ConfigError("merge needs reports, or --cache")
    if cache:
        _merge_caches(cache)
    places = destinations(output_format, output_file)
    level = (fail_on or Threshold.warning).value
    return (
        _merge_reports(reports, places, LEVELS[[*Threshold.__members__].index(level)], color)
        if reports
        else report.CLEAN
    )


def _merge_caches(folders: Sequence[str]) -> None:
    from seqlint.output.text import count
    from seqlint.runner import caches

    with progress.shown("putting caches together"):
        kept = caches.merge(folders)
    what = f"{count(kept.results, 'result')} and {count(kept.modules, 'module')}"
    console.remark(f"{what} of {count(len(folders), 'cache')} are in {kept.folder}\n")


def _merge_reports(reports: Sequence[str], places: Sequence[Destination], fail_on: Level, color: Colour) -> int:
    from seqlint.output import reports as parts

    with progress.shown("putting reports together"):
        whole = parts.merged([parts.read(name, _content(name)) for name in reports])
    for place in places:
        place.write(report.of_parts(whole, place.form, console.paint(Colour.never if place.file else color)))
    for error in whole.errors:
        console.complain(f"{error['path']}: {error['message']}")
    if whole.broken or whole.errors:
        return report.BROKEN
    return report.reached([diagnostic for diagnostic, _ in whole.told], fail_on)


def _content(name: str) -> bytes:
    from seqlint.model import UnreadableSource
    from seqlint.sources import disk

    try:
        return disk.read(Path(name))
    except UnreadableSource as error:
        raise ConfigError(f"{name}: {error}") from error
