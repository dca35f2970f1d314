"""Where reports go, and in which format: `--output-format FORMAT[:FILE]`, several times, and `--output-file`."""

from __future__ import annotations

import os
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from seqlint.cli import console
from seqlint.cli.choices import Format
from seqlint.model import ConfigError

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class Destination:
    """One report.

    Attributes:
        form: its format.
        file: where it goes; empty: standard output.
    """

    form: Format = Format.text
    file: str = ""

    def write(self, text: str) -> None:
        """Write the report.

        Raises:
            SeqlintError: it can't be written.
        """
        if self.file:
            write_file(self.file, text)
        else:
            console.say(text)


def destinations(given: Sequence[str] | None, file: str = "") -> tuple[Destination, ...]:
    """What the options ask for; text on standard output where they ask for nothing.

    Args:
        given: formats, each with or without a file after a colon, such as "sarif:seqlint.sarif".
        file: where the only report goes.

    Raises:
        ConfigError: a format that is none, two reports for one place, or a file that can't be written.
    """
    found = tuple(map(_destination, given or (Format.text.value,)))
    if file:
        if len(found) > 1 or found[0].file:
            raise ConfigError(
                "--output-file is for one --output-format without a file; write FORMAT:FILE for each instead"
            )
        found = (Destination(found[0].form, file),)
    places = [one.file and os.path.abspath(one.file) for one in found]
    for one, place in zip(found, places, strict=True):
        if places.count(place) > 1:
            where = one.file or "standard output"
            raise ConfigError(
                f"two reports go to {where}: give all but one a file of its own, as in sarif:seqlint.sarif"
            )
        check_file(one.file)
    return found


def _destination(word: str) -> Destination:
    name, colon, file = word.partition(":")
    if name not in Format.__members__:
        near = get_close_matches(name, list(Format.__members__), 1)
        hint = f"did you mean {near[0]}?" if near else f"the formats are {', '.join(Format.__members__)}"
        raise ConfigError(f"--output-format: unknown format {name!r}; {hint}")
    if colon and not file:
        raise ConfigError(f"--output-format: {word!r} names no file after the colon")
    return Destination(Format[name], file)


def check_file(file: str) -> None:
    """See to it before the work begins that the report can be written after it.

    Raises:
        ConfigError: it can't.
    """
    if not file:
        return
    folder = os.path.dirname(os.path.abspath(file))
    if not os.path.isdir(folder):
        raise ConfigError(f"{file}: the folder {folder} does not exist")
    if os.path.isdir(file):
        raise ConfigError(f"{file}: this is a folder")
    if not os.access(file if os.path.exists(file) else folder, os.W_OK):
        raise ConfigError(f"{file}: it can't be written: permission denied")


def write_file(file: str, text: str) -> None:
    """Write a report.

    Raises:
        SeqlintError: it can't be written.
    """
    from seqlint.model import SeqlintError
    from seqlint.sources.disk import reason

    try:
        Path(file).write_bytes(text.encode("utf-8", "surrogateescape"))
    except OSError as error:
        raise SeqlintError(f"{file}: the report can't be written: {reason(error)}") from error
