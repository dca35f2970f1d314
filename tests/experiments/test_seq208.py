"""Lists inside a batch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.experiments.small import ROWS, feed

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


def two_inputs(line: Line) -> Any:
    layers = line.keras.layers
    first, second = line.keras.Input((1,)), line.keras.Input((1,))
    model = line.keras.Model([first, second], layers.Dense(1)(layers.concatenate([first, second])))
    model.compile(optimizer="sgd", loss="mse")
    return model


def test_a_list_of_inputs(line: Line) -> None:
    data = feed(line, __getitem__=lambda self, index: ([ROWS[:2], ROWS[2:4]], ROWS[:2]))
    if line.is_2:
        two_inputs(line).fit(data, verbose=0)
        line.says("SEQ208", "works")
        return
    with pytest.raises(TypeError, match=r"`output_signature` must contain objects"):
        two_inputs(line).fit(data, verbose=0)
    said = '"`output_signature` must contain objects that are subclass of `tf.TypeSpec` but found'
    line.says("SEQ208", "the same" if line.is_early else said)


def test_a_tuple_of_inputs(line: Line) -> None:
    data = feed(line, __getitem__=lambda self, index: ((ROWS[:2], ROWS[2:4]), ROWS[:2]))
    two_inputs(line).fit(data, verbose=0)
