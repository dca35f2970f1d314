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
