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
CIRCLES = {
    "rows by an order": ROWS.format("self.z = self.z[self.order]"),
    "two attributes": ROWS.format("self.z = self.w[self.order]; self.w = self.z[self.order]"),
    "type of a type": ROWS.format("self.kind = np.dtype(self.kind)"),
    "type of another": ROWS.format("self.kind = np.dtype(self.other); self.other = np.dtype(self.kind)"),
    "part of a part": DATA.format("made = functools.partial(read, layer=1)\nmade = functools.partial(made)"),
}


@pytest.mark.parametrize("name", CIRCLES)
def test_no_rule_follows_a_circle_for_ever(name: str) -> None:
    checked = seqlint.check_source(CIRCLES[name], select=["ALL"])
    assert not checked.broken, checked.diagnostics
