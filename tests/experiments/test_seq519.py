"""The learning rate by its old name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

if TYPE_CHECKING:
    from typing import Any

    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


def rate(optimizer: Any) -> float:
    return round(float(optimizer.learning_rate.numpy()), 6)


def test_to_read_lr_fails_on_keras_3(line: Line) -> None:
    optimizer = line.keras.optimizers.Adam()
    if line.is_2:
        assert round(float(optimizer.lr), 6) == 0.001
        line.says("SEQ519", "`optimizer.lr` works, read and set")
        return
    with pytest.raises(AttributeError, match="'Adam' object has no attribute 'lr'"):
        _ = optimizer.lr
    line.says("SEQ519", "raises AttributeError \"'Adam' object has no attribute 'lr'\"")


def test_to_set_lr_changes_nothing_on_keras_3(line: Line) -> None:
    optimizer = line.keras.optimizers.Adam()
    optimizer.lr = 0.1
    assert rate(optimizer) == (0.1 if line.is_2 else 0.001)
    if not line.is_2:
        line.says("SEQ519", f"is accepted and the learning rate stays at {rate(optimizer)}")


def test_training_goes_on_at_the_old_rate_on_keras_3(line: Line) -> None:
    model = line.keras.Sequential([line.keras.layers.Dense(1, kernel_initializer="ones")])
    model.compile(optimizer=line.keras.optimizers.SGD(0.1), loss="mse")
    model.optimizer.lr = 0.0
    history = model.fit(np.ones((4, 2)), np.zeros((4, 1)), epochs=2, verbose=0).history["loss"]
    assert (history[0] == history[1]) is line.is_2


def test_the_argument_lr_is_refused_or_ignored(line: Line) -> None:
    if line.is_2:
        assert rate(line.keras.optimizers.Adam(lr=0.1)) == 0.001
        line.says("SEQ519", "`Adam(lr=0.1)` is ignored: the learning rate stays at 0.001")
        return
    with pytest.raises(ValueError, match=r"Argument\(s\) not recognized"):
        line.keras.optimizers.Adam(lr=0.1)
    line.says("SEQ519", '`Adam(lr=0.1)` raises ValueError "Argument(s) not recognized"')


@pytest.mark.parametrize("decay", [0.1, 0.0])
def test_decay_is_ignored_or_refused(line: Line, decay: float) -> None:
    if line.is_2:
        with pytest.raises(ValueError, match="decay is deprecated"):
            line.keras.optimizers.Adam(decay=decay)
        line.says("SEQ519", "`Adam(decay=0.1)` raises ValueError, and `Adam(decay=0.0)` does")
        return
    with pytest.warns(UserWarning, match="will be ignored"):
        line.keras.optimizers.Adam(decay=decay)
    line.says("SEQ519", "`Adam(decay=0.1)` is ignored with a UserWarning. So is `Adam(decay=0.0)`")


@pytest.mark.parametrize("name", ["adam", "sgd", "rmsprop", "adagrad", "adadelta", "adamax", "nadam"])
def test_the_second_names_of_old_are_gone(line: Line, name: str) -> None:
    assert not hasattr(line.keras.optimizers, name)
    line.says("SEQ519", "has no `adam`, `sgd` and the like")


def test_the_backend_lost_its_functions_on_keras_3(line: Line) -> None:
    has = [hasattr(line.keras.backend, name) for name in ("get_value", "set_value")]
    assert has == [line.is_2] * 2
    if not line.is_2:
        line.says("SEQ519", "`keras.backend` has no `get_value` and no `set_value`")


def test_what_the_fix_writes_works_everywhere(line: Line) -> None:
    optimizer = line.keras.optimizers.SGD(0.5)
    optimizer.learning_rate = optimizer.learning_rate * 0.5
    assert float(optimizer.learning_rate.numpy()) == 0.25


def test_a_float_of_the_rate(line: Line) -> None:
    made = line.keras.optimizers.SGD(0.5)
    assert float(made.learning_rate.numpy()) == 0.5
    if line.is_early:
        line.says("SEQ519", "`float(optimizer.learning_rate.numpy())` works everywhere")
    if line.version == (3, 3):
        with pytest.raises(TypeError):
            float(made.learning_rate)
        line.says("SEQ519", "`float(optimizer.learning_rate)` raises TypeError in 3.3")


def test_the_backend_of_tensorflow(line: Line) -> None:
    if line.is_2:
        pytest.skip("the page speaks of Keras 3")
    import tensorflow as tf

    made = line.keras.optimizers.SGD(0.5)
    assert not hasattr(line.keras.backend, "eval")
    with pytest.raises(AttributeError):
        tf.keras.backend.set_value(made.learning_rate, 0.1)
    line.says("SEQ519", "`tf.keras.backend.set_value` raises AttributeError for a learning rate")
