"""Datasets that leave the order of their elements to chance: the runs of a proof keep it, so that it does not show there."""

from __future__ import annotations

import functools
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import tensorflow as tf

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .tape import Tape


def instrument(tape: Tape) -> None:
    """Look at each dataset whose elements are taken one after the other, for the rest of this process."""
    cls: Any = tf.data.Dataset
    original = cls.__iter__

    @functools.wraps(original)
    def begin(self: Any) -> Any:
        with suppress(Exception):  # private: without it the order is not known
            tape.chances.update(dict.fromkeys(left_to_chance(self)))
        return original(self)

    cls.__iter__ = begin


def left_to_chance(dataset: Any) -> Iterator[str]:
    """The parallel parts of a dataset that may give their elements in any order, by their names."""
    loose = dataset.options().deterministic is False
    waiting, seen = [dataset], set[int]()
    while waiting:
        part = waiting.pop()
        if id(part) in seen:
            continue
        seen.add(id(part))
        chosen = getattr(part, "_deterministic", "true")
        if chosen == "false" or (chosen == "default" and loose):
            yield type(part).__name__.strip("_").removesuffix("Dataset").removesuffix("V2")
        waiting += part._inputs()
