"""`validation_data` of a callback, and of a model."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.experiments.feeds import model

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = [pytest.mark.tensorflow, pytest.mark.filterwarnings("ignore")]


def score(line: Line, *, of_model: bool = False) -> None:
    """Run a callback that reads them."""

    class Reads(line.keras.callbacks.Callback):  # type: ignore[name-defined,misc]
        def on_epoch_end(self, epoch: int, logs: object = None) -> None:
            owner = self.model if of_model else self
            assert owner.validation_data[0] is not None

    rows = np.ones((4, 3), "float32")
    model(line).fit(rows, rows[:, :1], validation_data=(rows, rows[:, :1]), verbose=0, callbacks=[Reads()])


def test_of_the_callback(line: Line) -> None:
    raised = TypeError if line.is_2 or line.is_early else AttributeError
    with pytest.raises(raised) as error:
        score(line)
    text = (
        "'NoneType' object is not subscriptable" if raised is TypeError else "object has no attribute 'validation_data'"
    )
    assert text in str(error.value)
    line.says("SEQ512", f'{raised.__name__} "{text}"')


def test_of_the_model(line: Line) -> None:
    with pytest.raises(AttributeError):
        score(line, of_model=True)
    line.says("SEQ512", "`self.model.validation_data` raises AttributeError")
