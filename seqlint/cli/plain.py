"""Plain command lines of `check` and `fix`, as pre-commit and editors write them, read without typer.

To import typer takes longer than to check ten files without Keras, and to build its parser twice as long again. What is
read here calls the same function with the same values as typer would; everything else is left to typer, and with it all
messages about wrong arguments.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from seqlint.cli.choices import Colour, Threshold

if TYPE_CHECKING:
    from collections.abc import Sequence
    from enum import Enum

_COMMANDS = ("check", "fix")
_FLAGS = {
    "--exit-zero": ("exit_zero", True),
    "--no-baseline": ("no_baseline", True),
    "--quiet": ("quiet", True),
    "-q": ("quiet", True),
    "--force-exclude": ("force_exclude", True),
    "--no-cache": ("no_cache", True),
    "--trust-rules": ("trust_rules", True),
}
_FLAGS_OF_CHECK = {"--statistics": ("statistics", True)}
_FLAGS_OF_FIX = {
    "--diff": ("show_diff", True),
    "--follow-links": ("follow_links", True),
    "--no-unsafe": ("unsafe", False),
    "--unsafe": ("unsafe", True),
}
_TEXTS = ("--baseline", "--config", "--keras", "--output-file", "--stdin-filename")
_LISTS = ("--exclude", "--extend-select", "--ignore", "--output-format", "--select")
_CHOICES: dict[str, type[Enum]] = {"--color": Colour, "--fail-on": Threshold}
_COUNT = re.compile(r"[1-9][0-9]{0,3}")


def read(arguments: Sequence[str]) -> dict[str, object] | None:
    """The parameters of the command that a command line sets; None where it is for typer to read.

    Args:
        arguments: the command, and what follows.
    """
    if not arguments or arguments[0] not in _COMMANDS or not all(map(_encodable, arguments)):
        return None
    flags = {**_FLAGS, **(_FLAGS_OF_CHECK if arguments[0] == "check" else _FLAGS_OF_FIX)}
    found: dict[str, object] = {}
    waiting = list(reversed(arguments[1:]))
    while waiting:
        word = waiting.pop()
        if word == "-" or not word.startswith("-"):
            _append(found, "paths", word)
        elif word in flags:
            parameter, value = flags[word]
            found[parameter] = value
        elif not _option(found, word, waiting):
            return None
    return found


def _option(found: dict[str, object], word: str, waiting: list[str]) -> bool:
    """Whether an option and its value, which is after a "=" or comes next, could be read."""
    name, sign, value = word.partition("=")
    if not sign:
        if not waiting:
            return False
        value = waiting.pop()
    if name in _TEXTS:
        found[_parameter(name)] = value
    elif name in _LISTS:
        _append(found, _parameter(name), value)
    elif name in _CHOICES and value in _CHOICES[name].__members__:
        found[_parameter(name)] = _CHOICES[name][value]
    elif name in ("--jobs", "-j") and not (sign and name == "-j") and _COUNT.fullmatch(value):
        found["jobs"] = int(value)
    else:
        return False
    return True


def _append(found: dict[str, object], parameter: str, value: str) -> None:
    values = found.setdefault(parameter, [])
    assert isinstance(values, list)
    values.append(value)


def _parameter(option: str) -> str:
    return option[2:].replace("-", "_")


def _encodable(word: str) -> bool:
    """False for the name of a file that is no text, of which versions of typer think differently."""
    return not any("\ud800" <= sign <= "\udfff" for sign in word)
