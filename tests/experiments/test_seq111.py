"""When Keras asks a Sequence for its length."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import numpy as np
import pytest

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


def batches_of(line: Line, start: int, step: int, epochs: int) -> tuple[list[int], list[str]]:
    """The batches of each epoch of a feed whose length changes by `step` in its hook, and what is warned of."""

    class Feed(line.batches):  # type: ignore[misc, name-defined]
        length = start

        def __len__(self) -> int:
            return max(self.length, 1)

        def __getitem__(self, index: int) -> tuple[np.ndarray, np.ndarray]:
            return np.ones((2, 2), "float32"), np.ones((2, 1), "float32")

        def on_epoch_end(self) -> None:
            self.length += step

    counts: list[int] = []
    note = line.keras.callbacks.LambdaCallback(
        on_epoch_begin=lambda epoch, logs: counts.append(0),
        on_train_batch_end=lambda batch, logs: counts.append(counts.pop() + 1),
    )
    model = line.keras.Sequential([line.keras.Input((2,)), line.keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        model.fit(Feed(), epochs=epochs, verbose=0, callbacks=[note])
    return counts, [str(warning.message) for warning in seen]


def test_the_length_is_read_once(line: Line) -> None:
    grown, _ = batches_of(line, 2, 2, 3)
    shrunk, said = batches_of(line, 8, -2, 3)
    growing, shrinking = ("{}, {} and {}".format(*counts) for counts in (grown, shrunk))
    line.says("SEQ111", f"that grows from 2 batches by 2 has {growing} in three epochs")
    line.says("SEQ111", f"one that shrinks from 8 by 2 has {shrinking}")
    if line.is_2:
        assert not said
        return
    assert all(text.startswith("Your input ran out of data") for text in said)
    line.says("SEQ111", 'with the warning "Your input ran out of data"')
