"""Whose hooks Keras calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


def test_the_hook_of_what_is_wrapped_is_not_called(line: Line) -> None:
    called: list[str] = []

    class Inner(line.batches):  # type: ignore[misc, name-defined]
        def __len__(self) -> int:
            return 2

        def __getitem__(self, index: int) -> tuple[np.ndarray, np.ndarray]:
            return np.ones((2, 2), "float32"), np.ones((2, 1), "float32")

        def on_epoch_end(self) -> None:
            called.append("inner")

    class Outer(line.batches):  # type: ignore[misc, name-defined]
        inner = Inner()

        def __len__(self) -> int:
            return len(self.inner)

        def __getitem__(self, index: int) -> tuple[np.ndarray, np.ndarray]:
            return self.inner[index]

        def on_epoch_end(self) -> None:
            called.append("outer")

    model = line.keras.Sequential([line.keras.Input((2,)), line.keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
    model.fit(Outer(), epochs=2, verbose=0)
    assert set(called) == {"outer"}
    line.says("SEQ112", "the hooks of a wrapped Sequence are not called")


@pytest.mark.parametrize("forwards", [False, True])
def test_a_wrapped_flow_keeps_its_batches(line: Line, forwards: bool) -> None:
    if line.is_2:
        from tf_keras.preprocessing.image import ImageDataGenerator
    else:
        from keras.src.legacy.preprocessing.image import ImageDataGenerator

    class Plain(ImageDataGenerator):  # type: ignore[misc]
        def apply_transform(self, x: np.ndarray, transform_parameters: object) -> np.ndarray:
            return x  # without SciPy

    seen: dict[int, set[frozenset[float]]] = {}

    class Outer(line.batches):  # type: ignore[misc, name-defined]
        inner = Plain().flow(np.ones((32, 2, 2, 1), "float32"), np.arange(32.0), batch_size=8)

        def __len__(self) -> int:
            return len(self.inner)

        def __getitem__(self, index: int) -> tuple[np.ndarray, np.ndarray]:
            x, y = self.inner[index]
            seen.setdefault(index, set()).add(frozenset(y.tolist()))
            return x, y

        def on_epoch_end(self) -> None:
            if forwards:
                self.inner.on_epoch_end()

    model = line.keras.Sequential([line.keras.layers.Flatten(), line.keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
    model.fit(Outer(), epochs=3, verbose=0)
    assert all((len(groups) == 1) is not forwards for groups in seen.values())
    line.says(
        "SEQ112", "With the call it is shuffled for each" if forwards else "each holds the same samples in all epochs"
    )
