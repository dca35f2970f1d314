"""A model that keeps what each of its training steps is given."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from tests.experiments.lines import Line


PATIENCE = 120
"""Seconds after which a thread no longer waits for another one: a test that fails ends, too."""


class Meeting:
    """A place where a thread waits for a second one, however late that comes, and where all others pass."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._arrived = 0
        self._two = threading.Event()

    def wait(self) -> None:
        """Arrive, and go on once two have arrived."""
        with self._lock:
            self._arrived += 1
            if self._arrived == 2:
                self._two.set()
        self._two.wait(PATIENCE)


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
