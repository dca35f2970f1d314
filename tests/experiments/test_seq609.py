"""Generators without an end, and no number of steps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.experiments.feeds import model

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow
ROWS = np.ones((4, 3), "float32")
MANY = 40  # batches: more than anything here has that ends


class _Enough(Exception):
    pass


def forever() -> Iterator[tuple[Any, Any]]:
    while True:
        yield ROWS, ROWS[:, :1]


def ends(line: Line, method: str, data: Any, *, stops_after: int = 0, **settings: Any) -> bool:
    """Whether a call ends by itself within `MANY` batches."""

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

    try:
        getattr(model(line), method)(data, verbose=0, callbacks=[Counting()], **settings)
    except _Enough:
        return False
    return True


@pytest.mark.parametrize("method", ["fit", "evaluate", "predict"])
def test_it_is_read_for_ever(line: Line, method: str) -> None:
    assert not ends(line, method, forever())
    line.says("SEQ609", "the epoch, the validation, `evaluate` or `predict` never ends")


def test_its_validation_never_ends(line: Line) -> None:
    assert not ends(line, "fit", forever(), steps_per_epoch=2, validation_data=forever())
    assert ends(line, "fit", forever(), steps_per_epoch=2, validation_data=forever(), validation_steps=2)
    line.says("SEQ609", "`steps_per_epoch` does not end the validation")


def test_a_dataset_of_it(line: Line) -> None:
    import tensorflow as tf

    signature = (tf.TensorSpec((None, 3), tf.float32), tf.TensorSpec((None, 1), tf.float32))
    data = tf.data.Dataset.from_generator(forever, output_signature=signature)
    assert not ends(line, "fit", data)
    assert ends(line, "fit", data.take(3))
    line.says("SEQ609", "the same for a dataset that is made with `from_generator`")


def test_a_callback_ends_it(line: Line) -> None:
    assert ends(line, "fit", forever(), stops_after=3)
    line.says("SEQ609", "it ends when a callback sets `stop_training` after a batch")
