"""Rows that are left out with a row that fails."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow
BROKEN = (5, 21, 40)


def lines() -> Any:
    import tensorflow as tf

    return tf.data.Dataset.from_tensor_slices(["--" if row in BROKEN else str(row) for row in range(64)])


def parse(line: Any) -> Any:
    import tensorflow as tf

    return tf.strings.to_number(line)


def kept(data: Any) -> int:
    """How many rows arrive."""
    return sum(int(np.size(rows)) for rows in data.as_numpy_iterator())


def test_rows_that_are_left(line: Line) -> None:
    rows = lines().map(parse)
    after, before = kept(rows.batch(8).ignore_errors()), kept(rows.ignore_errors().batch(8))
    line.says(
        "SEQ429", f"of 64 rows with {len(BROKEN)} broken ones, {after} are left after `.batch(8).ignore_errors()`"
    )
    line.says("SEQ429", f"and {before} after `.ignore_errors().batch(8)`")
    assert kept(rows.batch(8).ignore_errors().unbatch()) == after
    assert kept(rows.batch(8).prefetch(2).ignore_errors()) == after
    assert kept(rows.batch(8).shuffle(4).ignore_errors()) == after
    line.says("SEQ429", "`unbatch` after it, `prefetch` or a `shuffle` before it change nothing")


def test_a_function_that_gets_batches(line: Line) -> None:
    assert kept(lines().batch(8).map(parse).ignore_errors()) == 40
    line.says("SEQ429", "an error inside a `map` after `batch` drops its batch wherever `ignore_errors` is")


def test_pictures_that_are_loaded_in_batches(line: Line, tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image", reason="Pillow is not installed")
    for number in range(40):
        image.fromarray(np.zeros((4, 4, 3), "uint8")).save(tmp_path / f"{number}.png")
    (tmp_path / "7.png").write_bytes(b"broken")

    def loaded(size: int | None) -> Any:
        load = line.keras.utils.image_dataset_from_directory
        return load(str(tmp_path), labels=None, image_size=(4, 4), batch_size=size).ignore_errors()

    left = 40 - sum(len(batch) for batch in loaded(8))
    line.says(
        "SEQ429", f"one broken picture of 40 takes {left} along from `image_dataset_from_directory(..., batch_size=8)`"
    )
    assert sum(1 for _ in loaded(None)) == 39
