"""A `__getitem__` that takes its batch from an iterator kept on the class.

## Why
Keras asks for a batch by its index, some of them more than once, and in an order and from threads or processes of its own. An
iterator gives whatever comes next, whoever asks.

## Measured
- Keras 3.10 and later: batches 0 and 1 are read once more before the first step of every `fit`, `evaluate` and `predict`, so all
  others are rotated by 2 batches: rows of `predict` belong to other samples.
- Keras 3.0 to 3.9: the same.
- Keras 2: rotated by 1 batch. With workers it drops what they have read ahead at the end of an epoch.
- Every Keras: with several workers a Python generator raises ValueError "generator already executing". Processes each have a copy,
  so they give the same batches again; with the iterator of a tf.data dataset they hang.
- Every Keras: an iterator with as many items as there are batches ends `fit` with "generator raised StopIteration".

## Do this
Make the batch from its index. Where the class only wraps a tf.data dataset, give the dataset itself to `fit`.

## Silent when
The iterator is made in the same call, is a counter that no batch depends on, or may give random transforms for rows that the
index picks.
"""

from collections.abc import Iterator
from dataclasses import replace

from seqlint.api import (  # fmt: skip
    Advance,
    Contract,
    Example,
    Facts,
    Finding,
    Levels,
    Note,
    Rule,
    a_getitem,
    a_sequence,
    as_template_method,
    unwrapped,
)

_FIT = """

rows = np.arange(20, dtype="float32").reshape(10, 2)
model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
"""
_WALK = """
import keras
import numpy as np


class Walk(keras.utils.PyDataset):
    def __init__(self, rows):
        super().__init__()
        self.rows = rows
        self.batches = self._walk()

    def _walk(self):
        while True:
            for start in range(0, len(self.rows), 4):
                yield self.rows[start : start + 4]

    def __len__(self):
        return -(-len(self.rows) // 4)

    def __getitem__(self, index):
        rows = next(self.batches)
        return rows, rows[:, :1]
"""
_WRAPPED = """
import math

import keras
import numpy as np
import tensorflow as tf


class Rows(keras.utils.PyDataset):
    def __init__(self, rows, size, **kwargs):
        super().__init__(**kwargs)
        self.rows = rows
        self.size = size
        pairs = tf.data.Dataset.from_tensor_slices(rows).map(lambda row: (row, row[:1]))
        self.batches = pairs.batch(size).prefetch(tf.data.AUTOTUNE)
        self.iterator = iter(self.batches)

    def __len__(self):
        return math.ceil(len(self.rows) / self.size)

    def __getitem__(self, index):
        try:
            return next(self.iterator)
        except StopIteration:
            self.iterator = iter(self.batches)
            return next(self.iterator)

    def on_epoch_end(self):
        self.iterator = iter(self.batches)
"""
_UNWRAPPED = """
import math

import keras
import numpy as np
import tensorflow as tf


class Rows:
    def __init__(self, rows, size):
        self.rows = rows
        self.size = size
        pairs = tf.data.Dataset.from_tensor_slices(rows).map(lambda row: (row, row[:1]))
        self.batches = pairs.batch(size).prefetch(tf.data.AUTOTUNE)

    def __len__(self):
        return math.ceil(len(self.rows) / self.size)
"""
_ENDLESS = """
import keras
import numpy as np
import tensorflow as tf


class Rows(keras.utils.Sequence):
    \"\"\"Rows without end.\"\"\"

    def __init__(self, rows, steps):
        super().__init__()
        self.steps = steps
        dataset = tf.data.Dataset.from_tensor_slices((rows, rows[:, :1]))
        self.iterator = iter(dataset.repeat().batch(4))

    def __len__(self):
        return self.steps

    def __getitem__(self, index):
        x, y = next(self.iterator)
        return x, y
"""
_COUNTED = """
import keras
import numpy as np
import tensorflow as tf


class Rows:
    \"\"\"Rows without end.\"\"\"

    def __init__(self, rows, steps):
        self.steps = steps
        dataset = tf.data.Dataset.from_tensor_slices((rows, rows[:, :1]))
        self.dataset = dataset.repeat().batch(4)

    def __len__(self):
        return self.steps
"""

_NOTE = Note.on_keras_3(
    "all batches are rotated by 2, so `predict` returns the rows of other samples; workers mix or stop them",
    "all batches are rotated by 1; workers mix or stop them",
)
_HELP = "make each batch from its index"

RULE = Rule(
    code="SEQ204",
    name="getitem-reads-iterator",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    contract=Contract(frozenset({"order", "hooks", "history", "weights", "state", "warnings"})),
    needs=(a_sequence, a_getitem),
    examples=(
        Example(_WALK + _FIT + "model.fit(Walk(rows), epochs=2, verbose=0)\n"),
        Example(
            _WRAPPED
            + _FIT
            + """feed = Rows(rows, 4)
model.fit(feed, epochs=2, validation_data=Rows(rows[:4], size=4), verbose=0)
guess = model.predict(feed, verbose=0)
""",
            _UNWRAPPED
            + _FIT
            + """feed = Rows(rows, 4)
model.fit(feed.batches, epochs=2, validation_data=Rows(rows[:4], size=4).batches, verbose=0)
guess = model.predict(feed.batches, verbose=0)
""",
        ),
        Example(
            _ENDLESS
            + _FIT
            + """feed = Rows(rows, steps=5)
model.fit(feed, epochs=2, verbose=0)
""",
            _COUNTED
            + _FIT
            + """feed = Rows(rows, steps=5)
model.fit(feed.dataset, epochs=2, verbose=0, steps_per_epoch=len(feed))
""",
        ),
        Example.ok(
            """
import itertools

import keras
import numpy as np


class Rows(keras.utils.PyDataset):
    def __init__(self, folders):
        super().__init__()
        self.folders = folders
        self.number = itertools.count()

    def __len__(self):
        return len(self.folders)

    def __getitem__(self, index):
        print("batch", next(self.number))
        paths = iter(self.folders[index])
        first = np.load(next(paths))
        return np.stack([first, *(np.load(path) for path in paths)]), np.zeros(1)
"""
        ),
        Example.ok(
            """
import keras


class Rows(keras.utils.PyDataset):
    def __len__(self):
        return 8

    def __getitem__(self, index):
        self.reader = iter(self.tables[index])
        return next(self.reader), next(self.reader)

    def __next__(self):
        return next(self.iterator)
"""
        ),
    ),
    sources=("keras-team/keras#17946", "keras-team/tf-keras#50"),
)


# An endless dataset is read on from where the last epoch ended, so the rows of an epoch are others, and in other batches.
_REPEATED = Contract(RULE.contract.changes | {"samples", "grouping"}, holds=frozenset({"epochs equal"}))


def check(facts: Facts) -> Iterator[Finding]:
    said: set[tuple[str, str]] = set()
    for advance in facts.advances.all:
        key = (advance.owner.name, advance.iterator)
        if key in said:
            continue
        said.add(key)
        finding = facts.finding(advance.node, _message(advance), _NOTE)
        edits = unwrapped(facts, advance.owner)
        contract = _REPEATED if _is_counted(facts, advance) else None
        finding = (
            finding.fixed_by("Pass the dataset itself to the model", *edits, contract=contract)
            if edits
            else replace(finding, help=_HELP, no_fix=f"`{advance.owner.name}` does more than wrap a dataset")
        )
        yield as_template_method(advance.reached.template_method, finding)


def _is_counted(facts: Facts, advance: Advance) -> bool:
    shell = facts.dataset_wrappers.of(advance.owner)
    return shell is not None and shell.steps == "counted"


def _message(advance: Advance) -> str:
    way = " > ".join(advance.reached.path)
    return f"`{advance.owner.name}.{way}` ignores its index and takes the next item of `{advance.iterator}`"
