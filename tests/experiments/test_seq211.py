"""What becomes of a batch that is built in another way than the first ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow
ROWS = np.arange(12, dtype="float32").reshape(4, 3) / 12
Made = object


def batches(line: Line, usual: Made, other: Made, first: int) -> object:
    class Odd(line.batches):  # type: ignore[misc, name-defined]
        def __len__(self) -> int:
            return 4

        def __getitem__(self, index: int) -> object:
            return usual if index < first else other

    return Odd()


def fit(line: Line, usual: Made, other: Made, first: int = 2) -> str:
    """How a training ends: the text of the error, empty for a good end."""
    model = line.keras.Sequential([line.keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
    try:
        model.fit(batches(line, usual, other, first), shuffle=False, verbose=0)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""


def labels(*shape: int) -> np.ndarray:
    return np.ones(shape, "float32")


USUAL = (ROWS, labels(4, 1))


@pytest.mark.parametrize("other", [(*USUAL, labels(4)), ({"a": ROWS}, labels(4, 1))], ids=["items", "structure"])
def test_another_structure_is_refused_where_it_comes(line: Line, other: Made) -> None:
    error = fit(line, USUAL, other)
    assert error.startswith("InvalidArgumentError")
    said = "InvalidArgumentError for another number of items, structure, rank or size, at the first batch that differs"
    if line.is_2:
        said = "InvalidArgumentError for another number of items, structure or rank"
    line.says("SEQ211", "the same" if line.is_early else said)


@pytest.mark.parametrize("other", [(ROWS, labels(4)), (ROWS[..., None], labels(4, 1))], ids=["labels", "inputs"])
def test_another_rank_is_refused_where_it_comes(line: Line, other: Made) -> None:
    assert fit(line, USUAL, other).startswith("InvalidArgumentError")


def test_another_structure_of_batch_1_is_refused_before_the_first_step(line: Line) -> None:
    error = fit(line, USUAL, (*USUAL, labels(4)), first=1)
    assert error.startswith("InvalidArgumentError" if line.is_2 else "ValueError")
    if not line.is_2 and not line.is_early:
        line.says("SEQ211", "ValueError before the first step where batch 1 has another structure or rank")


def test_another_size_is_refused_by_keras_3_and_broadcast_by_keras_2(line: Line) -> None:
    error = fit(line, USUAL, (ROWS, labels(4, 2)))
    if line.is_2:
        assert not error
        line.says(
            "SEQ211", "labels of width 2 are broadcast against an output of width 1, and the training runs to its end"
        )
    else:
        assert "element of shape" in error
        assert not fit(line, USUAL, (ROWS, labels(4, 2)), first=1)
    if not line.is_2 and not line.is_early:
        line.says("SEQ211", "Another size in batch 1 leaves the axis open instead")


@pytest.mark.parametrize(
    ("usual", "other", "seen"),
    [("uint8", "float32", [2.0, 2.0, 0.0, 0.0]), ("int64", "float64", [2.0, 2.0, 0.0, 0.0]), ("float32", "float64", [2.0, 2.0, 0.7, 0.7])],
)  # fmt: skip
def test_a_later_type_is_cast_to_the_first(line: Line, usual: str, other: str, seen: list[float]) -> None:
    same = line.keras.Sequential([line.keras.Input((1,)), line.keras.layers.Dense(1, kernel_initializer="ones")])
    same.compile(loss="mse")
    feed = batches(line, np.full((1, 1), 2, usual), np.full((1, 1), 0.7, other), 2)
    assert same.predict(feed, verbose=0).ravel().tolist() == pytest.approx(seen)
    line.says(
        "SEQ211", "they are truncated to zeros without a warning. A mix of float32 and float64 is cast, and right"
    )


@pytest.mark.parametrize(("first", "seen"), [("int64", [2.0, 0.0, 0.0, 0.0]), ("float64", [0.7, 2.0, 2.0, 2.0])])
def test_the_type_is_that_of_batch_0(line: Line, first: str, seen: list[float]) -> None:
    made = {"int64": np.full((1, 1), 2, "int64"), "float64": np.full((1, 1), 0.7)}
    other = made["float64" if first == "int64" else "int64"]
    same = line.keras.Sequential([line.keras.Input((1,)), line.keras.layers.Dense(1, kernel_initializer="ones")])
    same.compile(loss="mse")
    assert same.predict(batches(line, made[first], other, 1), verbose=0).ravel().tolist() == pytest.approx(seen)
    line.says("SEQ211", "The dtype is that of batch 0: whole numbers after floats lose nothing")


def test_another_rank_of_batch_1_is_refused_at_once_by_keras_3(line: Line) -> None:
    error = fit(line, USUAL, (ROWS, labels(4)), first=1)
    assert error.startswith("InvalidArgumentError" if line.is_2 else "ValueError")
