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
    """Look at each dataset whose elements are taken one after the other, or that a strategy distributes, for the rest of this process."""
    datasets: Any = tf.data.Dataset
    strategies: Any = tf.distribute.Strategy
    taken, distributed = datasets.__iter__, strategies.experimental_distribute_dataset

    def look(dataset: Any) -> None:
        with suppress(Exception):  # private: without it the order is not known
            tape.chances.update(dict.fromkeys(left_to_chance(dataset)))

    @functools.wraps(taken)
    def begin(self: Any) -> Any:
        look(self)
        return taken(self)

    @functools.wraps(distributed)
    def distribute(self: Any, dataset: Any, *args: Any, **kwargs: Any) -> Any:
        look(dataset)
        return distributed(self, dataset, *args, **kwargs)

    datasets.__iter__, strategies.experimental_distribute_dataset = begin, distribute


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
