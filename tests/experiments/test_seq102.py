"""What a model that is run in an epoch hook does to the history."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.experiments.small import ROWS, compiled, feed

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


def history(line: Line, hook: Any = None) -> dict[str, list[float]]:
    """The history of a training whose Sequence calls `hook(model)` at the end of an epoch."""
    model = compiled(line)
    methods = {"on_epoch_end": lambda self: hook(model)} if hook is not None else {}
    found = model.fit(feed(line, **methods), epochs=2, shuffle=False, verbose=0).history
    return {key: [float(value) for value in values] for key, values in found.items()}


def test_an_evaluation(line: Line) -> None:
    found = history(line, lambda model: model.evaluate(ROWS, ROWS + 9, verbose=0))
    if line.is_2:
        assert found == {}
        line.says("SEQ102", "after `evaluate` or `predict` the history that `fit` returns is empty")
        return
    assert found["loss"][0] > 50  # that of the evaluation
    assert history(line)["loss"][0] < 5
    said = (
        "the same" if line.is_early else "`evaluate` and `test_on_batch` replace the loss and metrics of the training"
    )
    line.says("SEQ102", said)


def test_predictions(line: Line) -> None:
    found = history(line, lambda model: model.predict(ROWS, verbose=0))
    if line.is_2:
        assert found == {}
    else:
        assert found["loss"] == pytest.approx(history(line)["loss"])
        line.says("SEQ102", "the same" if line.is_early else "`predict` leaves them alone")


def test_an_evaluation_in_a_callback_does_no_harm(line: Line) -> None:
    model = compiled(line)
    check = line.keras.callbacks.LambdaCallback(
        on_epoch_end=lambda epoch, logs: model.evaluate(ROWS, ROWS + 9, verbose=0)
    )
    found = model.fit(feed(line), epochs=2, shuffle=False, verbose=0, callbacks=[check]).history["loss"]
    assert [float(value) for value in found] == pytest.approx(history(line)["loss"])
