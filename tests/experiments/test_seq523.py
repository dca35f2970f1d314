"""The number that a hook for batches gets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.experiments.feeds import model

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = [pytest.mark.tensorflow, pytest.mark.filterwarnings("ignore")]


def test_it_begins_anew(line: Line) -> None:
    seen: list[int] = []

    def begin(self: Any, batch: int, logs: Any = None) -> None:
        seen.append(batch)

    callback = type("Own", (line.keras.callbacks.Callback,), {"on_train_batch_begin": begin})()
    rows = np.ones((12, 3), "float32")
    model(line).fit(rows, rows[:, :1], batch_size=4, epochs=5, verbose=0, callbacks=[callback])
    assert seen == [0, 1, 2] * 5
    highest = max(0.1 * min(1.0, (batch + 1) / 10) for batch in seen)
    line.says(
        "SEQ523",
        f"over 10 steps to 0.1 reaches {highest:.2f} in 5 epochs of 3 batches: the hook gets 0, 1, 2 in each of them",
    )
