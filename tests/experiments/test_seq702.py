"""The methods for generators."""

from __future__ import annotations

from itertools import cycle
from typing import TYPE_CHECKING

import pytest

from tests.experiments.small import ROWS, compiled, feed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


@pytest.mark.filterwarnings("ignore:`Model")
@pytest.mark.parametrize("method", ["fit_generator", "evaluate_generator", "predict_generator"])
def test_keras_3_has_none_of_them(line: Line, method: str) -> None:
    model = compiled(line)
    if line.is_2:
        getattr(model, method)(feed(line), verbose=0)
        line.says("SEQ702", "the methods work, with a deprecation warning")
        return
    with pytest.raises(AttributeError) as raised:
        getattr(model, method)
    assert str(raised.value) == f"'Sequential' object has no attribute '{method}'"
    said = "the same" if line.is_early else "\"'Sequential' object has no attribute 'fit_generator'\""
    line.says("SEQ702", said)


class Iterator:
    def __iter__(self) -> Iterator:
        return self

    def __next__(self) -> tuple[object, object]:
        return ROWS[:2], ROWS[:2]


MAKERS: dict[str, Callable[[], Iterable[object]]] = {
    "zip": lambda: zip([ROWS[:2]] * 9, [ROWS[:2]] * 9, strict=True),
    "cycle": lambda: cycle([(ROWS, ROWS)]),
    "class": Iterator,
}


@pytest.mark.parametrize("method", ["fit", "evaluate", "predict"])
@pytest.mark.parametrize("name", MAKERS)
def test_an_iterator_is_data_for_keras_3_once_it_is_a_generator(line: Line, method: str, name: str) -> None:
    steps = {"steps_per_epoch" if method == "fit" else "steps": 2}
    said = 'An iterator other than a generator, such as `zip(rows, labels)`: ValueError "Unrecognized data type" from `fit`'

    def call(data: object) -> object:
        return getattr(compiled(line), method)(data, verbose=0, **steps)

    if line.is_2:
        call(MAKERS[name]())
        line.says("SEQ702", "`evaluate` and `predict` of Keras 3; Keras 2 takes it")
    else:
        with pytest.raises(ValueError, match="Unrecognized data type"):
            call(MAKERS[name]())
        line.says("SEQ702", said)
    call(batch for batch in MAKERS[name]())


def test_weights_of_classes_beside_a_generator(line: Line) -> None:
    def fit() -> None:
        compiled(line).fit(((ROWS[:2], ROWS[:2]) for _ in range(4)), class_weight={0: 1.0}, verbose=0)

    if line.is_2:
        fit()
    else:
        with pytest.raises(ValueError, match="class_weight"):
            fit()
    line.says("SEQ702", "`class_weight` with a Python generator: ValueError from `fit` of Keras 3; Keras 2 takes it")
