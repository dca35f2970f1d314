"""TensorFlow under threads, and what a spawned process would have to unpickle."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.experiments.steps import Kept, fit

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


def test_operations_work_in_threads(line: Line) -> None:
    import tensorflow as tf

    class Rows(line.batches):  # type: ignore[misc, name-defined]
        def __len__(self) -> int:
            return 6

        def __getitem__(self, index: int) -> Any:
            product = tf.matmul(tf.ones((256, 256)), tf.ones((256, 256)))
            return product[:1, :2].numpy(), np.ones((1, 1), "float32")

    kept = Kept(line)
    fit(line, kept, Rows(), workers=4)
    assert all((x == 256).all() for x, _ in kept.steps)
    line.says("SEQ226", "With threads all of them work")


def test_a_lambda_can_not_be_pickled(line: Line) -> None:
    change = lambda row: row  # noqa: E731
    with pytest.raises((AttributeError, pickle.PicklingError), match="pickle"):
        pickle.dumps(change)
    line.says("SEQ227", 'with "spawn" both hang' if line.is_2 else "Can't pickle local object")
