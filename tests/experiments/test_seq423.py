"""How many images get their masks from two flows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.experiments.flows import ROWS, generator, paired, pictures

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


def both(line: Line, first: dict[str, Any], second: dict[str, Any], **options: Any) -> tuple[int, int]:
    rows = pictures()
    flows = [generator(line, **options).flow(rows, batch_size=8, **each) for each in (first, second)]
    return paired(*flows)


def test_flows_that_differ(line: Line) -> None:
    other, _ = both(line, {"seed": 1}, {"seed": 2})
    none, _ = both(line, {}, {})
    line.says("SEQ423", f"with `seed=1` and `seed=2` {other} of {ROWS} images gets its mask, with no seed at all ")
    assert none < ROWS / 4
    kept, _ = both(line, {"seed": 1}, {"seed": 1, "shuffle": False})
    line.says("SEQ423", f"`shuffle=False` for one of them, it is {kept} of {ROWS}")


def test_flows_that_keep_the_order(line: Line) -> None:
    kept = {"shuffle": False}
    numbers, corners = both(line, kept, kept, horizontal_flip=True)
    assert numbers == ROWS
    assert corners < ROWS
    line.says("SEQ423", f"`shuffle=False` for both and no seed all {numbers} get their masks")
    assert both(line, {"seed": 1}, {"seed": 1}, horizontal_flip=True) == (ROWS, ROWS)
    line.says("SEQ423", f"with one seed all {ROWS} get their masks, and the same flip")
