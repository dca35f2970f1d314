"""The options that several commands share."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import Iterable

    from seqlint.runner.plan import Request


class Format(str, Enum):
    """How findings are written."""

    text = "text"
    concise = "concise"
    json = "json"


class Threshold(str, Enum):
    """The level from which findings fail the run."""

    error = "error"
    warning = "warning"
    advice = "advice"


class Colour(str, Enum):
    """When to use colours."""

    auto = "auto"
    always = "always"
    never = "never"


Paths = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="PATH", help="Files and folders, or '-' for standard input. Default: the working directory."
    ),
]
OutputFormat = Annotated[Format, typer.Option("--output-format", help="How findings are written.")]
Select = Annotated[
    list[str] | None,
    typer.Option(
        "--select", metavar="RULES", help="Rules to use: codes, beginnings of codes, names or ALL, with commas between."
    ),
]
Ignore = Annotated[list[str] | None, typer.Option("--ignore", metavar="RULES", help="Rules not to use.")]
ExtendSelect = Annotated[
    list[str] | None, typer.Option("--extend-select", metavar="RULES", help="Rules to use besides.")
]
FailOn = Annotated[Threshold, typer.Option("--fail-on", help="The level from which findings give exit code 1.")]
Exclude = Annotated[
    list[str] | None,
    typer.Option("--exclude", metavar="PATTERN", help="Patterns, as in a .gitignore, of paths to leave out."),
]
ForceExclude = Annotated[
    bool, typer.Option("--force-exclude", help="Leave out excluded files even when they are named.")
]
ConfigFile = Annotated[
    str | None, typer.Option("--config", metavar="FILE", help="Use this configuration, not the nearest of each file.")
]
StdinFilename = Annotated[
    str, typer.Option("--stdin-filename", metavar="FILE", help="The file that standard input stands for.")
]
Jobs = Annotated[
    int | None, typer.Option("--jobs", "-j", metavar="N", min=1, help="Processes to use; the processors by default.")
]
Keras = Annotated[
    str, typer.Option("--keras", metavar="RANGE", help="The Keras in use, such as '>=3.10', '3.3.3' or 'tf-keras'.")
]
NoCache = Annotated[
    bool, typer.Option("--no-cache", help="Neither use nor write .seqlint_cache at the root of the project.")
]
Color = Annotated[Colour, typer.Option("--color", help="When to use colours; NO_COLOR turns them off, too.")]


def request(
    *,
    select: Iterable[str] | None,
    ignore: Iterable[str] | None,
    extend_select: Iterable[str] | None,
    exclude: Iterable[str] | None,
    force_exclude: bool,
    config: str | None,
    keras: str,
    unsafe: bool | None = None,
    cache: bool = False,
) -> Request:
    """What the shared options ask for."""
    from seqlint.config import Overrides
    from seqlint.runner.plan import Request

    over = Overrides(_words(select), _words(ignore), _words(extend_select), keras, unsafe)
    return Request(over, Path(config) if config else None, tuple(exclude or ()), force_exclude, cache)


def _words(given: Iterable[str] | None) -> tuple[str, ...]:
    return tuple(word.strip() for words in given or () for word in words.split(",") if word.strip())
