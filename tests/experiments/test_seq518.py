"""What `fit` takes as callbacks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.experiments.feeds import model

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = [pytest.mark.tensorflow, pytest.mark.filterwarnings("ignore")]


class Hooks:
    """A class with a hook, and no base."""

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Do nothing."""


def run(line: Line, callbacks: Any) -> None:
    """Train."""
    rows = np.ones((4, 3), "float32")
    model(line).fit(rows, rows[:, :1], verbose=0, callbacks=callbacks)


def test_no_callback(line: Line) -> None:
    with pytest.raises(AttributeError, match="object has no attribute 'set_model'"):
        run(line, [Hooks()])
    line.says("SEQ518", "without the base raises AttributeError \"object has no attribute 'set_model'\"")


def test_other_things(line: Line) -> None:
    one = line.keras.callbacks.TerminateOnNaN()
    for wrong in ([lambda epoch, logs: None], ["early"], [line.keras.optimizers.SGD()], [None], {one}):
        with pytest.raises(AttributeError):
            run(line, wrong)
    line.says("SEQ518", "a function, a str, an optimizer, None in a list and a set raise AttributeError, too")


def test_a_class(line: Line) -> None:
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'model'"):
        run(line, [line.keras.callbacks.EarlyStopping])
    line.says("SEQ518", "the class, raises TypeError \"missing 1 required positional argument: 'model'\"")


def test_what_is_accepted(line: Line) -> None:
    one = line.keras.callbacks.TerminateOnNaN()
    for right in (one, (one,), {"one": one}, [[one]], None):
        run(line, right)
    line.says("SEQ518", "a single callback, a tuple, a dict and a list in a list are accepted, and `callbacks=None`")
