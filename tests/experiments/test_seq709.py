"""Classes that read data, and are gone."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow
ENQUEUERS = ("utils.OrderedEnqueuer", "utils.GeneratorEnqueuer", "utils.SequenceEnqueuer")
OTHERS = ("utils.experimental.DatasetCreator", "experimental.SequenceFeatures")


def taken(line: Line, name: str) -> Any:
    return reduce(getattr, name.split("."), line.keras)


@pytest.mark.parametrize("name", [*ENQUEUERS, *OTHERS])
def test_it_is_gone(line: Line, name: str) -> None:
    if line.is_2:
        assert taken(line, name) is not None
        line.says("SEQ709", "all of them exist")
        return
    with pytest.raises(AttributeError):
        taken(line, name)
    what = "`GeneratorEnqueuer` and `SequenceEnqueuer` raise AttributeError" if name in ENQUEUERS else f"`keras.{name}`"
    line.says("SEQ709", what)
