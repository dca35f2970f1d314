"""A function in place of the generator that it makes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.experiments.feeds import model

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow
ROWS = np.ones((4, 3), "float32")
REFUSED = "Unrecognized data type|Failed to find data adapter that can handle input"


def batches() -> Iterator[tuple[Any, Any]]:
    yield ROWS, ROWS[:, :1]


@pytest.mark.parametrize("method", ["fit", "evaluate", "predict"])
def test_it_is_refused(line: Line, method: str) -> None:
    with pytest.raises(ValueError, match=REFUSED):
        getattr(model(line), method)(batches, verbose=0)
    getattr(model(line), method)(batches(), verbose=0)
    _says(line)


def test_it_is_refused_as_validation_data(line: Line) -> None:
    with pytest.raises(ValueError, match=REFUSED):
        model(line).fit(ROWS, ROWS[:, :1], verbose=0, validation_data=batches)
    _says(line)


def _says(line: Line) -> None:
    what = "Failed to find data adapter that can handle input" if line.is_2 else "Unrecognized data type"
    line.says(
        "SEQ611", f'ValueError "{what}" from `fit`, `evaluate` and `predict`, also for a function as `validation_data`'
    )
