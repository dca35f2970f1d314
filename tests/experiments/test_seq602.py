"""Targets and weights beside what has its own."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.experiments.feeds import feed, model

if TYPE_CHECKING:
    from tests.experiments.lines import Line

REFUSED = re.compile("argument is not supported when|should not be passed")
pytestmark = pytest.mark.tensorflow


def test_targets_are_refused(line: Line) -> None:
    with pytest.raises(ValueError, match=REFUSED) as refused:
        model(line).fit(feed(line, 8, 4, 2), np.ones((8, 1)), verbose=0)
    line.says("SEQ602", str(refused.value).split(". ")[0].rstrip("."))


def test_so_are_a_number_weights_and_targets_of_validation_data(line: Line) -> None:
    rows, data = np.ones((8, 3)), feed(line, 8, 4, 2)
    for arguments in ((data, 2), (rows, rows[:, :1], data)):
        check = {"validation_data": (arguments[2], rows[:, :1])} if len(arguments) == 3 else {}
        with pytest.raises(ValueError, match=REFUSED):
            model(line).fit(*arguments[:2], verbose=0, **check)
    with pytest.raises(ValueError, match=REFUSED):
        model(line).fit(data, sample_weight=np.ones(8), verbose=0)
    if not line.is_2:
        line.says("SEQ602", "and for `sample_weight` and `validation_data=(source, y)`. A number is refused as well")


def test_generators_and_datasets_refuse_them_too(line: Line) -> None:
    import tensorflow as tf

    rows = np.ones((8, 3), "float32")
    dataset = tf.data.Dataset.from_tensor_slices((rows, rows[:, :1])).batch(4)
    for given in (dataset, ((rows, rows[:, :1]) for _ in range(4))):
        with pytest.raises(ValueError, match=REFUSED):
            model(line).fit(given, rows[:, :1], verbose=0)
    if not line.is_2:
        line.says("SEQ602", "before the first step, for generators and datasets too")


def test_none_is_accepted(line: Line) -> None:
    data = feed(line, 8, 4, 2)
    model(line).fit(data, None, validation_data=(data, None), verbose=0)
    line.says("SEQ602", "`y=None` and `validation_data=(source, None)` are accepted")
