"""How often the epoch hooks of a Sequence run."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.experiments.small import compiled, feed

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow
EPOCHS = 3
MYTHS = (Path(__file__).parents[2] / "docs/myths.md").read_text(encoding="utf-8")


def test_the_hook_of_a_sequence(line: Line) -> None:
    calls: list[str] = []
    data = feed(
        line,
        on_epoch_end=lambda self: calls.append("end"),
        on_epoch_begin=lambda self: calls.append("begin"),
    )
    compiled(line).fit(data, epochs=EPOCHS, verbose=0)
    once_more = line.version >= (3, 7)
    assert calls.count("end") == EPOCHS + once_more
    assert calls.count("begin") == (EPOCHS if line.version >= (3, 5) else 0)
    assert "On Keras 3.7 and later it runs once more, before the first epoch" in MYTHS
    if once_more:
        assert calls[0] == "end"
    if line.is_early:
        line.says("SEQ101", "up to 3.6 `on_epoch_end` runs once per epoch")
        line.says("SEQ101", "since 3.7 epochs + 1 times. `on_epoch_begin` is called since 3.5")
    elif once_more:
        line.says("SEQ101", "`on_epoch_end` runs epochs + 1 times, once before epoch 0")
    else:
        line.says("SEQ101", "once per epoch")


def test_evaluate_and_predict_call_it_on_the_newest_keras(line: Line) -> None:
    calls: list[str] = []
    model, data = (
        compiled(line),
        feed(line, on_epoch_end=lambda self: calls.append("end"), on_epoch_begin=lambda self: calls.append("begin")),
    )
    model.evaluate(data, verbose=0)
    evaluated = calls.copy()
    model.predict(data, verbose=0)
    predicted = calls[len(evaluated) :]
    if not line.is_2 and not line.is_early:
        assert (evaluated.count("end"), predicted.count("end")) == (2, 1)
        line.says("SEQ101", "twice in each `evaluate`, once in each `predict`")
        assert (evaluated.count("begin"), predicted.count("begin")) == (1, 1)
        line.says("SEQ101", "`on_epoch_begin` runs at the start of every epoch, `evaluate` and `predict`")


def test_a_callback_runs_once_an_epoch(line: Line) -> None:
    calls: list[int] = []
    threads: set[Any] = set()

    def ended(epoch: int, logs: Any) -> None:
        calls.append(epoch)
        threads.add(threading.current_thread())

    note = line.keras.callbacks.LambdaCallback(on_epoch_end=ended)
    compiled(line).fit(feed(line), epochs=EPOCHS, verbose=0, callbacks=[note])
    assert calls == list(range(EPOCHS))
    assert threads == {threading.main_thread()}
    line.says("SEQ101", "A Callback's `on_epoch_end` runs once per epoch, in the main thread, on every Keras")


def test_an_epoch_that_a_callback_stops_has_no_end_on_keras_2(line: Line) -> None:
    calls: list[int] = []

    class Stops(line.keras.callbacks.Callback):  # type: ignore[misc, name-defined]
        def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
            self.model.stop_training = True

    compiled(line).fit(
        feed(line, on_epoch_end=lambda self: calls.append(1)), epochs=EPOCHS, verbose=0, callbacks=[Stops()]
    )
    if line.is_2:
        assert not calls
        line.says("SEQ101", "Not for an epoch in which a callback stops the training")
