"""What a shuffled index gives of a list, and how many targets that are sliced by position fit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow
ROWS = 400


def test_a_list_refuses_an_array(line: Line) -> None:
    rows: Any = list(range(4))
    said = "only integer scalar arrays can be converted to a scalar index"
    with pytest.raises(TypeError, match=said):
        rows[np.random.permutation(4)]
    line.says("SEQ232", f'raises TypeError "{said}"')


def test_one_row_in_all_fits_by_chance(line: Line) -> None:
    fits: list[int] = []
    counted: set[tuple[int, ...]] = set()

    class Feed(line.batches):  # type: ignore[name-defined, misc]
        def __init__(self) -> None:
            super().__init__()
            self.order = np.random.permutation(ROWS)

        def __len__(self) -> int:
            return 4

        def __getitem__(self, index: int) -> tuple[np.ndarray, np.ndarray]:
            span = slice(index * ROWS // 4, (index + 1) * ROWS // 4)
            x, y = np.arange(ROWS)[self.order[span]], np.arange(ROWS)[span]
            fits.append(int((x == y).sum()))
            counted.add(tuple(np.arange(ROWS)[place] for place, _ in enumerate(self.order[span])))
            return x[:, None] / ROWS, y[:, None] / ROWS

        def on_epoch_end(self) -> None:
            np.random.shuffle(self.order)

    model = line.keras.Sequential([line.keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
    model.fit(Feed(), epochs=10, verbose=0)
    assert round(float(np.mean(fits)) * 4) in (0, 1, 2)
    line.says("SEQ232", "1 row in n still has its target, by chance, without a warning")
    assert len(counted) == 1
    line.says("SEQ232", "reads `self.y` by its counter, that of `enumerate`, each batch has the first targets again")
