"""Shapes of batches that a layer is given."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow
SHAPE = (2, 3, 4)


@pytest.mark.parametrize("name", ["LSTM", "Dense", "TimeDistributed"])
def test_a_layer(line: Line, name: str) -> None:
    made: Any = getattr(line.keras.layers, name)
    first = line.keras.layers.Dense(4) if name == "TimeDistributed" else 4
    if line.is_2:
        made(first, batch_input_shape=SHAPE)
        return
    with pytest.raises(ValueError, match="Unrecognized keyword arguments"):
        made(first, batch_input_shape=SHAPE)
    line.says("SEQ708", 'raises ValueError "Unrecognized keyword arguments passed to LSTM", and so do other layers')


def test_inputs(line: Line) -> None:
    line.keras.layers.InputLayer(batch_input_shape=SHAPE)
    if line.is_2:
        return
    with pytest.raises(TypeError):
        line.keras.Input(batch_input_shape=SHAPE)
    line.says("SEQ708", "`InputLayer` still takes it; `keras.Input(batch_input_shape=...)` raises TypeError")


def test_what_the_fix_writes(line: Line) -> None:
    layers = [line.keras.Input(batch_shape=SHAPE), line.keras.layers.LSTM(4, stateful=True)]
    model = line.keras.Sequential(layers)
    assert tuple(model.input_shape) == SHAPE
    assert model.predict(np.zeros((4, 3, 4)), batch_size=2, verbose=0).shape == (4, 4)
    if line.is_2:
        line.says("SEQ708", "it works, and `keras.Input(batch_shape=...)` as the first item does the same")
