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
from dataclasses import replace

from seqlint.api import (
    Contract,
    Example,
    Facts,
    Finding,
    Levels,
    Note,
    Rule,
    Sequences,
    Sometimes,
    Wrapped,
    any_of,
    argument_instead,
)

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


_HOOKS_MISSED = Levels.everywhere("warning")

RULE = Rule(
    code="SEQ419",
    name="sequence-sliced",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    sometimes=Sometimes.everywhere("warning"),
    contract=Contract(
        changes=frozenset({"samples", "spec", "hooks", "history"}), repairs=frozenset({"errors", "warnings"})
    ),
    needs=(any_of("from_tensor_slices", "from_generator"),),
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
    run = facts.run
    found: dict[object, Finding] = {}
    for wrapped in run.domain(Sequences).wrapped:
        place = run.place(wrapped.call)
        if place is None or place in found:
            continue
        finding = facts.finding_at(run.span(place), _message(wrapped), _note(wrapped))
        edits = argument_instead(run, wrapped.call) if wrapped.sliced and wrapped.to_models else ()
        if edits:
            found[place] = finding.fixed_by("Pass the Sequence itself", *edits)
        else:
            finding = replace(finding, levels=None if wrapped.sliced else _HOOKS_MISSED)
            found[place] = replace(finding, help="give the Sequence itself to `fit`").unfixed(_reason(wrapped))
    yield from found.values()


def _message(wrapped: Wrapped) -> str:
    name = wrapped.sequence.cls.name
    if wrapped.sliced:
        return f"`{name}` is a Sequence of batches, which `from_tensor_slices` takes for one array"
    return f"nobody calls `{wrapped.hook}` of `{name}` where a generator takes its batches"


def _note(wrapped: Wrapped) -> Note:
    if not wrapped.sliced:
        return Note("each epoch has the same batches in the same order, as far as the hook changes them")
    fails = "inputs and targets of unlike shapes raise ValueError at once, others in `fit`"
    return Note(
        keras2=fails, early="it reads batches without end, unless `__getitem__` raises IndexError", keras3=fails
    )


def _reason(wrapped: Wrapped) -> str:
    if not wrapped.sliced:
        return "the signature and the steps of the dataset would go, too"
    return "the dataset has further steps or readers, or the Sequence is not its only argument"
