"""The folders that are this user's own. No repository can put a file there, so what lies there is believed."""

from __future__ import annotations

import os
import re
import sys
from hashlib import blake2b
from pathlib import Path

# A library knows these places too, and takes 20 milliseconds to import: each run asks for one of them.
_WINDOWS = sys.platform == "win32"
_SIZE = 10  # bytes of a digest
_LONGEST = 60  # characters of a name


def settings_folder() -> Path | None:
    """Where the decisions of the user are kept: SEQLINT_CONFIG_DIR, else `seqlint` in XDG_CONFIG_HOME, `~/.config` or %APPDATA%.

    None where the system does not know a home of the user.
    """
    return _folder("SEQLINT_CONFIG_DIR", *(("APPDATA", "") if _WINDOWS else ("XDG_CONFIG_HOME", "~/.config")))


def cache_folder() -> Path | None:
    """Where results are kept: SEQLINT_CACHE_DIR, else `seqlint` in XDG_CACHE_HOME, `~/.cache` or %LOCALAPPDATA%.

    None where the system does not know a home of the user.
    """
    return _folder("SEQLINT_CACHE_DIR", *(("LOCALAPPDATA", "") if _WINDOWS else ("XDG_CACHE_HOME", "~/.cache")))


def _folder(own: str, standard: str, home: str) -> Path | None:
    if named := os.environ.get(own):
        return Path(os.path.abspath(named))
    given = os.environ.get(standard, "")
    # A relative path would be one of the working directory: the standard says to pass it over, and a user without a
    # home would have a folder called "~" there.
    base = given if os.path.isabs(given) else os.path.expanduser(home)
    return Path(base, "seqlint") if os.path.isabs(base) else None


def name_of(root: Path) -> str:
    """A name for what is kept of a project, by the place of its root: that of the folder, and a digest of the whole path."""
    real = os.path.realpath(root)
    found = blake2b(real.encode("utf-8", "surrogateescape"), digest_size=_SIZE).hexdigest()
    plain = re.sub(r"[^\w.-]", "_", os.path.basename(real), flags=re.ASCII)[:_LONGEST]
    return f"{plain}-{found}"


def is_ours(path: str | Path) -> bool:
    """Whether a file or a folder belongs to this user, and nobody else may write it. False where it is missing."""
    try:
        found = os.lstat(path)
    except OSError:
        return False
    if not hasattr(os, "geteuid"):  # Windows guards the folders of a user by other means
        return True
    return found.st_uid == os.geteuid() and not found.st_mode & 0o022
