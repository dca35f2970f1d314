"""`seqlint trust`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from seqlint.cli import console

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.config.trust import Record

NOT_ALL = 1


def trust(
    path: Annotated[
        str,
        typer.Argument(
            metavar="PATH",
            help="A rule folder, or a project with rule folders. Default: the working directory.",
        ),
    ] = ".",
    revoke: Annotated[bool, typer.Option("--revoke", help="Stop trusting them.")] = False,
    listed: Annotated[bool, typer.Option("--list", help="List all rule folders that you have trusted.")] = False,
) -> int:
    """Let the rules of a project run: they are Python code of its repository, and not loaded before you trust them.

    What you trust is the folder with the Python files that are in it now. If one of them changes, seqlint asks again. The decision
    is kept in your own configuration folder (`~/.config/seqlint`, or SEQLINT_CONFIG_DIR). In CI, `--trust-rules` of a command
    or SEQLINT_TRUST_RULES=1 does the same for one run.

    Exit code: 0; 1 with --list where a folder is not as you trusted it, with --revoke where none was trusted; 2 something is
    broken.
    """
    if listed:
        return _list()
    done = [_revoked(folder) if revoke else _trusted(folder) for folder in _folders(path)]
    return 0 if any(done) else NOT_ALL


def _folders(path: str) -> Iterator[Path]:
    """The rule folders that a path stands for: itself, or those of the configuration that lies in it or that it is."""
    from seqlint.config import finder, read_config
    from seqlint.model import ConfigError

    here = Path(os.path.abspath(path))
    config = read_config(here) if here.is_file() else finder()(here)
    project = path == "." or here in (config.file, config.root)
    if project and config.rule_folders:
        yield from config.rule_folders
    elif project or here.is_file():
        raise ConfigError(f"{path}: no rule folders are configured here: set `rules = [...]`")
    else:
        yield here


def _trusted(folder: Path) -> bool:
    from seqlint.config import shown, trust

    trust.trust(folder)
    console.say(f"trusted: {shown(folder)} ({', '.join(trust.modules(folder))})\n")
    return True


def _revoked(folder: Path) -> bool:
    from seqlint.config import shown, trust

    was = trust.revoke(folder)
    console.say(f"{'no longer trusted' if was else 'was not trusted'}: {shown(folder)}\n")
    return was


def _list() -> int:
    from seqlint.config import trust

    records = trust.records()
    for record in records:
        console.say(f"{record.folder} ({_state(record)})\n")
    return 0 if all(_state(record) == "trusted" for record in records) else NOT_ALL


def _state(record: Record) -> str:
    from seqlint.config import trust

    if not os.path.isdir(record.folder):
        return "gone"
    return "trusted" if trust.trusts(Path(record.folder)) else "changed since"
