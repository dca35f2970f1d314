"""Labels that are one-hot by the classes of their own batch."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow
ALL, LOW, ZEROS = [0, 1, 2], [0, 1, 1], [0, 0, 0]


def ends(line: Line, *labels: list[int]) -> str:
    """How a training ends: the text of the error, empty for a good end."""

    class Feed(line.batches):  # type: ignore[misc, name-defined]
        def __len__(self) -> int:
            return len(labels)

        def __getitem__(self, index: int) -> object:
            return np.ones((3, 4), "float32"), line.keras.utils.to_categorical(labels[index])

    model = line.keras.Sequential([line.keras.Input((4,)), line.keras.layers.Dense(3, activation="softmax")])
    model.compile(optimizer="sgd", loss="categorical_crossentropy")
    try:
        model.fit(Feed(), shuffle=False, verbose=0)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""


def test_a_batch_that_lacks_the_last_class_is_narrower(line: Line) -> None:
    assert line.keras.utils.to_categorical(LOW).shape == (3, 2)
    assert ends(line, ALL, ALL, LOW).startswith("InvalidArgumentError")
    if line.is_2:
        line.says("SEQ234", "InvalidArgumentError from categorical cross-entropy at the batch that is narrower")
    else:
        line.says("SEQ234", "labels of width 3, 3, 2 end `fit` with InvalidArgumentError at the third batch")


def test_the_first_batch_lacks_it(line: Line) -> None:
    error = ends(line, LOW, LOW, ALL)
    assert error
    if not line.is_2:
        assert error.startswith("ValueError")
        line.says("SEQ234", "of width 2 first with ValueError, as the model has another output")


def test_a_batch_of_one_class(line: Line) -> None:
    error = ends(line, ALL, ALL, ZEROS)
    assert bool(error) is not line.is_2
    if line.is_2:
        line.says(
            "SEQ234",
            "A batch in which all labels are 0 has width 1: it is broadcast to all outputs, without a warning",
        )
