"""What one generator does to its validation subset."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.experiments.flows import ROWS, generator, pictures

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


def held(line: Line, **options: Any) -> Any:
    """The flow of the validation subset, in the order of the rows."""
    made = generator(line, validation_split=0.25, **options)
    labels = np.arange(ROWS) % 2
    return made.flow(pictures(), labels, subset="validation", shuffle=False, batch_size=ROWS)


def alike(flow: Any) -> tuple[int, int]:
    """How many images two readings have in common, and of how many."""
    np.random.seed(1)
    (first, _), (second, _) = next(flow), next(flow)
    return int(np.isclose(first, second).all(axis=(1, 2, 3)).sum()), len(first)


def test_two_readings(line: Line) -> None:
    turned, of = alike(held(line, horizontal_flip=True))
    kept, _ = alike(held(line, rescale=0.5))
    assert kept == of
    line.says("SEQ422", f'`subset="validation"` give {turned} of {of} images alike; with `rescale` alone all {kept}')


def test_two_generators(line: Line) -> None:
    turned, plain = held(line, horizontal_flip=True), held(line)
    assert np.array_equal(next(turned)[1], next(plain)[1])
    assert len(turned.x) == len(plain.x) < ROWS
    assert np.array_equal(turned.x, plain.x)
    line.says("SEQ422", "two generators with the same `validation_split` cut the files at the same place")


def test_a_map_for_both(line: Line) -> None:
    import tensorflow as tf

    rows = pictures()
    model = line.keras.Sequential([line.keras.layers.Flatten(), line.keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
    plain = tf.data.Dataset.from_tensor_slices((rows, np.arange(len(rows), dtype="float32")))
    turned = plain.map(lambda picture, kind: (tf.image.random_flip_left_right(picture), kind))
    turned_loss, plain_loss = (model.evaluate(data.batch(8), verbose=0) for data in (turned, plain))
    assert turned_loss != plain_loss
    line.says(
        "SEQ422",
        f"`random_flip_left_right` in a `map`: one model has another loss on {len(rows)} pictures than without it",
    )
