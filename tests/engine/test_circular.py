"""What is made of itself leads round in a circle; every rule gets out of it."""

from __future__ import annotations

import pytest

import seqlint

ROWS = """
import keras
import numpy as np


class Rows(keras.utils.PyDataset):
    kind = np.dtype("float32")

    def __init__(self, x, y):
        super().__init__(workers=4)
        self.order = np.random.permutation(len(x))
        self.x, self.y = x, y
        {0}

    def __len__(self):
        return 4

    def __getitem__(self, index):
        part = slice(index * 8, index * 8 + 8)
        batch = np.empty((8, 3), dtype=self.kind)
        for place, row in enumerate(self.order[part]):
            batch[place] = self.x[row]
        return batch, (np.array(self.y[part]), self.z[part])
"""
DATA = """
import functools

import keras
import numpy as np
import tensorflow as tf


def read(path, layer=None):
    return np.random.rand(3)


{0}
data = tf.data.Dataset.range(3).map(made).cache().repeat()
"""
BATCH = """
import keras
import numpy as np


class Rows(keras.utils.PyDataset):
    def __init__(self, x, y):
        super().__init__()
        self.x, self.y = x, y

    def __len__(self):
        return 4

    def __getitem__(self, index):
        x, y = self.x[index * 8 : index * 8 + 8], self.y[index * 8 : index * 8 + 8]
        {0}
        return x[kept], y
"""
RANKS = """
import horovod.tensorflow.keras as hvd
import keras
import numpy as np

hvd.init()
{0}
x = np.ones((8, 1))
model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1)])
model.compile(optimizer=hvd.DistributedOptimizer(keras.optimizers.SGD()), loss="mse")
callbacks = [hvd.callbacks.BroadcastGlobalVariablesCallback(0)]
if rank == 0:
    callbacks.append(keras.callbacks.EarlyStopping(monitor="loss"))
model.fit(x, x, epochs=2, callbacks=callbacks)
"""
SCOPE = """
import keras
import tensorflow as tf

{0}
model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1)])
strategy = tf.distribute.MirroredStrategy()
with strategy.scope():
    model.compile(optimizer="sgd", loss="mse")
"""
STEP = """
import keras
import tensorflow as tf


class Model(keras.Model):
    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = self.compute_loss(x, y, self(x, training=True))
        {0}
        return {{"loss": loss, "total": total}}


model = Model()
model.compile("sgd", "mse")
model.fit(x, y)
"""
CIRCLES = {
    "rows by an order": ROWS.format("self.z = self.z[self.order]"),
    "two attributes": ROWS.format("self.z = self.w[self.order]; self.w = self.z[self.order]"),
    "type of a type": ROWS.format("self.kind = np.dtype(self.kind)"),
    "type of another": ROWS.format("self.kind = np.dtype(self.other); self.other = np.dtype(self.kind)"),
    "loss in a loop": STEP.format(
        "total = loss\n        for _ in range(2):\n            total *= 0.5\n            total *= 2"
    ),
    "losses of each other": STEP.format("for _ in range(2):\n            total += loss\n            loss += total"),
    "start of a batch": BATCH.format("low = int(low)\n        kept = slice(low, low + 4)"),
    "mask of a mask": BATCH.format("kept = ~kept"),
    "mask that gets narrower": BATCH.format(
        "kept = x > 0\n        for _ in range(2):\n            kept = kept & (x < 5)"
    ),
    "mask of all": BATCH.format("kept = x > 0\n        while True:\n            kept = kept.all()"),
    "rank": RANKS.format("rank = int(rank)"),
    "rank in a loop": RANKS.format("rank = hvd.rank()\nfor _ in range(2):\n    rank = int(rank)"),
    "layer of itself": SCOPE.format("layer = layer(layer)"),
    "layers of each other": SCOPE.format("one = other(1)\nother = one(2)"),
    "part of a part": DATA.format("made = functools.partial(read, layer=1)\nmade = functools.partial(made)"),
}


@pytest.mark.parametrize("name", CIRCLES)
def test_no_rule_follows_a_circle_for_ever(name: str) -> None:
    checked = seqlint.check_source(CIRCLES[name], select=["ALL"])
    assert not checked.broken, checked.diagnostics
