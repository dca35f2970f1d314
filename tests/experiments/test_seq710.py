"""The two names of one class."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


def test_the_names(line: Line) -> None:
    if line.is_2:
        assert not hasattr(line.keras.utils, "PyDataset")
        line.says("SEQ710", "`keras.utils.PyDataset` does not exist")
    else:
        assert line.keras.utils.Sequence is line.keras.utils.PyDataset
        line.says("SEQ710", "`keras.utils.Sequence` and `keras.utils.PyDataset` are one class")
