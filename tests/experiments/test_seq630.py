"""A callback that changes the length of a Sequence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.experiments.feeds import feed, model, steps_of

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = [pytest.mark.tensorflow, pytest.mark.filterwarnings("ignore")]


def test_the_length_of_later_epochs(line: Line) -> None:
    base = type(feed(line, 16, 2, 4))

    class Grows(base):  # type: ignore[misc,valid-type]
        count = 4

        def __len__(self) -> int:
            return self.count

    rows = Grows()

    class More(line.keras.callbacks.Callback):  # type: ignore[name-defined,misc]
        def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
            rows.count = 8

    counted = steps_of(line)
    model(line).fit(rows, epochs=3, verbose=0, callbacks=[counted, More()])
    first, second, third = counted.steps
    line.says("SEQ630", f"sets to 8 at the end of each epoch has {first}, {second} and {third} in three epochs")
