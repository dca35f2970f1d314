"""What becomes of a batch that holds None for its targets or weights."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow
X, Y = np.ones((4, 3), "float32"), np.ones((4, 1), "float32")


def ends(line: Line, method: str, batch: object, from_generator: bool = False) -> str:
    """How a call ends: the text of the error, empty for a good end."""

    class Feed(line.batches):  # type: ignore[misc, name-defined]
        def __len__(self) -> int:
            return 2

        def __getitem__(self, index: int) -> object:
            return batch

    def generator() -> Iterator[object]:
        while True:
            yield batch

    model = line.keras.Sequential([line.keras.Input((3,)), line.keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
    settings = {"steps_per_epoch": 2} if from_generator else {}
    try:
        getattr(model, method)(generator() if from_generator else Feed(), verbose=0, **settings)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""


@pytest.mark.parametrize(
    ("method", "batch"),
    [("predict", (X, None)), ("fit", (X, Y, None)), ("evaluate", (X, Y, None))],
    ids=["predict", "fit", "evaluate"],
)
def test_none_has_no_place_in_a_batch_of_keras_3(line: Line, method: str, batch: object) -> None:
    error = ends(line, method, batch)
    if line.is_2:
        assert not error
        line.says("SEQ209", "`(x, None)` works in `predict`, `(x, y, None)` everywhere")
    elif line.is_early:
        assert "'NoneType' object has no attribute 'shape'" in error
        line.says("SEQ209", "AttributeError \"'NoneType' object has no attribute 'shape'\"")
    else:
        assert error.startswith("InvalidArgumentError")
        line.says(
            "SEQ209",
            "`(x, None)` in `predict` and `(x, y, None)` in `fit` and `evaluate` end with InvalidArgumentError",
        )


class Named(NamedTuple):
    x: np.ndarray
    y: np.ndarray
    weights: np.ndarray | None = None


@pytest.mark.parametrize(
    ("method", "batch"), [("predict", (X, {"a": Y, "b": None})), ("fit", Named(X, Y))], ids=["dict", "named tuple"]
)
def test_none_in_a_dict_and_in_a_named_tuple(line: Line, method: str, batch: object) -> None:
    error = ends(line, method, batch)
    if line.is_2:
        assert not error
        line.says("SEQ209", "and so does a None in a dict or a `NamedTuple`")
    elif line.is_early:
        assert "'NoneType' object has no attribute 'shape'" in error
    else:
        assert error.startswith("InvalidArgumentError")
        line.says(
            "SEQ209",
            "A None in a dict of targets, and in a field of a `NamedTuple`, ends like `(x, None)` in `predict`",
        )


def test_no_targets_in_fit(line: Line) -> None:
    error = ends(line, "fit", (X, None))
    assert error
    if not line.is_2 and not line.is_early:
        assert error.startswith("ValueError: None values not supported")
        line.says("SEQ209", '`(x, None)` in `fit` with ValueError "None values not supported"')
    if line.is_early:
        assert error.startswith("AttributeError: 'NoneType' object has no attribute 'shape'")
        line.says("SEQ209", "for each of them")


def test_a_generator_may_yield_it_on_the_newest_keras(line: Line) -> None:
    error = ends(line, "fit", (X, Y, None), from_generator=True)
    assert bool(error) is line.is_early
    if line.is_early:
        line.says("SEQ209", "from a generator too")
    elif not line.is_2:
        line.says("SEQ209", "From a plain generator `(x, y, None)` works")


@pytest.mark.parametrize(("method", "batch"), [("predict", (X,)), ("fit", (X, Y)), ("evaluate", (X, Y))])
def test_what_is_left_out_is_no_trouble(line: Line, method: str, batch: object) -> None:
    assert not ends(line, method, batch)
    line.says("SEQ209", "`(x,)` works in `predict`, and `(x, y)` in `fit` and `evaluate`")
