"""Generators and several workers."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.experiments.feeds import model

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.experiments.lines import Line

pytestmark = [pytest.mark.tensorflow, pytest.mark.filterwarnings("ignore")]
ROWS = np.ones((4, 3), "float32")


def slow() -> Iterator[tuple[Any, Any]]:
    while True:
        time.sleep(0.02)
        yield ROWS, ROWS[:, :1]


def test_two_threads_read_one_generator(line: Line) -> None:
    if not line.is_2:
        with pytest.raises(TypeError, match="workers"):
            model(line).fit(slow(), steps_per_epoch=5, workers=2, verbose=0)
        line.says("SEQ610", "`fit` refuses `workers`")
        return
    import tensorflow as tf

    with pytest.raises(tf.errors.UnknownError, match="Your generator is NOT thread-safe"):
        model(line).fit(slow(), steps_per_epoch=20, workers=2, verbose=0)
    line.says("SEQ610", '`fit` raises UnknownError "Your generator is NOT thread-safe"')


def test_one_reader(line: Line) -> None:
    if line.is_2:
        model(line).fit(slow(), steps_per_epoch=5, workers=1, verbose=0)
    model(line).fit(slow(), steps_per_epoch=5, verbose=0)
