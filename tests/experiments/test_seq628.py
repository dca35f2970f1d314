"""First epochs that come after the last."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.experiments.feeds import model, steps_of

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow
ROWS = np.ones((4, 3), "float32")


def trained(line: Line, **epochs: Any) -> tuple[list[int], dict[str, Any]]:
    counted = steps_of(line)
    kept = model(line).fit(ROWS, ROWS[:, :1], verbose=0, callbacks=[counted], **epochs)
    return counted.steps, kept.history


def test_nothing_is_trained(line: Line) -> None:
    assert trained(line, initial_epoch=3, epochs=3) == ([], {})
    assert trained(line, initial_epoch=5, epochs=3) == ([], {})
    line.says("SEQ628", "`fit(initial_epoch=3, epochs=3)` trains no batch, warns of nothing and gives an empty history")


def test_without_epochs(line: Line) -> None:
    assert trained(line, initial_epoch=1) == ([], {})
    assert trained(line, initial_epoch=1, epochs=2)[0] == [1]
    line.says("SEQ628", "without `epochs`, which is 1 then, any `initial_epoch` from 1 on has the same effect")
