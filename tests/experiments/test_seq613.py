"""Class weights that `fit` does not take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.experiments.lines import Line

pytestmark = [pytest.mark.tensorflow, pytest.mark.filterwarnings("ignore")]
ROWS, KINDS = np.ones((6, 2), "float32"), np.arange(6) % 3
GOOD = {0: 1.0, 1: 2.0, 2: 5.0}


def model(line: Line, outputs: int = 1) -> Any:
    start = line.keras.Input((2,))
    made = [line.keras.layers.Dense(3, activation="softmax", kernel_initializer="zeros")(start) for _ in range(outputs)]
    net = line.keras.Model(start, made if outputs > 1 else made[0])
    net.compile("sgd", ["sparse_categorical_crossentropy"] * outputs)
    return net


def loss_of(line: Line, weights: Any, *data: Any, **options: Any) -> float:
    """The loss of an epoch; each row has the loss log(3) times its weight."""
    history = model(line).fit(*(data or (ROWS, KINDS)), class_weight=weights, verbose=0, **options).history
    return float(history["loss"][0] / np.log(3))


def batches() -> Iterator[Any]:
    while True:
        yield ROWS, KINDS


def test_good(line: Line) -> None:
    assert loss_of(line, GOOD) == pytest.approx(8 / 3, rel=1e-3)


def test_no_dict(line: Line) -> None:
    for weights in ([1.0, 2.0, 5.0], "balanced"):
        with pytest.raises(AttributeError):
            loss_of(line, weights)
    with pytest.raises((AttributeError, ValueError)):
        loss_of(line, np.array([1.0, 2.0, 5.0]))
    line.says("SEQ613", 'a list raises AttributeError at the start of `fit`, as "balanced" does')


def test_texts_and_generators(line: Line) -> None:
    texts = {"a": 1.0, "b": 2.0, "c": 5.0}
    if line.is_2:
        with pytest.raises(ValueError, match="class_weight"):
            loss_of(line, texts)
        assert loss_of(line, GOOD, batches(), steps_per_epoch=1) > 1
        line.says("SEQ613", "a dict with texts as keys raises ValueError. A Python generator as data is taken")
        return
    assert loss_of(line, texts) == pytest.approx(1, rel=1e-3)
    with pytest.raises(ValueError, match="class_weight"):
        loss_of(line, GOOD, batches(), steps_per_epoch=1)
    line.says("SEQ613", "each row has the weight 1. A Python generator as data raises ValueError")


def test_sample_weights_and_several_outputs(line: Line) -> None:
    import tensorflow as tf

    data = tf.data.Dataset.from_tensor_slices((ROWS, KINDS, np.ones(6, "float32"))).batch(6)
    with pytest.raises(ValueError, match=r"class_weight|shape"):
        loss_of(line, GOOD, data)
    with pytest.raises(ValueError, match=r"class_weight|shape"):
        loss_of(line, GOOD, sample_weight=np.ones(6))
    with pytest.raises(ValueError, match="class_weight"):
        model(line, 2).fit(ROWS, [KINDS, KINDS], class_weight=GOOD, verbose=0)
    line.says(
        "SEQ613", "`sample_weight` or batches with sample weights in addition, or several outputs, raise ValueError"
    )
