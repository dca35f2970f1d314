"""Steps that count samples."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.experiments.feeds import model

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow
ROWS = np.ones((20, 3), "float32")
NUMBERS = np.arange(20, dtype="float32")[:, None]


def batches() -> Iterator[tuple[Any, Any]]:
    """Batches of four rows without end; the label of a row is its number."""
    while True:
        for start in range(0, 20, 4):
            yield ROWS[start : start + 4], NUMBERS[start : start + 4]


class Seen(list[int]):
    """The numbers of the rows that reached the model. What was only read ahead of it is not among them."""

    def __call__(self, labels: Any, outputs: Any) -> Any:
        self.extend(int(number) for number in np.array(labels)[:, 0])
        return outputs[:, 0]

    def times(self) -> set[int]:
        """How often the rows were seen."""
        return {self.count(number) for number in range(20)}


def watched(line: Line) -> tuple[Any, Seen]:
    seen = Seen()

    def note(labels: Any, outputs: Any) -> Any:
        return seen(labels, outputs)

    return model(line, metrics=[note], run_eagerly=True), seen


def test_each_row_is_read_several_times(line: Line) -> None:
    trained, seen = watched(line)
    trained.fit(batches(), steps_per_epoch=len(ROWS), epochs=1, verbose=0)
    assert seen.times() == {4}
    seen.clear()
    trained.fit(batches(), steps_per_epoch=1, validation_data=batches(), validation_steps=len(ROWS), verbose=0)
    seen[:4] = []  # the one step of training
    assert seen.times() == {4}
    line.says("SEQ607", "20 rows in batches of 4 with `steps_per_epoch=len(rows)` are read 4 times in one epoch")


def test_evaluate(line: Line) -> None:
    trained, seen = watched(line)
    trained.evaluate(batches(), steps=len(ROWS), verbose=0)
    assert seen.times() == {4}
    line.says("SEQ607", "`validation_steps`, and `steps` of `evaluate`, read each row as often")
