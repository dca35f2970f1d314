"""Steps beside a Sequence of four batches."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.experiments.feeds import feed, model, steps_of

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


def epochs_of(line: Line, steps: int, **given: int) -> list[int]:
    counted = steps_of(line)
    model(line).fit(feed(line, 8, 2, 4), epochs=4, steps_per_epoch=steps, verbose=0, callbacks=[counted], **given)
    found: list[int] = counted.steps
    return found


def test_as_many_steps_as_batches(line: Line) -> None:
    if line.is_early:
        assert 0 in epochs_of(line, 4)
        line.says("SEQ605", "run every second epoch without a single batch")
    else:
        assert epochs_of(line, 4) == [4, 4, 4, 4]


def test_more_steps_than_batches(line: Line) -> None:
    steps = epochs_of(line, 6)
    if line.is_2:
        assert steps == [4]
        line.says("SEQ605", "With more steps training stops after the first epoch")
        assert epochs_of(line, 8, workers=2) == [8, 8, 8, 8]
        line.says("SEQ605", "with several workers it starts again at the first batch")
    elif not line.is_early:
        assert steps == [4, 4, 4, 4]
        line.says("SEQ605", "With more steps each epoch ends at the last batch")


def test_predictions_of_fewer_steps(line: Line) -> None:
    assert len(model(line).predict(feed(line, 8, 2, 4), steps=2, verbose=0)) == 4
    line.says("SEQ605", "`predict` with fewer steps gives fewer rows")
