"""Callbacks that set a learning rate which a schedule gives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = [pytest.mark.tensorflow, pytest.mark.filterwarnings("ignore")]


def trained(line: Line, callback: Any, epochs: int = 1) -> Any:
    """The history of a model whose rate is 0.1, a little less after each step."""
    decay = line.keras.optimizers.schedules.ExponentialDecay(0.1, 1000, 0.9)
    model = line.keras.Sequential([line.keras.Input((3,)), line.keras.layers.Dense(1)])
    model.compile(optimizer=line.keras.optimizers.SGD(decay), loss="mse")
    rows = np.ones((6, 3), "float32")
    return model.fit(rows, rows[:, :1], epochs=epochs, batch_size=2, verbose=0, callbacks=[callback]).history


def test_they_meet(line: Line) -> None:
    scheduler = line.keras.callbacks.LearningRateScheduler(lambda epoch: 0.01)
    plateau = line.keras.callbacks.ReduceLROnPlateau("loss", patience=1, min_delta=9)
    if line.is_2:
        rate = float(trained(line, scheduler)["lr"][0])
        trained(line, plateau, 3)
        line.says("SEQ513", f"the learning rate stays that of the schedule: {rate:.5f} after the first epoch")
        return
    for callback in (scheduler, plateau):
        with pytest.raises(TypeError, match="This optimizer was created with a `LearningRateSchedule` object"):
            trained(line, callback, 3)
    line.says("SEQ513", 'TypeError "This optimizer was created with a `LearningRateSchedule` object"')


def rates(line: Line, *callbacks: Any) -> list[float]:
    """The rate that each of 4 epochs runs with."""
    seen: list[float] = []
    model = line.keras.Sequential([line.keras.Input((3,)), line.keras.layers.Dense(1)])
    note = line.keras.callbacks.LambdaCallback(
        on_train_batch_begin=lambda batch, logs: seen.append(float(model.optimizer.learning_rate.numpy()))
    )
    model.compile(optimizer=line.keras.optimizers.SGD(0.1), loss="mse")
    rows = np.ones((6, 3), "float32")
    model.fit(rows, rows[:, :1], epochs=4, batch_size=6, verbose=0, callbacks=[*callbacks, note])
    return seen


def test_a_scheduler_sets_back_what_was_cut(line: Line) -> None:
    cut = line.keras.callbacks.ReduceLROnPlateau("loss", patience=1, min_delta=9)
    assert rates(line, cut)[-1] == pytest.approx(0.001)
    steady = line.keras.callbacks.LearningRateScheduler(lambda epoch: 0.1)
    assert rates(line, cut, steady) == pytest.approx([0.1] * 4)
    line.says("SEQ513", "with a LearningRateScheduler of 0.1 all four run with 0.1")
