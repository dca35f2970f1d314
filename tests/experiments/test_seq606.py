"""A float as a number of steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.experiments.feeds import feed, model, steps_of

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


@pytest.mark.parametrize("steps", [2.0, 2.5])
def test_a_float(line: Line, steps: float) -> None:
    counted = steps_of(line)

    def fit() -> None:
        model(line).fit(feed(line, 8, 2, 4), steps_per_epoch=steps, verbose=0, callbacks=[counted])

    if line.is_2:
        fit()
        assert counted.steps == [3 if steps > 2 else 2]
        line.says("SEQ606", "accepted; 2.5 runs 3 steps")
        return
    with pytest.raises(TypeError) as refused:
        fit()
    line.says("SEQ606", str(refused.value))
    for method in ("evaluate", "predict"):
        with pytest.raises(TypeError):
            getattr(model(line), method)(feed(line, 8, 2, 4), steps=steps, verbose=0)
    line.says("SEQ606", "at the start of `fit`, `evaluate` and `predict`, also for 2.0")


def test_a_float_tensor(line: Line) -> None:
    import tensorflow as tf

    def fit() -> None:
        model(line).fit(feed(line, 8, 2, 4), steps_per_epoch=tf.math.ceil(5 / 2), verbose=0)

    if line.is_2:
        fit()
        return
    with pytest.raises(AttributeError) as refused:
        fit()
    line.says("SEQ606", "A float tensor, as `tf.math.ceil` gives: AttributeError")
    assert "object has no attribute '__index__'" in str(refused.value)
