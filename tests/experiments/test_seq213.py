"""What becomes of samples that stay in a list."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow
X, Y = np.ones((4, 3), "float32"), np.ones((4, 1), "float32")


def ends(line: Line, inputs: object, targets: object) -> str:
    """How a training ends: the text of the error, empty for a good end."""

    class Feed(line.batches):  # type: ignore[misc, name-defined]
        def __len__(self) -> int:
            return 2

        def __getitem__(self, index: int) -> object:
            return inputs, targets

    model = line.keras.Sequential([line.keras.Input((3,)), line.keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
    try:
        model.fit(Feed(), verbose=0)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""


def test_a_list_of_samples_is_taken_for_several_inputs(line: Line) -> None:
    error = ends(line, list(X), Y)
    if line.is_2:
        assert "expects 1 input(s), but it received 4 input tensors" in error
        line.says("SEQ213", 'ValueError "expects 1 input(s), but it received 4 input tensors" for inputs')
    else:
        assert error.startswith("TypeError")
        assert "found <class 'list'>" in error
        line.says("SEQ213", "TypeError \"but found <class 'list'>\" before the first step for a list of arrays")


def test_a_list_of_labels_is_taken_for_several_outputs(line: Line) -> None:
    error = ends(line, X, list(Y))
    assert bool(error) is not line.is_2
    if not line.is_2:
        assert "found <class 'list'>" in error
        line.says("SEQ213", "for a list of arrays, as inputs and as targets")
    if line.is_2:
        line.says("SEQ213", "A list of arrays as targets is accepted without a warning")


def test_a_list_of_numbers_is_refused(line: Line) -> None:
    error = ends(line, X, [1.0] * 4)
    assert error
    if line.is_early:
        assert error.startswith("AttributeError")
        line.says("SEQ213", "AttributeError on 3.0 to 3.9")
    elif not line.is_2:
        assert "must be at least rank 1" in error
        line.says("SEQ213", 'A list of numbers: ValueError "must be at least rank 1" on Keras 3.10 and later')


def test_one_array_works(line: Line) -> None:
    assert not ends(line, np.stack(list(X)), np.stack(list(Y)))
    line.says("SEQ213", "`np.stack(samples)` has a row for each sample")
    with pytest.raises(ValueError, match="same shape"):
        np.stack([X, Y])
    line.says("SEQ213", "and fails at once where samples differ in shape")
