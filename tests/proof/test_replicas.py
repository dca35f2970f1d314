"""What `fit` logs on two replicas, on the Keras that is installed, and whether SEQ301 says the same of it."""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING

import pytest

from seqlint import registry
from seqlint.engine import level_for
from seqlint.facts.keras import parse_range
from seqlint.proof import Settings, missing

if TYPE_CHECKING:
    from seqlint.proof import KerasChoice, Worker

pytestmark = [
    pytest.mark.tensorflow,
    pytest.mark.skipif(bool(missing(Settings(keras="legacy"))), reason="TensorFlow or tf-keras is not installed"),
]
# In each batch of eight the first half, which goes to replica 0, has no error at all.
PROGRAM = """
import numpy as np
import tensorflow as tf
from tensorflow import keras

rows = np.ones((16, 1), "float32")
labels = np.tile([1.0] * 4 + [2.0] * 4, 2).reshape(16, 1).astype("float32")
strategy = tf.distribute.MirroredStrategy()
print(strategy.num_replicas_in_sync, "replicas")
with strategy.scope():
    model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1, kernel_initializer="ones")])
    model.compile(optimizer=keras.optimizers.SGD(0.0), loss="mse")
stop = keras.callbacks.EarlyStopping(monitor="val_loss", patience=0)
model.fit(rows, labels, batch_size=8, shuffle=False, epochs=2, verbose=0, validation_data=(rows, labels), callbacks=[stop])
"""
TRUE_LOSS = 0.5
KERAS: tuple[KerasChoice, ...] = ("3", "legacy")


@pytest.mark.parametrize("keras", KERAS)
def test_the_rule_is_silent_exactly_where_the_logged_loss_is_right(
    mirrored: dict[KerasChoice, Worker], keras: KerasChoice
) -> None:
    run = mirrored[keras].run(PROGRAM, "program.py", None)
    assert run.status == "done", run.detail
    assert run.recording is not None
    assert "2 replicas" in run.output
    (rule,) = (loaded.rule for loaded in registry.load() if loaded.rule.code == "SEQ301")
    installed = parse_range("tf-keras" if keras == "legacy" else version("keras"))
    silent = level_for(rule.levels, installed.lines) is None
    losses = run.recording["fits"][0]["history"]["val_loss"]
    right = [loss == pytest.approx(TRUE_LOSS, abs=1e-5) for loss in losses]
    assert right == [silent] * 2
