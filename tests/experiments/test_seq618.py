"""How often rows are read where the steps count those of another split."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.experiments.small import compiled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow
TRAIN, HELD = np.arange(40, dtype="float32")[:, None], np.arange(10, dtype="float32")[:, None]


def forever(rows: Any, seen: list[float]) -> Iterator[Any]:
    """Batches of five rows, without an end."""
    while True:
        for at in range(0, len(rows), 5):
            seen += rows[at : at + 5, 0].tolist()
            yield rows[at : at + 5] / 40, rows[at : at + 5] / 40


def read(line: Line, train_steps: int, held_steps: int) -> tuple[int, Counter[float]]:
    """How many training rows an epoch uses, and how often each validation row is scored."""
    trained: list[float] = []
    held: list[float] = []
    batches: list[int] = []
    count = line.keras.callbacks.LambdaCallback(on_train_batch_end=lambda batch, logs: batches.append(batch))
    compiled(line).fit(
        forever(TRAIN, trained),
        steps_per_epoch=train_steps,
        validation_data=forever(HELD, held),
        validation_steps=held_steps,
        callbacks=[count],
        verbose=0,
    )
    return len(batches) * 5, Counter(held[: held_steps * 5])


def test_steps_of_the_other_split(line: Line) -> None:
    assert set(read(line, 8, 8)[1].values()) == {4}
    line.says("SEQ618", "`validation_steps=len(train) // 5` reads each validation row 4 times")
    rows, _ = read(line, 2, 2)
    line.says("SEQ618", f"`steps_per_epoch=len(held) // 5` reads {rows} of the 40 training rows in an epoch")


def test_predictions(line: Line) -> None:
    given = compiled(line).predict(((batch,) for batch, _ in forever(TRAIN, [])), steps=len(HELD) // 5, verbose=0)
    line.says("SEQ618", f"`predict` with the steps of the validation rows gives {len(given)} of 40 predictions")
