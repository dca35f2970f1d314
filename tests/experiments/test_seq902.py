"""Arguments of saving that Keras 3 does not have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.experiments.small import compiled

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.experiments.lines import Line

pytestmark = [pytest.mark.tensorflow, pytest.mark.filterwarnings("ignore")]


def raised(work: Callable[..., Any], *args: Any, **keywords: Any) -> str:
    """The name of the error that a call raises; empty where it works."""
    try:
        work(*args, **keywords)
    except Exception as error:
        return type(error).__name__
    return ""


def test_formats(line: Line, tmp_path: Path) -> None:
    model = compiled(line)
    path = str(tmp_path / "moss")
    of_weights = raised(model.save_weights, f"{path}.weights.h5", save_format="h5")
    of_model = raised(model.save, path, save_format="h5")
    assert not raised(model.save, f"{path}.h5", save_format="h5")
    if line.is_2:
        assert (of_weights, of_model) == ("", "")
        return
    line.says("SEQ902", f"`save_format` in `save_weights` raises {of_weights}; in `save` {of_model}, unless the path")


def test_folders(line: Line, tmp_path: Path) -> None:
    model = compiled(line)
    path = str(tmp_path / "moss")
    names = ("save_traces", "signatures", "options")
    of_model = {raised(model.save, f"{path}.h5", **{name: None}) for name in names}
    of_weights = raised(model.save_weights, f"{path}.weights.h5", options=None)
    kept = raised(model.save, f"{path}.h5", include_optimizer=False, overwrite=True)
    of_load = raised(line.keras.models.load_model, f"{path}.h5", compile=False, options=None)
    assert not kept
    if line.is_2:
        assert of_model == {""}
        assert (of_weights, of_load) == ("", "")
        line.says("SEQ902", "all of these work with folders and `.h5`")
        return
    (error,) = of_model
    assert of_weights == of_load
    line.says("SEQ902", f"`save_traces`, `signatures` and `options` raise {error} in `save`")
    line.says("SEQ902", f"`options` {of_weights} in `save_weights` and `load_model`")
    line.says("SEQ902", "`include_optimizer` and `overwrite` work")
