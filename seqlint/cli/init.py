"""`seqlint init`."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from seqlint.cli import console
from seqlint.model import ConfigError, UnreadableSource

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.keras import KerasInUse

PRE_COMMIT = ".pre-commit-config.yaml"
_OF_OTHERS = ("third_party", "vendor", "vendored", "external", "extern")
_RUFF = ("ruff.toml", ".ruff.toml")
_TEXT = """\
# What seqlint checks and how: https://seqlint.readthedocs.io/en/stable/configuration/
{keras}
{exclude}

# Rules are on by default but for a few; `seqlint rules` lists them.
# extend-select = ["SEQ524"]
# ignore = ["SEQ618"]

# The lowest level that fails a run: error, warning or advice.
# fail-on = "warning"
"""
_HOOK = """\
  - repo: https://github.com/seqlint/seqlint
    rev: v{version}
    hooks:
      - id: seqlint
"""


@dataclass(frozen=True)
class Change:
    """A file as it is to be.

    Attributes:
        before: its bytes; None: it does not exist.
    """

    file: Path
    before: bytes | None
    after: bytes


def init(
    path: Annotated[str, typer.Argument(metavar="PATH", help="The folder of the project.")] = ".",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be written, and write nothing.")] = False,
    pre_commit: Annotated[bool, typer.Option("--pre-commit", help=f"Add the hook to {PRE_COMMIT}, too.")] = False,
) -> int:
    """Write a first configuration, with what the project says about itself.

    It goes to the end of pyproject.toml, or into a new seqlint.toml. Nothing else in a file changes.

    Exit code: 0 it is written, 2 something is broken: there is a configuration already, or a file can't be written.
    """
    folder = Path(path)
    if not folder.is_dir():
        raise ConfigError(f"{path}: this is not a folder")
    changes = [_configuration(folder), *([_hook(folder)] if pre_commit else [])]
    for change in changes:
        if dry_run:
            console.say(_diff(change))
        else:
            _write(change)
            console.say(f"{'wrote' if change.before is None else 'added to'} {os.path.normpath(change.file)}\n")
    console.say("".join(f"{line}\n" for line in _next(folder, pre_commit=pre_commit)))
    return 0


def _configuration(folder: Path) -> Change:
    from seqlint.config import load_config

    config = load_config(folder)
    if config.file is not None and config.file.parent == folder.resolve():
        raise ConfigError(f"{config.file}: seqlint is configured here already")
    project = folder / "pyproject.toml"
    before = _bytes(project)
    text = _TEXT.format(keras=_keras(folder), exclude=_exclude(folder))
    if before is None:
        file = folder / "seqlint.toml"
        return Change(file, _bytes(file), text.encode())
    newline = b"\r\n" if b"\r\n" in before else b"\n"
    gap = b"" if before.endswith(b"\n") or not before else newline
    section = f"\n[tool.seqlint]\n{text}".encode().replace(b"\n", newline)
    return Change(project, before, before + gap + section)


def _keras(folder: Path) -> str:
    """The key `keras`, as it is found; as a comment where nothing tells."""
    found = _in_use(folder)
    if not found.range:
        return '\n# The Keras in use; most levels depend on it. Nothing here tells: requirements, lock files or imports.\n# keras = ">=3.10"'
    return f'\n# The Keras in use; most levels depend on it. Without this key seqlint reads it from {found.source}.\n# keras = "{found.range}"'


def _in_use(folder: Path) -> KerasInUse:
    from seqlint.facts.keras import keras_in_use

    return keras_in_use(folder / "__init__.py", folder.resolve(), "", "")


def _exclude(folder: Path) -> str:
    found = sorted(name for name in _OF_OTHERS if (folder / name).is_dir())
    if not found:
        return '\n# Paths to leave out, as in a .gitignore.\n# exclude = ["third_party/"]'
    listed = ", ".join(f'"{name}/"' for name in found)
    return f"\n# Paths to leave out, as in a .gitignore: what others wrote.\nexclude = [{listed}]"


def _hook(folder: Path) -> Change:
    """The hook at the end of the list of repositories, where that is what the file ends with."""
    from seqlint.version import __version__

    file = folder / PRE_COMMIT
    before = _bytes(file)
    block = _HOOK.format(version=__version__)
    if before is None:
        return Change(file, None, f"repos:\n{block}".encode())
    text = before.decode("utf-8", "surrogateescape")
    if re.search(r"^\s*- id:\s*seqlint\b", text, re.MULTILINE):
        raise ConfigError(f"{file}: the hook of seqlint is there already")
    keys = re.findall(r"^(\w[\w-]*):", text, re.MULTILINE)
    if not keys or keys[-1] != "repos" or re.search(r"^repos:[ \t]*\S", text, re.MULTILINE):
        raise ConfigError(
            f"{file}: the hook can't be added, because `repos` is not the last key; add it by hand:\n{block}"
        )
    indent = re.search(r"^([ \t]*)- repo:", text, re.MULTILINE)
    wide = indent[1] if indent is not None else "  "
    moved = "".join(f"{wide}{line[2:]}\n" for line in block.splitlines())
    return Change(file, before, before + (b"" if text.endswith("\n") else b"\n") + moved.encode())


def _next(folder: Path, *, pre_commit: bool) -> Iterator[str]:
    """What to do now."""
    yield "next: `seqlint check .`, then `seqlint fix .`; `seqlint baseline .` records what is left"
    if any((folder / name).exists() for name in _RUFF) or b"[tool.ruff" in (_bytes(folder / "pyproject.toml") or b""):
        yield 'ruff: add external = ["SEQ"] to [lint], so that it takes `# noqa: SEQ201` for one of ours'
    if not pre_commit and (folder / PRE_COMMIT).exists() and b"seqlint" not in (_bytes(folder / PRE_COMMIT) or b""):
        yield f"pre-commit: add the hook `seqlint` to {PRE_COMMIT}"


def _bytes(file: Path) -> bytes | None:
    from seqlint.sources import disk

    if not file.exists():
        return None
    try:
        return disk.read(file)
    except UnreadableSource as error:
        raise ConfigError(f"{file}: {error}") from error


def _diff(change: Change) -> str:
    from seqlint.output.diff import diff

    before, after = ((data or b"").decode("utf-8", "replace") for data in (change.before, change.after))
    return diff(before, after, change.file.as_posix())


def _write(change: Change) -> None:
    from seqlint.model import SeqlintError
    from seqlint.sources import disk
    from seqlint.sources.disk import reason

    try:
        if change.before is None:
            with open(change.file, "xb") as new:
                new.write(change.after)
        else:
            disk.write(change.file, change.after, read=change.before)
    except (OSError, UnreadableSource) as error:
        why = reason(error) if isinstance(error, OSError) else str(error)
        raise SeqlintError(f"{change.file}: it can't be written: {why}") from error
