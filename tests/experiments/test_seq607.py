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


class Counted(list[int]):
    """The numbers of the rows that were yielded."""

    def batches(self) -> Iterator[tuple[Any, Any]]:
        while True:
            for start in range(0, 20, 4):
                self.extend(range(start, start + 4))
                yield ROWS[start : start + 4], ROWS[start : start + 4, :1]

    @property
    def times(self) -> int:
        """How often each row was read at least."""
        return min(self.count(number) for number in range(20))


def test_each_row_is_read_several_times(line: Line) -> None:
    train, held = Counted(), Counted()
    options = {"validation_data": held.batches(), "validation_steps": len(ROWS)}
    model(line).fit(train.batches(), steps_per_epoch=len(ROWS), epochs=1, verbose=0, **options)
    assert train.times == 4
    assert held.times == 4
    line.says("SEQ607", "20 rows in batches of 4 with `steps_per_epoch=len(rows)` are read 4 times in one epoch")


def test_evaluate(line: Line) -> None:
    scored = Counted()
    model(line).evaluate(scored.batches(), steps=len(ROWS), verbose=0)
    assert scored.times == 4
    line.says("SEQ607", "`validation_steps`, and `steps` of `evaluate`, read each row as often")
