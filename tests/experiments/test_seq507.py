"""What Keras passes to the hooks of a callback, and how."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.experiments.feeds import model

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = [pytest.mark.tensorflow, pytest.mark.filterwarnings("ignore")]


def run(line: Line, hook: str, method: Any) -> None:
    """Train with a callback that has one hook."""
    made = type("Own", (line.keras.callbacks.Callback,), {hook: method})()
    rows = np.ones((4, 3), "float32")
    model(line).fit(rows, rows[:, :1], verbose=0, callbacks=[made])


def test_too_few(line: Line) -> None:
    for hook, method in (
        ("on_epoch_end", lambda self, epoch: None),
        ("on_train_begin", lambda self: None),
        ("on_train_batch_end", lambda self, batch: None),
    ):
        with pytest.raises(TypeError):
            run(line, hook, method)
    line.says(
        "SEQ507",
        "`on_epoch_end(self, epoch)`, `on_train_begin(self)` and `on_train_batch_end(self, batch)` raise TypeError when Keras calls them",
    )


def test_a_function(line: Line) -> None:
    rows = np.ones((4, 3), "float32")
    functions: Any
    for functions in (
        {"on_epoch_end": lambda epoch: None},
        {"on_train_begin": lambda: None},
        {"on_train_batch_end": lambda batch: None},
        {"on_epoch_end": lambda epoch, logs, more: None},
    ):
        with pytest.raises(TypeError):
            model(line).fit(rows, rows[:, :1], verbose=0, callbacks=[line.keras.callbacks.LambdaCallback(**functions)])
    line.says("SEQ507", "a function of LambdaCallback that takes less or requires more raises TypeError, too")


def test_another_name(line: Line) -> None:
    run(line, "on_epoch_end", lambda self, epoch, values: None)
    hook = "on_batch_end" if line.is_2 else "on_train_batch_end"
    with pytest.raises(TypeError, match="unexpected keyword argument 'logs'"):
        run(line, hook, lambda self, batch, values: None)
    if line.is_2:
        run(line, "on_train_batch_end", lambda self, batch, values: None)
        line.says(
            "SEQ507",
            "`on_train_batch_end(self, batch, values)` works, and `on_batch_end(self, batch, values)` raises TypeError",
        )
    else:
        line.says("SEQ507", "so `on_train_batch_end(self, batch, values)` raises TypeError")
        line.says("SEQ507", "`on_epoch_end(self, epoch, values)` works")


def test_swapped(line: Line) -> None:
    seen: list[Any] = []
    run(line, "on_epoch_end", lambda self, logs, epoch: seen.append((logs, epoch)))
    assert seen[0][0] == 0
    assert "loss" in seen[0][1]
    line.says("SEQ507", "`on_epoch_end(self, logs, epoch)` gets the number of the epoch as `logs`, without a word")
