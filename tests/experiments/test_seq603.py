"""A batch size beside batches."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.experiments.feeds import feed, model, steps_of

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


def test_batches_stay_as_they_are(line: Line) -> None:
    steps = steps_of(line)
    model(line).fit(feed(line, 8, 2, 4), batch_size=8, verbose=0, callbacks=[steps])
    assert steps.steps == [4]
    line.says("SEQ603", "the batches stay as they are")


def test_it_cuts_validation_data_that_are_arrays(line: Line) -> None:
    batches = []
    note = line.keras.callbacks.LambdaCallback()
    note.on_test_batch_end = lambda batch, logs=None: batches.append(batch)
    check = (np.ones((8, 3)), np.ones((8, 1)))
    model(line).fit(feed(line, 8, 2, 4), batch_size=4, validation_data=check, verbose=0, callbacks=[note])
    assert len(batches) == 2
    line.says("SEQ603", "it does count where the validation data are arrays")
