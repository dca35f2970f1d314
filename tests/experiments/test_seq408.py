"""Datasets that never end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow
ROWS = 20
MANY = 3 * ROWS  # batches: more than any dataset here has that ends


class _Enough(Exception):
    pass


def pairs() -> Any:
    """4 batches of 5 rows."""
    import tensorflow as tf

    rows = np.ones((ROWS, 1), "float32")
    return tf.data.Dataset.from_tensor_slices((rows, rows)).batch(5)


def counting(line: Line, *, stops_after: int = 0) -> Any:
    """A callback that leaves with `_Enough` where an epoch, or a run, has more than `MANY` batches."""

    class Counting(line.keras.callbacks.Callback):  # type: ignore[name-defined,misc]
        def __init__(self) -> None:
            super().__init__()
            self.batches = 0

        def _count(self, batch: int, logs: Any = None) -> None:
            self.batches += 1
            if self.batches > MANY:
                raise _Enough
            if self.batches == stops_after:
                self.model.stop_training = True

        on_train_batch_end = on_test_batch_end = on_predict_batch_end = _count

    return Counting()


def net(line: Line) -> Any:
    made = line.keras.Sequential([line.keras.Input((1,)), line.keras.layers.Dense(1)])
    made.compile(optimizer="sgd", loss="mse")
    return made


def never_ends(line: Line, method: str, data: Any, **settings: Any) -> bool:
    counted = counting(line)
    try:
        getattr(net(line), method)(data, verbose=0, callbacks=[counted], **settings)
    except _Enough:
        return True
    return False


@pytest.mark.parametrize("method", ["fit", "evaluate", "predict"])
def test_it_is_read_for_ever(line: Line, method: str) -> None:
    data = pairs().repeat() if method != "predict" else pairs().map(lambda x, y: x).repeat()
    _is_said(line, lambda: never_ends(line, method, data))


def test_its_validation_never_ends(line: Line) -> None:
    held = pairs().repeat()
    _is_said(line, lambda: never_ends(line, "fit", pairs().repeat(), steps_per_epoch=4, validation_data=held))


def _is_said(line: Line, run: Callable[[], bool]) -> None:
    if not line.is_2:
        assert run()
        line.says("SEQ408", "an epoch, a validation, `evaluate` and `predict` never end")
        line.says("SEQ408", "`steps_per_epoch` alone does not end the validation")
        return
    with pytest.raises(
        ValueError, match="When providing an infinite dataset, you must specify the number of steps to run"
    ):
        run()
    line.says("SEQ408", 'ValueError "When providing an infinite dataset, you must specify the number of steps to run"')


def test_one_that_tensorflow_cannot_tell(line: Line) -> None:
    assert never_ends(line, "fit", pairs().repeat().filter(lambda x, y: True))
    if line.is_2:
        line.says("SEQ408", "where TensorFlow can't tell that it is endless, as after `filter`, it never ends")


def test_what_ends_it(line: Line) -> None:
    import tensorflow as tf

    rows = tf.data.Dataset.from_tensor_slices(np.ones((ROWS, 1), "float32")).batch(5)
    assert not never_ends(line, "fit", pairs().repeat().take(7))
    assert not never_ends(line, "fit", tf.data.Dataset.zip((rows, rows.repeat())))
    endless = pairs().repeat().filter(lambda x, y: True)
    stopping = counting(line, stops_after=7)
    net(line).fit(endless, verbose=0, callbacks=[stopping])
    assert stopping.batches == 7
    line.says(
        "SEQ408", "it ends after `take`, in a `zip` with a dataset that ends, and when a callback sets `stop_training`"
    )
