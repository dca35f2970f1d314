"""EarlyStopping by the loss of the training, where a model overfits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = [pytest.mark.tensorflow, pytest.mark.filterwarnings("ignore")]
EPOCHS = 20


def history_with(line: Line, monitor: str) -> dict[str, list[float]]:
    """What a training on noise logs."""
    draw = np.random.default_rng(1)
    x, y = draw.normal(size=(12, 8)).astype("float32"), draw.normal(size=(12, 1)).astype("float32")
    line.keras.utils.set_random_seed(1)
    dense = line.keras.layers.Dense
    net = line.keras.Sequential([line.keras.Input((8,)), dense(200, activation="relu"), dense(1)])
    net.compile(optimizer=line.keras.optimizers.Adam(0.01), loss="mse", run_eagerly=True)
    stop = line.keras.callbacks.EarlyStopping(monitor=monitor, patience=3)
    held = (draw.normal(size=(12, 8)).astype("float32"), draw.normal(size=(12, 1)).astype("float32"))
    history: dict[str, list[float]] = net.fit(
        x, y, validation_data=held, epochs=EPOCHS, verbose=0, callbacks=[stop]
    ).history
    return history


def test_which_loss_ends_the_training(line: Line) -> None:
    by_training, by_validation = history_with(line, "loss"), history_with(line, "val_loss")
    assert len(by_validation["loss"]) < len(by_training["loss"])
    line.says("SEQ525", 'with `monitor="loss"` training goes on for more epochs than with `monitor="val_loss"`')
    assert np.argmin(by_training["val_loss"]) < np.argmin(by_training["loss"])
    line.says("SEQ525", "a checkpoint of the best `loss` is written in a later epoch than the least `val_loss`")
