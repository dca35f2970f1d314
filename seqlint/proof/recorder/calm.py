"""Lets nothing change the order of rows or files: what then goes together belongs together.

Each function takes as many random numbers as it would have, so that all others stay what they are.
"""

from __future__ import annotations

import copy
import glob
import os
import random
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import tensorflow as tf

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def hold_still() -> None:
    """Keep the order of everything that is shuffled or listed, for the rest of this process."""
    for step in (_of_numpy, _of_python, _of_tensorflow, _of_files):
        with suppress(AttributeError, TypeError):  # of another version
            step()


def _of_numpy() -> None:
    generator: Any = _still(np.random.Generator)
    state: Any = _still(np.random.RandomState)
    made = np.random.default_rng
    shared: Any = np.random.shuffle.__self__  # type: ignore[attr-defined]
    still = state(shared._bit_generator)
    for name in ("shuffle", "permutation", "choice"):
        setattr(np.random, name, getattr(still, name))
    np.random.mtrand._rand = still
    np.random.default_rng = lambda seed=None: generator(made(seed).bit_generator)
    np.random.Generator, np.random.RandomState = generator, state  # type: ignore[misc]


def _still(base: Any) -> Any:
    """A class of generators that put nothing into another order."""

    class Still(base):  # type: ignore[misc]
        def shuffle(self, x: Any, *args: Any, **kwargs: Any) -> None:
            super().shuffle(copy.copy(x), *args, **kwargs)

        def permutation(self, x: Any, *args: Any, **kwargs: Any) -> Any:
            super().permutation(x, *args, **kwargs)
            return np.arange(x) if np.ndim(x) == 0 else np.array(x)

        def choice(self, a: Any, size: Any = None, replace: bool = True, *args: Any, **kwargs: Any) -> Any:
            drawn = super().choice(a, size, replace, *args, **kwargs)
            if replace or np.ndim(drawn) != 1:
                return drawn
            return np.arange(len(drawn)) if np.ndim(a) == 0 else np.asarray(a)[: len(drawn)]

    return Still


def _of_python() -> None:
    shuffle, sample = random.Random.shuffle, random.Random.sample

    def keep(self: random.Random, x: Any, *args: Any) -> None:
        shuffle(self, list(x), *args)

    def first(self: random.Random, population: Any, k: int, *args: Any, **kwargs: Any) -> list[Any]:
        drawn = sample(self, population, k, *args, **kwargs)
        return drawn if kwargs.get("counts") else list(population)[:k]

    shared: Any = random.shuffle.__self__  # type: ignore[attr-defined]
    random.Random.shuffle, random.Random.sample = keep, first  # type: ignore[method-assign, assignment]
    random.shuffle, random.sample = shared.shuffle, shared.sample


def _of_tensorflow() -> None:
    # tf-keras takes its functions from `compat.v2`, which is a module of its own.
    for module in (tf.random, tf.compat.v2.random, tf.compat.v1.random):
        module.shuffle = _kept(module.shuffle)
    shuffled = tf.data.Dataset.shuffle

    def keep(self: Any, *args: Any, **kwargs: Any) -> Any:
        shuffled(self, *args, **kwargs)
        return self

    tf.data.Dataset.shuffle = keep


def _kept(drawn: Callable[..., Any]) -> Callable[..., Any]:
    def shuffle(value: Any, *args: Any, **kwargs: Any) -> Any:
        drawn(value, *args, **kwargs)
        return tf.identity(value)

    return shuffle


def _of_files() -> None:
    os.listdir = _in_order(os.listdir)
    glob.glob = _in_order(glob.glob)
    Path.glob = _in_order(Path.glob)  # type: ignore[method-assign]
    Path.iterdir = _in_order(Path.iterdir)  # type: ignore[method-assign]


def _in_order(listed: Callable[..., Any]) -> Callable[..., Any]:
    def ordered(*args: Any, **kwargs: Any) -> Any:
        found: Iterator[Any] | list[Any] = sorted(listed(*args, **kwargs))
        return found if isinstance(listed, type(os.listdir)) or listed is glob.glob else iter(found)

    return ordered
