"""What a LearningRateScheduler takes from its function."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.experiments.feeds import model

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = [pytest.mark.tensorflow, pytest.mark.filterwarnings("ignore")]

RAISES = "The output of the .schedule. function should be"


def run(line: Line, schedule: Any) -> None:
    """Train an epoch."""
    rows = np.ones((4, 3), "float32")
    made = line.keras.callbacks.LearningRateScheduler(schedule)
    model(line).fit(rows, rows[:, :1], verbose=0, callbacks=[made])


def test_no_float(line: Line) -> None:
    for wrong in (None, 1, True, "0.1", np.array([0.1])):
        with pytest.raises(ValueError, match=RAISES):
            run(line, lambda epoch, lr, wrong=wrong: wrong)
    for right in (np.float32(0.1), np.float64(0.1)):
        run(line, lambda epoch, lr, right=right: right)
    line.says("SEQ526", "None, an int, a bool, a str and an array raise ValueError at the start of the epoch")
    line.says("SEQ526", "np.float32 and np.float64 are accepted")


def test_a_tensor(line: Line) -> None:
    import tensorflow as tf

    decay = line.keras.optimizers.schedules.ExponentialDecay(0.1, 10, 0.9)
    for schedule in (lambda epoch, lr: lr * tf.math.exp(-0.1), decay):
        if line.is_2:
            run(line, schedule)
            continue
        with pytest.raises(ValueError, match=RAISES):
            run(line, schedule)
    if line.is_2:
        line.says("SEQ526", "a tensor is accepted, and so is a LearningRateSchedule as `schedule`")
    else:
        line.says("SEQ526", "a tensor raises ValueError, too, and so does a LearningRateSchedule as `schedule`")
