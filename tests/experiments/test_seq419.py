"""What tf.data makes of a Sequence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow
BATCHES, EPOCHS = 3, 3
PLENTY = 50


class EndlessError(Exception):
    """More batches were asked for than anybody needs."""


def feed(line: Line, columns: int = 2) -> Any:
    """Batches of 4 inputs with 2 columns and 4 targets, which count their hooks and refuse to be read for ever."""

    class Feed(line.batches):  # type: ignore[name-defined,misc]
        def __init__(self) -> None:
            super().__init__()
            self.read = self.hooks = 0

        def __len__(self) -> int:
            return BATCHES

        def __getitem__(self, index: int) -> tuple[Any, Any]:
            self.read += 1
            if self.read > PLENTY:
                raise EndlessError
            return np.ones((4, 2), "float32"), np.ones((4, columns), "float32")

        def on_epoch_end(self) -> None:
            self.hooks += 1

    return Feed()


def model(line: Line) -> Any:
    made = line.keras.Sequential([line.keras.Input((2,)), line.keras.layers.Dense(2)])
    made.compile(optimizer="sgd", loss="mse")
    return made


def generated(made: Any) -> Any:
    import tensorflow as tf

    return tf.data.Dataset.from_generator(made, output_signature=(tf.TensorSpec((None, 2)), tf.TensorSpec((None, 2))))


def test_slices(line: Line) -> None:
    import tensorflow as tf

    if line.is_early:
        endless = feed(line)
        with pytest.raises(ValueError, match="non-rectangular"):
            tf.data.Dataset.from_tensor_slices(endless)
        assert endless.read > PLENTY
        with pytest.raises(tf.errors.UnknownError, match="EndlessError"):
            list(generated(lambda: feed(line)))
        line.says("SEQ419", "read batches without end")
        return
    sliced = tf.data.Dataset.from_tensor_slices(feed(line))
    line.says("SEQ419", f"gives rows of {tuple(sliced.element_spec.shape)}: `fit` raises ValueError")
    with pytest.raises(ValueError, match="shape"):
        model(line).fit(sliced, verbose=0)
    with pytest.raises(ValueError, match="non-rectangular"):
        tf.data.Dataset.from_tensor_slices(feed(line, columns=1))
    line.says("SEQ419", "inputs and targets of unlike shapes raise ValueError")


def test_hooks(line: Line) -> None:
    made = feed(line)
    model(line).fit(generated(lambda: (made[index] for index in range(len(made)))), epochs=EPOCHS, verbose=0)
    line.says("SEQ419", f"runs its `on_epoch_end` {made.hooks} times in {EPOCHS} epochs")
    direct = feed(line)
    model(line).fit(direct, epochs=EPOCHS, verbose=0)
    assert direct.hooks >= EPOCHS
