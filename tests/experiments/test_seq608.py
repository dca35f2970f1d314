"""Generators that end, read more than once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.experiments.feeds import model, steps_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.experiments.lines import Line

pytestmark = [pytest.mark.tensorflow, pytest.mark.filterwarnings("ignore")]
ROWS = np.ones((10, 3), "float32")


def once() -> Iterator[tuple[Any, Any]]:
    """Five batches."""
    for start in range(0, 10, 2):
        yield ROWS[start : start + 2], ROWS[start : start + 2, :1]


def test_several_epochs(line: Line) -> None:
    counted = steps_of(line)
    model(line).fit(once(), epochs=3, verbose=0, callbacks=[counted])
    if line.is_2:
        assert counted.steps == [5, 0]
        line.says("SEQ608", "with `epochs=3` a generator of 5 batches gives 5 batches, then 0, and the training ends")
    else:
        assert (counted.steps[0], len(counted.steps)) == (5, 3)
        assert max(counted.steps[1:]) <= 2
        line.says("SEQ608", "with `epochs=3` a generator of 5 batches gives 5 batches, and later epochs get 2 at most")


def test_several_validations(line: Line) -> None:
    class Held(line.keras.callbacks.Callback):  # type: ignore[name-defined,misc]
        batches: list[int] = []  # noqa: RUF012

        def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
            self.batches.append(0)

        def on_test_batch_end(self, batch: int, logs: Any = None) -> None:
            self.batches[-1] += 1

    Held.batches = []
    if line.is_early:
        with pytest.raises(AttributeError, match="'NoneType' object has no attribute 'items'"):
            model(line).fit(ROWS, ROWS[:, :1], epochs=3, verbose=0, validation_data=once())
        line.says("SEQ608", "as `validation_data` it makes `fit` fail in the second epoch: AttributeError")
        return
    kept = model(line).fit(ROWS, ROWS[:, :1], epochs=3, verbose=0, validation_data=once(), callbacks=[Held()])
    if line.is_2:
        assert (Held.batches, len(kept.history["val_loss"])) == ([5, 0, 0], 1)
        line.says("SEQ608", "as `validation_data` it gives 5 batches, then 0; only the first epoch has a `val_loss`")
    else:
        assert Held.batches[0] == 5
        assert max(Held.batches[1:]) <= 2
        line.says("SEQ608", "as `validation_data` it gives 5 batches, and later validations get 2 at most")


@pytest.mark.parametrize("method", ["fit", "evaluate", "predict"])
def test_a_second_call(line: Line, method: str) -> None:
    feed = once()
    trained = model(line)
    trained.fit(feed, verbose=0)
    error: type[Exception] = StopIteration if line.is_2 else IndexError if line.is_early else ValueError
    with pytest.raises(error):
        getattr(trained, method)(feed, verbose=0)
    line.says("SEQ608", f"`evaluate` or `predict` with the same generator raises {error.__name__}")
