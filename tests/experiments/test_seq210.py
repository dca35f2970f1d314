"""What becomes of None in a batch's place, with one worker and with several."""

from __future__ import annotations

from threading import Thread
from typing import TYPE_CHECKING

import numpy as np
import pytest

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow
BATCH = (np.ones((4, 3), "float32"), np.ones((4, 1), "float32"))
LONG_ENOUGH = 6.0  # seconds; the same training without None takes a fraction of one


def fit(line: Line, missing: tuple[int, ...], workers: int = 1) -> str:
    """How a training ends: the text of the error, empty for a good end."""

    class Feed(line.batches):  # type: ignore[misc, name-defined]
        def __len__(self) -> int:
            return 4

        def __getitem__(self, index: int) -> object:
            return None if index in missing else BATCH

    model = line.keras.Sequential([line.keras.Input((3,)), line.keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
    of_feed = {} if line.is_2 else {"workers": workers}
    of_fit = {"workers": workers} if line.is_2 else {}
    try:
        model.fit(Feed(**of_feed), shuffle=False, verbose=0, **of_fit)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""


def test_with_one_worker_a_later_none_raises(line: Line) -> None:
    error = fit(line, (3,))
    assert error.startswith("InvalidArgumentError")
    if line.is_2:
        line.says("SEQ210", "with one worker InvalidArgumentError")
        return
    assert "PyDataset.__getitem__() must return a tuple or a dict" in error
    said = 'with one worker InvalidArgumentError, with "PyDataset.__getitem__() must return a tuple or a dict" inside'
    line.says("SEQ210", "with one worker the same" if line.is_early else said)


def test_the_first_batch_is_asked_for_before_the_first_step(line: Line) -> None:
    error = fit(line, (0, 1, 2, 3))
    if line.is_2:
        assert error == "AttributeError: 'NoneType' object has no attribute 'shape'"
        line.says("SEQ210", "in batch 0 AttributeError \"'NoneType' object has no attribute 'shape'\"")
    else:
        assert error.startswith("ValueError")
    if not line.is_2 and not line.is_early:
        line.says("SEQ210", "In batch 0 or 1 ValueError before the first step")


def test_several_workers_skip_it_or_wait_for_ever(line: Line) -> None:
    ended: list[str] = []
    training = Thread(target=lambda: ended.append(fit(line, (3,), workers=2)), daemon=True)
    training.start()
    training.join(LONG_ENOUGH)
    if line.is_2 or line.is_early:
        assert ended == [""]
        line.says(
            "SEQ210",
            "with several the batch is left out without a word"
            if line.is_early
            else "the batch is left out without a word",
        )
    else:
        assert ended == []
        line.says("SEQ210", "with several workers `fit` waits for ever, and says nothing")
