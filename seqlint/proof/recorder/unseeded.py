"""Gives generators of random numbers that the program makes without a seed one that counts up, so that its runs can be compared.

A process that the program forks keeps real ones: a copied counter would give all of them the same numbers.
"""

from __future__ import annotations

import os
import random
from contextlib import suppress
from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np
import tensorflow as tf

if TYPE_CHECKING:
    from collections.abc import Callable


def seed(number: int) -> None:
    """Seed what has no seed of its own, for the rest of this process: of NumPy, of Python and of TensorFlow."""
    seeds, here = count(number + 1), os.getpid()

    def ours() -> int | None:
        return next(seeds) if os.getpid() == here else None

    _of_numpy(ours)
    _of_python(ours)
    _of_tensorflow(ours)


def _of_numpy(ours: Callable[[], int | None]) -> None:
    """All of NumPy's take the same entropy: `RandomState()`, `default_rng()`, `PCG64()`, `SeedSequence()`, `seed(None)`."""
    source: Any = getattr(np.random, "bit_generator", None)
    original = getattr(source, "randbits", None)
    if original is None:
        return

    def randbits(bits: int) -> int:
        number = ours()
        return int(original(bits)) if number is None else number

    source.randbits = randbits


def _of_python(ours: Callable[[], int | None]) -> None:
    original = random.Random.seed

    def seed(self: random.Random, a: Any = None, version: int = 2) -> None:
        original(self, ours() if a is None else a, version)

    random.Random.seed = seed  # type: ignore[method-assign]
    shared = getattr(random.shuffle, "__self__", None)  # `random.seed` was bound before
    if shared is not None:
        random.seed = shared.seed


def _of_tensorflow(ours: Callable[[], int | None]) -> None:
    """TensorFlow refuses such a generator while its operations are deterministic, and the program would fail here alone."""
    generator: Any = tf.random.Generator
    original = generator.from_non_deterministic_state

    def from_non_deterministic_state(alg: Any = None) -> Any:
        number = ours()
        if number is None:
            return original(alg)
        return generator.from_seed(number, alg)

    with suppress(AttributeError):
        generator.from_non_deterministic_state = staticmethod(from_non_deterministic_state)
