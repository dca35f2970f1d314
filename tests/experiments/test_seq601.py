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


def test_so_are_a_tuple_a_dict_and_a_list_of_one(line: Line) -> None:
    for given in ([feed(line)], (feed(line), feed(line)), {"a": feed(line), "b": feed(line)}):
        with pytest.raises(ValueError, match="data"):
            compiled(line).fit(given, verbose=0)
    if not line.is_2:
        line.says("SEQ601", "the same" if line.is_early else "for a list, a tuple and a dict, also with one element")


def test_two_for_the_validation(line: Line) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - each Keras says it in its own words
        compiled(line).fit(feed(line), validation_data=[feed(line), feed(line)], verbose=0)
    line.says("SEQ601", "every Keras takes the second one for the targets of the first, and raises ValueError")
    for check in ([feed(line)], (feed(line), None)):
        compiled(line).fit(feed(line), validation_data=check, verbose=0)
    line.says("SEQ601", "With one element, or as `(sequence, None)`, it works")
