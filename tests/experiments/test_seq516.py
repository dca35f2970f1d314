"""Callbacks that wait longer than a training is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.experiments.logging_fits import NEVER_BETTER, ROWS, fit

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = [pytest.mark.tensorflow, pytest.mark.filterwarnings("ignore")]
EPOCHS = 4


def epochs_with(line: Line, patience: int) -> int:
    stop = line.keras.callbacks.EarlyStopping(monitor="val_loss", patience=patience, min_delta=NEVER_BETTER)
    return len(fit(line, stop, epochs=EPOCHS).epoch)


def rate_after(line: Line, patience: int) -> float:
    cut = line.keras.callbacks.ReduceLROnPlateau(monitor="val_loss", patience=patience, min_delta=NEVER_BETTER)
    fit(line, cut, epochs=EPOCHS)
    return float(np.array(cut.model.optimizer.learning_rate))


def test_early_stopping(line: Line) -> None:
    assert epochs_with(line, EPOCHS) == EPOCHS
    assert epochs_with(line, 2) == 3
    line.says("SEQ516", "EarlyStopping lets all 4 of 4 epochs run, and with `patience=2` only 3")


def test_the_learning_rate(line: Line) -> None:
    assert rate_after(line, EPOCHS) == pytest.approx(0.01)
    assert rate_after(line, 2) < 0.01
    line.says("SEQ516", "with `patience=4` ReduceLROnPlateau leaves the learning rate as it is in 4 epochs")


def test_the_best_weights(line: Line) -> None:
    stop = line.keras.callbacks.EarlyStopping(monitor="loss", patience=EPOCHS, restore_best_weights=True)
    seen: list[Any] = []
    note = line.keras.callbacks.LambdaCallback(
        on_epoch_end=lambda epoch, logs: seen.append(stop.model.get_weights()[0])
    )
    net = line.keras.Sequential([line.keras.Input((3,)), line.keras.layers.Dense(1, kernel_initializer="zeros")])
    net.compile(line.keras.optimizers.SGD(-0.5), "mse", run_eagerly=True)  # uphill: the first epoch is the best
    net.fit(ROWS, ROWS[:, :1] + 1, epochs=EPOCHS, verbose=0, callbacks=[stop, note])
    assert len(seen) == EPOCHS
    assert np.array_equal(net.get_weights()[0], seen[0])
    assert not np.array_equal(seen[-1], seen[0])
    line.says("SEQ516", "with `restore_best_weights=True` the best weights are restored at the end of the training")


def test_each_fit_begins_to_count_anew(line: Line) -> None:
    stop = line.keras.callbacks.EarlyStopping(monitor="loss", patience=1, min_delta=NEVER_BETTER)
    assert [len(fit(line, stop, epochs=1).epoch) for _ in range(3)] == [1, 1, 1]
    assert len(fit(line, stop, epochs=3).epoch) < 3
    line.says("SEQ516", "3 calls of one epoch each all train, with `patience=1` and nothing that improves")
