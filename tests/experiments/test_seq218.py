"""The samples behind the last full batch."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.experiments.feeds import feed, model, steps_of

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


def test_rows_are_missing(line: Line) -> None:
    net = model(line)
    rows = len(net.predict(feed(line, 10, 4, 10 // 4), verbose=0))
    steps, checks = steps_of(line), []
    note = line.keras.callbacks.LambdaCallback()
    note.on_test_batch_end = lambda batch, logs=None: checks.append(batch)
    short = feed(line, 10, 4, 10 // 4)
    net.fit(short, validation_data=short, verbose=0, callbacks=[steps, note])
    trained, checked = 4 * steps.steps[0], 4 * len(checks)
    assert trained == checked
    line.says(
        "SEQ218",
        f"10 samples in batches of 4 give {rows} rows in `predict`, {trained} in training and in validation",
    )


def test_a_short_batch_trains(line: Line) -> None:
    steps = steps_of(line)
    model(line).fit(feed(line, 10, 4, 3), verbose=0, callbacks=[steps])
    assert steps.steps == [3]
    line.says("SEQ218", "so a short last one trains like the others")
