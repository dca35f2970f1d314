"""Which paths Keras saves to and loads from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.experiments.small import compiled

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.experiments.lines import Line

pytestmark = [pytest.mark.tensorflow, pytest.mark.filterwarnings("ignore")]
OLD = (".ckpt", ".tf", "")


def refused(work: Callable[[str], Any], folder: Path, *suffixes: str) -> set[str]:
    """The suffixes that a method refuses."""
    found = set()
    for number, suffix in enumerate(suffixes):
        try:
            work(str(folder / f"moss{number}{suffix}"))
        except ValueError:
            found.add(suffix)
    return found


def test_models(line: Line, tmp_path: Path) -> None:
    model = compiled(line)
    # Keras 2 writes a folder: seconds for each, so one alone.
    suffixes = ("",) if line.is_2 else (*OLD, ".keras", ".h5", ".hdf5")
    found = refused(model.save, tmp_path, *suffixes)
    assert found == (set() if line.is_2 else {*OLD})
    folder = tmp_path / "saved"
    folder.mkdir()
    (folder / "saved_model.pb").write_bytes(b"")
    if line.is_2:
        line.says("SEQ901", "all of these work")
        return
    line.says("SEQ901", "`model.save` to `.ckpt`, `.tf` or without a suffix raises ValueError, and nothing is written")
    assert not (tmp_path / "moss2").exists()
    with pytest.raises(ValueError, match="File format not supported"):
        line.keras.models.load_model(str(folder))
    line.says("SEQ901", '`load_model` of a folder of Keras 2 raises ValueError "File format not supported"')


def test_weights(line: Line, tmp_path: Path) -> None:
    model = compiled(line)
    found = refused(model.save_weights, tmp_path, *OLD, ".h5", ".hdf5", ".keras", ".weights.h5")
    assert found == (set() if line.is_2 else {*OLD, ".h5", ".hdf5", ".keras"})
    if not line.is_2:
        line.says("SEQ901", "`model.save_weights` to anything but `.weights.h5` raises ValueError")
        assert refused(model.load_weights, tmp_path, ".ckpt") == {".ckpt"}
        line.says("SEQ901", "and so does `load_weights` of `.ckpt`")
