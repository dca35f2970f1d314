"""A `__len__` that depends on what an epoch hook changes.

## Why
A curriculum that adds data each epoch, or a batch size that grows, changes how many batches there are. Keras 3 reads the
length once, when `fit` begins, and every epoch keeps to it.

## Measured
- Keras 3.10 and later: the length is read once. A feed that grows from 2 batches by 2 has 2, 2 and 2 in three epochs; one that shrinks from 8
  by 2 has 6, 4 and 2, with the warning "Your input ran out of data".
- Keras 3.0 to 3.9: the length is read once. A feed that grows from 2 batches by 2 has 2, 2 and 2 in three epochs; one that shrinks from 8 by 2
  has 8, 6 and 4, with the warning "Your input ran out of data".
- Keras 2: the length is read for every epoch. A feed that grows from 2 batches by 2 has 2, 4 and 6 in three epochs; one that shrinks from 8 by 2
  has 8, 6 and 4.

## Do this
Keep the length, and let the batches draw from more or fewer samples. Or call `fit` once for each stage, with a new instance.

## Silent when
The hook only shuffles or resets what `__len__` counts, or removes as much as it adds. Nothing shows that the length changes.
"""

from collections.abc import Iterator

from seqlint.api import Example, Facts, Finding, Levels, Note, Rule, a_sequence, an_epoch_hook, any_of, if_for_sequence

RULE = Rule(
    code="SEQ111",
    name="len-changes-in-hook",
    since="0.1.0",
    levels=Levels(keras2=None, early="warning", keras3="warning"),
    needs=(a_sequence, an_epoch_hook, any_of("__len__")),
    examples=(
        Example(
            """
import keras
import numpy as np


class Growing(keras.utils.PyDataset):
    def __init__(self, leaves, **kwargs):
        super().__init__(**kwargs)
        self.leaves = leaves
        self.size = 8

    def __len__(self):
        return self.size // 4

    def __getitem__(self, index):
        rows = self.leaves[index * 4 : index * 4 + 4]
        return rows, rows[:, :1]

    def on_epoch_end(self):
        self.size = min(self.size + 4, len(self.leaves))


model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(Growing(np.ones((16, 2), "float32")), epochs=2, verbose=0)
"""
        ),
        Example(
            """
import keras


class Pruned(keras.utils.Sequence):
    def __len__(self):
        return len(self.rows) // 4

    def __getitem__(self, index):
        return self.rows[index * 4 : index * 4 + 4]

    def on_epoch_end(self):
        self.rows = [row for row in self.rows if self.is_hard(row)]

    def is_hard(self, row):
        return row.mean() > 0.5
"""
        ),
        Example.where_unknown(
            """
import keras

from ours import Reporting


class Pruned(keras.utils.Sequence, Reporting):
    def __len__(self):
        return len(self.rows)

    def on_epoch_end(self):
        self.rows.pop()
"""
        ),
        Example.ok(
            """
import keras
import numpy as np


class Dealt(keras.utils.PyDataset):
    def __len__(self):
        return len(self.order) // self.batch

    def on_epoch_end(self):
        self.order = np.arange(len(self.rows))
        np.random.shuffle(self.order)
        self.epoch += 1
"""
        ),
        Example.ok(
            """
import keras


class Rolling(keras.utils.PyDataset):
    def __len__(self):
        return len(self.rows)

    def on_epoch_end(self):
        self.rows.append(self.rows.pop(0))
"""
        ),
    ),
    sources=("keras-team/keras#10615", "tensorflow/tensorflow#41571"),
)

_NOTE = Note.on_keras_3("the length is read once, when `fit` begins", "the length is read for every epoch")
_HELP = "keep the length, or call `fit` once for each stage"


def check(facts: Facts) -> Iterator[Finding]:
    for hook in facts.hooks.all:
        for change in facts.length_changes.changed(hook):
            message = f"`{hook.called}` changes `self.{change.name}`, which `__len__` depends on"
            finding = facts.finding(change.node, message, _NOTE, _HELP)
            yield if_for_sequence(hook, finding, RULE.levels)
