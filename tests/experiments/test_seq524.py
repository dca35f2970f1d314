"""The weights that EarlyStopping and ModelCheckpoint leave."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.experiments.lines import Line

pytestmark = [pytest.mark.tensorflow, pytest.mark.filterwarnings("ignore")]

ROWS = np.arange(12, dtype="float32").reshape(12, 1)


def trained(line: Line, *callbacks: Any, epochs: int) -> tuple[int, Any]:
    """The epochs of a training whose loss grows, and its model."""
    model = line.keras.Sequential([line.keras.Input((1,)), line.keras.layers.Dense(1)])
    model.compile(optimizer=line.keras.optimizers.SGD(0.03), loss="mse")
    model.set_weights([np.ones((1, 1)), np.zeros(1)])
    given: Any = list(callbacks)
    history = model.fit(ROWS, 2 * ROWS, batch_size=12, epochs=epochs, shuffle=False, verbose=0, callbacks=given)
    return len(history.epoch), model


def early(line: Line, *, restore: bool) -> Any:
    return line.keras.callbacks.EarlyStopping("loss", patience=2, restore_best_weights=restore)


def score(model: Any) -> str:
    return f"{model.evaluate(ROWS, 2 * ROWS, verbose=0):.2f}"


def test_the_last_weights(line: Line) -> None:
    epochs, last = trained(line, early(line, restore=False), epochs=8)
    _, best = trained(line, early(line, restore=True), epochs=8)
    scores = f"with a loss of {score(last)}, and with {score(best)} under `restore_best_weights=True`"
    line.says("SEQ524", f"stops after {epochs} epochs: the model is evaluated {scores}")


def test_who_ends_the_training(line: Line) -> None:
    (epochs, last), (_, best) = (trained(line, early(line, restore=one), epochs=2) for one in (False, True))
    assert epochs == 2
    assert float(score(best)) < float(score(last))
    line.says("SEQ524", "the best weights come back where the last of `epochs` ends the training, too")


def test_a_checkpoint_that_nobody_loads(line: Line, tmp_path: Path) -> None:
    file = str(tmp_path / "best.weights.h5")
    keep = line.keras.callbacks.ModelCheckpoint(file, "loss", save_best_only=True, save_weights_only=True)
    _, model = trained(line, keep, epochs=3)
    last = score(model)
    model.load_weights(file)
    line.says(
        "SEQ524", f"leaves the model as it is: evaluated with {last}, and with {score(model)} after `load_weights`"
    )
