"""Files of inputs and targets are paired in the order that folders list them.

## Why
`os.listdir`, `glob` and their like list files in the order of the file system, which is that in which they were made, or any other. Two folders
have two orders. Pairs that are made of them by position then hold a picture and the mask of another one. Equal names may come in one order on
one file system, and in two on the next.

## Measured
- Keras 3 and Keras 2: of 40 pairs of `os.listdir`, `glob.glob`, `Path.iterdir` or `tf.io.gfile.glob` hardly any fits, where the names differ
  in more than their folder.
- Keras 3 and Keras 2: the same where only one of the two lists is sorted.
- Keras 3 and Keras 2: all 40 fit where both are sorted, and with `tf.data.Dataset.list_files(..., shuffle=False)`, which sorts.

## Do this
Sort both lists: `sorted(os.listdir(folder))`. Better still, list one folder, and make the name of the other file from it.

## Silent when
Both lists are sorted, or one is made from the other. The pairs don't reach a model or a dataset.
"""

from collections.abc import Iterator
from dataclasses import replace

from seqlint.api import Contract, Example, Facts, Finding, Levels, Listings, Rule, any_of, wrapped

_FILES = """
import os

import keras
import numpy as np
import tensorflow as tf

for seed, folder in enumerate(("views", "masks")):
    os.makedirs(folder, exist_ok=True)
    for number in np.random.default_rng(seed).permutation(8):
        np.save(f"{folder}/{number}_{folder}.npy", np.full(3, number / 8, "float32"))
"""
_FIT = """
rows = np.stack([np.load(view) for view in views]), np.stack([np.load(mask) for mask in masks])
pairs = tf.data.Dataset.from_tensor_slices(rows).batch(2)
model = keras.Sequential([keras.layers.Dense(3)])
model.compile(optimizer="sgd", loss="mse")
model.fit(pairs, epochs=2, verbose=0)
"""
_BOTH = (
    _FILES
    + """
views = [os.path.join("views", name) for name in os.listdir("views")]
masks = [os.path.join("masks", name) for name in os.listdir("masks")]
"""
    + _FIT
)
_SORTED = _BOTH.replace('os.listdir("views")', 'sorted(os.listdir("views"))').replace(
    'os.listdir("masks")', 'sorted(os.listdir("masks"))'
)

RULE = Rule(
    code="SEQ417",
    name="unsorted-pairs",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    contract=Contract(changes=frozenset({"samples", "history", "weights", "state"}), holds=frozenset({"pairs match"})),
    needs=(any_of("listdir", "scandir", "iterdir", "glob", "iglob", "rglob", "from_tensor_slices"),),
    examples=(
        Example(_BOTH, _SORTED),
        Example(_SORTED.replace('sorted(os.listdir("masks"))', 'os.listdir("masks")'), _SORTED),
        Example.ok(_SORTED),
        Example.ok(_BOTH.replace('os.listdir("masks")', 'os.listdir("views")')),
    ),
    sources=("HasnainRaz/SemSegPipeline#9",),
)


def check(facts: Facts) -> Iterator[Finding]:
    run = facts.run
    found: dict[object, Finding] = {}
    for call in run.domain(Listings).unsorted:
        place = run.place(call)
        if place is None or place in found:
            continue
        message = f"`{call.result.method}` lists files in no order, but they are paired by their places"
        finding = facts.finding_at(run.span(place), message, "inputs get the targets of other files")
        if place is call.node and call.result.method != "scandir":
            found[place] = finding.fixed_by("Sort the files", *wrapped(run, place, "sorted"))
        else:
            reason = "entries can't be sorted" if place is call.node else "another file lists them"
            found[place] = replace(finding, help="sort the files of both folders by their names").unfixed(reason)
    yield from found.values()
