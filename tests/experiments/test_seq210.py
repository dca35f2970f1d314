"""What becomes of None in a batch's place, with one worker and with several."""

from __future__ import annotations

import queue
from importlib import import_module
from threading import Event
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow
BATCH = (np.ones((4, 3), "float32"), np.ones((4, 1), "float32"))
ADAPTER = "keras.src.trainers.data_adapters.py_dataset_adapter"
STARVED = "all batches have been taken, and one more is waited for"


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


def watched(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a training raise that waits for a batch which can't come: who makes them is done, and none is left."""
    adapter, done = import_module(ADAPTER), Event()
    make, begin = adapter.OrderedEnqueuer._run, adapter.OrderedEnqueuer.start

    def start(self: Any) -> None:
        if not self.is_running():
            done.clear()
        begin(self)

    def run(self: object) -> None:
        make(self)
        done.set()

    class Queue(queue.Queue[Any]):
        def get(self, block: bool = True, timeout: float | None = None) -> Any:
            try:
                return super().get(block, timeout and 0.1)
            except queue.Empty:
                # With a short limit the queue is emptied at the end of an epoch, which expects that nothing is left.
                if timeout is not None and timeout > 1 and done.is_set() and self.empty():
                    raise RuntimeError(STARVED) from None
                raise

    monkeypatch.setattr(adapter.OrderedEnqueuer, "start", start)
    monkeypatch.setattr(adapter.OrderedEnqueuer, "_run", run)
    monkeypatch.setattr(adapter, "queue", SimpleNamespace(Queue=Queue, Empty=queue.Empty))


def test_several_workers_skip_it_or_wait_for_ever(line: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    if not line.is_2 and not line.is_early:
        watched(monkeypatch)
    error = fit(line, (3,), workers=2)
    if line.is_2 or line.is_early:
        assert error == ""
        line.says(
            "SEQ210",
            "with several the batch is left out without a message"
            if line.is_early
            else "the batch is left out without a message",
        )
    else:
        assert STARVED in error
        line.says("SEQ210", "with several workers `fit` waits for ever, and says nothing")


def test_no_training_without_none_waits(line: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    if not line.is_2 and not line.is_early:
        watched(monkeypatch)
    assert fit(line, (), workers=2) == ""
