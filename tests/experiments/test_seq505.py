"""File names of checkpoints with a value that is not logged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.experiments.logging_fits import files_with

if TYPE_CHECKING:
    from pathlib import Path

    from tests.experiments.lines import Line

pytestmark = [pytest.mark.tensorflow, pytest.mark.filterwarnings("ignore")]


def test_a_name_that_is_not_logged(line: Line, tmp_path: Path) -> None:
    for name, settings in (
        ("{epoch}-{val_acc:.2f}.keras", {}),
        ("{val_acc:.2f}.keras", {"save_best_only": True}),
        ("{epoch}-{val_loss:.2f}.keras", {"validation": False, "monitor": "loss"}),
    ):
        with pytest.raises(KeyError, match="Failed to format this callback filepath"):
            files_with(line, tmp_path, name, metrics=["accuracy"], **settings)
    assert not list(tmp_path.iterdir())
    line.says("SEQ505", 'KeyError "Failed to format this callback filepath" at the end of the first epoch')
