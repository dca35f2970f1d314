"""Which paths ModelCheckpoint takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow
OLD = (".hdf5", ".ckpt", ".tf", "")


def is_refused(line: Line, suffix: str, *, weights: bool) -> bool:
    """Whether the callback refuses a path when it is made."""
    try:
        line.keras.callbacks.ModelCheckpoint(f"moss{suffix}", save_weights_only=weights)
    except ValueError:
        return True
    return False


def test_weights(line: Line) -> None:
    refused = {suffix for suffix in (*OLD, ".h5", ".keras", ".weights.h5") if is_refused(line, suffix, weights=True)}
    assert refused == (set() if line.is_2 else {*OLD, ".h5", ".keras"})
    if not line.is_2:
        line.says("SEQ504", "a path in `.h5`, `.hdf5`, `.ckpt`, `.tf`, `.keras` or without a suffix raises ValueError")


def test_whole_models(line: Line) -> None:
    refused = {suffix for suffix in (*OLD, ".h5", ".keras") if is_refused(line, suffix, weights=False)}
    assert refused == (set() if line.is_2 else {*OLD, ".h5"} if line.is_early else {*OLD})
    if line.is_2:
        line.says("SEQ504", "all of these work")
        return
    line.says("SEQ504", "for whole models a path in `.hdf5`, `.ckpt`, `.tf` or without a suffix raises ValueError")
    line.says(
        "SEQ504", "for whole models `.h5` raises ValueError" if line.is_early else "for whole models `.h5` is taken"
    )
