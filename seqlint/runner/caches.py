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

    Raises:
        ConfigError: there is no project, or one of them is no cache that this seqlint can read.
    """
    for folder in folders:
        if not any(os.path.isfile(os.path.join(folder, name)) for name in _FILES):
            raise ConfigError(f"{folder}: there is no cache of seqlint here")
    into = plan.settings(load_config(Path.cwd()), plan.Request(cache=True)).cache
    if into is None:
        raise ConfigError("there is no project here whose cache it could be: neither a configuration file nor .git")
    counts = [_added(folder, into) for folder in folders]
    return Kept(into, sum(results for results, _ in counts), sum(modules for _, modules in counts))


def _added(folder: str, into: Path) -> tuple[int, int]:
    # A database that is opened is written to: its journal, at least.
    with TemporaryDirectory() as temporary:
        copy = Path(temporary, "cache")
        shutil.copytree(folder, copy)
        given = [name for name in _FILES if os.path.isfile(copy / name)]
        results, texts = Store(copy), Cache(copy)
        counts = Store(into).add(results), Cache(into).add(texts)
        results.close()
        texts.close()
        for name in given:
            if not os.path.isfile(copy / name):  # one that makes no sense is taken away
                raise ConfigError(f"{folder}: another version of seqlint has made {name}, or it is broken")
    return counts
