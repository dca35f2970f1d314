"""One callback for several models."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.experiments.feeds import model

if TYPE_CHECKING:
    from pathlib import Path

    from tests.experiments.lines import Line

pytestmark = [pytest.mark.tensorflow, pytest.mark.filterwarnings("ignore")]

ROWS = np.ones((4, 3), "float32")


def fold(line: Line, number: int, callback: Any, epochs: int = 1) -> Any:
    """Train a model that is worse the later the fold; gives it with the number of its epochs."""
    made = model(line)
    made.set_weights([np.full((3, 1), 2.0 * number + 1), np.zeros(1)])
    history = made.fit(ROWS, 0 * ROWS[:, :1], epochs=epochs, verbose=0, callbacks=[callback])
    return made, len(history.epoch)


def test_checkpoint(line: Line, tmp_path: Path) -> None:
    path = str(tmp_path / "best.weights.h5")
    keep = line.keras.callbacks.ModelCheckpoint(path, monitor="loss", save_best_only=True, save_weights_only=True)
    loaded = []
    for number in range(3):
        made, _ = fold(line, number, keep)
        made.load_weights(path)
        loaded.append(float(made.get_weights()[0][0, 0]))
    assert len(set(loaded)) == 1
    line.says("SEQ511", f"of {len(loaded)} folds, each worse than the one before, all load the weights of the first")


def test_early_stopping(line: Line) -> None:
    early = line.keras.callbacks.EarlyStopping("loss", patience=2)
    counts = [fold(line, 1 if number else 0, early, 10)[1] for number in range(3)]
    text = f"{counts[0]}, {counts[1]} and {counts[2]} epochs"
    line.says("SEQ511", f"3 folds with `patience=2` run {text}" if line.is_early else f"the same folds run {text}")
