"""How often `__getitem__` is asked, and who sees what it changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.experiments.steps import Kept, fit

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


def test_the_first_batches_are_read_once_more(line: Line) -> None:
    class Keeps(line.batches):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.asked: list[int] = []
            self.at = 0

        def __len__(self) -> int:
            return 6

        def __getitem__(self, index: int) -> np.ndarray:
            self.asked.append(index)
            self.at += 1
            return np.full((2, 1), self.at - 1, "float32")

    rows = Keeps()
    model = line.keras.Sequential([line.keras.Input((1,)), line.keras.layers.Rescaling(1.0)])
    first = int(model.predict(rows, verbose=0)[0, 0])
    more = [0] if line.is_2 else [0, 1]
    assert rows.asked == [*more, *range(6)]
    assert first == len(more)
    if line.is_2:
        line.says("SEQ205", "batch 0 is read once more: a position is 1 batch ahead")
    elif not line.is_early:
        line.says("SEQ205", "batches 0 and 1 are read once more")
        line.says("SEQ205", "A position is then 2 batches ahead")
    else:
        line.says("SEQ205", "the same")


def test_a_slice_shows_the_rows_themselves(line: Line) -> None:
    class Halves(line.batches):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.rows = np.ones((12, 1), "float32")

        def __len__(self) -> int:
            return 3

        def __getitem__(self, index: int) -> Any:
            rows = self.rows[index * 4 : index * 4 + 4]
            rows /= 2.0
            return rows, rows

    halves: Any = Halves()
    fit(line, Kept(line), halves, epochs=2)
    assert halves.rows[8] == 0.25
    line.says("SEQ205", "after `rows /= 2.0` its rows are halved again in each epoch")


def test_processes_keep_what_they_change(line: Line) -> None:
    class Keeps(line.batches):  # type: ignore[misc, name-defined]
        at = 0

        def __len__(self) -> int:
            return 6

        def __getitem__(self, index: int) -> Any:
            self.at += 1
            return np.ones((2, 1), "float32"), np.ones((2, 1), "float32")

    rows: Any = Keeps()
    fit(line, Kept(line), rows, workers=2, processes=True)
    assert rows.at == (1 if line.is_2 else 2)
    line.says("SEQ205", "with `use_multiprocessing` the changes stay in the process that made them")
    line.says("SEQ205", "sees only those of the batches that are read before the first step")
