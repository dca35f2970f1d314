"""Worker arguments given to `fit`, `evaluate` and `predict`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.experiments.small import compiled, feed

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow
ERRORS = {"fit": TypeError, "predict": TypeError, "evaluate": ValueError}


@pytest.mark.parametrize("method", ERRORS)
def test_keras_3_refuses_them(line: Line, method: str) -> None:
    call = getattr(compiled(line), method)
    if line.is_2:
        call(feed(line), workers=2, verbose=0)
        line.says("SEQ701", "the arguments work")
        return
    with pytest.raises(ERRORS[method], match="workers"):
        call(feed(line), workers=2, verbose=0)
    line.says(
        "SEQ701", "the same" if line.is_early else "TypeError from `fit` and `predict`, ValueError from `evaluate`"
    )


def test_workers_of_the_sequence(line: Line) -> None:
    if line.is_2:
        with pytest.raises(TypeError):
            type(feed(line))(workers=4)
        line.says("SEQ701", "`MyData(..., workers=4)` raises TypeError there")
        return
    data = feed(line)
    data.workers = 4
    assert data.workers == 4
    compiled(line).fit(data, verbose=0)


@pytest.mark.parametrize("of", ["arrays", "dataset"])
def test_whatever_the_data_are(line: Line, of: str) -> None:
    import tensorflow as tf

    rows = tf.ones((4, 1))
    data = (rows, rows) if of == "arrays" else (tf.data.Dataset.from_tensors((rows, rows)),)
    if line.is_2:
        return
    with pytest.raises(TypeError, match="workers"):
        compiled(line).fit(*data, workers=2, verbose=0)
    line.says("SEQ701", "the same" if line.is_early else "before the first step, whatever the data are")
