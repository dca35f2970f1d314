"""What a model that is run in an epoch hook does to the history."""

from __future__ import annotations

import functools
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests.experiments.small import ROWS, compiled, feed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


def history(line: Line, hook: Any = None) -> dict[str, list[float]]:
    """The history of a training whose Sequence calls `hook(model)` at the end of an epoch."""
    model = compiled(line)
    methods = {"on_epoch_end": lambda self: hook(model)} if hook is not None else {}
    found = model.fit(feed(line, **methods), epochs=2, shuffle=False, verbose=0).history
    return {key: [float(value) for value in values] for key, values in found.items()}


@functools.cache
def alone(line: Line) -> list[float]:
    """The losses of that training without a hook."""
    return history(line)["loss"]


def test_an_evaluation(line: Line) -> None:
    found = history(line, lambda model: model.evaluate(ROWS, ROWS + 9, verbose=0))
    if line.is_2:
        assert found == {}
        line.says("SEQ102", "after `evaluate` or `predict` the history that `fit` returns is empty")
        return
    assert found["loss"][0] > 50  # that of the evaluation
    assert alone(line)[0] < 5
    said = (
        "the same" if line.is_early else "`evaluate` and `test_on_batch` replace the loss and metrics of the training"
    )
    line.says("SEQ102", said)


def test_predictions(line: Line) -> None:
    found = history(line, lambda model: model.predict(ROWS, verbose=0))
    if line.is_2:
        assert found == {}
    else:
        assert found["loss"] == pytest.approx(alone(line))
        line.says("SEQ102", "the same" if line.is_early else "`predict` leaves them alone")


def test_an_evaluation_in_a_callback_does_no_harm(line: Line) -> None:
    model = compiled(line)
    check = line.keras.callbacks.LambdaCallback(
        on_epoch_end=lambda epoch, logs: model.evaluate(ROWS, ROWS + 9, verbose=0)
    )
    found = model.fit(feed(line), epochs=2, shuffle=False, verbose=0, callbacks=[check]).history["loss"]
    assert [float(value) for value in found] == pytest.approx(alone(line))


def test_a_test_on_one_batch(line: Line) -> None:
    found = history(line, lambda model: model.test_on_batch(ROWS, ROWS + 9))["loss"]
    if line.is_2:
        assert found == pytest.approx(alone(line))
        line.says("SEQ102", "`test_on_batch` does no harm")
        return
    assert (found[0] > alone(line)[0] + 5) if line.is_early else found[0] > 50
    said = "adds its values to those of the training" if line.is_early else "`evaluate` and `test_on_batch` replace"
    line.says("SEQ102", said)


def test_a_training_inside(line: Line) -> None:
    found = history(line, lambda model: model.train_on_batch(ROWS, ROWS - 9))["loss"]
    assert found != pytest.approx(alone(line))
    if not line.is_2 and not line.is_early:
        line.says("SEQ102", "`fit` and `train_on_batch` train between the epochs, and once before epoch 0")


def test_a_fit_inside(line: Line) -> None:
    found = history(line, lambda model: model.fit(ROWS, ROWS - 9, epochs=3, verbose=0))
    if line.is_2:
        assert len(found["loss"]) == 3
        line.says("SEQ102", "after `fit` it holds the inner fit's")


@pytest.fixture
def shallow() -> Iterator[None]:
    """Half of the calls in one another that Python allows; each evaluation in an evaluation takes its time."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(limit // 2)
    yield
    sys.setrecursionlimit(limit)


@pytest.mark.usefixtures("shallow")
def test_an_evaluation_of_itself_never_ends(line: Line) -> None:
    if line.is_2 or line.is_early:
        pytest.skip("it has no end, or one after minutes")
    model = compiled(line)
    # It is raised where TensorFlow reads the data, or where Keras does.
    with pytest.raises(Exception, match="recursion"):
        model.fit(feed(line, on_epoch_end=lambda self: model.evaluate(self, verbose=0)), epochs=2, verbose=0)
    line.says("SEQ102", "`evaluate(self)`: RecursionError on Keras 3")


def test_the_start_of_an_epoch(line: Line) -> None:
    model = compiled(line)
    evaluated = feed(line, on_epoch_begin=lambda self: model.evaluate(ROWS, ROWS + 9, verbose=0))
    found = model.fit(evaluated, epochs=2, shuffle=False, verbose=0).history["loss"]
    if not line.is_2 and not line.is_early:
        assert found != pytest.approx(alone(line))
        line.says("SEQ102", "the values are mixed into those of the training")


def test_the_start_of_an_epoch_of_a_callback(line: Line) -> None:
    model = compiled(line)
    check = line.keras.callbacks.LambdaCallback(
        on_epoch_begin=lambda epoch, logs: model.evaluate(ROWS, ROWS + 9, verbose=0)
    )
    found = model.fit(feed(line), epochs=2, shuffle=False, verbose=0, callbacks=[check]).history
    assert found.get("loss") != pytest.approx(alone(line))
    line.says("SEQ102", "In its `on_epoch_begin` an evaluation is as wrong")


def test_another_model_does_no_harm(line: Line) -> None:
    other = compiled(line)
    found = history(line, lambda model: other.evaluate(ROWS, ROWS + 9, verbose=0))["loss"]
    assert found == pytest.approx(alone(line))
    line.says("SEQ102", "On a model other than the one that `fit` trains: no harm to the history, on any Keras")
