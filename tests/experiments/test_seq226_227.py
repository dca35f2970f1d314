"""TensorFlow under threads and after a fork, and what a spawned process has to unpickle."""

from __future__ import annotations

from threading import Lock, Thread
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.experiments.lines import on_demand
from tests.experiments.spawned import ends
from tests.experiments.steps import Kept, fit

if TYPE_CHECKING:
    from pathlib import Path

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


def test_a_lambda_under_spawn(line: Line, tmp_path: Path) -> None:
    if line.is_2:
        pytest.skip("it hangs: see below")
    said = ends(line, tmp_path, 120, change="lambda row: row")
    assert said is not None
    assert "UnknownError" in said
    line.says("SEQ227", "a lambda on `self` ends `fit` with UnknownError")
    assert "AttributeError: Can't pickle local object" in said
    line.says("SEQ227", '"AttributeError: Can\'t pickle local object" inside')


@on_demand
def test_what_hangs_under_spawn(line: Line, tmp_path: Path) -> None:
    assert ends(line, tmp_path, 300) is not None  # otherwise the machine is slow, and what follows shows nothing
    assert ends(line, tmp_path, 45, guard=False) is None
    line.says("SEQ227", 'with "spawn" both hang' if line.is_2 else "hangs for more than 40 seconds")
    if line.is_2:
        assert ends(line, tmp_path, 45, change="lambda row: row") is None


@on_demand
def test_what_hangs_after_a_fork(line: Line) -> None:
    import tensorflow as tf

    class Rows(line.batches):  # type: ignore[misc, name-defined]
        def __len__(self) -> int:
            return 6

        def __getitem__(self, index: int) -> Any:
            product = tf.matmul(tf.ones((256, 256)), tf.ones((256, 256)))
            return product[:1, :2].numpy(), np.ones((1, 1), "float32")

    kept = Kept(line)
    training = Thread(target=lambda: fit(line, kept, Rows(), workers=2, processes=True), daemon=True)
    training.start()
    training.join(60)
    assert not kept.steps
    line.says("SEQ226", "the same" if line.is_2 else "`fit` hangs for more than 60 seconds without a message")


def test_what_works_after_a_fork(line: Line) -> None:
    import tensorflow as tf

    class Rows(line.batches):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.kept = (lambda row: row, iter(range(4)), Lock(), line.keras.Sequential([line.keras.layers.Dense(1)]))

        def __len__(self) -> int:
            return 4

        def __getitem__(self, index: int) -> Any:
            return self.kept[0](tf.ones((1, 2)).numpy()), np.ones((1, 1), "float32")

    kept = Kept(line)
    fit(line, kept, Rows(), workers=2, processes=True)
    assert len(kept.steps) == 4
    line.says("SEQ226", "small operations such as `tf.ones`")
    line.says("SEQ227", 'with "fork" lambdas, generators, locks and models on `self` all work')
