"""The command line. Everything heavy is imported where it is needed, typer too."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING

from seqlint.runner import garbage, process

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

BROKEN = 2
_INTERRUPTED = 130


def main() -> None:
    """Run the command line, and end the process with its exit code."""
    process.begin()
    code = run(sys.argv[1:])
    garbage.no_more()
    sys.exit(code)


def run(arguments: Sequence[str]) -> int:
    """Run the command line.

    Args:
        arguments: without the name of the program.

    Returns:
        The exit code: 0 clean, 1 findings, 2 something is broken.
    """
    from seqlint.cli import console
    from seqlint.model import SeqlintError

    try:
        code = _command(list(arguments))
        console.finish()
    except SeqlintError as error:
        console.complain(str(error))
        return BROKEN
    except KeyboardInterrupt:
        return _INTERRUPTED
    except Exception:
        import traceback

        console.remark(traceback.format_exc())
        console.complain("this is a fault of seqlint; please report it with the lines above")
        return BROKEN
    return code


def _command(arguments: list[str]) -> int:
    from seqlint.cli import plain

    given = plain.read(arguments)
    if given is not None:
        name = arguments[0]
        command: Callable[..., int] = getattr(import_module(f"seqlint.cli.{name}"), name)
        return command(**given)
    from seqlint.cli import app

    return app.run(*_split(arguments))


def _split(arguments: list[str]) -> tuple[list[str], tuple[str, ...]]:
    """The arguments of `verify`, and those after "--", which are for the script."""
    if arguments[:1] != ["verify"] or "--" not in arguments:
        return arguments, ()
    place = arguments.index("--")
    return arguments[:place], tuple(arguments[place + 1 :])
