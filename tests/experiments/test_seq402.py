"""Which rows share a batch where batches are shuffled."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.experiments.noted import epochs_of, numbers

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


def test_batches_that_are_shuffled(line: Line) -> None:
    epochs = epochs_of(line, numbers(40).batch(4).shuffle(40), epochs=3)
    assert len({frozenset(batch) for epoch in epochs for batch in epoch}) == 10
    assert len({tuple(epoch) for epoch in epochs}) == 3
    line.says(
        "SEQ402", "40 rows in batches of 4, shuffled: three epochs have the same 10 batches, each in another order"
    )


def test_rows_that_are_shuffled(line: Line) -> None:
    epochs = epochs_of(line, numbers(40).shuffle(40).batch(4), epochs=3)
    assert len({frozenset(batch) for epoch in epochs for batch in epoch}) > 25
    line.says("SEQ402", "Shuffled before `batch`, nearly all 30 batches differ")
