"""With which arguments, and when, Keras calls the epoch hook of the data."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


def test_a_hook_that_wants_an_epoch_ends_the_fit(line: Line) -> None:
    class Feed(line.batches):  # type: ignore[misc, name-defined]
        def __len__(self) -> int:
            return 2

        def __getitem__(self, index: int) -> tuple[np.ndarray, np.ndarray]:
            return np.ones((2, 2), "float32"), np.ones((2, 1), "float32")

        def on_epoch_end(self, epoch: int, logs: object = None) -> None:
            raise AssertionError(epoch)

    steps: list[int] = []
    ends: list[int] = []
    model = line.keras.Sequential([line.keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
    watch = line.keras.callbacks.LambdaCallback(
        on_train_batch_end=lambda batch, logs: steps.append(batch), on_epoch_end=lambda epoch, logs: ends.append(epoch)
    )
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'epoch'"):
        model.fit(Feed(), epochs=2, verbose=0, callbacks=[watch])
    before = line.version >= (3, 7)
    assert len(steps) == (0 if before else 2)
    if before:
        assert not ends
    else:
        line.says("SEQ103", "the same TypeError at the end of epoch 1, which is lost")
    if not line.is_2:
        line.says("SEQ103", "since 3.7 before epoch 0" if line.is_early else "before epoch 0: nothing is trained")


def test_a_hook_without_self_is_given_the_instance(line: Line) -> None:
    class Feed(line.batches):  # type: ignore[misc, name-defined]
        def __len__(self) -> int:
            return 2

        def __getitem__(self, index: int) -> tuple[np.ndarray, np.ndarray]:
            return np.ones((2, 2), "float32"), np.ones((2, 1), "float32")

        def on_epoch_end() -> None:  # type: ignore[misc]
            raise AssertionError

    model = line.keras.Sequential([line.keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
    with pytest.raises(TypeError, match="takes 0 positional arguments but 1 was given"):
        model.fit(Feed(), epochs=2, verbose=0)
    line.says("SEQ103", "takes 0 positional arguments but 1 was given")
