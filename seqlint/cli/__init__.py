"""The command line. Everything heavy is imported where it is needed, typer too."""

from __future__ import annotations

import os
import signal
import sys
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

BROKEN = 2
_INTERRUPTED = 130


def main() -> None:
    """Run the command line, and end the process with its exit code."""
    _leave_at_interrupt()
    from seqlint.runner import garbage, process

    process.begin()
    try:
        code = run(sys.argv[1:])
        _leave_at_interrupt()
    except KeyboardInterrupt:  # a second one
        os._exit(_INTERRUPTED)
    garbage.no_more()
    sys.exit(code)


def _leave_at_interrupt() -> None:
    """Let Ctrl-C end the process at once: before there is something to clean up, and after that."""
    if signal.getsignal(signal.SIGINT) in (signal.default_int_handler, _leave):
        signal.signal(signal.SIGINT, _leave)


def _raise_at_interrupt() -> None:
    """Let Ctrl-C raise KeyboardInterrupt, so that what is at work can clean up."""
    if signal.getsignal(signal.SIGINT) is _leave:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _leave(number: int, frame: object) -> None:
    os._exit(_INTERRUPTED)


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
        _raise_at_interrupt()
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
        console.complain("this is a bug in seqlint; please report it with the lines above")
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
    """The arguments of a command that runs files, and those after "--", which are for the script."""
    if "--" not in arguments:
        return arguments, ()
    place = arguments.index("--")
    if arguments[0] != "verify" and not (arguments[0] in ("fix", "migrate") and "--verify" in arguments[:place]):
        return arguments, ()
    return arguments[:place], tuple(arguments[place + 1 :])
