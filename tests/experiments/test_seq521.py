"""The best by a validation metric, saved after a number of batches."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import pytest

from tests.experiments.small import ROWS, compiled

if TYPE_CHECKING:
    from pathlib import Path

    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


def saved(line: Line, folder: Path, monitor: str) -> tuple[int, list[str]]:
    """How many files two epochs of four batches leave, and what was warned."""
    keep = line.keras.callbacks.ModelCheckpoint(
        str(folder / "{epoch}-{batch}.weights.h5"),
        monitor=monitor,
        mode="min",
        save_best_only=True,
        save_weights_only=True,
        save_freq=2,
    )
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        compiled(line).fit(
            ROWS, 3 * ROWS, batch_size=2, epochs=2, verbose=0, validation_data=(ROWS, -ROWS), callbacks=[keep]
        )
    return len(list(folder.iterdir())), [str(each.message) for each in caught]


def test_validation(line: Line, tmp_path: Path) -> None:
    files, warned = saved(line, tmp_path, "val_loss")
    said = any(text.startswith("Can save best model only with val_loss available") for text in warned)
    if line.is_2:
        assert (files, said) == (0, False)
        line.says("SEQ521", "it logs a warning, and saves nothing")
    elif line.is_early:
        assert (files, said) == (0, True)
        line.says("SEQ521", "it warns, and saves nothing")
    else:
        assert (files, said) == (4, True)
        line.says("SEQ521", 'it warns "Can save best model only with val_loss available", and saves each time')


def test_training(line: Line, tmp_path: Path) -> None:
    if line.is_2 or line.is_early:
        files, _ = saved(line, tmp_path, "loss")
        assert files > 0
        line.says("SEQ521", '`monitor="loss"` with a number works')
        return
    with pytest.raises(TypeError, match="'NoneType' object is not callable") as caught:
        saved(line, tmp_path, "loss")
    assert len(list(tmp_path.iterdir())) == 1
    line.says("SEQ521", f'the second save within the first epoch raises TypeError "{caught.value}"')
