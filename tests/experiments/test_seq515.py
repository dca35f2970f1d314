"""Callbacks that are made and not passed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.experiments.feeds import model

if TYPE_CHECKING:
    from pathlib import Path

    from tests.experiments.lines import Line

pytestmark = [pytest.mark.tensorflow, pytest.mark.filterwarnings("ignore")]


def epochs(line: Line, callbacks: Any) -> int:
    """How many of 4 epochs are run."""
    rows = np.ones((4, 3), "float32")
    history = model(line).fit(rows, rows[:, :1], epochs=4, verbose=0, callbacks=callbacks)
    return len(history.epoch)


def test_nobody_gets_it(line: Line) -> None:
    early = line.keras.callbacks.EarlyStopping("loss", min_delta=9, patience=0)
    alone, passed = epochs(line, None), epochs(line, [early])
    line.says("SEQ515", f"is made and not passed lets all {alone} epochs run, where {passed} are run with it")


def test_append_gives_none(line: Line) -> None:
    early = line.keras.callbacks.EarlyStopping("loss", min_delta=9, patience=0)
    hooks: Any = []
    hooks = hooks.append(early)
    line.says("SEQ515", f"`fit(callbacks={hooks})` runs all {epochs(line, hooks)} epochs, too")


def test_no_file(line: Line, tmp_path: Path) -> None:
    line.keras.callbacks.ModelCheckpoint(str(tmp_path / "best.weights.h5"), save_weights_only=True)
    epochs(line, None)
    assert not list(tmp_path.iterdir())
    line.says("SEQ515", "a ModelCheckpoint that is not passed writes no file")
