"""A Sequence or PyDataset is wrapped in a tf.data dataset.

## Why
A Sequence already gives batches, and Keras knows how to read it. `from_tensor_slices` reads all of it at once, as one big array, in which inputs
and targets of a batch are rows of one another. `from_generator` only takes batches: nobody calls `on_epoch_end`, so a Sequence that shuffles or moves
on there gives the same epoch each time.

## Measured
- Keras 3.10 and later: `from_tensor_slices` of three batches of 4 inputs and 4 targets of 2 columns gives rows of (2, 4, 2): `fit` raises ValueError.
- Keras 2: `from_tensor_slices` of three batches of 4 inputs and 4 targets of 2 columns gives rows of (2, 4, 2): `fit` raises ValueError.
- Keras 3.10 and later: inputs and targets of unlike shapes raise ValueError in `from_tensor_slices`.
- Keras 2: inputs and targets of unlike shapes raise ValueError in `from_tensor_slices`.
- Keras 3.0 to 3.9: `from_tensor_slices(feed)` and `from_generator(lambda: feed)` read batches without end, if `__getitem__` raises no IndexError.
- Keras 3 and Keras 2: `fit` with `from_generator` over a Sequence runs its `on_epoch_end` 0 times in 3 epochs.

## Do this
Give the Sequence itself to `fit`. It makes batches in several threads or processes if it has `workers`.

## Silent when
A Sequence without `on_epoch_end` and `on_epoch_begin` is read by `from_generator`.
"""

from collections.abc import Iterator

from seqlint.api import Contract, Example, Facts, Finding, Levels, Rule, Sometimes, a_sequence, any_of

_FEED = """
import keras
import numpy as np
import tensorflow as tf


class Tides(keras.utils.PyDataset):
    def __init__(self):
        super().__init__()
        self.rows = np.arange(24, dtype="float32").reshape(12, 2)
        self.order = np.arange(12)

    def __len__(self):
        return 3

    def __getitem__(self, index):
        rows = self.rows[self.order[index * 4 : index * 4 + 4]]
        return rows, rows * 2

    def on_epoch_end(self):
        self.order = np.roll(self.order, 1)


feed = Tides()
"""
_FIT = """model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(2)])
model.compile(optimizer="sgd", loss="mse")
model.fit({data}, epochs=2, verbose=0)
"""
_SPEC = "(tf.TensorSpec((None, 2)), tf.TensorSpec((None, 2)))"


def _fit(data: str) -> str:
    return _FIT.replace("{data}", data)


RULE = Rule(
    code="SEQ419",
    name="sequence-sliced",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    sometimes=Sometimes.everywhere("warning"),
    contract=Contract(
        changes=frozenset({"samples", "spec", "hooks", "history", "state"}), repairs=frozenset({"errors"})
    ),
    needs=(a_sequence, any_of("from_tensor_slices", "from_generator")),
    examples=(
        Example(_FEED + _fit("tf.data.Dataset.from_tensor_slices(feed)"), _FEED + _fit("feed")),
        Example(_FEED + _fit(f"tf.data.Dataset.from_generator(lambda: feed, output_signature={_SPEC})")),
        Example.ok(_FEED + _fit("feed")),
        Example.ok(
            _FEED + "feed = tf.data.Dataset.from_tensor_slices((feed.rows, feed.rows)).batch(4)\n" + _fit("feed")
        ),
    ),
    sources=("tensorflow/tensorflow#48661",),
)


def check(facts: Facts) -> Iterator[Finding]:
    yield from ()
