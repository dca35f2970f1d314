"""Callbacks that watch a value under a name that is not logged."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.experiments.logging_fits import epochs_with, files_with, fit, rates_with

if TYPE_CHECKING:
    from pathlib import Path

    from tests.experiments.lines import Line

pytestmark = [pytest.mark.tensorflow, pytest.mark.filterwarnings("ignore")]
ACCURACY: dict[str, Any] = {"metrics": ["accuracy"]}


def test_the_names_of_the_accuracy(line: Line) -> None:
    assert "val_accuracy" in fit(line, epochs=1, metrics=["accuracy"]).history
    assert "val_acc" in fit(line, epochs=1, metrics=["acc"]).history


def test_early_stopping(line: Line) -> None:
    if line.is_2:
        assert epochs_with(line, "val_acc", 4, **ACCURACY) == 4
        line.says("SEQ502", "EarlyStopping never stops")
        return
    with pytest.raises(ValueError, match="monitor=val_acc"):
        epochs_with(line, "val_acc", 4, **ACCURACY)
    line.says(
        "SEQ502", "EarlyStopping" if not line.is_early else "EarlyStopping raises ValueError after the first epoch"
    )
    assert epochs_with(line, "val_acc", 4, mode="max", **ACCURACY) == 4
    line.says("SEQ502", "with a mode of its own EarlyStopping never stops")


def test_the_learning_rate(line: Line) -> None:
    if not line.is_2 and not line.is_early:
        with pytest.raises(ValueError, match="monitor=val_acc"):
            rates_with(line, "val_acc", **ACCURACY)
        line.says(
            "SEQ502", "EarlyStopping, ReduceLROnPlateau and ModelCheckpoint raise ValueError after the first epoch"
        )
        return
    before, after = rates_with(line, "val_acc", **ACCURACY)
    assert before == after
    line.says("SEQ502", "ReduceLROnPlateau never changes the learning rate")


def test_the_best_model(line: Line, tmp_path: Path) -> None:
    settings = {"monitor": "val_acc", "save_best_only": True, **ACCURACY}
    if line.is_2 or line.is_early:
        assert files_with(line, tmp_path, "best.keras", **settings) == []
        assert files_with(line, tmp_path, "best.keras", mode="max", **settings) == []
        line.says("SEQ502", "ModelCheckpoint with `save_best_only=True` writes no file")
        return
    with pytest.raises(ValueError, match="monitor=val_acc"):
        files_with(line, tmp_path, "best.keras", **settings)
    assert files_with(line, tmp_path, "best.keras", mode="max", **settings) == ["best.keras"]
    line.says("SEQ502", "ModelCheckpoint saves every epoch (3.10 and later)")


def test_a_checkpoint_of_every_epoch(line: Line, tmp_path: Path) -> None:
    if line.is_2 or line.is_early:
        assert files_with(line, tmp_path, "all.keras", monitor="val_acc", **ACCURACY) == ["all.keras"]
        return
    with pytest.raises(ValueError, match="monitor=val_acc"):
        files_with(line, tmp_path, "all.keras", monitor="val_acc", **ACCURACY)
