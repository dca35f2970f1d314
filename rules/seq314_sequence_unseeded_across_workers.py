"""Each process shuffles the rows for itself before they are shared out.

## Why
Where several processes train one model, each takes its share of the rows by their place in the order. If each process has drawn an order of
its own, the shares overlap: some rows are trained on twice in an epoch, others not at all.

## Measured
With two processes, 60 rows, and another order in each:

- Keras 2: under MultiWorkerMirroredStrategy `fit` asks the Sequence for every batch in each process, and keeps another half of it in each. With
  one order both train on all 60 rows. With two orders 17 rows come twice, and 17 are left out. `on_epoch_end` runs once an epoch in each
  process, so that generators with one seed stay alike.
- Keras 3: `fit` fails under several workers (SEQ310).
- On every Keras: of two permutations of 60 rows that are cut by the rank, `[0::2]` and `[1::2]`, 15 rows come twice, and 15 are left out.

## Do this
Draw the same order in each process: `np.random.default_rng([seed, epoch]).permutation(n)`, with the same seed everywhere. Or share the rows out
first and shuffle each share for itself.

## Silent when
The file sets a seed, or the generator has one; each process shuffles after the rows are shared out; one of several strategies may be in use;
seqlint does not see which fit gets the Sequence.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import Example, Facts, Finding, Levels, Rule, Sometimes, WorkerOrder, any_of, if_on_model, matching

_START = """
import keras
import numpy as np
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()


class Feed(keras.utils.Sequence):
    def __init__(self, rows):
        self.rows = rows
        self.order = np.arange(len(rows))
{}
    def __len__(self):
        return len(self.rows) // 8

    def __getitem__(self, index):
        rows = self.rows[self.order[index * 8 : index * 8 + 8]]
        return rows, rows

    def on_epoch_end(self):
        {}


with strategy.scope():
    model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
model.fit(Feed(np.ones((64, 1), "float32")), epochs=2, verbose=0)
"""
_RANKS = """
import horovod.tensorflow.keras as hvd
import numpy as np

from mine import model, rows

hvd.init()
order = np.random.permutation(len(rows))
mine = {}
model.fit(rows[mine], callbacks=[hvd.callbacks.BroadcastGlobalVariablesCallback(0)])
"""

RULE = Rule(
    code="SEQ314",
    name="sequence-unseeded-across-workers",
    since="0.1.0",
    levels=Levels(keras2="warning", early=None, keras3=None, mixed="warning"),
    sometimes=Sometimes(early=("warning",), keras3=("warning",)),
    needs=(matching(r"trategy|\.\s*scope\s*\(|horovod"), any_of("shuffle", "permutation", "permuted", "sample")),
    examples=(
        Example(_START.format("", "np.random.shuffle(self.order)"), keras="<3"),
        Example(
            _START.format(
                "        self.rng = np.random.default_rng()\n", "self.order = self.rng.permutation(len(self.order))"
            ),
            keras="<3",
        ),
        Example(_RANKS.format("order[hvd.rank() :: hvd.size()]")),
        Example.ok(
            _START.format("        self.rng = np.random.default_rng(7)\n", "self.rng.shuffle(self.order)"), keras="<3"
        ),
        Example.ok(
            _RANKS.replace("permutation(len(rows))", "RandomState(3).permutation(len(rows))").format(
                "order[hvd.rank() :: hvd.size()]"
            )
        ),
        Example.ok(
            _RANKS.format("np.arange(len(rows))[hvd.rank() :: hvd.size()]\nnp.random.shuffle(mine)").replace(
                "np.random.permutation(len(rows))", "len(rows)"
            )
        ),
    ),
    sources=("tensorflow/tensorflow#42146",),
)

_BY_RANK = Levels.everywhere("warning")


def check(facts: Facts) -> Iterator[Finding]:
    for order in facts.worker_orders.all:
        message = f"{_rows(order)} gets another order in each process"
        note = "the shares of the processes overlap: some rows come twice in an epoch, others not at all"
        finding = facts.finding(order.node, message, note, "draw the order with the same seed in each process")
        finding = but(finding, levels=_BY_RANK) if order.by == "slice" else finding
        yield if_on_model(facts, order.fit, finding, RULE.levels) if order.fit is not None else finding


def _rows(order: WorkerOrder) -> str:
    return f"`{order.rows}`" if "\n" not in order.rows and len(order.rows) < 50 else "what is shuffled"
