"""How far a dataset is ahead of the model that reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.experiments.running_ahead import runs_ahead, waits

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


def _batched(rows: Any, work: Any) -> Any:
    return rows.batch(2).map(work)


def _prefetched(rows: Any, work: Any) -> Any:
    import tensorflow as tf

    return _batched(rows, work).prefetch(tf.data.AUTOTUNE)


def test_tensorflow_prefetches_by_itself(line: Line) -> None:
    assert runs_ahead(_batched, 4)
    line.says("SEQ412", "TensorFlow prefetches at the end of the chain by itself")


@pytest.mark.parametrize(
    "options", [{"autotune": False}, {"inject_prefetch": False}, {"apply_default_optimizations": False}], ids=str
)
def test_with_that_switched_off(line: Line, options: dict[str, bool]) -> None:
    assert waits(_batched, size=2, **options)
    line.says("SEQ412", "no batch is made before the model asks for it")
    assert runs_ahead(_prefetched, 4, **options)
    line.says("SEQ412", "With `.prefetch(tf.data.AUTOTUNE)` last the next one is")


def test_a_map_before_a_batch(line: Line) -> None:
    assert runs_ahead(lambda rows, work: rows.map(work).batch(2), 4, autotune=False)
    line.says("SEQ412", "a `map` with a `batch` right after it runs ahead")
