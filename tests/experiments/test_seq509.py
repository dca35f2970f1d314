"""Callbacks that read a name from `logs` that is not there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.experiments.logging_fits import fit

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.experiments.lines import Line

pytestmark = [pytest.mark.tensorflow, pytest.mark.filterwarnings("ignore")]


def reads(line: Line, read: Callable[[Any], object]) -> None:
    """Fit one epoch with a callback that reads its logs."""

    class Reads(line.keras.callbacks.Callback):  # type: ignore[name-defined,misc]
        def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
            read(logs)

    fit(line, Reads(), epochs=1, metrics=["accuracy"], validation=False)


def test_a_name_that_is_not_logged(line: Line) -> None:
    reads(line, lambda logs: logs["accuracy"])
    with pytest.raises(KeyError, match="acc"):
        reads(line, lambda logs: logs["acc"])
    with pytest.raises(TypeError, match="NoneType"):
        reads(line, lambda logs: logs.get("acc") > 0.9)
    with pytest.raises(TypeError, match="NoneType"):
        reads(line, lambda logs: f"{logs.get('acc'):.3f}")
    line.says(
        "SEQ509", '`logs["acc"]` raises KeyError, and `logs.get("acc") > 0.9` TypeError, at the end of the first epoch'
    )
