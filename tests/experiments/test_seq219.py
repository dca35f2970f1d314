"""One batch too many."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.experiments.feeds import feed, model, steps_of

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


def test_an_empty_batch(line: Line) -> None:
    steps, empty = steps_of(line), feed(line, 8, 4, 8 // 4 + 1)
    history = model(line).fit(empty, validation_data=empty, epochs=2, verbose=0, callbacks=[steps]).history
    assert steps.steps == [3, 3]
    if line.is_early:
        assert all(map(math.isnan, history["loss"] + history["val_loss"]))
        line.says("SEQ219", "the loss and the validation loss of the epoch are NaN")
    else:
        assert not any(map(math.isnan, history["loss"] + history["val_loss"]))
        line.says("SEQ219", "one empty batch an epoch")


def test_an_empty_batch_run_eagerly(line: Line) -> None:
    loss = model(line, run_eagerly=True).fit(feed(line, 8, 4, 3), verbose=0).history["loss"]
    assert math.isnan(loss[0]) is not line.is_2
    if not line.is_2 and not line.is_early:
        line.says("SEQ219", "the loss is NaN with `run_eagerly=True`")


def test_a_batch_of_no_samples_can_not_be_stacked(line: Line) -> None:
    with pytest.raises(Exception, match="need at least one array to stack"):
        model(line).fit(feed(line, 8, 4, 3, stacked=True), verbose=0)
    line.says("SEQ219", 'raises "need at least one array to stack"')


def test_a_batch_of_no_samples_has_no_columns(line: Line) -> None:
    class Rows(line.batches):  # type: ignore[misc, name-defined]
        def __len__(self) -> int:
            return 3

        def __getitem__(self, index: int) -> object:
            rows = [[1.0, 2.0, 3.0]] * 4 if index < 2 else []
            return np.array(rows), np.array([row[:1] for row in rows])

    with pytest.raises(Exception, match="element of shape" if not line.is_2 else ".") as failed:
        model(line).fit(Rows(), shuffle=False, verbose=0)
    assert failed.value is not None
    line.says("SEQ219", '`np.array([])` has no columns ("element of shape (0,)")')
