"""Which package a program lacks that has failed: Python, or the library that needs it, has said so."""

from __future__ import annotations

import re
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_MOST = 10
_TOLD = re.compile(r"pip install (?:-\S+ )*[`'\"]?([A-Za-z][\w.-]*)|requires the [`'\"]?([A-Za-z][\w.]*)")


def package(error: BaseException) -> str:
    """The package that is not installed; empty where an error is about something else."""
    return next((name for name in _named(error) if not _installed(name)), "")


def _named(error: BaseException | None) -> Iterator[str]:
    """The packages that a failed import and those that it follows from speak of; the nearest first."""
    if not isinstance(error, ImportError):
        return
    for _ in range(_MOST):
        if not isinstance(error, ImportError):
            return
        if isinstance(error, ModuleNotFoundError) and error.name:
            yield error.name.partition(".")[0]
        for groups in _TOLD.findall(str(error)):
            yield next(filter(None, groups)).partition(".")[0]
        error = error.__cause__ or error.__context__


def _installed(name: str) -> bool:
    try:
        return find_spec(name.replace("-", "_")) is not None
    except (ImportError, ValueError):
        return True
