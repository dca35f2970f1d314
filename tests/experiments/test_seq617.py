"""What a prediction costs, counted in pipelines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.experiments.feeds import model

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow
ROWS = np.arange(12, dtype="float32").reshape(4, 3)


def pipelines(monkeypatch: pytest.MonkeyPatch, work: Callable[[], Any]) -> int:
    """How many datasets are begun."""
    import tensorflow as tf

    made: list[Any] = []
    begin = tf.data.Dataset.range

    def counted(*args: Any, **options: Any) -> Any:
        made.append(args)
        return begin(*args, **options)

    with monkeypatch.context() as patch:
        patch.setattr(tf.data.Dataset, "range", counted)
        work()
    return len(made)


def test_each_prediction_makes_a_pipeline(line: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    net = model(line)
    at_once = pipelines(monkeypatch, lambda: net.predict(ROWS, verbose=0))
    single = pipelines(monkeypatch, lambda: [net.predict(row[None], verbose=0) for row in ROWS])
    assert at_once > 0
    assert single == len(ROWS) * at_once
    assert pipelines(monkeypatch, lambda: [net(row[None]) for row in ROWS]) == 0
    line.says("SEQ617", "each `predict` makes a `tf.data` pipeline of its own; one `predict` of all rows makes one")


def test_the_rows_are_the_same(line: Line) -> None:
    net = model(line)
    single = np.concatenate([net.predict(row[None], verbose=0) for row in ROWS])
    assert np.allclose(net.predict(ROWS, verbose=0), single)
    line.says("SEQ617", "the rows of one `predict` are those of single calls")


def test_a_batch_needs_no_pipeline(line: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    net = model(line)
    assert pipelines(monkeypatch, lambda: net.predict_on_batch(ROWS)) == 0
    assert np.allclose(net.predict_on_batch(ROWS), net.predict(ROWS, verbose=0))
    line.says("SEQ617", "`predict_on_batch` makes no pipeline, and gives the same array")
