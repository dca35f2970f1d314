"""What two replicas make of a loss that gives one number for the batch."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.experiments.replicas import on_two

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow

_PROGRAM = """
from contextlib import nullcontext

rows = np.linspace(0, 1, 16).astype("float32").reshape(16, 1)


class Loss(keras.losses.Loss):
    def call(self, target, guess):
        return one(target, guess)


class Own(keras.Sequential):
    def compute_loss(self, x=None, y=None, y_pred=None, sample_weight=None, **options):
        return one(y, y_pred)


def one(target, guess):
    return tf.reduce_mean(tf.square(target - guess))


def each(target, guess):
    return tf.reduce_mean(tf.square(target - guess), axis=-1)


def ends(loss, scope=strategy.scope, kind=keras.Sequential):
    with scope():
        model = kind([keras.Input((1,)), keras.layers.Dense(1, kernel_initializer="ones", use_bias=False)])
        model.compile(optimizer=keras.optimizers.SGD(0.01), loss=loss)
    history = model.fit(rows, 3 * rows, batch_size=8, shuffle=False, verbose=0).history
    return [round(history.get("loss", [0.0])[0], 5), round(float(model.get_weights()[0][0, 0]) - 1, 5)]


found = {
    "alone": ends(one, nullcontext),
    "one": [ends(one), ends(Loss())],
    "each": ends(each),
    "own": ends("mse", kind=Own) if keras.__version__ >= "3" else None,
}
"""


def test_one_number_is_not_divided(line: Line) -> None:
    found = on_two(line, _PROGRAM)
    (alone, moved), (one, by_class) = found["alone"], found["one"]
    assert one == by_class
    if line.is_2:
        assert one == found["each"] == [alone, moved]
        line.says("SEQ306", f"both forms log {alone} and move the weight by {moved}")
    elif line.is_early:
        assert line.version > (3, 4) or one == found["each"]
        line.says("SEQ306", "up to 3.4 nothing is added up, and both forms do the same")
    else:
        assert found["own"] == one
        line.says("SEQ306", f"that returns one number logs {one[0]}, and {alone} on one device")
        line.says("SEQ306", f"moves the weight by {one[1]}, and by {moved} on one device")
        line.says("SEQ306", f"a mean for each sample logs {found['each'][0]} and moves it by {found['each'][1]}")
