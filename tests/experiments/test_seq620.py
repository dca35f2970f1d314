"""Lists of Python where a model takes arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.experiments.feeds import model

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow
ROWS = np.ones((4, 3), "float32")
LISTS: Any = ROWS.tolist()
LABELS = [1, 0, 1, 0]
REFUSED = "Unrecognized data type|Failed to find data adapter that can handle input"


@pytest.mark.parametrize(
    ("x", "y"), [(ROWS, LABELS), (ROWS, range(4)), (LISTS, np.array(LABELS)), (ROWS, (1, 0, 1, 0))]
)
def test_a_list_next_to_an_array(line: Line, x: Any, y: Any) -> None:
    with pytest.raises(ValueError, match=REFUSED):
        model(line).fit(x, y, verbose=0)
    with pytest.raises(ValueError, match=REFUSED):
        model(line).evaluate(x, y, verbose=0)
    with pytest.raises(ValueError, match=REFUSED):
        model(line).fit(ROWS, ROWS[:, :1], verbose=0, validation_data=(x, y))
    if line.is_2:
        line.says(
            "SEQ620", 'ValueError "Failed to find data adapter that can handle input" for a list next to an array'
        )
    else:
        line.says("SEQ620", 'ValueError "Unrecognized data type" before the first step, for any list, tuple or `range`')


def test_lists_alone(line: Line) -> None:
    if line.is_2:
        model(line).fit(LISTS, LABELS, verbose=0)
        assert model(line).predict(LISTS, verbose=0).shape == (4, 1)
        line.says("SEQ620", "Lists as `x` and `y` both are accepted, and so is one as `x` of `predict`")
        return
    with pytest.raises(ValueError, match=REFUSED):
        model(line).fit(LISTS, LABELS, verbose=0)
    with pytest.raises(ValueError, match=REFUSED):
        model(line).predict(LISTS, verbose=0)


def test_one_batch(line: Line) -> None:
    error: type[Exception] = AttributeError if line.is_2 else ValueError
    with pytest.raises(error):
        model(line).train_on_batch(LISTS, np.array(LABELS))
    if line.is_early:
        model(line).train_on_batch(ROWS, LABELS)
        line.says("SEQ620", "`train_on_batch` takes a list as `y`, and raises ValueError for one as `x`")
        return
    with pytest.raises(error):
        model(line).train_on_batch(ROWS, LABELS)
    line.says("SEQ620", f"`train_on_batch` with a list as `x` or `y` raises {error.__name__}")


def test_a_list_of_images(line: Line) -> None:
    with pytest.raises(ValueError, match="Data cardinality is ambiguous"):
        model(line).fit([*np.ones((4, 8, 3), "float32")], np.array([1, 0, 1, 0, 1]), verbose=0)
    line.says("SEQ620", 'as many inputs as there are images: ValueError "Data cardinality is ambiguous"')


def test_what_the_fix_makes(line: Line) -> None:
    model(line).fit(np.array(LISTS), np.array(LABELS), verbose=0, validation_data=(np.array(LISTS), np.array(LABELS)))
    model(line).fit([ROWS], [ROWS[:, :1]], verbose=0)
