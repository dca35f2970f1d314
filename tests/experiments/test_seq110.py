"""How often Keras calls the epoch hook of the data."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


def test_a_hook_counts_calls_and_not_epochs(line: Line) -> None:
    class Feed(line.batches):  # type: ignore[misc, name-defined]
        level = 0

        def __len__(self) -> int:
            return 2

        def __getitem__(self, index: int) -> tuple[np.ndarray, np.ndarray]:
            return np.full((2, 1), self.level, "float32"), np.ones((2, 1), "float32")

        def on_epoch_end(self) -> None:
            self.level += 1

    class Model(line.keras.Sequential):  # type: ignore[misc, name-defined]
        def train_step(self, data: tuple[np.ndarray, np.ndarray]) -> dict[str, object]:
            return {"level": data[0][0, 0]}

    feed, model = Feed(), Model([line.keras.Input((1,)), line.keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse", run_eagerly=True)
    seen: list[float] = []
    note = line.keras.callbacks.LambdaCallback(on_train_batch_end=lambda batch, logs: seen.append(feed.level))
    model.fit(feed, epochs=2, verbose=0, callbacks=[note])
    if line.version < (3, 7):
        assert feed.level == 2
        line.says("SEQ110", "once per epoch; with")
        return
    if line.is_early:
        assert feed.level == 3
        line.says("SEQ110", "Since 3.7 once more, before epoch 0")
        return
    line.says("SEQ110", f"two epochs call `on_epoch_end` {feed.level} times, once before epoch 0")
    assert seen[0] == 1
    line.says("SEQ110", "the first epoch already runs one step ahead")
    model.evaluate(feed, verbose=0)
    assert feed.level > 3


def test_a_flag_is_turned_before_the_first_epoch(line: Line) -> None:
    class Feed(line.batches):  # type: ignore[misc, name-defined]
        first = True

        def __len__(self) -> int:
            return 2

        def __getitem__(self, index: int) -> tuple[np.ndarray, np.ndarray]:
            return np.full((2, 1), float(self.first), "float32"), np.ones((2, 1), "float32")

        def on_epoch_end(self) -> None:
            self.first = False

    class Model(line.keras.Sequential):  # type: ignore[misc, name-defined]
        def train_step(self, data: tuple[np.ndarray, np.ndarray]) -> dict[str, object]:
            return {"first": data[0][0, 0]}

    seen: list[float] = []
    note = line.keras.callbacks.LambdaCallback(on_train_batch_end=lambda batch, logs: seen.append(float(logs["first"])))
    model = Model([line.keras.Input((1,)), line.keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse", run_eagerly=True)
    model.fit(Feed(), epochs=2, verbose=0, callbacks=[note])
    if line.version < (3, 7):
        assert seen == [1, 1, 0, 0]
        return
    assert seen == [0, 0, 0, 0]
    if not line.is_early:
        line.says("SEQ110", "A flag that is flipped in `on_epoch_end` is flipped in all epochs")
