"""Epochs whose steps are more than a dataset has."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.experiments.feeds import model, steps_of

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = [pytest.mark.tensorflow, pytest.mark.filterwarnings("ignore")]


def steps(line: Line, batches: int, of_an_epoch: int, epochs: int) -> list[int]:
    """How many steps each epoch has that is run."""
    import tensorflow as tf

    rows = np.ones((2 * batches, 3), "float32")
    data = tf.data.Dataset.from_tensor_slices((rows, rows[:, :1])).batch(2)
    counted = steps_of(line)
    model(line).fit(data, steps_per_epoch=of_an_epoch, epochs=epochs, verbose=0, callbacks=[counted])
    found: list[int] = counted.steps
    return found


def test_a_rest(line: Line) -> None:
    counted = steps(line, 10, 4, 6)
    assert counted == ([4, 4, 2] if line.is_2 else [4, 4, 2, 4, 4, 2])
    if line.is_2:
        line.says("SEQ431", "of 6 epochs of 4 steps over 10 batches 3 are run, the last with 2 steps")
    else:
        line.says("SEQ431", "4, 4, 2, 4, 4, 2")


def test_steps_that_divide_the_batches(line: Line) -> None:
    counted = steps(line, 4, 2, 4)
    if line.is_2:
        assert counted == [2, 2, 0]
    elif line.is_early:
        assert counted == [2, 2, 0, 2]
        line.says("SEQ431", "where the steps divide the batches an epoch of 0 steps follows each pass")
    else:
        assert counted == [2, 2, 2, 2]
        line.says("SEQ431", "Nothing happens where the steps divide the batches")


def test_more_steps_than_batches(line: Line) -> None:
    assert steps(line, 4, 6, 3) == ([4] if line.is_2 else [4, 4, 4])
