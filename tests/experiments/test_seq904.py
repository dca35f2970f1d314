"""Weights that are loaded into a model of other sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.experiments.lines import Line

pytestmark = [pytest.mark.tensorflow, pytest.mark.filterwarnings("ignore")]


def model(line: Line, units: int, **more: Any) -> Any:
    """A model of two layers with weights."""
    layers = line.keras.layers
    return line.keras.Sequential([line.keras.Input((3,)), layers.Dense(units, **more), layers.Dense(1)])


def test_sizes(line: Line, tmp_path: Path) -> None:
    path = str(tmp_path / "moss.weights.h5")
    model(line, 8).save_weights(path)
    said = "" if line.is_2 else "A total of 2 objects could not be loaded"
    with pytest.raises(ValueError, match=said):
        model(line, 4).load_weights(path)
    line.says("SEQ904", "a layer of 4 units from one of 8 raises ValueError" + (f' "{said}"' if said else ""))


def test_columns(line: Line, tmp_path: Path) -> None:
    path = str(tmp_path / "moss.weights.h5")
    model(line, 8).save_weights(path)
    layers = line.keras.layers
    with pytest.raises(ValueError):  # noqa: PT011 - its words differ from line to line
        line.keras.Sequential([line.keras.Input((5,)), layers.Dense(8), layers.Dense(1)]).load_weights(path)
    line.says(
        "SEQ904", "the first layer with weights raises ValueError, too, where its input had 3 columns and now has 5"
    )


def test_what_changes_nothing(line: Line, tmp_path: Path) -> None:
    path = str(tmp_path / "moss.weights.h5")
    model(line, 8).save_weights(path)
    layers = line.keras.layers
    other = [layers.Dense(8, activation="relu", name="other"), layers.Dropout(0.5), layers.Dense(1)]
    line.keras.Sequential([line.keras.Input((3,)), *other]).load_weights(path)
    line.says("SEQ904", "another activation, another name, or a layer without weights more or less changes nothing")
