"""The methods for generators."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.experiments.small import ROWS, compiled, feed

if TYPE_CHECKING:
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


def test_weights_of_classes_beside_a_generator(line: Line) -> None:
    def fit() -> None:
        compiled(line).fit(((ROWS[:2], ROWS[:2]) for _ in range(4)), class_weight={0: 1.0}, verbose=0)

    if line.is_2:
        fit()
    else:
        with pytest.raises(ValueError, match="class_weight"):
            fit()
    line.says("SEQ702", "`class_weight` beside a Python generator: ValueError from `fit` of Keras 3; Keras 2 takes it")
