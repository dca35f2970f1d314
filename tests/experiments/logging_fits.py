"""Small fits with one callback that watches a value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tests.experiments.feeds import model

if TYPE_CHECKING:
    from pathlib import Path

    from tests.experiments.lines import Line

ROWS = np.linspace(0, 1, 12, dtype="float32").reshape(4, 3)
NEVER_BETTER = 100.0


def fit(line: Line, *callbacks: Any, epochs: int = 3, metrics: Any = None, validation: bool = True, **more: Any) -> Any:
    """The history of a fit over one batch; the metrics are those of `compile`."""
    held = (ROWS, ROWS[:, :1]) if validation else None
    net = model(line, metrics=metrics, run_eagerly=True, **more)  # no graphs: they take longer than the fit
    return net.fit(ROWS, ROWS[:, :1], epochs=epochs, verbose=0, validation_data=held, callbacks=list(callbacks))


def epochs_with(line: Line, monitor: str, epochs: int, mode: str = "auto", **more: Any) -> int:
    """How many of some epochs are run with an EarlyStopping that sees nothing improve."""
    stop = line.keras.callbacks.EarlyStopping(monitor=monitor, patience=0, min_delta=NEVER_BETTER, mode=mode)
    return len(fit(line, stop, epochs=epochs, **more).epoch)


def rates_with(line: Line, monitor: str, **more: Any) -> list[float]:
    """The learning rate before and after a fit with a ReduceLROnPlateau that sees nothing improve."""
    cut = line.keras.callbacks.ReduceLROnPlateau(monitor=monitor, patience=1, min_delta=NEVER_BETTER)
    seen: list[float] = []
    note = line.keras.callbacks.LambdaCallback(
        on_epoch_begin=lambda epoch, logs: seen.append(float(np.array(cut.model.optimizer.learning_rate)))
    )
    fit(line, cut, note, epochs=4, **more)
    return [seen[0], seen[-1]]


def files_with(line: Line, folder: Path, name: str, **settings: Any) -> list[str]:
    """The files that a ModelCheckpoint writes in three epochs.

    Args:
        settings: those of the callback, and `metrics` and `validation` of the fit.
    """
    of_fit = {key: settings.pop(key) for key in ("metrics", "validation") if key in settings}
    fit(line, line.keras.callbacks.ModelCheckpoint(str(folder / name), **settings), **of_fit)
    return sorted(path.name for path in folder.iterdir())
