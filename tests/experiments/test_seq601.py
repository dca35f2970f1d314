"""Several Sequences in one `fit`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.experiments.small import compiled, feed

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


def test_a_list_is_refused(line: Line) -> None:
    text = "Failed to find data adapter" if line.is_2 else "Unrecognized data type"
    with pytest.raises(ValueError, match=text):
        compiled(line).fit([feed(line), feed(line)], verbose=0)
    line.says("SEQ601", "the same" if line.is_early else f'ValueError "{text}"')


def test_so_is_a_list_of_one(line: Line) -> None:
    with pytest.raises(ValueError, match="data"):
        compiled(line).fit([feed(line)], verbose=0)


def test_two_for_the_validation(line: Line) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - each Keras says it in its own words
        compiled(line).fit(feed(line), validation_data=[feed(line), feed(line)], verbose=0)
