"""Which rule folders of projects this user trusts: a rule is Python code, and loading it runs it.

A record says which folder, and which bytes its modules had. It lies in the user's own folder, one file a rule folder, where
no repository can write. A folder whose modules have changed since is no longer trusted.
"""

from __future__ import annotations

import json
import os
import shlex
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from seqlint.config.table import shown
from seqlint.model import ConfigError
from seqlint.sources import user
from seqlint.sources.disk import reason

if TYPE_CHECKING:
    from collections.abc import Iterator

_RECORDS = "trusted"
_SIZE = 20  # bytes of a digest


@dataclass(frozen=True)
class Record:
    """A rule folder that the user trusts, as it was then.

    Attributes:
        folder: without symbolic links.
        digest: that of its modules, as `digest` gives it.
    """

    folder: str
    digest: str


def trusts(folder: Path, now: str | None = None) -> bool:
    """Whether the user trusts a rule folder as it is now.

    Args:
        folder: the folder.
        now: its digest; None: not known yet.
    """
    record = _record(folder)
    return record is not None and record.digest == (now or digest(folder))


def complaint(folder: Path, *, whole: bool = False) -> str:
    """What to say of a rule folder that is not trusted, after its name.

    Args:
        whole: name the folder in the command by its whole path, for those who have another working directory.
    """
    why = (
        "these rules are not trusted" if _record(folder) is None else "these rules have changed since they were trusted"
    )
    name = shlex.quote(str(folder) if whole else shown(folder))
    return f"{why}, so they did not run: read them, then run `seqlint trust {name}`"


def trust(folder: Path, seen: str | None = None) -> Record:
    """Trust a rule folder.

    Args:
        seen: the digest of what the user was asked about; None: that of what is there now.

    Raises:
        ConfigError: there are no modules in it, they can't be read, they are not those that were seen, or the record
            can't be written.
    """
    now = digest(folder)
    if now is None:
        raise ConfigError(f"{folder}: this folder can't be read")
    if not modules(folder):
        raise ConfigError(f"{folder}: this folder has no Python file")
    if seen not in (None, now):
        raise ConfigError(f"{folder}: these rules have just changed, so they are not trusted yet")
    record = Record(os.path.realpath(folder), now)
    try:
        _write(_file(record.folder, make=True), record)
    except OSError as error:
        raise ConfigError(f"the decision can't be saved: {reason(error)}") from error
    return record


def revoke(folder: Path) -> bool:
    """Trust a rule folder no more; whether it was trusted."""
    file = _file(os.path.realpath(folder))
    try:
        file.unlink()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise ConfigError(f"{file}: this can't be removed: {reason(error)}") from error
    return True


def records() -> list[Record]:
    """All rule folders that the user has trusted, by their names."""
    home = user.settings_folder()
    files = sorted((home / _RECORDS).glob("*.json")) if home is not None else []
    found = (_read(file) for file in files)
    return sorted((record for record in found if record is not None), key=lambda record: record.folder)


def digest(folder: Path) -> str | None:
    """Changes with the name and the bytes of each module that can be imported from a folder; None where one can't be read."""
    found = blake2b(digest_size=_SIZE)
    try:
        for name in modules(folder):
            data = Path(folder, name).read_bytes()
            found.update(f"{name}\0{len(data)}\0".encode("utf-8", "surrogateescape") + data)
    except OSError:
        return None
    return found.hexdigest()


def modules(folder: Path) -> list[str]:
    """The Python files in a folder and below, relative to it, sorted. The registry loads nothing else from there."""
    return sorted(os.path.relpath(path, folder) for path in _modules(str(folder), set()))


def _modules(folder: str, seen: set[str]) -> Iterator[str]:
    real = os.path.realpath(folder)
    if real in seen:  # a link to a folder is followed, as an import would, and may lead back
        return
    seen.add(real)
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                yield from _modules(entry.path, seen)
            elif entry.name.lower().endswith(".py"):
                yield entry.path


def _record(folder: Path) -> Record | None:
    if user.settings_folder() is None:
        return None
    real = os.path.realpath(folder)
    record = _read(_file(real))
    return record if record is not None and record.folder == real else None


def _file(real: str, *, make: bool = False) -> Path:
    home = user.settings_folder()
    if home is None:
        raise ConfigError("no folder can keep the decision: set SEQLINT_CONFIG_DIR")
    if make:
        (home / _RECORDS).mkdir(mode=0o700, parents=True, exist_ok=True)
    name = blake2b(real.encode("utf-8", "surrogateescape"), digest_size=_SIZE).hexdigest()
    return home / _RECORDS / f"{name}.json"


def _read(file: Path) -> Record | None:
    if not user.is_ours(file):
        return None
    try:
        found = json.loads(file.read_text("utf-8"))
        return Record(str(found["folder"]), str(found["digest"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _write(file: Path, record: Record) -> None:
    """Write a record whole or not at all."""
    temporary = file.with_name(f".{file.name}.{os.getpid()}")
    text = json.dumps({"folder": record.folder, "digest": record.digest})
    try:
        with open(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as out:
            out.write(text)
        os.replace(temporary, file)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise
