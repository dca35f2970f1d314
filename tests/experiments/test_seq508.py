"""Methods that are named almost like hooks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.experiments.feeds import model

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = [pytest.mark.tensorflow, pytest.mark.filterwarnings("ignore")]

NAMES = ("on_epoch_start", "on_epoch_ends", "on_training_end", "on_validation_end", "on_train_epoch_end")


def test_nobody_calls_them(line: Line) -> None:
    called: list[str] = []

    def method(name: str) -> Any:
        return lambda self, *args, **kwargs: called.append(name)

    made = type("Own", (line.keras.callbacks.Callback,), {name: method(name) for name in (*NAMES, "on_epoch_end")})()
    rows = np.ones((4, 3), "float32")
    model(line).fit(rows, rows[:, :1], validation_data=(rows, rows[:, :1]), epochs=2, verbose=0, callbacks=[made])
    assert called == ["on_epoch_end"] * 2
    words = ", ".join(f"`{name}`" for name in NAMES[:-1])
    line.says("SEQ508", f"{words} and `{NAMES[-1]}` are called 0 times in a training of 2 epochs with validation")
