"""Keeps which rows stand side by side in the arrays of a program: rows that no batch held have their labels there."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from .batches import digests

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .tape import Tape

_MOST_ROWS = 20_000
_MOST_TABLES = 40
_FEWEST_ROWS = 2


def keep(tape: Tape, main: Any, data: Any) -> None:
    """Keep the rows of the arrays that a program has when its first fit begins.

    Args:
        main: the module that runs.
        data: what the fit gets its batches from.
    """
    if not tape.job["calm"] or tape.tables:
        return
    for array in _arrays([vars(main), getattr(data, "__dict__", {}), {"": data}]):
        if len(tape.tables) < _MOST_TABLES:
            with suppress(TypeError, ValueError):
                tape.tables.append(digests((array,)))


def _arrays(places: list[dict[str, Any]]) -> Iterator[np.ndarray[Any, Any]]:
    """The arrays and lists of numbers or texts among some values, each once."""
    seen: set[int] = set()
    for value in [value for place in places for value in list(place.values())]:
        if isinstance(value, (np.ndarray, list)) and id(value) not in seen and _FEWEST_ROWS <= len(value) <= _MOST_ROWS:
            seen.add(id(value))
            with suppress(TypeError, ValueError):
                array = np.asarray(value)
                if array.dtype != object:
                    yield array
