"""What `fit` makes of a dataset that is distributed by hand, beside the plain one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.experiments.replicas import on_two

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow

_PROGRAM = """
import contextlib

rows = np.arange(16, dtype="float32").reshape(16, 1) / 16
pairs = tf.data.Dataset.from_tensor_slices((rows, 2 * rows))
plain, shuffled = pairs.batch(8), lambda: pairs.shuffle(16, seed=3).batch(8)
by_hand = strategy.experimental_distribute_dataset


def ends(data, scope=strategy.scope, **options):
    keras.utils.set_random_seed(7)
    with scope():
        model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1, kernel_initializer="ones")])
        model.compile(optimizer="sgd", loss="mse")
    try:
        return [float(loss) for loss in model.fit(data, epochs=2, verbose=0, **options).history["loss"]]
    except ValueError as error:
        return f"ValueError: {error}"


steps = {"steps_per_epoch": 2} if keras.__version__ < "3" else {}
found = {
    "plain": ends(plain, **steps),
    "by hand": ends(by_hand(plain), **steps),
    "shuffled": [ends(shuffled()), ends(by_hand(shuffled()))],
    "outside": ends(by_hand(plain), contextlib.nullcontext),
    "by function": ends(strategy.distribute_datasets_from_function(lambda context: pairs.batch(4)), **steps),
}
"""


def test_nothing_is_gained(line: Line) -> None:
    found = on_two(line, _PROGRAM)
    if line.is_2:
        needs = "When providing a distributed dataset, you must specify the number of steps to run"
        assert needs in found["outside"]
        line.says("SEQ309", f'ValueError "{needs}"')
        assert found["by hand"][1] == 0.0 < found["plain"][1]
        assert found["by function"] == found["by hand"]
        line.says(
            "SEQ309", "leaves nothing for the second epoch, which logs a loss of 0.0. A plain dataset starts again"
        )
        return
    assert found["by hand"] == found["plain"]
    assert found["shuffled"][0] == found["shuffled"][1]
    assert found["outside"].startswith("ValueError")
    if line.is_early:
        line.says("SEQ309", "the same history, and the same ValueError")
        assert "Unrecognized data type" in found["by function"]
        line.says("SEQ309", 'ValueError "Unrecognized data type"')
    else:
        assert found["by function"] == pytest.approx(found["plain"])
        line.says("SEQ309", "the same history, number for number, also for shuffled data")
        line.says("SEQ309", "gets the values of all replicas at once, and `fit` raises ValueError")
