"""How many pairs of two flows with one seed are flipped alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.experiments.flows import ROWS, generator, paired, pictures

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


def alike(line: Line, **option: Any) -> int:
    """Pairs with the same flips where the images have an option more than the masks."""
    rows = pictures() * 0 + pictures()[:1]
    flips = {"horizontal_flip": True, "vertical_flip": "vertical_flip" not in option}
    first = generator(line, **{**flips, **option}).flow(rows, batch_size=8, seed=1)
    return paired(first, generator(line, **flips).flow(rows, batch_size=8, seed=1))[1]


def test_an_option_that_draws(line: Line) -> None:
    assert alike(line) == ROWS
    bright, shifted, flipped = (
        alike(line, **option)
        for option in ({"brightness_range": (0.9, 1.1)}, {"channel_shift_range": 0.1}, {"vertical_flip": True})
    )
    line.says("SEQ424", f"all {ROWS} pairs have the same flips; with it on the images only {bright} of {ROWS}")
    line.says("SEQ424", f"it is {shifted} of {ROWS}, with `vertical_flip` {flipped} of {ROWS}")


def test_options_that_draw_nothing(line: Line) -> None:
    for option in ({"rescale": 0.5}, {"samplewise_center": True}, {"fill_mode": "constant"}):
        assert alike(line, **option) == ROWS
    line.says("SEQ424", f"`rescale`, `samplewise_center` and `fill_mode` draw nothing: all {ROWS} pairs")
