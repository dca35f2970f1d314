"""Arguments of Keras 1."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = [pytest.mark.tensorflow, pytest.mark.filterwarnings("ignore")]
OLD: tuple[dict[str, Any], ...] = (
    {"border_mode": "same"},
    {"subsample": (2, 2)},
    {"init": "zeros"},
    {"W_regularizer": None},
    {"nb_filter": 2},
)


def test_old_names(line: Line) -> None:
    kind = TypeError if line.is_2 else ValueError
    said = "Keyword argument not understood" if line.is_2 else "Unrecognized keyword arguments"
    for given in OLD:
        with pytest.raises(kind, match=said):
            line.keras.layers.Conv2D(4, (3, 3), **given)
    inputs = line.keras.Input((3,))
    with pytest.raises((TypeError, ValueError)):
        line.keras.Model(input=inputs, output=line.keras.layers.Dense(1)(inputs))
    line.says("SEQ713", said)


def test_the_third_number(line: Line) -> None:
    picture = line.keras.Input((40, 40, 3))
    assert tuple(line.keras.layers.Conv2D(24, 5, 5)(picture).shape) == (None, 8, 8, 24)
    assert tuple(line.keras.layers.Conv2D(24, (5, 5))(picture).shape) == (None, 36, 36, 24)
    line.says("SEQ713", "a picture of 40 by 40 gives 8 by 8, not 36 by 36")
