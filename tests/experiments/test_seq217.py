"""A float as the length of a Sequence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.experiments.feeds import feed, model

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


@pytest.mark.parametrize("length", [np.ceil(8 / 4), 8 / 4], ids=["ceil", "division"])
def test_a_float_is_refused(line: Line, length: float) -> None:
    for method in ("fit", "evaluate", "predict"):
        with pytest.raises(TypeError) as refused:
            getattr(model(line), method)(feed(line, 8, 4, length), verbose=0)
        line.says("SEQ217", str(refused.value))
    line.says("SEQ217", "at the first `fit`, `evaluate` or `predict`")


def test_an_int_of_numpy_works(line: Line) -> None:
    model(line).fit(feed(line, 8, 4, np.ceil(8 / 4).astype(int)), verbose=0)
    line.says("SEQ217", "`np.int64`, the result of `np.ceil(...).astype(int)`, works")
