"""Scores of a model that is validated on what it is trained on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


def by_chance() -> tuple[Any, Any]:
    """80 rows of 64 numbers, and labels that have nothing to do with them."""
    draws = np.random.default_rng(5)
    return draws.normal(size=(80, 64)).astype("float32"), np.tile([0.0, 1.0], 40)


def accuracy(line: Line, train: slice, held: slice) -> float:
    """The `val_accuracy` of a model after 30 epochs on some rows."""
    rows, labels = by_chance()
    model = line.keras.Sequential([line.keras.Input((64,)), line.keras.layers.Dense(1, "sigmoid")])
    model.compile(line.keras.optimizers.Adam(0.1), "binary_crossentropy", metrics=["accuracy"])
    fitted = model.fit(
        rows[train], labels[train], 20, 30, 0, validation_data=(rows[held], labels[held]), validation_freq=30
    )
    return float(fitted.history["val_accuracy"][-1])


def test_labels_by_chance(line: Line) -> None:
    assert accuracy(line, slice(60), slice(60)) == 1.0
    assert 0.25 <= accuracy(line, slice(60), slice(60, 80)) <= 0.75
    line.says(
        "SEQ623",
        "`val_accuracy` is 1.0 where `validation_data` are the training rows, and about 0.5 on rows of their own",
    )
    assert accuracy(line, slice(60), slice(40, 60)) == 1.0
    line.says("SEQ623", "the same where the last 20 of the 60 rows are validated on, and not taken out")


def test_validation_split_takes_its_rows_out(line: Line) -> None:
    seen: list[tuple[str, float]] = []

    class Look(line.keras.layers.Layer):  # type: ignore[misc, name-defined]
        def call(self, rows: Any, training: bool = False) -> Any:
            import tensorflow as tf

            def look(read: Any) -> Any:
                seen.extend((str(training), row) for row in read[:, 0])
                return read

            tf.numpy_function(look, [rows], tf.float32)
            return rows

    model = line.keras.Sequential([line.keras.Input((1,)), Look(), line.keras.layers.Dense(1)])
    model.compile("sgd", "mse", run_eagerly=True)
    rows = np.arange(12, dtype="float32")[:, None] / 12
    model.fit(rows, rows, batch_size=3, epochs=2, validation_split=0.25, verbose=0)
    trained, held = ({row for role, row in seen if role == wanted} for wanted in ("True", "False"))
    assert not trained & held
    line.says("SEQ623", f"{len(trained & held)} of {len(trained | held)} are in both")
