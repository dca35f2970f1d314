"""Arrays that a generator fills again after it has yielded them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.experiments.steps import Kept

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.experiments.lines import Line

pytestmark = [pytest.mark.tensorflow, pytest.mark.filterwarnings("ignore")]
ROUNDS = 5


def seen(line: Line, dtype: str, *, copied: bool) -> list[int]:
    """The number of the batch that each step was given."""
    place = np.zeros(64 + 16, dtype)
    start = -place.ctypes.data % 64 // place.itemsize
    rows = place[start : start + 2].reshape(2, 1)  # where an array may be shared without a copy

    def batches() -> Iterator[tuple[Any, Any]]:
        for number in range(ROUNDS):
            rows[:] = number
            yield (rows.copy() if copied else rows), np.zeros((2, 1), "float32")

    kept = Kept(line)
    kept.model.fit(batches(), verbose=0)
    return [int(x[0, 0]) for x, *_ in kept.steps]


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64"])
def test_it_is_filled_again(line: Line, dtype: str) -> None:
    found = seen(line, dtype, copied=False)
    if not line.is_2:
        assert found[0] == 1
        line.says("SEQ619", "of batches 0, 1, 2, 3, 4 the first is trained on as 1")
    elif dtype.startswith("float"):
        assert found == [*range(ROUNDS)]
        line.says("SEQ619", "arrays of floats are copied")
    else:
        assert found != [*range(ROUNDS)]
        line.says("SEQ619", "Of arrays of integers single batches are replaced by later ones")


@pytest.mark.parametrize("dtype", ["float32", "int32"])
def test_copies(line: Line, dtype: str) -> None:
    assert seen(line, dtype, copied=True) == [*range(ROUNDS)]
    line.says("SEQ619", "with `yield rows.copy(), labels.copy()` each batch is right")
