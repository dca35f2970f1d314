"""Batches are batched again, so that the model gets batches of batches.

## Why
`image_dataset_from_directory`, `timeseries_dataset_from_array` and their like give batches already. Another `batch` makes one row of each
batch: the data have an axis more.

## Measured
- Keras 3 and Keras 2: pictures of (8, 8, 3) arrive as (2, 4, 8, 8, 3) after `batch_size=4` and `.batch(2)`.
- Keras 3 and Keras 2: ValueError with Conv2D, Flatten and LSTM, at the start of `fit`.
- Keras 3: ValueError with Dense, too, if the model has an `Input`; without one it trains without a word.
- Keras 2: Dense trains without a word, with and without an `Input`.

## Do this
Leave out the second `batch`, and give the loader the size that you want. Or make the loader give single rows, with `batch_size=None`.

## Silent when
The rows are taken out of their batches first (`unbatch`), or a function of yours makes the batches rows (`map`, `flat_map`). Your own code reads the batches
of batches.
"""

from collections.abc import Iterator
from dataclasses import replace

from seqlint.api import (
    Batching,
    Contract,
    Example,
    Facts,
    Finding,
    Levels,
    Note,
    Rule,
    Sometimes,
    Twice,
    any_of,
    step_removed,
)

_FILES = """
import os

import keras
import numpy as np
import tensorflow as tf

for number in range(16):
    os.makedirs(f"leaves/{number % 2}", exist_ok=True)
    keras.utils.save_img(f"leaves/{number % 2}/{number}.png", np.full((4, 4, 3), 15.0 * number), scale=False)
"""
_PICTURES = (
    _FILES
    + """
leaves = keras.utils.image_dataset_from_directory("leaves", image_size=(4, 4), batch_size=4)
leaves = leaves.map(lambda picture, kind: (picture / 255, kind)).batch(2).prefetch(2)
model = keras.Sequential([keras.layers.Conv2D(1, 2), keras.layers.Flatten(), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(leaves, epochs=2, verbose=0)
"""
)
_ONCE = _PICTURES.replace(".batch(2)", "")
_DENSE = """
import keras
import numpy as np

tides = np.random.default_rng(1).normal(size=(60, 3)).astype("float32")
windows = keras.utils.timeseries_dataset_from_array(tides[:-6], tides[6:, :1], sequence_length=6, batch_size=8)
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(windows.batch(2), epochs=2, verbose=0)
"""

_SILENT = Levels.everywhere("warning")

RULE = Rule(
    code="SEQ432",
    name="batched-twice",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    sometimes=Sometimes.everywhere("warning"),
    contract=Contract(
        changes=frozenset({"samples", "spec", "grouping", "steps", "history", "weights"}),
        repairs=frozenset({"errors"}),
    ),
    needs=(any_of("batch", "padded_batch", "ragged_batch"),),
    examples=(
        Example(_PICTURES, _ONCE),
        Example(_DENSE, _DENSE.replace(".batch(2)", "")),
        Example.ok(_ONCE),
        Example.ok(_PICTURES.replace(".batch(2)", ".unbatch().batch(2)")),
        Example.ok(_PICTURES.replace("batch_size=4", "batch_size=None")),
    ),
    sources=("tensorflow/tensorflow#57476", "tensorflow/tensorflow#78621"),
)


def check(facts: Facts) -> Iterator[Finding]:
    run = facts.run
    found: dict[object, Finding] = {}
    for twice in run.domain(Batching).twice:
        call = run.call_of[twice.step]
        place = run.place(call)
        if place is None or (place in found and not twice.fails):
            continue
        finding = facts.finding_at(run.step_span(place), _message(twice), _note(twice))
        finding = finding if twice.fails else replace(finding, levels=_SILENT)
        edits = step_removed(run, twice.step) if twice.always and run.is_here(call.context) else ()
        if edits:
            finding = finding.fixed_by(f"Leave out `{twice.step.method}`", *edits)
        else:
            help_ = f"leave `{twice.step.method}` out, or give `{twice.first.method}` `batch_size=None`"
            finding = replace(finding, help=help_).unfixed(
                "other data go through this step, too, or another file has it"
            )
        found[place] = finding
    yield from found.values()


def _message(twice: Twice) -> str:
    return f"`{twice.step.method}` makes batches of batches: `{twice.first.method}` gives batches already"


def _note(twice: Twice) -> Note:
    if twice.fails:
        return Note("`fit` raises ValueError, since the data have an axis more than the model takes")
    return Note.on_keras_3(
        "Dense layers train on them without a word, if the model has no `Input`",
        "Dense layers train on them without a word",
    )
