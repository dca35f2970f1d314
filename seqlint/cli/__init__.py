"""The command line: one small file a command. Everything heavy is imported inside the commands."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from seqlint.cli import console
from seqlint.cli.check import check
from seqlint.cli.explain import explain
from seqlint.cli.facts import facts
from seqlint.cli.fix import fix
from seqlint.cli.rules import rules
from seqlint.cli.server import server
from seqlint.cli.verify import verify
from seqlint.model import SeqlintError
from seqlint.version import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

BROKEN = 2
_INTERRUPTED = 130
# typer brings its own copy of click in some versions and not in others; this class is the same in all of them.
_UsageError: type[Exception] = typer.BadParameter.__mro__[2]

app = typer.Typer(
    name="seqlint",
    help="The linter that knows what Keras really does with data code, fixes it, and proves the fix by running it.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in (check, fix, verify, explain, facts, rules, server):
    app.command()(command)


def _version(wanted: bool) -> None:
    if wanted:
        console.say(f"seqlint {__version__}\n")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", help="Say the version.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    pass


def _split(arguments: Sequence[str]) -> tuple[list[str], tuple[str, ...]]:
    """The arguments of `verify`, and those after "--", which are for the script."""
    own = list(arguments)
    if own[:1] != ["verify"] or "--" not in own:
        return own, ()
    place = own.index("--")
    return own[:place], tuple(own[place + 1 :])


def main() -> None:
    """Run the command line, and end the process with its exit code."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run the command line.

    Args:
        arguments: without the name of the program.

    Returns:
        The exit code: 0 clean, 1 findings, 2 something is broken.
    """
    own, others = _split(arguments)
    try:
        code = app(own or ["--help"], prog_name="seqlint", standalone_mode=False, obj=others)
        console.finish()
    except (SeqlintError, _UsageError) as error:
        console.complain(error.format_message() if hasattr(error, "format_message") else str(error))
        return BROKEN
    except (KeyboardInterrupt, typer.Abort):
        return _INTERRUPTED
    except Exception:
        import traceback

        console.remark(traceback.format_exc())
        console.complain("this is a fault of seqlint; please report it with the lines above")
        return BROKEN
    return code if isinstance(code, int) else 0
