"""What augmentations make of small numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.experiments.flows import generator

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = [pytest.mark.tensorflow, pytest.mark.filterwarnings("ignore")]
PICTURES = np.linspace(0, 1, 96, dtype="float32").reshape(2, 4, 4, 3)


def test_brightness(line: Line) -> None:
    more, less = (line.keras.layers.RandomBrightness((factor, factor)) for factor in (0.2, -0.2))
    done = np.asarray(more(PICTURES, training=True))
    assert [round(float(done.min())), round(float(done.max()))] == [51, 52]
    assert np.asarray(less(PICTURES, training=True)).max() == 0
    line.says("SEQ436", "with the factor 0.2 makes 51 to 52 of pictures from 0 to 1, and with -0.2 all 0")


def test_contrast(line: Line) -> None:
    given = PICTURES * 2 - 1
    for seed in range(3):
        done = np.asarray(line.keras.layers.RandomContrast(0.3, seed=seed)(given, training=True))
        assert done.min() == 0
        assert np.all(done[given < -0.3] == 0)
    line.says("SEQ436", "`RandomContrast(0.3)` makes 0 of each negative number of pictures from -1 to 1")


def test_brightness_range(line: Line) -> None:
    pytest.importorskip("PIL")
    made = generator(line, brightness_range=(0.7, 1.3))
    done = next(made.flow(PICTURES, batch_size=2))
    assert done.max() <= 1
    assert np.mean(done == 0) > 0.95
    line.says(
        "SEQ436",
        "`brightness_range=(0.7, 1.3)` makes pictures from 0 to 1 black: no number in them is above 1, and nearly all are 0",
    )
