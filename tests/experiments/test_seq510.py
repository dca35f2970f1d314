"""A callback that stops by what it keeps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.experiments.feeds import model

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = [pytest.mark.tensorflow, pytest.mark.filterwarnings("ignore")]

LOSSES = (6, 5, 4, 3, 2, 1, 9, 9, 9)


def epochs(line: Line, *, begins: bool) -> list[int]:
    """How many epochs three equal trainings run."""

    class Stop(line.keras.callbacks.Callback):  # type: ignore[name-defined,misc]
        def __init__(self) -> None:
            super().__init__()
            self.best, self.wait = float("inf"), 0

        def on_train_begin(self, logs: Any = None) -> None:
            if begins:
                self.best, self.wait = float("inf"), 0

        def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
            better = LOSSES[epoch] < self.best
            self.best, self.wait = (LOSSES[epoch], 0) if better else (self.best, self.wait + 1)
            if self.wait >= 2:
                self.model.stop_training = True

    stop, rows, counts = Stop(), np.ones((4, 3), "float32"), []
    for _ in range(3):
        history = model(line).fit(rows, rows[:, :1], epochs=len(LOSSES), verbose=0, callbacks=[stop])
        counts.append(len(history.epoch))
    return counts


def test_folds(line: Line) -> None:
    kept, anew = epochs(line, begins=False), epochs(line, begins=True)
    line.says("SEQ510", f"equal trainings run {kept[0]}, {kept[1]} and {kept[2]} epochs")
    line.says("SEQ510", f"set in `on_train_begin` they run {anew[0]}, {anew[1]} and {anew[2]}")
