"""Which names Keras calls at the end and the start of an epoch."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow
NAMES = ("on_epoch_end", "on_epoch_begin", "onEpochEnd", "on_epoch", "on_epoch_start")


def test_hooks_are_called_by_their_exact_names(line: Line) -> None:
    called: set[str] = set()

    class Feed(line.batches):  # type: ignore[misc, name-defined]
        def __len__(self) -> int:
            return 2

        def __getitem__(self, index: int) -> tuple[np.ndarray, np.ndarray]:
            return np.ones((2, 2), "float32"), np.ones((2, 1), "float32")

    for name in NAMES:
        setattr(Feed, name, lambda self, name=name: called.add(name))
    model = line.keras.Sequential([line.keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
    model.fit(Feed(), epochs=2, verbose=0)

    assert "on_epoch_end" in called
    assert called <= {"on_epoch_end", "on_epoch_begin"}
    line.says("SEQ106", "`onEpochEnd`, `on_epoch` and `on_epoch_start` are never called, without a warning")
    if line.is_2:
        assert "on_epoch_begin" not in called
        line.says("SEQ106", "`on_epoch_begin` is never called")
    elif line.is_early:
        assert ("on_epoch_begin" in called) == (line.version >= (3, 5))
        line.says("SEQ106", "`on_epoch_begin` is called since 3.5, and never before")
    else:
        assert "on_epoch_begin" in called
        line.says("SEQ106", "`on_epoch_begin` is called too, at the start of every epoch")
