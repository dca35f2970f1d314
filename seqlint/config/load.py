"""Finds and reads the configuration: strict about every key, so that a slip of the pen can't turn a rule off."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from seqlint.config.schema import KEYS
from seqlint.config.selectors import complaint, did_you_mean, first_unknown
from seqlint.config.settings import TIME_LIMIT, Config
from seqlint.config.table import PROJECT, Table, read_table, shown
from seqlint.model import LEVELS, ConfigError
from seqlint.sources.patterns import wrong
from seqlint.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from seqlint.model import Level

_FILES = ("seqlint.toml", PROJECT)


def finder(*, trust_rules: bool = False) -> Callable[[Path], Config]:
    """A function that gives the configuration of a folder: that of the nearest file up the tree.

    It reads each file once; a new finder sees what has changed since. In one folder seqlint.toml comes before
    pyproject.toml, and a pyproject.toml without `[tool.seqlint]` does not count. The folder must be absolute.

    Args:
        trust_rules: trust the rule folders of all configurations, whatever the user has decided.

    Raises (the function that is returned):
        ConfigError: the file is wrong; the message names it, the line, and the nearest right word.
    """
    default = Config.default()

    @cache
    def find(folder: Path) -> Config:
        found = _in(folder, trust_rules)
        if found is not None:
            return found
        return default if folder.parent == folder else find(folder.parent)

    return find


def load_config(path: str | Path, *, trust_rules: bool = False) -> Config:
    """The configuration that holds for a file or a folder.

    Args:
        path: the file or the folder.
        trust_rules: load the rules of the project, which are Python code, though the user may not trust them; else those
            alone that `seqlint trust` has recorded. `Config.untrusted` names the others.

    Raises:
        ConfigError: its file is wrong.
    """
    absolute = Path(os.path.abspath(path))
    return finder(trust_rules=trust_rules)(absolute if os.path.isdir(absolute) else absolute.parent)


def read_config(file: str | Path, *, trust_rules: bool = False) -> Config:
    """The configuration in one file.

    Args:
        file: its path.
        trust_rules: as for `load_config`.

    Raises:
        ConfigError: the file is missing, wrong, or a pyproject.toml without `[tool.seqlint]`.
    """
    absolute = Path(os.path.abspath(file))
    table = read_table(absolute)
    if table is None:
        raise ConfigError(f"{shown(absolute)}: this file has no [tool.seqlint]")
    return _config(table, trust_rules)


def check_config(config: Config, known: Mapping[str, str]) -> None:
    """Make sure that every selector of a configuration names a rule.

    Args:
        config: as it was read, without what the command line adds.
        known: the names of all rules by their codes.

    Raises:
        ConfigError: a selector names no rule; the message names file, line, and the nearest right word.
    """
    lists: dict[tuple[str, ...], tuple[str, ...]] = {
        ("select",): config.select,
        ("ignore",): config.ignore,
        ("extend-select",): config.extend_select,
        **{("per-file-ignores", pattern): selectors for pattern, selectors in config.per_file_ignores},
    }
    for keys, selectors in lists.items():
        unknown = first_unknown(selectors, known)
        if unknown is not None:
            raise ConfigError(f"{place(config, *keys, unknown)}: {complaint(unknown, known)}")


def place(config: Config, *words: str) -> str:
    """The file of a configuration, and the line of the last of `words`; the outer keys come first.

    Raises:
        ConfigError: the file can't be read any more.
    """
    table = read_table(config.file) if config.file is not None else None
    return "the configuration" if table is None else table.place(*words)


def _in(folder: Path, trust_rules: bool) -> Config | None:
    files = (folder / name for name in _FILES)
    tables = (read_table(file) for file in files if os.path.isfile(file))
    table = next((table for table in tables if table is not None), None)
    return None if table is None else _config(table, trust_rules)


def _config(table: Table, trust_rules: bool) -> Config:
    table = _extended(table)
    folders = _rules(table)
    loaded = _loaded(folders, trust_rules)
    return Config(
        root=table.file.parent,
        file=table.file,
        select=table.words("select"),
        ignore=table.words("ignore"),
        extend_select=table.words("extend-select"),
        per_file_ignores=_per_file_ignores(table),
        exclude=_exclude(table),
        unsafe=table.flag("unsafe"),
        keras=table.word("keras"),
        rules=tuple(loaded),
        digests=tuple(loaded.values()),
        rule_folders=folders,
        docs=table.flag("docs"),
        time_limit=table.seconds("file-time-limit", TIME_LIMIT),
        fail_on=_fail_on(table),
        respect_gitignore=table.flag("respect-gitignore", default=True),
    )


def _extended(table: Table, above: tuple[Path, ...] = ()) -> Table:
    """A table over the one that it extends; its own keys count first. Rule folders are those of the file itself."""
    _check_keys(table)
    name = table.word("extend")
    if not name:
        return table
    file = Path(os.path.abspath(table.file.parent / name))
    chain = (*above, table.file)
    if file in chain:
        raise table.error(f"{name!r} extends this file in turn", "extend", name)
    if not os.path.isfile(file):
        raise table.error(f"there is no file {name!r} to extend", "extend", name)
    base = read_table(file)
    if base is None:
        raise table.error(f"{name!r} has no [tool.seqlint] to extend", "extend", name)
    under = _extended(base, chain)
    _config(
        replace(under, values={key: value for key, value in under.values.items() if key != "extend"}), False
    )  # what is wrong in it is said with its own lines
    kept = {key: value for key, value in under.values.items() if key not in ("extend", "rules", "required-version")}
    return replace(table, values={**kept, **table.values})


def _check_keys(table: Table) -> None:
    for key in table.values:
        if key not in KEYS:
            raise table.error(f"unknown key {key!r}{_right_key(table, key)}", key)
    required = table.word("required-version")
    if required and not _allows(table, required):
        raise table.error(f"this is seqlint {__version__}, and the project requires {required}", "required-version")


def _allows(table: Table, required: str) -> bool:
    from packaging.specifiers import InvalidSpecifier, SpecifierSet

    try:
        return SpecifierSet(required).contains(__version__, prereleases=True)
    except InvalidSpecifier as error:
        message = f"{required!r} is not a range of versions, such as '>={__version__}'"
        raise table.error(message, "required-version") from error


def _fail_on(table: Table) -> Level:
    word = table.word("fail-on")
    level = next((level for level in LEVELS if level == word), None)
    if word and level is None:
        right = did_you_mean(word, LEVELS) or f"; the levels are {', '.join(LEVELS)}"
        raise table.error(f"{word!r} is not a level{right}", "fail-on", word)
    return level or "warning"


def _loaded(folders: tuple[Path, ...], trust_rules: bool) -> dict[Path, str | None]:
    """The rule folders that are loaded, with the digests of what is in them."""
    if not folders:
        return {}
    from seqlint.config import trust  # few projects have rules of their own

    digests = {folder: trust.digest(folder) for folder in folders}
    return {folder: now for folder, now in digests.items() if trust_rules or trust.trusts(folder, now)}


def _right_key(table: Table, key: str) -> str:
    if key == "tool" and not table.header:
        return f"; in {table.file.name} write the keys without [tool.seqlint]"
    return did_you_mean(key, KEYS) or f"; the keys are {', '.join(KEYS)}"


def _per_file_ignores(table: Table) -> tuple[tuple[str, tuple[str, ...]], ...]:
    key = "per-file-ignores"
    found = table.lists(key)
    for pattern, _ in found:
        _check_pattern(table, pattern, key)
    return found


def _exclude(table: Table) -> tuple[str, ...]:
    patterns = table.words("exclude")
    for pattern in patterns:
        _check_pattern(table, pattern, "exclude")
    return patterns


def _check_pattern(table: Table, pattern: str, key: str) -> None:
    if wrong(pattern):
        raise table.error(f"{pattern!r} is not a .gitignore pattern", key, pattern)


def _rules(table: Table) -> tuple[Path, ...]:
    names = table.words("rules")
    for name in names:
        if wrong_with := _wrong_with(table.file.parent, name):
            raise table.error(wrong_with, "rules", name)
    return tuple(table.file.parent / name for name in names)


def _wrong_with(root: Path, name: str) -> str:
    """Why a name can't be that of a rule folder: all that is in it is code to run, so it is a folder of the project's own."""
    if not name.strip():
        return "a rule folder needs a name"
    if os.path.isabs(name) or os.path.splitdrive(name)[0]:
        return f"the rule folder {name!r} must be relative to this file"
    if not os.path.isdir(root / name):
        return f"the rule folder {name!r} does not exist"
    home, real = Path(os.path.realpath(root)), Path(os.path.realpath(root / name))
    if real == home:
        return f"the rule folder {name!r} is the project itself: name a folder in it"
    return "" if real.is_relative_to(home) else f"the rule folder {name!r} is outside of the project"
