"""How often the epoch hooks of a Sequence run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.experiments.small import compiled, feed

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow
EPOCHS = 3


def test_the_hook_of_a_sequence(line: Line) -> None:
    calls: list[str] = []
    data = feed(
        line,
        on_epoch_end=lambda self: calls.append("end"),
        on_epoch_begin=lambda self: calls.append("begin"),
    )
    compiled(line).fit(data, epochs=EPOCHS, verbose=0)
    late = not line.is_2 and not line.is_early
    assert calls.count("end") == EPOCHS + late
    assert calls.count("begin") == (EPOCHS if late else 0)
    if late:
        assert calls[0] == "end"
        line.says("SEQ101", "`on_epoch_end` runs epochs + 1 times, once before epoch 0")
    elif line.is_early:
        line.says("SEQ101", "`on_epoch_end` runs once an epoch")
    else:
        line.says("SEQ101", "once an epoch")


def test_evaluate_and_predict_call_it_on_the_newest_keras(line: Line) -> None:
    calls: list[Any] = []
    model, data = compiled(line), feed(line, on_epoch_end=lambda self: calls.append(1))
    model.evaluate(data, verbose=0)
    evaluated = len(calls)
    model.predict(data, verbose=0)
    if not line.is_2 and not line.is_early:
        assert (evaluated, len(calls) - evaluated) == (2, 1)
        line.says("SEQ101", "twice in each `evaluate`, once in each `predict`")


def test_a_callback_runs_once_an_epoch(line: Line) -> None:
    calls: list[int] = []
    note = line.keras.callbacks.LambdaCallback(on_epoch_end=lambda epoch, logs: calls.append(epoch))
    compiled(line).fit(feed(line), epochs=EPOCHS, verbose=0, callbacks=[note])
    assert calls == list(range(EPOCHS))
