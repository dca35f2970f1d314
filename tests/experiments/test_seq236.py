"""What Keras makes of a batch that is a generator object."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


def test_a_yielded_batch_fails_before_the_first_step(line: Line) -> None:
    class Yields(line.batches):  # type: ignore[misc, name-defined]
        def __len__(self) -> int:
            return 2

        def __getitem__(self, index: int):  # type: ignore[no-untyped-def]
            yield np.ones((2, 1)), np.ones((2, 1))

    steps = []
    model = line.keras.Sequential([line.keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
    note = line.keras.callbacks.LambdaCallback(on_train_batch_end=lambda batch, logs: steps.append(batch))
    with pytest.raises((ValueError, TypeError)) as raised:
        model.fit(Yields(), callbacks=[note], verbose=0)
    assert not steps
    said = str(raised.value)
    if line.is_2:
        assert "Inputs to a layer should be tensors" in said
        line.says("SEQ236", 'TypeError "Inputs to a layer should be tensors"')
        return
    for method in ("evaluate", "predict"):
        with pytest.raises(ValueError, match="must return a tuple or a dict"):
            getattr(model, method)(Yields(), verbose=0)
    assert said.startswith("PyDataset.__getitem__() must return a tuple or a dict")
    text = 'ValueError "PyDataset.__getitem__() must return a tuple or a dict" from `fit`, `evaluate` and `predict`'
    line.says("SEQ236", "the same" if line.is_early else text)
