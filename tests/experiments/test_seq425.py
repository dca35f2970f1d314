"""Files of caches that several datasets share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


def numbers(start: int, end: int) -> Any:
    import tensorflow as tf

    return tf.data.Dataset.range(start, end)


def read(data: Any) -> list[int]:
    return [int(row) for row in data.as_numpy_iterator()]


def test_the_second_reads_the_rows_of_the_first(line: Line, tmp_path: Path) -> None:
    shared = str(tmp_path / "rows")
    first, second = numbers(0, 10).cache(shared), numbers(10, 20).map(lambda row: 2 * row).cache(shared)
    assert read(first) == read(second) == list(range(10))
    line.says(
        "SEQ425", "the second dataset gives all rows of the first, whatever it is made from and however it is prepared"
    )


def test_two_at_the_same_time(line: Line, tmp_path: Path) -> None:
    import tensorflow as tf

    shared = str(tmp_path / "rows")
    both = tf.data.Dataset.zip((numbers(0, 10).cache(shared), numbers(10, 20).cache(shared)))
    said = "There appears to be a concurrent caching iterator running"
    with pytest.raises(tf.errors.AlreadyExistsError, match=said):
        list(both)
    line.says("SEQ425", f'AlreadyExistsError "{said}"')


def test_snapshots_are_told_apart(line: Line, tmp_path: Path) -> None:
    shared = str(tmp_path / "rows")
    first, second = numbers(0, 10).snapshot(shared), numbers(10, 20).snapshot(shared)
    assert [read(first), read(second)] == [list(range(10)), list(range(10, 20))]
    line.says("SEQ425", "`snapshot` tells the datasets by how they are made, and gives each its own rows")


def test_a_validation_runs_over_rows_of_the_training(line: Line, tmp_path: Path) -> None:
    import tensorflow as tf

    def batches(goal: float, rows: int) -> Any:
        ones = np.ones((rows, 1), "float32")
        return tf.data.Dataset.from_tensor_slices((ones, goal * ones)).batch(4).cache(str(tmp_path / "rows"))

    model = line.keras.Sequential([line.keras.Input((1,)), line.keras.layers.Dense(1, trainable=False)])
    model.compile(optimizer="sgd", loss="mse")
    history = model.fit(batches(0.0, 16), validation_data=batches(900.0, 8), epochs=2, verbose=0).history
    assert history["val_loss"] == pytest.approx(history["loss"])
    assert max(history["val_loss"]) < 100
    line.says("SEQ425", "In `fit` the validation then runs over the rows of the training")
