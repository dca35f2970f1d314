"""Callbacks that watch a validation value in a fit without validation data."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.experiments.logging_fits import epochs_with, files_with, fit, rates_with

if TYPE_CHECKING:
    from pathlib import Path

    from tests.experiments.lines import Line

pytestmark = [pytest.mark.tensorflow, pytest.mark.filterwarnings("ignore")]


def test_early_stopping(line: Line) -> None:
    assert epochs_with(line, "val_loss", 6, validation=False) == 6
    assert epochs_with(line, "val_loss", 6) == 2
    line.says("SEQ501", "with `patience=0` and nothing that improves all 6 of 6 epochs are run, with validation data 2")


def test_the_learning_rate(line: Line) -> None:
    before, after = rates_with(line, "val_loss", validation=False)
    assert before == after
    line.says("SEQ501", "ReduceLROnPlateau never changes the learning rate")
    before, after = rates_with(line, "val_loss")
    assert after < before


def test_the_best_model(line: Line, tmp_path: Path) -> None:
    written = files_with(line, tmp_path, "best.keras", save_best_only=True, validation=False)
    if line.is_2 or line.is_early:
        assert written == []
        line.says("SEQ501", "ModelCheckpoint with `save_best_only=True` writes no file")
        return
    assert written == ["best.keras"]
    last = line.keras.models.load_model(tmp_path / "best.keras")
    assert len(last.get_weights()) == 2
    line.says("SEQ501", "saves every epoch, so the file is the newest model, not the best")


def test_no_value_of_the_validation_is_logged(line: Line) -> None:
    assert not any(name.startswith("val_") for name in fit(line, validation=False).history)
