"""A batch size beside batches."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.experiments.feeds import feed, model, steps_of
from tests.experiments.small import compiled

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


def test_batches_stay_as_they_are(line: Line) -> None:
    steps = steps_of(line)
    model(line).fit(feed(line, 8, 2, 4), batch_size=8, verbose=0, callbacks=[steps])
    assert steps.steps == [4]
    assert len(model(line).predict(feed(line, 8, 2, 4), batch_size=8, verbose=0)) == 8
    model(line).evaluate(feed(line, 8, 2, 4), batch_size=8, verbose=0)
    line.says(
        "SEQ603", "`fit`, `evaluate` and `predict` accept it for a Sequence, a generator and a dataset, say nothing"
    )
    line.says("SEQ603", "the batches stay as they are")


def test_so_do_those_of_generators_and_datasets_and_of_validation_data(line: Line) -> None:
    import tensorflow as tf

    rows = np.ones((8, 3), "float32")
    dataset = tf.data.Dataset.from_tensor_slices((rows, rows[:, :1])).batch(2)
    steps, checks = steps_of(line), []
    note = line.keras.callbacks.LambdaCallback()
    note.on_test_batch_end = lambda batch, logs=None: checks.append(batch)
    for given in (dataset, ((rows[:2], rows[:2, :1]) for _ in range(4))):
        model(line).fit(
            given, batch_size=8, validation_data=dataset, validation_batch_size=8, verbose=0, callbacks=[steps, note]
        )
    assert steps.steps == [4, 4]
    assert len(checks) == 8
    line.says("SEQ603", "The same holds for `validation_batch_size`")


def test_the_second_position_of_predict(line: Line) -> None:
    second = list(inspect.signature(model(line).predict).parameters)[1]
    line.says("SEQ603", f"the second position of `predict` is `{second}`")
    if line.is_2:
        third = list(inspect.signature(model(line).predict_generator).parameters)[1]
        line.says("SEQ603", f"that of `predict_generator` was `{third}`")


def test_it_cuts_validation_data_that_are_arrays(line: Line) -> None:
    batches = []
    note = line.keras.callbacks.LambdaCallback()
    note.on_test_batch_end = lambda batch, logs=None: batches.append(batch)
    check = (np.ones((8, 3)), np.ones((8, 1)))
    model(line).fit(feed(line, 8, 2, 4), batch_size=4, validation_data=check, verbose=0, callbacks=[note])
    assert len(batches) == 2
    line.says("SEQ603", "it does count where the validation data are arrays")


def test_a_loader_of_torch_keeps_its_batches(line: Line) -> None:
    torch = pytest.importorskip("torch")
    if line.is_2:
        pytest.skip("the page speaks of Keras 3")
    pairs = torch.utils.data.TensorDataset(torch.ones(8, 1), torch.ones(8, 1))
    seen: list[int] = []
    note = line.keras.callbacks.LambdaCallback(on_train_batch_end=lambda batch, logs: seen.append(batch))
    loader = torch.utils.data.DataLoader(pairs, batch_size=2)
    compiled(line).fit(loader, batch_size=64, verbose=0, callbacks=[note])
    assert seen == [0, 1, 2, 3]
    line.says("SEQ603", "the same holds for a DataLoader of torch")
