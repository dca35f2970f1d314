"""What a model makes of batches of batches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


@pytest.fixture
def pictures(line: Line, tmp_path: Path) -> Any:
    image = pytest.importorskip("PIL.Image", reason="Pillow is not installed")
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        for number in range(8):
            image.new("RGB", (8, 8)).save(tmp_path / name / f"{number}.png")
    return line.keras.utils.image_dataset_from_directory(str(tmp_path), image_size=(8, 8), batch_size=4).batch(2)


def windows(line: Line) -> Any:
    rows = np.ones((50, 3), "float32")
    return line.keras.utils.timeseries_dataset_from_array(rows, rows[:, :1], sequence_length=7, batch_size=4).batch(2)


def fit(line: Line, data: Any, *layers: Any) -> None:
    model = line.keras.Sequential([*layers])
    model.compile(optimizer="sgd", loss="mse")
    model.fit(data, verbose=0)


def test_pictures(line: Line, pictures: Any) -> None:
    rows, _ = next(iter(pictures))
    line.says("SEQ432", f"arrive as {tuple(rows.shape)} after `batch_size=4` and `.batch(2)`")
    layers = line.keras.layers
    with pytest.raises(ValueError, match=r"."):
        fit(line, pictures, layers.Conv2D(1, 3), layers.GlobalAveragePooling2D(), layers.Dense(1))
    with pytest.raises(ValueError, match=r"."):
        fit(line, pictures, layers.Flatten(), layers.Dense(1))
    with pytest.raises(ValueError, match=r"."):
        fit(line, windows(line), layers.LSTM(2), layers.Dense(1))
    line.says("SEQ432", "ValueError with Conv2D, Flatten and LSTM")


def test_dense(line: Line) -> None:
    layers = line.keras.layers
    fit(line, windows(line), layers.Dense(1))
    line.says("SEQ432", "without a word")
    if line.is_2:
        fit(line, windows(line), line.keras.Input((7, 3)), layers.Dense(1))
        line.says("SEQ432", "Dense trains without a word, with and without an `Input`")
        return
    with pytest.raises(ValueError, match="Invalid input shape"):
        fit(line, windows(line), line.keras.Input((7, 3)), layers.Dense(1))
    line.says("SEQ432", "ValueError with Dense, too, if the model has an `Input`")
