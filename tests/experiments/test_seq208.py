"""Lists inside a batch."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import pytest

from tests.experiments.small import ROWS, compiled, feed

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


@pytest.mark.parametrize("batch", [(ROWS[:2], [ROWS[:2], ROWS[:2]]), ({"a": [ROWS[:2]]}, ROWS[:2])], ids=["y", "dict"])
@pytest.mark.parametrize("generates", [False, True])
def test_lists_in_other_places(line: Line, batch: Any, generates: bool) -> None:
    if line.is_2:
        pytest.skip("the page speaks of Keras 3")
    data = itertools.repeat(batch) if generates else feed(line, __getitem__=lambda self, index: batch)
    data = (each for each in data) if generates else data
    options = {"steps_per_epoch": 2} if generates else {}
    with pytest.raises(TypeError, match=r"`output_signature` must contain objects"):
        compiled(line).fit(data, verbose=0, **options)
    said = "`([x1, x2], y)`, `(x, [y1, y2])`, and a list inside a dict, from a Sequence and from a generator"
    line.says("SEQ208", "the same" if line.is_early else said)


def test_the_outermost_list(line: Line) -> None:
    compiled(line).fit(feed(line, __getitem__=lambda self, index: [ROWS[:2], ROWS[:2]]), verbose=0)
    if line.is_2:
        return
    with pytest.raises(ValueError, match="must return a tuple"):
        compiled(line).fit((batch for batch in [[ROWS[:2], ROWS[:2]]] * 4), steps_per_epoch=2, verbose=0)
    said = "The outermost list of a Sequence, `[x, y]`, becomes a tuple and works; from a generator it is a ValueError"
    line.says("SEQ208", "the same" if line.is_early else said)


def test_one_batch_by_hand(line: Line) -> None:
    two_inputs(line).train_on_batch([ROWS[:2], ROWS[2:4]], ROWS[:2])
    line.says("SEQ208", "`train_on_batch` takes a list on every Keras")


def test_a_tuple_of_one_input(line: Line) -> None:
    def data() -> Any:
        return feed(line, __getitem__=lambda self, index: ((ROWS[:2],), ROWS[:2]))

    line.says("SEQ208", "`((x1, x2), y)` and `(x, (y1, y2))` work on every Keras")
    unbuilt = line.keras.Sequential([line.keras.layers.Dense(1)])
    unbuilt.compile(optimizer="sgd", loss="mse")
    with pytest.raises(Exception):  # noqa: B017, PT011 - each Keras says it in its own words
        unbuilt.fit(data(), verbose=0)
    line.says("SEQ208", "`((x,), y)` with one input fails in a Sequential model that is not built yet")


@pytest.mark.parametrize("targets", [[], ()], ids=["list", "tuple"])
def test_no_targets_at_all(line: Line, targets: Any) -> None:
    class AddsLoss(line.keras.layers.Layer):  # type: ignore[misc, name-defined]
        def call(self, value: Any) -> Any:
            self.add_loss(value[0, 0])
            return value

    first = line.keras.Input((1,))
    model = line.keras.Model(first, AddsLoss()(line.keras.layers.Dense(1)(first)))
    model.compile(optimizer="sgd")
    data = feed(line, __getitem__=lambda self, index: (ROWS[:2], targets))
    if line.is_2 or targets == ():
        model.fit(data, verbose=0)
        return
    with pytest.raises(TypeError, match=r"`output_signature` must contain objects"):
        model.fit(data, verbose=0)
    said = "An empty list for the targets of a model that adds its loss by itself fails in the same way"
    line.says("SEQ208", "the same" if line.is_early else said)
