"""Steps beside a Sequence of four batches."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.experiments.feeds import feed, model, steps_of

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


def epochs_of(line: Line, steps: int, **given: int) -> list[int]:
    counted = steps_of(line)
    model(line).fit(feed(line, 8, 2, 4), epochs=4, steps_per_epoch=steps, verbose=0, callbacks=[counted], **given)
    found: list[int] = counted.steps
    return found


def test_as_many_steps_as_batches(line: Line) -> None:
    if line.is_early and line.version < (3, 4):
        assert 0 in epochs_of(line, 4)
        line.says("SEQ605", "run every second epoch without a single batch")
    else:
        assert epochs_of(line, 4) == [4, 4, 4, 4]


def test_more_steps_than_batches(line: Line) -> None:
    steps = epochs_of(line, 6)
    if line.is_2:
        assert steps == [4]
        line.says("SEQ605", "With more steps training stops after the first epoch")
        assert epochs_of(line, 8, workers=2) == [8, 8, 8, 8]
        line.says("SEQ605", "with several workers it starts again at the first batch")
    elif not line.is_early:
        assert steps == [4, 4, 4, 4]
        line.says("SEQ605", "With more steps each epoch ends at the last batch")


def test_predictions_of_fewer_steps(line: Line) -> None:
    assert len(model(line).predict(feed(line, 8, 2, 4), steps=2, verbose=0)) == 4
    line.says("SEQ605", "`predict` with fewer steps returns fewer rows")


def test_fewer_steps_than_batches(line: Line) -> None:
    asked: list[int] = []

    class Rows(line.batches):  # type: ignore[misc, name-defined]
        def __len__(self) -> int:
            return 6

        def __getitem__(self, index: int) -> tuple[np.ndarray, np.ndarray]:
            return np.full((1, 3), index, "float32"), np.ones((1, 1), "float32")

    class Notes(line.keras.Sequential):  # type: ignore[misc, name-defined]
        def train_step(self, data: tuple[np.ndarray, np.ndarray]) -> dict[str, object]:
            asked.append(int(data[0][0, 0]))
            return {"loss": 0.0}

    net = Notes([line.keras.Input((3,)), line.keras.layers.Dense(1)])
    net.compile(optimizer="sgd", loss="mse", run_eagerly=True)
    net.fit(Rows(), steps_per_epoch=2, epochs=3, shuffle=False, verbose=0)
    if line.is_2:
        assert asked == [0, 1] * 3
        line.says("SEQ605", "fewer steps start from the first batch in every epoch")
    else:
        assert asked == [0, 1, 2, 3, 4, 5]
    if not line.is_2 and not line.is_early:
        line.says("SEQ605", "with fewer steps than batches each epoch continues where the last one stopped")


def test_an_epoch_without_a_batch_stands_between_two_passes(line: Line) -> None:
    if line.is_early:
        assert 0 in epochs_of(line, 2)
        line.says("SEQ605", "with fewer, an epoch without a batch comes between two passes")


def test_scores_of_fewer_steps(line: Line) -> None:
    checks: list[int] = []
    note = line.keras.callbacks.LambdaCallback()
    note.on_test_batch_end = lambda batch, logs=None: checks.append(batch)
    data = feed(line, 8, 2, 4)
    model(line).fit(data, validation_data=data, validation_steps=2, verbose=0, callbacks=[note])
    assert len(checks) == 2
    line.says("SEQ605", "`validation_steps` leaves the rest out of the scores")
