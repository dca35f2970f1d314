"""What becomes of rows when a shuffle is assigned, and when nobody takes its copy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


def feed(line: Line) -> Any:
    class Feed(line.batches):  # type: ignore[name-defined, misc]
        def __init__(self) -> None:
            super().__init__()
            self.rows: Any = np.arange(8)

        def __len__(self) -> int:
            return 2

        def __getitem__(self, index: int) -> tuple[np.ndarray, np.ndarray]:
            rows = self.rows[index * 4 : index * 4 + 4]
            return np.ones((len(rows), 2)), np.ones((len(rows), 1))

        def on_epoch_end(self) -> None:
            self.rows = np.random.shuffle(self.rows)

    return Feed()


def model_of(line: Line) -> Any:
    model = line.keras.Sequential([line.keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
    return model


def test_the_rows_are_none_from_the_first_run_of_the_hook(line: Line) -> None:
    epochs: list[int] = []
    note = line.keras.callbacks.LambdaCallback(on_epoch_end=lambda epoch, logs: epochs.append(epoch))
    with pytest.raises(Exception, match="'NoneType' object is not subscriptable"):
        model_of(line).fit(feed(line), epochs=3, verbose=0, callbacks=[note])
    line.says("SEQ108", "\"'NoneType' object is not subscriptable\"")
    assert len(epochs) == (1 if line.is_2 or line.is_early else 0)
    line.says("SEQ108", "it fails in the first epoch on Keras 3.10 and later and in the second one before")


def test_fit_without_rows(line: Line) -> None:
    if line.is_2:
        pytest.skip("the page speaks of Keras 3")
    wanted = AttributeError if line.is_early else ValueError
    with pytest.raises(wanted, match="None"):
        model_of(line).fit(None, np.ones((8, 1)), verbose=0)
    line.says("SEQ108", f"`fit(None, y)` raises {wanted.__name__}")


def test_a_permutation_changes_nothing_where_it_stands(line: Line) -> None:
    rows = np.arange(100)
    np.random.permutation(rows)
    assert (rows == np.arange(100)).all()
    line.says("SEQ108", "`np.random.permutation(rows)` as a statement of its own changes nothing")
