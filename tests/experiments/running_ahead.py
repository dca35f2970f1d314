"""How far a dataset is ahead of whoever reads it, and how many of its calls run at a time: counted, not timed."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

PATIENCE = 120
"""Seconds after which nobody waits any longer: a test that fails ends, too."""
ROWS = 40
_ENOUGH = 20


class Counted:
    """A Python function for `map` that counts its rows."""

    def __init__(self) -> None:
        self._done = 0
        self._more = threading.Condition()

    @property
    def done(self) -> int:
        """How many rows went through it."""
        with self._more:
            return self._done

    def work(self, row: Any) -> Any:
        """A row as a tensor, once it was counted."""
        import tensorflow as tf

        return tf.numpy_function(self._counted, [row], tf.int64)

    def _counted(self, row: Any) -> Any:
        with self._more:
            self._done += np.size(row)
            self._more.notify_all()
        return row

    def reaches(self, rows: int) -> bool:
        """Whether so many rows go through it, if one waits for them."""
        with self._more:
            return self._more.wait_for(lambda: self._done >= rows, timeout=PATIENCE)


def waits(build: Callable[[Any, Callable[[Any], Any]], Any], size: int = 1, **options: bool) -> bool:
    """Whether a chain works on nothing that nobody asked for yet, at any step.

    Args:
        build: makes it of a dataset of numbers and a function to map.
        size: rows of what one step reads.
        options: `autotune`, `inject_prefetch` and `apply_default_optimizations`, where they are set.
    """
    counted, reader = _reader(build, options)
    return all(next(reader) is not None and counted.done == step * size for step in range(1, _ENOUGH // size))


def runs_ahead(build: Callable[[Any, Callable[[Any], Any]], Any], rows: int, **options: bool) -> bool:
    """Whether so many rows go through the mapped function while only one step was read."""
    counted, reader = _reader(build, options)
    next(reader)
    return counted.reaches(rows)


def _reader(build: Any, options: dict[str, bool]) -> tuple[Counted, Any]:
    import tensorflow as tf

    counted = Counted()
    made = build(tf.data.Dataset.range(ROWS), counted.work)
    return counted, iter(made.with_options(_options(**options)))


def _options(
    autotune: bool | None = None, inject_prefetch: bool | None = None, apply_default_optimizations: bool | None = None
) -> Any:
    import tensorflow as tf

    options = tf.data.Options()
    if autotune is not None:
        options.autotune.enabled = autotune
    if inject_prefetch is not None:
        options.experimental_optimization.inject_prefetch = inject_prefetch
    if apply_default_optimizations is not None:
        options.experimental_optimization.apply_default_optimizations = apply_default_optimizations
    return options


def is_parallel(function: Callable[[Any], Any], row: Any, **options: bool) -> bool:
    """Whether TensorFlow runs a mapped function for several rows at a time by itself."""
    import tensorflow as tf
    from tensorflow.python.data.experimental.ops import testing

    rows = tf.data.Dataset.from_tensors(row).repeat(4).apply(testing.assert_next(["ParallelMap"])).map(function)
    try:
        next(iter(rows.with_options(_options(**options))))
    except tf.errors.InvalidArgumentError:
        return False
    return True


def at_a_time(calls: int | None) -> int:
    """How many calls of a mapped Python function run at a time, where each waits for a second one if there can be one."""
    import tensorflow as tf

    running, most = 0, 0
    meeting = threading.Condition()

    def work(row: Any) -> Any:
        nonlocal running, most
        with meeting:
            running += 1
            most = max(most, running)
            meeting.notify_all()
            meeting.wait_for(lambda: calls is None or most > 1, timeout=PATIENCE)
            running -= 1
        return row

    rows = tf.data.Dataset.range(8)
    list(rows.map(lambda row: tf.numpy_function(work, [row], tf.int64), num_parallel_calls=calls))
    return most
