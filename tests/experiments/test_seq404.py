"""Random numbers that a cache keeps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.experiments.draws import is_frozen

if TYPE_CHECKING:
    from pathlib import Path

    from tests.experiments.lines import Line

pytestmark = [pytest.mark.tensorflow, pytest.mark.usefixtures("unseeded")]


def slices() -> Any:
    import tensorflow as tf

    return tf.data.Dataset.from_tensor_slices(np.zeros(20, "float32"))


def vary(row: Any) -> Any:
    import tensorflow as tf

    return row + tf.random.uniform(())


def test_a_cache_keeps_the_draws_of_the_first_pass(line: Line, tmp_path: Path) -> None:
    varied = slices().map(vary)
    assert is_frozen(varied.cache())
    assert is_frozen(varied.cache(str(tmp_path / "cached")))
    assert is_frozen(varied.snapshot(str(tmp_path / "snapshot")))
    assert not is_frozen(slices().cache().map(vary))
    line.says("SEQ404", "the rows after `.map(vary).cache()` are equal in all epochs, in memory and in a file")
    line.says("SEQ404", "`.cache().map(vary)` draws anew. `snapshot` keeps the draws as `cache` does")


def test_layers_draw_inside_map(line: Line) -> None:
    import tensorflow as tf

    flip, dropout = line.keras.layers.RandomFlip(), line.keras.layers.Dropout(0.5)
    several = line.keras.Sequential([flip])
    pictures = tf.data.Dataset.from_tensor_slices(np.random.rand(8, 4, 4, 3).astype("float32")).batch(4)
    for layer in (flip, several):
        assert not is_frozen(pictures.map(layer))
        assert is_frozen(pictures.map(layer).cache())
    assert is_frozen(pictures.map(dropout))
    line.says("SEQ404", "draws inside `map` without `training=True`, too; `Dropout` does not")


def test_a_cache_that_is_never_full_keeps_nothing(line: Line) -> None:
    assert not is_frozen(slices().map(vary).cache().take(10))
    endless = iter(slices().map(vary).repeat().cache())
    read = [float(next(endless)) for _ in range(40)]
    assert read[:20] != read[20:]
    line.says(
        "SEQ404",
        "a cache that is never read to its end keeps nothing, and neither does one after an endless `repeat()`",
    )
