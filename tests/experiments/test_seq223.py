"""Attributes that the base class of Sequences has as properties."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

if TYPE_CHECKING:
    from typing import Any

    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


def feed(line: Line, name: str, value: object, *, first: bool = False) -> Any:
    """A dataset that sets an attribute before or after the base class is set up."""
    base: Any = line.batches

    def init(self: Any) -> None:
        if first:
            setattr(self, name, value)
        base.__init__(self)
        if not first:
            setattr(self, name, value)

    batch = np.ones((2, 3)), np.ones((2, 1))
    members = {"__init__": init, "__len__": lambda self: 2, "__getitem__": lambda self, index: batch}
    return type("MyData", (base,), members)()


def fit(line: Line, data: Any) -> None:
    model = line.keras.Sequential([line.keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
    model.fit(data, verbose=0)


def test_num_batches_can_not_be_set_on_keras_3(line: Line) -> None:
    if line.is_2:
        assert feed(line, "num_batches", 8).num_batches == 8
        line.says("SEQ223", "these are ordinary attributes")
        return
    with pytest.raises(AttributeError, match=r"property 'num_batches' .* has no setter"):
        feed(line, "num_batches", 8)
    line.says("SEQ223", "`self.num_batches = 8` raises AttributeError")


@pytest.mark.parametrize("value", [["a", "b"], "ab", None, 4.5])
def test_workers_must_be_a_number_on_keras_3(line: Line, value: object) -> None:
    data = feed(line, "workers", value)
    if line.is_2:
        fit(line, data)
        return
    # TensorFlow wraps what is raised in another thread.
    with pytest.raises(Exception, match=r"TypeError|not supported between|cannot be interpreted"):
        fit(line, data)
    line.says("SEQ223", "is taken as the number of workers: TypeError at the first fit")


def test_workers_above_the_base_are_lost_on_keras_3(line: Line) -> None:
    data = feed(line, "workers", 4, first=True)
    assert data.workers == (4 if line.is_2 else 1)
    if not line.is_2:
        line.says("SEQ223", "above `super().__init__()` is lost: the base class sets 1")
