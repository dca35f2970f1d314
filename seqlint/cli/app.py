"""The commands as typer reads them: one small file a command, of which only the one that is asked for is imported."""

from __future__ import annotations

import re
from importlib import import_module
from types import SimpleNamespace
from typing import TYPE_CHECKING, Annotated, get_type_hints

import typer

from seqlint.cli import console, options
from seqlint.model import SeqlintError
from seqlint.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from types import FunctionType

COMMANDS = (
    "check",
    "fix",
    "init",
    "baseline",
    "verify",
    "migrate",
    "explain",
    "facts",
    "rules",
    "trust",
    "test-rules",
    "merge",
    "server",
)
# pytest would take a module or a function of the name of the command for a test.
_MODULES = {"test-rules": "own_rules"}
# What the library that typer checks values with says, and what a user is told instead.
_SAID_OF_VALUES = (
    (r"Value error, ", ""),
    (r"Input should be a valid integer\b[^\n]*", "this must be a whole number"),
    (r"Input should be a valid number\b[^\n]*", "this must be a number"),
    (r"Input should be greater than or equal to", "this must be at least"),
    (r"Input should be less than or equal to", "this must be at most"),
    (r"Input should be", "this must be"),
)
# typer brings its own copy of click in some versions and not in others; this class is the same in all of them.
USAGE_ERROR: type[Exception] = typer.BadParameter.__mro__[2]


def run(arguments: Sequence[str], others: tuple[str, ...]) -> int:
    """Run a command line.

    Args:
        arguments: those of seqlint; none: the help is asked for.
        others: those of the script that `verify` runs.

    Raises:
        SeqlintError: the arguments are wrong, or what the command says.
        KeyboardInterrupt: the user has had enough.
    """
    named = [name for name in COMMANDS if arguments[:1] == [name]]
    try:
        words = ["--add-ignore=" if word == "--add-ignore" else word for word in arguments]  # its value is optional
        code = _app(named or COMMANDS)(words or ["--help"], prog_name="seqlint", standalone_mode=False, obj=others)
    except USAGE_ERROR as error:
        raise SeqlintError(_told(error)) from error
    except typer.Abort as error:
        raise KeyboardInterrupt from error
    return code if isinstance(code, int) else 0


def _told(error: Exception) -> str:
    """What is wrong with the arguments, in words for a user."""
    text = str(error.format_message() if hasattr(error, "format_message") else error)
    for said, told in _SAID_OF_VALUES:
        text = re.sub(said, told, text)
    return text


def _app(names: Iterable[str]) -> typer.Typer:
    """The application with some of its commands: typer takes 20 milliseconds for each."""
    app = typer.Typer(
        name="seqlint",
        help="The linter that knows what Keras really does with data code, fixes it, and proves the fix by running it.",
        add_completion=len(list(names)) > 1,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_options)
    for name in names:
        module = _MODULES.get(name, name)
        command = getattr(import_module(f"seqlint.cli.{module}"), module)
        applied(command)
        app.command(name)(command)
    return app


def applied(command: FunctionType) -> None:
    """Give its options to a command that is run without typer, too, and so names them in unread annotations alone."""
    known = {**command.__globals__, "options": options}
    # Python 3.10 makes `Optional[Annotated[...]]` of what has the default None, in which typer finds no option any more.
    undefaulted = SimpleNamespace(__annotations__=command.__annotations__)
    command.__annotations__ = get_type_hints(undefaulted, known, include_extras=True)


def _version(wanted: bool) -> None:
    if wanted:
        console.say(f"seqlint {__version__}\n")
        raise typer.Exit


def _options(
    version: Annotated[
        bool, typer.Option("--version", "-V", help="Show the version.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    pass
