"""`seqlint merge`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from seqlint.cli import console, options, progress, report
from seqlint.cli.choices import Colour, Format, Threshold
from seqlint.model import ConfigError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from seqlint.output.paint import Paint

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
    output_format: options.OutputFormat = Format.text,
    fail_on: options.FailOn = Threshold.warning,
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
    return _merge_reports(reports, output_format, fail_on, console.paint(color)) if reports else report.CLEAN


def _merge_caches(folders: Sequence[str]) -> None:
    from seqlint.output.text import count
    from seqlint.runner import caches

    with progress.shown("putting caches together"):
        kept = caches.merge(folders)
    what = f"{count(kept.results, 'result')} and {count(kept.modules, 'module')}"
    console.remark(f"{what} of {count(len(folders), 'cache')} are in {kept.folder}\n")


def _merge_reports(reports: Sequence[str], output_format: Format, fail_on: Threshold, paint: Paint) -> int:
    from seqlint.output import reports as parts

    with progress.shown("putting reports together"):
        whole = parts.merged([parts.read(name, _content(name)) for name in reports])
    console.say(report.of_parts(whole, output_format, paint))
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
