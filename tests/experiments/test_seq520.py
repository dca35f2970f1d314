"""Keys of a history that its fit does not log."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.experiments.logging_fits import fit

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = [pytest.mark.tensorflow, pytest.mark.filterwarnings("ignore")]


def test_the_name_of_the_accuracy(line: Line) -> None:
    history = fit(line, epochs=1, metrics=["accuracy"], validation=False).history
    assert list(history) == ["loss", "accuracy"] or sorted(history) == ["accuracy", "loss"]
    for key in ("acc", "val_loss"):
        with pytest.raises(KeyError):
            history[key]
    line.says(
        "SEQ520", 'raises KeyError where `metrics=["accuracy"]` is compiled, `history.history["val_loss"]` without'
    )


def test_the_learning_rate(line: Line) -> None:
    cut = line.keras.callbacks.ReduceLROnPlateau(monitor="loss")
    planned = line.keras.callbacks.LearningRateScheduler(lambda epoch: 0.1)
    name = "lr" if line.is_2 else "learning_rate"
    for callback in (cut, planned):
        assert set(fit(line, callback, epochs=1, validation=False).history) == {"loss", name}
    line.says("SEQ520", f"a learning rate that ReduceLROnPlateau or LearningRateScheduler set is logged as `{name}`")
