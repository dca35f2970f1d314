"""The number of samples as the number of batches."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest

from tests.experiments.feeds import feed, model, steps_of

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


def test_an_epoch_takes_as_many_steps_as_there_are_samples(line: Line) -> None:
    steps = steps_of(line)
    loss = model(line).fit(feed(line, 8, 4, 8), verbose=0, callbacks=[steps]).history["loss"]
    assert steps.steps == [8]
    assert math.isnan(loss[0]) is line.is_early
    line.says("SEQ220", "the loss of every epoch is NaN" if line.is_early else "as many steps as there are samples")


def test_a_batch_that_is_stacked_fails_where_it_is_empty(line: Line) -> None:
    with pytest.raises(Exception, match="need at least one array to stack"):
        model(line).fit(feed(line, 8, 4, 8, stacked=True), shuffle=False, verbose=0)
    line.says("SEQ220", "put together with `np.array` or `np.stack` fails at the first empty one")
