"""`validation_split` for what makes its own batches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.experiments.feeds import feed, model

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow
ROWS = np.ones((8, 3), "float32")


def batches() -> Iterator[tuple[Any, Any]]:
    yield ROWS, ROWS[:, :1]


def source(line: Line, kind: str) -> Any:
    import tensorflow as tf

    if kind == "dataset":
        return tf.data.Dataset.from_tensor_slices((ROWS, ROWS[:, :1])).batch(4)
    return batches() if kind == "generator" else feed(line, 8, 4, 2)


@pytest.mark.parametrize("kind", ["generator", "Sequence", "dataset"])
def test_it_is_refused(line: Line, kind: str) -> None:
    with pytest.raises(ValueError, match="`validation_split` is only supported for"):
        model(line).fit(source(line, kind), validation_split=0.25, verbose=0)
    kinds = "for a generator, a Sequence and a dataset"
    if line.is_2:
        line.says("SEQ604", f'ValueError "`validation_split` is only supported for Tensors or NumPy arrays" {kinds}')
    else:
        line.says(
            "SEQ604", f'ValueError "Argument `validation_split` is only supported for tensors or NumPy arrays" {kinds}'
        )


def test_what_is_ignored(line: Line) -> None:
    held = (ROWS, ROWS[:, :1])
    model(line).fit(source(line, "dataset"), validation_split=0.25, validation_data=held, verbose=0)
    model(line).fit(source(line, "dataset"), validation_split=0.0, verbose=0)
    line.says("SEQ604", "with `validation_data` next to it, or as `0.0`, it is ignored")
