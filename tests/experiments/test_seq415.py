"""How many rows an epoch has where rows are repeated before they are shuffled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.experiments.noted import epochs_of, numbers

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


def distinct(line: Line, rows: Any) -> list[int]:
    """How many different rows of 100 each of two epochs of 100 rows has."""
    epochs = epochs_of(line, rows.batch(10), epochs=2, steps_per_epoch=10)
    return [len({row for batch in epoch for row in batch}) for epoch in epochs]


@pytest.mark.parametrize("times", [None, 2])
def test_repeat_before_shuffle(line: Line, times: int | None) -> None:
    assert all(60 < seen < 90 for seen in distinct(line, numbers(100).repeat(times).shuffle(100)))
    line.says(
        "SEQ415",
        "`repeat().shuffle(100)` of 100 rows: an epoch of 100 rows has 70 to 80 different ones, also with `repeat(2)`",
    )


def test_a_small_buffer(line: Line) -> None:
    assert all(80 < seen < 99 for seen in distinct(line, numbers(100).repeat().shuffle(20)))
    line.says("SEQ415", "With a buffer of 20 it has some 90")


def test_repeat_after_shuffle(line: Line) -> None:
    assert distinct(line, numbers(100).shuffle(100).repeat()) == [100, 100]
    line.says("SEQ415", "`shuffle(100).repeat()`: all 100")
