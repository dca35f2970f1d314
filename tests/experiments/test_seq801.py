"""Metrics that compare logits with 0.5."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = [pytest.mark.tensorflow, pytest.mark.filterwarnings("ignore")]
ROWS = np.array([[-1.0], [1.0], [-1.0], [1.0]], "float32")


def counted(line: Line, metric: Any) -> float:
    """A metric of a model whose logits are 0.2 for the rows of the class and -0.2 for the others."""
    layer = line.keras.layers.Dense(1, use_bias=False)
    model = line.keras.Sequential([line.keras.Input((1,)), layer])
    layer.set_weights([np.array([[0.2]], "float32")])
    model.compile("sgd", line.keras.losses.BinaryCrossentropy(from_logits=True), metrics=[metric])
    return float(model.evaluate(ROWS, ROWS > 0, verbose=0)[1])


def test_accuracy(line: Line) -> None:
    plain, made = counted(line, "accuracy"), counted(line, line.keras.metrics.BinaryAccuracy())
    assert plain == made == 0.5
    if line.version < (3, 5) and line.is_early:
        with pytest.raises(ValueError, match="threshold"):
            line.keras.metrics.BinaryAccuracy(threshold=0.0)
        line.says("SEQ801", "up to 3.4 `BinaryAccuracy` refuses the threshold 0.0")
        return
    found = counted(line, line.keras.metrics.BinaryAccuracy(threshold=0.0))
    line.says(
        "SEQ801", f'"accuracy" and `BinaryAccuracy()` are {plain}, and `BinaryAccuracy(threshold=0.0)` is {found}'
    )


def test_recall_and_precision(line: Line) -> None:
    metrics = line.keras.metrics
    found = counted(line, metrics.Recall())
    assert found == counted(line, metrics.Precision())
    line.says("SEQ801", f"`Recall()` is {found}, as `Precision()` is")
