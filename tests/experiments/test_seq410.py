"""What `Dataset.from_generator` is given in place of a function that makes a new generator."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow

ROWS = np.ones((2, 3), "float32")
EPOCHS = 3


def batches() -> Iterator[tuple[Any, Any]]:
    for _ in range(5):
        yield ROWS, ROWS[:, :1]


def test_what_is_no_function(line: Line) -> None:
    sequence = type(
        "Rows", (line.batches,), {"__len__": lambda self: 2, "__getitem__": lambda self, at: (ROWS, ROWS[:, :1])}
    )
    for given in (batches(), [1, 2], iter([1]), zip([1], [2], strict=True), ROWS, sequence()):
        with pytest.raises(TypeError) as refused:
            _dataset(given)
        line.says("SEQ410", f'TypeError "{refused.value}"')
    line.says("SEQ410", "for a generator, an iterator, a list, an array and a Sequence")


def test_one_generator_for_all_epochs(line: Line) -> None:
    once = batches()
    pairs = zip([ROWS] * 5, [ROWS[:, :1]] * 5, strict=True)
    for make in (lambda: once, lambda: pairs):
        steps = _steps(line, make)
        line.says("SEQ410", f"`lambda: once` with {EPOCHS} epochs runs {steps} steps")


def test_a_new_generator_for_each_epoch(line: Line) -> None:
    assert _steps(line, batches) == _steps(line, lambda: batches()) == [5] * EPOCHS


def test_each_reading_asks_anew(line: Line) -> None:
    once = batches()
    read = _dataset(lambda: once)
    line.says("SEQ410", f"read twice, it has {len(list(read))} batches and then {len(list(read))}")
    assert [len(list(read)) for read in [_dataset(batches)] * 2] == [5, 5]


def _dataset(given: Any) -> Any:
    import tensorflow as tf

    signature = (tf.TensorSpec((None, 3)), tf.TensorSpec((None, 1)))
    return tf.data.Dataset.from_generator(given, output_signature=signature)


def _model(line: Line) -> Any:
    model = line.keras.Sequential([line.keras.Input((3,)), line.keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
    return model


def _steps(line: Line, make: Callable[[], Any]) -> list[int]:
    steps: list[int] = []

    class Steps(line.keras.callbacks.Callback):  # type: ignore[misc, name-defined]
        def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
            steps.append(0)

        def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
            steps[-1] += 1

    _model(line).fit(_dataset(make), epochs=EPOCHS, verbose=0, callbacks=[Steps()])
    return steps
