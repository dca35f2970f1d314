"""How often a classifier that knows every label agrees with the labels of another order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow
FILES = 40


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    image = pytest.importorskip("PIL.Image", reason="Pillow is not installed")
    for number in range(FILES):
        (tmp_path / str(number % 2)).mkdir(exist_ok=True)
        image.new("RGB", (4, 4), (200 * (number % 2),) * 3).save(tmp_path / str(number % 2) / f"{number}.png")
    return tmp_path


def knowing(line: Line) -> Any:
    """A model that gives the brightness of a picture, which is its class here."""
    pooled = line.keras.layers.GlobalMaxPooling2D()
    model = line.keras.Sequential([line.keras.Input((4, 4, 3)), pooled])
    model.compile(loss="mse")
    return model


def flow(folder: Path, line: Line, **options: bool) -> Any:
    if line.is_2:
        pytest.importorskip("scipy", reason="its ImageDataGenerator asks for SciPy")
        maker = line.keras.preprocessing.image.ImageDataGenerator
    else:
        import tensorflow as tf

        maker = tf.keras.preprocessing.image.ImageDataGenerator
    return maker().flow_from_directory(str(folder), target_size=(4, 4), batch_size=8, class_mode="binary", **options)


def agreed(predicted: np.ndarray, labels: np.ndarray) -> float:
    return float(np.mean((predicted[:, 0] > 100) == labels))


def test_classes_of_a_flow(line: Line, folder: Path) -> None:
    model = knowing(line)
    shuffled, kept = flow(folder, line), flow(folder, line, shuffle=False)
    shuffled.reset()
    assert 0.1 < agreed(model.predict(shuffled, verbose=0), shuffled.classes) < 0.9
    line.says("SEQ612", "agrees with `.classes` of `flow_from_directory` by chance alone")
    line.says("SEQ612", "`flow.reset()` before `predict` does not help")
    assert agreed(model.predict(kept, verbose=0), kept.classes) == 1


def test_another_pass_over_a_dataset(line: Line, folder: Path) -> None:
    model = knowing(line)
    for shuffle in (True, False):
        made = line.keras.utils.image_dataset_from_directory(
            str(folder), image_size=(4, 4), batch_size=8, shuffle=shuffle
        )
        labels = np.concatenate([label for _, label in made])
        share = agreed(model.predict(made, verbose=0), labels)
        assert (0.1 < share < 0.9) if shuffle else share == 1
    line.says("SEQ612", "labels that another pass over `image_dataset_from_directory` gives")
