"""A Sequence whose `__init__` does not call its base."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import pytest

from tests.experiments.small import compiled, feed

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


def test_keras_3_warns_and_goes_on(line: Line) -> None:
    def init(self: Any) -> None:
        self.rows = 8

    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        compiled(line).fit(feed(line, __init__=init), epochs=1, verbose=0)
    about = [each for each in seen if "super().__init__(**kwargs)" in str(each.message)]
    if line.is_2:
        assert about == []
        line.says("SEQ221", "nothing; the base class has no `__init__` of its own")
    else:
        assert [each.category for each in about] == [UserWarning]
        line.says("SEQ221", "the same" if line.is_early else "one UserWarning at the first `fit` or `evaluate`")


def test_workers_are_refused_by_an_init_without_them(line: Line) -> None:
    def init(self: Any) -> None:
        self.rows = 8

    with pytest.raises(TypeError, match="workers"):
        type(feed(line, __init__=init))(workers=4)
    if not line.is_2:
        said = "`MyData(..., workers=4)` raises TypeError unless `__init__` takes `**kwargs`"
        line.says("SEQ221", "the same" if line.is_early else said)
