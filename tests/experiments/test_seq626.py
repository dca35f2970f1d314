"""What a layer learns from rows that are held out later."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow
TRAIN, HELD = np.full((20, 1), 10, "float32"), np.full((20, 1), 60, "float32")


def test_a_mean_of_all_rows(line: Line) -> None:
    means = []
    for rows in (TRAIN, np.concatenate([TRAIN, HELD])):
        layer = line.keras.layers.Normalization()
        layer.adapt(rows)
        means.append(round(float(np.ravel(layer.mean)[0])))
    assert means == [10, 35]
    line.says("SEQ626", f"learns the mean {means[1]} in place of {means[0]}")


def test_validation_split_changes_no_layer(line: Line) -> None:
    layer = line.keras.layers.Normalization()
    layer.adapt(np.concatenate([TRAIN, HELD]))
    model = line.keras.Sequential([line.keras.Input((1,)), layer, line.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    model.fit(np.concatenate([TRAIN, HELD]), np.ones(40), validation_split=0.5, verbose=0)
    assert round(float(np.ravel(layer.mean)[0])) == 35
    line.says("SEQ626", "what `adapt` has learned stays as it is in `fit`, whatever `validation_split` leaves out")
