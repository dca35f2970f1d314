"""A model that keeps what each of its training steps is given."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from tests.experiments.lines import Line


class Kept:
    """What the steps were given, in their order.

    Attributes:
        model: compiled, and cheap.
        steps: the arrays of each batch.
    """

    def __init__(self, line: Line) -> None:
        self.steps: list[tuple[np.ndarray, ...]] = []
        kept = self.steps
        keras = line.keras

        class Keeps(keras.Model):  # type: ignore[misc, name-defined]
            def __init__(self) -> None:
                super().__init__()
                self.dense = keras.layers.Dense(1)

            def call(self, x: Any) -> Any:
                return self.dense(x)

            def train_step(self, data: Any) -> dict[str, float]:
                kept.append(tuple(np.array(part) for part in data))
                return {"loss": 0.0}

        self.model = Keeps()
        self.model.compile(optimizer="sgd", loss="mse", run_eagerly=True)


def fit(line: Line, kept: Kept, feed: Any, workers: int = 1, processes: bool = False, **options: Any) -> None:
    """Train on a Sequence with workers, as each Keras takes them."""
    if line.is_2:
        options |= {"workers": workers, "use_multiprocessing": processes}
    else:
        feed.workers, feed.use_multiprocessing = workers, processes
    kept.model.fit(feed, verbose=0, shuffle=False, **options)
