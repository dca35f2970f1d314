"""Evaluations in the hooks of a callback."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.experiments.feeds import model

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = [pytest.mark.tensorflow, pytest.mark.filterwarnings("ignore")]

ROWS = np.ones((12, 3), "float32")


def trained(line: Line, hook: str, does: Any) -> tuple[float, Any]:
    """The loss of an epoch with a callback that has one hook, and the weights after it."""

    def method(self: Any, number: int, logs: Any = None) -> None:
        does(self.model)

    callback = type("Own", (line.keras.callbacks.Callback,), {hook: method})()
    made = model(line)
    made.set_weights([np.ones((3, 1)), np.zeros(1)])
    history = made.fit(ROWS, ROWS[:, :1], batch_size=4, verbose=0, callbacks=[callback])
    return round(float(history.history["loss"][0]), 2), made.get_weights()[0].tolist()


def test_it_resets_the_metrics(line: Line) -> None:
    def evaluate(made: Any) -> None:
        made.evaluate(2 * ROWS, ROWS[:, :1], verbose=0)

    def predict(made: Any) -> None:
        made.predict(ROWS, verbose=0)

    plain, weights = trained(line, "on_train_batch_end", lambda made: None)
    wrong, same = trained(line, "on_train_batch_end", evaluate)
    assert weights == same
    line.says("SEQ514", f"a loss of {wrong} for {plain}, where the weights are the same")
    assert trained(line, "on_epoch_end", evaluate)[0] == plain
    assert trained(line, "on_train_batch_end", predict)[0] == plain
    line.says("SEQ514", "`evaluate` in `on_epoch_end`, and `predict` anywhere, change nothing")
