"""Shuffle buffers that are smaller than a dataset."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.experiments.draws import passes

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow
CLASSES, EACH, SIZE = 3, 200, 20


def of_one_class(buffer: int) -> int:
    """How many batches hold one class alone."""
    import tensorflow as tf

    kinds = tf.data.Dataset.from_tensor_slices(np.repeat(np.arange(CLASSES), EACH))
    batches = kinds.shuffle(buffer, seed=1).batch(SIZE).as_numpy_iterator()
    return sum(len(set(batch.tolist())) == 1 for batch in batches)


def moved(buffer: int) -> Any:
    """By how many places a row moves."""
    import tensorflow as tf

    (order,) = passes(tf.data.Dataset.range(1000).shuffle(buffer), 1)
    return np.abs(np.array(order) - np.arange(1000)).mean()


def test_batches_of_one_class(line: Line) -> None:
    small, larger, full = (of_one_class(buffer) for buffer in (20, 60, CLASSES * EACH))
    line.says("SEQ414", f"{small} hold one class alone with a buffer of 20, {larger} with 60, and none with 600")
    assert not full


def test_places_that_a_row_moves(line: Line) -> None:
    line.says("SEQ414", f"a buffer of 10 moves a row of 1000 by {moved(10):.0f} places")
    assert 300 < moved(1000) < 360
    assert moved(1) == 0
    line.says("SEQ414", "one of 1000 by some 330; `shuffle(1)` moves none")
