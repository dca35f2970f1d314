"""The table of a configuration file: typed access to its keys, and errors that name the place."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from seqlint.config.places import line_of
from seqlint.model import ConfigError
from seqlint.sources.disk import reason

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

PROJECT = "pyproject.toml"
_ENDLESS = 1e9


@dataclass(frozen=True)
class Table:
    """What a configuration file says to seqlint.

    Attributes:
        file: the file, absolute.
        text: its text, in which errors look for their line.
        header: the header of the table; empty where the whole file is the table.
        values: the keys and values, unchecked.
    """

    file: Path
    text: str
    header: str
    values: Mapping[str, object]

    def words(self, key: str) -> tuple[str, ...]:
        """A list of strings; empty where the key is missing."""
        return self._words(self.values.get(key, []), key)

    def lists(self, key: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """A table of lists of strings, in the order of the file."""
        value = self.values.get(key, {})
        if not isinstance(value, dict):
            raise self.error(f"{key!r} must be a table of lists of strings, not {_kind(value)}", key)
        return tuple((name, self._words(words, key, name)) for name, words in value.items())

    def word(self, key: str) -> str:
        """A string; empty where the key is missing."""
        value = self.values.get(key, "")
        if not isinstance(value, str):
            raise self.error(f"{key!r} must be a string, not {_kind(value)}", key)
        return value

    def flag(self, key: str, *, default: bool = False) -> bool:
        """True or false; the default where the key is missing."""
        value = self.values.get(key, default)
        if not isinstance(value, bool):
            raise self.error(f"{key!r} must be true or false, not {_kind(value)}", key)
        return value

    def seconds(self, key: str, default: float) -> float:
        """A number of seconds, 0 or more."""
        value = self.values.get(key, default)
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < _ENDLESS:
            raise self.error(f"{key!r} must be a number of seconds; 0 means no limit", key)
        return float(value)

    def error(self, message: str, *words: str) -> ConfigError:
        """An error at the line of the last of `words`; the outer keys come first."""
        return ConfigError(f"{self.place(*words)}: {message}")

    def place(self, *words: str) -> str:
        """The file, and the line of the last of `words`."""
        return f"{shown(self.file)}:{line_of(self.text, self.header, words)}"

    def _words(self, value: object, *keys: str) -> tuple[str, ...]:
        if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
            raise self.error(f"{keys[-1]!r} must be a list of strings, not {_kind(value)}", *keys)
        return tuple(value)


def read_table(file: Path) -> Table | None:
    """The table of a file; None for a pyproject.toml that has none.

    Raises:
        ConfigError: the file can't be read or is not TOML.
    """
    try:
        text = file.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ConfigError(f"{shown(file)}: {reason(error)}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{shown(file)}: this is not UTF-8, which TOML requires") from error
    if file.name != PROJECT:
        return Table(file, text, "", _parsed(text, file))
    # Most projects don't name seqlint, and the parser is not loaded for their files.
    return _of_project(text, file) if "seqlint" in text else None


def shown(file: Path) -> str:
    """A path as it is shortest to read."""
    here = Path.cwd()
    return str(file.relative_to(here) if file.is_relative_to(here) else file)


def _of_project(text: str, file: Path) -> Table | None:
    tool = _parsed(text, file).get("tool")
    values = tool.get("seqlint") if isinstance(tool, dict) else None
    if values is None:
        return None
    if not isinstance(values, dict):
        raise ConfigError(f"{shown(file)}:{line_of(text, '', ['seqlint'])}: 'tool.seqlint' must be a table")
    return Table(file, text, "tool.seqlint", values)


def _parsed(text: str, file: Path) -> Mapping[str, object]:
    loads: Callable[[str], dict[str, object]]
    loads = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli").loads
    try:
        return loads(text)
    except ValueError as error:
        # The parser ends its messages with "(at line 3, column 1)", or "(at end of document)".
        line = re.search(r"at line (\d+)", str(error))
        place = f"{shown(file)}:{line.group(1)}" if line else shown(file)
        raise ConfigError(f"{place}: this is not TOML: {error}") from error
    except RecursionError as error:
        raise ConfigError(f"{shown(file)}: this is nested too deep to be read") from error


def _kind(value: object) -> str:
    """What a value is, in words."""
    if isinstance(value, list):
        other = next((item for item in value if not isinstance(item, str)), None)
        return "a list" if other is None else f"a list that holds {_kind(other)}"
    words: dict[type, str] = {bool: "true or false", int: "a number", float: "a number", str: "a string"}
    return "a table" if isinstance(value, dict) else words.get(type(value), "a date")
