"""Of which type a batch of float64 is when the training step gets it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.experiments.steps import Kept, fit

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


def test_a_batch_of_float64_reaches_the_step_of_keras_3_as_it_is(line: Line) -> None:
    class Rows(line.batches):  # type: ignore[misc, name-defined]
        def __len__(self) -> int:
            return 2

        def __getitem__(self, index: int) -> Any:
            return np.zeros((4, 3)), np.ones((4, 1))

    kept = Kept(line)
    fit(line, kept, Rows())
    assert {x.dtype for x, _ in kept.steps} == {np.dtype("float32" if line.is_2 else "float64")}
    line.says(
        "SEQ212", "batches arrive as float32" if line.is_2 else "a float64 batch stays float64 up to `train_step`"
    )
