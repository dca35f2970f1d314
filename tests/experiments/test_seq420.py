"""Which losses take which labels of a directory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow
CLASSES = 3


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    image = pytest.importorskip("PIL.Image", reason="Pillow is not installed")
    for name in range(CLASSES):
        (tmp_path / str(name)).mkdir()
        for number in range(2):
            image.new("RGB", (4, 4)).save(tmp_path / str(name) / f"{number}.png")
    return tmp_path


def loss_of(line: Line, folder: Path, mode: str, outputs: int, loss: str) -> float:
    """The loss of an epoch on the labels of a mode."""
    data = line.keras.utils.image_dataset_from_directory(str(folder), label_mode=mode, image_size=(4, 4), batch_size=3)
    last = line.keras.layers.Dense(outputs, activation="softmax")
    model = line.keras.Sequential([line.keras.Input((4, 4, 3)), line.keras.layers.Flatten(), last])
    model.compile(optimizer="sgd", loss=loss)
    return float(model.fit(data, verbose=0).history["loss"][0])


def test_numbers(line: Line, folder: Path) -> None:
    def fit(outputs: int, loss: str) -> Any:
        return loss_of(line, folder, "int", outputs, loss)

    assert fit(CLASSES, "sparse_categorical_crossentropy") > 0
    with pytest.raises(ValueError, match="shape"):
        fit(CLASSES, "categorical_crossentropy")
    lost = fit(1, "categorical_crossentropy")
    line.says(
        "SEQ420",
        "numbers with `categorical_crossentropy` raise ValueError at the start of `fit`. "
        f"With a model of one output the loss is {lost}",
    )
    fit(1, "binary_crossentropy")
    with pytest.raises(ValueError, match="shape"):
        fit(CLASSES, "binary_crossentropy")
    line.says("SEQ420", "`binary_crossentropy` takes numbers for one output")


def test_rows(line: Line, folder: Path) -> None:
    import tensorflow as tf

    def fit(outputs: int, loss: str) -> Any:
        return loss_of(line, folder, "categorical", outputs, loss)

    assert fit(CLASSES, "categorical_crossentropy") > 0
    refused = tf.errors.InvalidArgumentError if line.is_2 else ValueError
    with pytest.raises(refused):
        fit(CLASSES, "sparse_categorical_crossentropy")
    line.says("SEQ420", f"rows with `sparse_categorical_crossentropy` raise {refused.__name__}")
    assert fit(CLASSES, "binary_crossentropy") > 0
    with pytest.raises(ValueError, match="shape"):
        fit(1, "binary_crossentropy")
    line.says("SEQ420", "and rows for as many outputs as there are classes. Other pairs raise ValueError")
