"""Has two libraries take the same random numbers of a program, and call its data alike, so that both see the same samples.

Keras 3 looks at two batches of a Sequence before it trains, and from 3.7 on calls `on_epoch_end` once more, before the first epoch. A program that
draws there would draw other numbers from then on.
"""

from __future__ import annotations

import copy
import functools
import random
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
import tensorflow as tf

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .tape import Tape

_DRAWING = (
    "keras.src.random.seed_generator",
    "keras.src.layers.preprocessing.image_preprocessing.aug_mix",
    "keras.src.trainers.data_adapters.py_dataset_adapter",
    "tf_keras.src.backend",
    "tf_keras.src.engine.data_adapter",
    "tf_keras.src.utils.data_utils",
)
"""Modules of Keras that draw from the random numbers of Python, each line of it another number of them."""
_ADAPTER = "keras.src.trainers.data_adapters.py_dataset_adapter"
_OLD_ADAPTER = "tf_keras.src.engine.data_adapter"
_STEP = 101
"""What makes the seeds of the fits of a program different."""


def prepare(tape: Tape) -> None:
    """Give Keras random numbers of its own, so that it takes none of the program's; stir those, where that is asked."""
    own = random.Random(tape.job["seed"] + tape.job["stir"])
    for name in _DRAWING:
        module = sys.modules.get(name)
        for attribute in [key for key, value in vars(module).items() if value is random] if module is not None else ():
            setattr(module, attribute, own)
    if tape.job["stir"]:
        original = tf.random.set_seed
        # tf-keras takes its functions from `compat.v2`, which is a module of its own.
        for known in (tf.random, tf.compat.v2.random):
            known.set_seed = lambda seed: original(seed + tape.job["stir"])
        tf.random.set_seed(tape.job["seed"])


def seed(tape: Tape) -> None:
    """Begin a fit with the same random numbers in both programs, however many were taken before."""
    number = tape.job["seed"] + _STEP * len(tape.fits) + tape.job["stir"]
    random.seed(number)
    np.random.seed(number)


def instrument(tape: Tape) -> None:
    """Patch what reads a Sequence, of the Keras that has been imported, for the rest of this process."""
    adapter: Any = getattr(sys.modules.get(_ADAPTER), "PyDatasetAdapter", None)
    if adapter is not None and not hasattr(adapter.on_epoch_end, "seqlint_alike"):
        adapter.on_epoch_end = _within_epochs(tape, adapter.on_epoch_end)
        adapter.get_tf_dataset = _on_a_copy(adapter.get_tf_dataset)
    older: Any = getattr(sys.modules.get(_OLD_ADAPTER), "KerasSequenceAdapter", None)
    if older is not None and not hasattr(older._peek_and_restore, "seqlint_alike"):
        older._peek_and_restore = staticmethod(_peek)


def _within_epochs(tape: Tape, original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def on_epoch_end(self: Any) -> None:
        if getattr(self, "_within_epoch", True):
            original(self)
        elif "on_epoch_end" in vars(type(self.py_dataset)):
            tape.notes["`on_epoch_end`, which Keras 3 also calls before the first epoch, was not called there"] = None

    on_epoch_end.seqlint_alike = True  # type: ignore[attr-defined]
    return on_epoch_end


def _on_a_copy(original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def get_tf_dataset(self: Any, *args: Any, **kwargs: Any) -> Any:
        data = self.py_dataset
        with _untouched():
            self.py_dataset = _copied(data)
            try:
                return original(self, *args, **kwargs)
            finally:
                self.py_dataset = data

    return get_tf_dataset


def _peek(data: Any) -> tuple[Any, Any]:
    with _untouched():
        return _copied(data)[0], data


_peek.seqlint_alike = True  # type: ignore[attr-defined]


def _copied(data: Any) -> Any:
    """A copy that may be looked at; what can't be copied is looked at itself, as Keras does."""
    try:
        return copy.deepcopy(data)
    except Exception:  # the data of a program may be anything
        return data


@contextmanager
def _untouched() -> Iterator[None]:
    """Leave the random numbers of the program as they are."""
    python, numpy = random.getstate(), np.random.get_state()
    try:
        yield
    finally:
        random.setstate(python)
        np.random.set_state(numpy)
