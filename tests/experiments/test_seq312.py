"""What a rank without validation data lacks in its logs, which MetricAverageCallback averages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.experiments.small import ROWS, compiled

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


def test_only_a_rank_that_validates_has_its_values(line: Line) -> None:
    logged = []
    see = line.keras.callbacks.LambdaCallback(on_epoch_end=lambda epoch, logs: logged.append(set(logs)))
    for checked in ((ROWS, ROWS), None):
        compiled(line).fit(ROWS, ROWS, verbose=0, validation_data=checked, callbacks=[see])
    assert logged == [{"loss", "val_loss"}, {"loss"}]
    line.says("SEQ312", "`val_loss` and its like only on a rank whose `fit` is given validation data")
