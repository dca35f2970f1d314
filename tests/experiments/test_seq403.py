"""Pairs of datasets that are shuffled before they are zipped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.experiments.lines import Line

pytestmark = [pytest.mark.tensorflow, pytest.mark.usefixtures("unseeded")]
ROWS = 60


def rows() -> Any:
    import tensorflow as tf

    return tf.data.Dataset.from_tensor_slices(np.arange(ROWS))


def fitting(inputs: Any, targets: Any) -> list[int]:
    """How many pairs fit in each of two passes."""
    import tensorflow as tf

    pairs = tf.data.Dataset.zip((inputs, targets))
    return [sum(int(one == other) for one, other in pairs.as_numpy_iterator()) for _ in range(2)]


def twice(shared: Any) -> list[int]:
    """The same for one dataset that is mapped twice."""
    return fitting(shared.map(lambda row: row), shared.map(lambda row: row))


def test_orders_of_their_own(line: Line) -> None:
    import tensorflow as tf

    tf.random.set_seed(5)
    both = fitting(rows().shuffle(ROWS), rows().shuffle(ROWS))
    one = fitting(rows().shuffle(ROWS), rows())
    line.says("SEQ403", f"leave {max(both)} of 60 pairs right")
    assert max(one) <= 3
    line.says("SEQ403", "a shuffled side and one in order 3 of 60 at most")


def test_one_shuffled_dataset_mapped_twice(line: Line) -> None:
    import tensorflow as tf

    tf.random.set_seed(5)
    line.says("SEQ403", f"mapped twice, leaves {max(twice(rows().shuffle(ROWS)))} of 60 pairs right, with `seed=` none")
    assert twice(rows().shuffle(ROWS, seed=3)) == [0, 0]


def test_one_list_of_files_mapped_twice(line: Line, tmp_path: Path) -> None:
    import tensorflow as tf

    for number in range(30):
        (tmp_path / f"{number:02}.txt").touch()
    pattern = str(tmp_path / "*.txt")
    listed = [twice(tf.data.Dataset.list_files(pattern, seed=seed)) for seed in (3, 4)]
    assert max(map(max, listed)) <= 2
    assert twice(tf.data.Dataset.list_files(pattern, shuffle=False)) == [30, 30]
    assert fitting(*(tf.data.Dataset.list_files(pattern, seed=5) for _ in range(2))) == [30, 30]
    line.says("SEQ403", "`list_files` 2 of 30 at most")


def test_orders_that_agree(line: Line) -> None:
    same = fitting(rows().shuffle(ROWS, seed=1), rows().shuffle(ROWS, seed=1))
    smaller = fitting(rows().shuffle(ROWS, seed=1), rows().shuffle(ROWS - 10, seed=1))
    kept = twice(rows().shuffle(ROWS, reshuffle_each_iteration=False))
    assert same == kept == [ROWS, ROWS]
    assert max(smaller) < ROWS
    cached = twice(rows().shuffle(ROWS).cache())
    assert cached[0] < ROWS
    assert cached[1] == ROWS
    line.says(
        "SEQ403",
        "all pairs fit with one `seed=` and one buffer size in both, and with `reshuffle_each_iteration=False`",
    )
    line.says("SEQ403", "in the shared one; after a `cache` from the second pass on")
