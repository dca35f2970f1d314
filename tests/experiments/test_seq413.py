"""What runs ahead where `prefetch` is not the last step."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.experiments.running_ahead import runs_ahead, waits

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


def test_what_comes_after_it_waits(line: Line) -> None:
    assert waits(lambda rows, work: rows.prefetch(2).map(work), autotune=False)
    assert waits(lambda rows, work: rows.batch(2).prefetch(2).unbatch().map(work), inject_prefetch=False)
    line.says("SEQ413", "a `map` after it works on a row only when the model asks for it")
    assert runs_ahead(lambda rows, work: rows.map(work).prefetch(2), 3, autotune=False)
    line.says("SEQ413", "one before it is 2 rows ahead with `prefetch(2)`")


def test_rows_instead_of_batches(line: Line) -> None:
    assert runs_ahead(lambda rows, work: rows.map(work).prefetch(2).batch(4), 6, autotune=False)
    assert runs_ahead(lambda rows, work: rows.map(work).batch(4).prefetch(2), 12, autotune=False)
    line.says("SEQ413", "`.prefetch(2).batch(4)` is 2 rows ahead, `.batch(4).prefetch(2)` 2 batches")


def test_with_autotuning(line: Line) -> None:
    assert runs_ahead(lambda rows, work: rows.prefetch(2).map(work), 2)
    line.says("SEQ413", "TensorFlow adds a `prefetch` of its own at the end")
