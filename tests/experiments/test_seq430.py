"""How many rows are scored and predicted where the last batch is dropped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.experiments.noted import noted, numbers, pairs
from tests.experiments.small import compiled

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


def full(size: int, read: list[tuple[int, ...]]) -> Any:
    """45 rows in batches of a size, without the rest."""
    return pairs(noted(numbers(45).batch(size, drop_remainder=True), read))


def rows_of(batches: list[tuple[int, ...]]) -> int:
    return len({row for batch in batches for row in batch})


def test_rows_that_are_left_out(line: Line) -> None:
    model = compiled(line)
    read: list[tuple[int, ...]] = []
    assert len(model.predict(full(16, read).map(lambda x, y: x), verbose=0)) == 32
    line.says("SEQ430", "of 45 rows in batches of 16, 32 are predicted")
    read.clear()
    model.evaluate(full(16, read), verbose=0)
    assert rows_of(read) == 32
    read.clear()
    model.fit(pairs(numbers(45).batch(9)), validation_data=full(16, read), verbose=0)
    assert rows_of(read) == 32
    line.says("SEQ430", "`evaluate` and the validation of `fit` score 32")


def test_sizes_that_divide(line: Line) -> None:
    assert len(compiled(line).predict(full(15, []).map(lambda x, y: x), verbose=0)) == 45
    line.says("SEQ430", "in batches of 15 all are")


def test_fewer_rows_than_a_batch(line: Line) -> None:
    with pytest.raises((ValueError, UnboundLocalError)) as refused:
        compiled(line).predict(full(64, []).map(lambda x, y: x), verbose=0)
    line.says("SEQ430", f"with batches of 64 `predict` raises {type(refused.value).__name__}")
