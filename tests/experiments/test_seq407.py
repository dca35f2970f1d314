"""Transformations of a dataset whose result nobody keeps."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


def test_the_dataset_stays_as_it_was(line: Line) -> None:
    import tensorflow as tf

    numbers = tf.data.Dataset.range(4)
    numbers.map(lambda number: number * 10)
    numbers.batch(2)
    assert [int(number) for number in numbers] == [0, 1, 2, 3]
    line.says("SEQ407", "`numbers.map(f)` and `numbers.batch(2)` as statements: `numbers` still gives 0, 1, 2, 3")


def test_options_are_lost_too(line: Line) -> None:
    import tensorflow as tf

    options = tf.data.Options()
    options.deterministic = False
    numbers = tf.data.Dataset.range(4)
    numbers.with_options(options)
    assert numbers.options().deterministic is None
    assert numbers.with_options(options).options().deterministic is False
    line.says("SEQ407", "`numbers.with_options(options)` as a statement: the options stay unset")


def test_the_name_of_a_loop_is_a_name_of_its_own(line: Line) -> None:
    import tensorflow as tf

    train, test = tf.data.Dataset.range(4), tf.data.Dataset.range(2)
    for split in (train, test):
        split = split.batch(2)
    assert len(train) == 4
    line.says("SEQ407", "`for split in (train, test): split = split.batch(2)` leaves `train` with 4 elements")


def test_what_is_trained_on(line: Line) -> None:
    import tensorflow as tf

    seen: list[float] = []

    class Keeps(line.keras.Model):  # type: ignore[misc, name-defined]
        def call(self, x: object) -> object:
            return x

        def train_step(self, data: object) -> dict[str, float]:
            seen.append(float(np.max(np.array(data))))
            return {"loss": 0.0}

    model = Keeps()
    model.compile(optimizer="sgd", run_eagerly=True)
    rows = tf.data.Dataset.from_tensor_slices(np.full((4, 1), 255.0, "float32")).batch(2)
    rows.map(lambda row: row / 255.0)
    model.fit(rows, verbose=0)
    line.says(
        "SEQ407", f"`fit` gets pixels up to {max(seen):.0f} after `rows.map(scale)` as a statement, without a warning"
    )
