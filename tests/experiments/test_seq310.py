"""Whether `fit` runs under MultiWorkerMirroredStrategy, on one worker and on two."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.experiments.lines import on_demand
from tests.experiments.several_workers import on_workers

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow

_PROGRAM = """
rows = np.ones((16, 1), "float32")
with strategy.scope():
    model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
found = model.fit(rows, rows, batch_size=8, verbose=0).history["loss"]
"""


@on_demand
def test_one_worker_trains(line: Line) -> None:
    (found,) = on_workers(line, _PROGRAM, 1)
    assert isinstance(found, list)
    if not line.is_2:
        line.says("SEQ310", "One worker trains")


@on_demand
def test_two_workers(line: Line) -> None:
    one, other = on_workers(line, _PROGRAM)
    if line.is_2:
        assert isinstance(one, list)
        assert one == other
        line.says("SEQ310", "two workers train and log the same loss")
    else:
        assert one.startswith("ValueError: ")
        assert other.startswith("ValueError: ")
        text = "Invalid reduction dimension 0" if line.is_early else "Attempt to convert a value (PerReplica"
        assert text in one
        line.says("SEQ310", f'"{text}')
