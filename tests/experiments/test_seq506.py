"""Arguments of callbacks that Keras 3 does not have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.experiments.small import ROWS, compiled

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = [pytest.mark.tensorflow, pytest.mark.filterwarnings("ignore")]
CHECKPOINT = ("period", "options", "save_format", "load_weights_on_restart", "anything")
BOARD = ("write_grads", "batch_size", "embeddings_data", "embeddings_layer_names")


def refused(maker: Any, *given: str, names: tuple[str, ...]) -> set[str]:
    """The arguments that a callback refuses with TypeError."""
    found = set()
    for name in names:
        try:
            maker(*given, **{name: None})
        except TypeError:
            found.add(name)
    return found


def test_arguments(line: Line) -> None:
    callbacks = line.keras.callbacks
    of_checkpoint = refused(callbacks.ModelCheckpoint, "moss.keras", names=CHECKPOINT)
    of_board = refused(callbacks.TensorBoard, names=BOARD)
    of_backup = refused(callbacks.BackupAndRestore, "moss", names=("save_before_preemption",))
    if line.is_2:
        assert not of_checkpoint | of_board | of_backup
        line.says("SEQ506", "all of these are taken")
        return
    assert of_checkpoint == {*CHECKPOINT}
    line.says(
        "SEQ506", "ModelCheckpoint raises TypeError for `period`, `options`, `save_format`, `load_weights_on_restart`"
    )
    assert of_board == {*BOARD}
    line.says("SEQ506", "TensorBoard raises TypeError for " + ", ".join(f"`{name}`" for name in BOARD[:-1]))
    assert of_backup
    line.says("SEQ506", "BackupAndRestore raises TypeError for `save_before_preemption`")


def test_epsilon(line: Line) -> None:
    """A loss that falls by less than 100 is no progress where it counts."""
    model = compiled(line)
    slower = line.keras.callbacks.ReduceLROnPlateau(monitor="loss", patience=1, factor=0.5, epsilon=100)
    model.fit(ROWS, 3 * ROWS, epochs=4, verbose=0, callbacks=[slower])
    rate = round(float(model.optimizer.learning_rate.numpy()), 6)
    if line.is_2:
        assert rate < 0.01
        line.says("SEQ506", "`epsilon` is used as `min_delta`, and the rate falls")
    else:
        line.says("SEQ506", f"the rate stays at {rate}")
