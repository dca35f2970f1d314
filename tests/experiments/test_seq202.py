"""Rows of x that are left out while their labels stay."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.experiments.small import compiled, feed

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


def fit_with(line: Line, rows: int) -> None:
    def batch(self: Any, index: int) -> Any:
        return np.ones((rows, 1), "float32"), np.ones((16, 1), "float32")

    compiled(line).fit(feed(line, __getitem__=batch), verbose=0)


def test_fewer_rows_than_labels(line: Line) -> None:
    with pytest.raises(Exception, match=r"[Ii]ncompatible shapes|Dimensions must be equal"):
        fit_with(line, 15)
    line.says("SEQ202", "15 rows against 16 fail")


def test_a_single_row_is_compared_with_every_label(line: Line) -> None:
    fit_with(line, 1)
    line.says("SEQ202", "a single row that is left in x is compared with every label, without a message")


def test_rows_left_out_at_different_places(line: Line) -> None:
    def batch(self: Any, index: int) -> Any:
        rows = np.arange(16, dtype="float32")[:, None]
        return np.delete(rows, 3, 0), np.delete(rows, 9, 0)

    compiled(line).fit(feed(line, __getitem__=batch), verbose=0)
    line.says("SEQ202", "equal numbers that are left out at different places train on wrong pairs, without a message")
    line.says("SEQ201", "Equal numbers that are left out at different places train on wrong pairs")
