"""What callbacks with `mode="auto"` take for better."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.experiments.logging_fits import ROWS, fit

if TYPE_CHECKING:
    from pathlib import Path

    from tests.experiments.lines import Line

pytestmark = [pytest.mark.tensorflow, pytest.mark.filterwarnings("ignore")]


def f1(true: Any, guess: Any) -> Any:
    import tensorflow as tf

    return tf.reduce_mean(guess)


def made(line: Line, kind: str, monitor: str, folder: Path) -> Any:
    """A callback with the mode that it has without one."""
    if kind == "ModelCheckpoint":
        return line.keras.callbacks.ModelCheckpoint(str(folder / "m.keras"), monitor=monitor, save_best_only=True)
    return getattr(line.keras.callbacks, kind)(monitor=monitor, patience=9)


def takes_more(callback: Any) -> bool:
    return bool(callback.monitor_op(2.0, 1.0))


def test_a_function(line: Line, tmp_path: Path) -> None:
    for kind in ("EarlyStopping", "ReduceLROnPlateau", "ModelCheckpoint"):
        callback = made(line, kind, "val_f1", tmp_path)
        if line.is_2 or (line.is_early and kind != "EarlyStopping"):
            fit(line, callback, epochs=1, metrics=[f1])
            assert not takes_more(callback)
            continue
        with pytest.raises(ValueError, match="monitor=val_f1"):
            fit(line, callback, epochs=1, metrics=[f1])
    if line.is_early:
        line.says("SEQ503", "EarlyStopping raises ValueError for a function of your own")
    elif not line.is_2:
        line.says("SEQ503", "a function of your own (`val_f1`)")


def test_metrics_of_keras(line: Line, tmp_path: Path) -> None:
    metrics = line.keras.metrics
    every = [
        metrics.AUC(name="roc"),
        metrics.Precision(name="hits"),
        metrics.Recall(name="found"),
        metrics.BinaryAccuracy(name="right"),
    ]
    callbacks = {
        (kind, each.name): made(line, kind, f"val_{each.name}", tmp_path)
        for each in every
        for kind in ("EarlyStopping", "ReduceLROnPlateau", "ModelCheckpoint")
    }
    x, y = np.abs(ROWS), (ROWS[:, :1] > 0.5).astype("float32")
    net = line.keras.Sequential([line.keras.Input((3,)), line.keras.layers.Dense(1, activation="sigmoid")])
    net.compile("sgd", "binary_crossentropy", metrics=every, run_eagerly=True)
    net.fit(x, y, validation_data=(x, y), verbose=0, callbacks=list(callbacks.values()))
    for (kind, _), callback in callbacks.items():
        by_name = line.is_2 or (line.is_early and kind != "EarlyStopping")
        assert takes_more(callback) is not by_name
    if line.is_early:
        line.says(
            "SEQ503", "ReduceLROnPlateau and ModelCheckpoint go by the name, and take less of AUC, Precision, Recall"
        )
    elif not line.is_2:
        line.says("SEQ503", "The metrics of Keras are taken in the right way, also under another name")


def test_names_on_keras_2(line: Line, tmp_path: Path) -> None:
    if not line.is_2:
        pytest.skip("the others ask the metric")
    for kind, name, more in (
        ("EarlyStopping", "auc", True), ("EarlyStopping", "my_accuracy", True), ("EarlyStopping", "accuracy_of_all", False),
        ("ReduceLROnPlateau", "auc", False), ("ReduceLROnPlateau", "accuracy_of_all", True), ("ModelCheckpoint", "auc", False),
        ("ModelCheckpoint", "accuracy_of_all", True),
    ):  # fmt: skip
        assert takes_more(made(line, kind, name, tmp_path)) is more
    line.says("SEQ503", "EarlyStopping takes more for better where the name ends in `acc`, `accuracy` or `auc`")


def test_a_value_that_rises(line: Line) -> None:
    if not line.is_2:
        pytest.skip("the others raise")
    stop = line.keras.callbacks.EarlyStopping(monitor="val_f1", patience=1)
    ones = np.ones((4, 3), "float32")
    net = line.keras.Sequential([line.keras.Input((3,)), line.keras.layers.Dense(1, activation="sigmoid")])
    net.compile("sgd", "binary_crossentropy", metrics=[f1], run_eagerly=True)
    history = net.fit(ones, ones[:, :1], epochs=5, validation_data=(ones, ones[:, :1]), verbose=0, callbacks=[stop])
    values = history.history["val_f1"]
    assert values == sorted(values)
    line.says(
        "SEQ503",
        f"With a value that rises in each of 5 epochs and `patience=1` training stops after epoch {len(values)}",
    )


def test_several_outputs(line: Line, tmp_path: Path) -> None:
    start = line.keras.Input((3,))
    ends = [line.keras.layers.Dense(1, name=name)(start) for name in ("a", "b")]
    net = line.keras.Model(start, ends)
    net.compile("sgd", loss={"a": "mse", "b": "mse"}, metrics={"a": ["accuracy"]}, run_eagerly=True)
    labels = {"a": ROWS[:, :1], "b": ROWS[:, :1]}
    names = ["val_a_accuracy"] if line.is_early else ["val_a_accuracy", "val_a_loss"]
    for name in names:
        stop = line.keras.callbacks.EarlyStopping(monitor=name)
        if line.is_2:
            net.fit(ROWS, labels, validation_data=(ROWS, labels), verbose=0, callbacks=[stop])
            continue
        with pytest.raises(ValueError, match=f"monitor={name}"):
            net.fit(ROWS, labels, validation_data=(ROWS, labels), verbose=0, callbacks=[stop])
    if not line.is_2 and not line.is_early:
        line.says("SEQ503", "a value of a model with several outputs (`val_a_accuracy`, `val_a_loss`)")
