"""Caches of several machines, put together in that of a project."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from seqlint.config import load_config
from seqlint.model import ConfigError
from seqlint.runner import plan
from seqlint.runner.earlier.store import Store
from seqlint.sources.cache import Cache

if TYPE_CHECKING:
    from collections.abc import Sequence

_FILES = ("results.db", "texts.db")


@dataclass(frozen=True)
class Kept:
    """What was put together.

    Attributes:
        folder: that of the cache that has it all now.
        results: how many files with results came from elsewhere.
        modules: how many summaries of modules did.
    """

    folder: Path
    results: int
    modules: int


def merge(folders: Sequence[str]) -> Kept:
    """Put what is in some caches into that of the project around the working directory. They stay as they are.

    Args:
        folders: caches of one project, or what SEQLINT_CACHE_DIR was elsewhere. Who names them believes them.

    Raises:
        ConfigError: there is no place for it here, or one of them is no cache that this seqlint can read.
    """
    caches = [cache for folder in folders for cache in _caches(folder)]
    into = plan.kept_at(load_config(Path.cwd()))
    if into is None:
        raise ConfigError("there is no folder for caches here: set SEQLINT_CACHE_DIR")
    counts = [_added(cache, into) for cache in caches]
    return Kept(into, sum(results for results, _ in counts), sum(modules for _, modules in counts))


def _caches(folder: str) -> list[str]:
    inside = sorted(entry.path for entry in os.scandir(folder) if entry.is_dir()) if os.path.isdir(folder) else []
    found = [here for here in (folder, *inside) if any(os.path.isfile(os.path.join(here, name)) for name in _FILES)]
    if not found:
        raise ConfigError(f"{folder}: there is no cache of seqlint here")
    return found


def _added(folder: str, into: Path) -> tuple[int, int]:
    # A database that is opened is written to: its journal, at least.
    with TemporaryDirectory() as temporary:
        copy = Path(temporary, "cache")
        shutil.copytree(folder, copy)
        copy.chmod(0o700)  # whoever has made it, the copy is ours
        given = [name for name in _FILES if os.path.isfile(copy / name)]
        results, texts = Store(copy), Cache(copy)
        counts = Store(into).add(results), Cache(into).add(texts)
        results.close()
        texts.close()
        for name in given:
            if not os.path.isfile(copy / name):  # one that makes no sense is taken away
                raise ConfigError(f"{folder}: another version of seqlint has made {name}, or it is broken")
    return counts
