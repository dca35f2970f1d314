"""How many orders several epochs have where the order is cached."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.experiments.noted import epochs_of, numbers

if TYPE_CHECKING:
    from pathlib import Path

    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


def orders(line: Line, batches: Any) -> int:
    """How many orders of rows three epochs have."""
    return len({tuple(row for batch in epoch for row in batch) for epoch in epochs_of(line, batches, epochs=3)})


def test_an_order_that_is_cached(line: Line, tmp_path: Path) -> None:
    assert orders(line, numbers(40).shuffle(40).cache().batch(4)) == 1
    assert orders(line, numbers(40).shuffle(40).batch(4).cache()) == 1
    line.says("SEQ405", "`shuffle(40).cache()`: three epochs have 1 order, also with `batch` between them")
    assert orders(line, numbers(40).shuffle(40).cache(str(tmp_path / "rows")).batch(4)) == 1
    line.says("SEQ405", "a cache in a file keeps it for the next run, too")


def test_a_shuffle_after_the_cache(line: Line) -> None:
    assert orders(line, numbers(40).cache().shuffle(40).batch(4)) == 3
    assert orders(line, numbers(40).shuffle(40).cache().shuffle(40).batch(4)) == 3
    line.says("SEQ405", "`cache().shuffle(40)`: three orders")
