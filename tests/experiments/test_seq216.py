"""Rows that nobody writes are trained on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.experiments.steps import Kept, fit

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


def test_a_short_last_batch_is_filled_up_with_what_was_there(line: Line) -> None:
    samples = list(range(1, 8))

    class Rows(line.batches):  # type: ignore[misc, name-defined]
        def __len__(self) -> int:
            return 2

        def __getitem__(self, index: int) -> Any:
            x = np.zeros((4, 2), "float32")
            for row, sample in enumerate(samples[index * 4 : index * 4 + 4]):
                x[row] = sample
            return x, x[:, :1]

    kept = Kept(line)
    fit(line, kept, Rows())
    rows = [float(row[0]) for x, _ in kept.steps for row in x]
    assert rows == [1, 2, 3, 4, 5, 6, 7, 0]
    line.says(
        "SEQ216", "the same" if line.is_2 else f"{len(samples)} samples and a size of 4 train on {len(rows)} rows"
    )
