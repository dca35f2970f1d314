"""A sample that is left out of one part of a batch while its label stays.

## Why
A loop builds x and skips a sample that can't be read or is not wanted. But y is a slice of all labels, or was collected before the
sample was read. From there on rows and labels no longer match.

## Measured
- Keras 3 and Keras 2: 15 rows against 16 fail with "Incompatible shapes: [15] vs. [16]" (or the like, by loss), which names no file and no
  batch.
- Every Keras: a single row that is left in x is compared with every label, without a message.
- Every Keras: equal numbers that are left out at different places train on wrong pairs, without a message.

## Do this
Take each label where its sample is taken: loop over both with `zip`, and append the label right after its sample. Where a mask picks the
rows of x, filter y by the same mask.

## Silent when
y is made from what the loop collects, or is filtered as x is; the condition only asks how far the loop has come.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (
    Contract,
    Example,
    Facts,
    Finding,
    Levels,
    PartialDrop,
    Rule,
    a_batch_method,
    cst,
    if_for_model,
    keep_pairs,
)

_FILTER = """
import keras
import numpy as np


class Plates(keras.utils.PyDataset):
    def __init__(self, paths, labels):
        super().__init__()
        self.paths = paths
        self.labels = labels

    def __len__(self):
        return len(self.paths) // 4

    def __getitem__(self, index):
        start, stop = index * 4, index * 4 + 4
        batch_labels = self.labels[start:stop]
        images = []
        for path in self.paths[start:stop]:
            image = np.load(path)
            if image.max() == 0:
                continue
            images.append(image)
        return np.array(images), np.array(batch_labels)


for number in range(8):
    np.save(f"plate{number}.npy", np.full(3, number % 7, "float32"))
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(Plates([f"plate{number}.npy" for number in range(8)], [[0.0]] * 8), shuffle=False, verbose=0)
"""
_FIRST = """
import keras
import numpy as np


def plates(paths, answers):
    while True:
        for start in range(0, len(paths), 3):
            images, labels = [], []
            for path, answer in zip(paths[start : start + 3], answers[start : start + 3]):
                labels.append(answer)  # one for each plate
                try:
                    images.append(np.load(path))
                except FileNotFoundError:
                    print("no", path)
            yield np.array(images), np.array(labels[: len(images)])


np.save("plate.npy", np.ones(3, "float32"))
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
paths = ["none.npy", "plate.npy", "plate.npy"] * 2
model.fit(plates(paths, [[1.0], [2.0], [3.0]] * 2), steps_per_epoch=2, verbose=0)
"""

RULE = Rule(
    code="SEQ202",
    name="sample-dropped-alone",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    contract=Contract(changes=frozenset({"samples", "history", "weights"}), repairs=frozenset({"errors", "spec"})),
    needs=(a_batch_method,),
    examples=(
        Example(
            _FILTER,
            _FILTER.replace(
                """\
        for path in self.paths[start:stop]:
""",
                """\
        kept_labels = []
        for path, label in zip(self.paths[start:stop], batch_labels):
""",
            ).replace(
                """\
        return np.array(images), np.array(batch_labels)
""",
                """\
            kept_labels.append(label)
        return np.array(images), np.array(kept_labels)
""",
            ),
            contract=Contract(repairs=frozenset({"errors", "spec", "samples", "history", "weights"})),
        ),
        Example(
            _FIRST,
            _FIRST.replace(
                """\
                labels.append(answer)  # one for each plate
""",
                """\
""",
            ).replace(
                """\
                    images.append(np.load(path))
""",
                """\
                    images.append(np.load(path))
                    labels.append(answer)  # one for each plate
""",
            ),
        ),
        Example(
            """
import os

import keras
import numpy as np


class Plates(keras.utils.PyDataset):
    def __getitem__(self, index):
        rows = slice(index * 4, index * 4 + 4)
        images = [np.load(path) for path in self.paths[rows] if os.path.exists(path)]
        return np.stack(images), self.labels[rows]
"""
        ),
        Example(
            """
import keras
import numpy as np


class Buoys(keras.utils.PyDataset):
    def __init__(self, waves, heights):
        super().__init__()
        self.waves, self.heights = waves, heights

    def __len__(self):
        return 2

    def __getitem__(self, index):
        rows = slice(index * 4, index * 4 + 4)
        waves = self.waves[rows]
        known = ~np.isnan(waves).any(axis=1)
        return waves[known], self.heights[rows]


model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(Buoys(np.ones((8, 2)), np.ones((8, 1))), epochs=2, verbose=0)
"""
        ),
        Example.ok(
            """
import keras
import numpy as np


class Plates(keras.utils.PyDataset):
    def __getitem__(self, index):
        rows = self.order[index * 4 : index * 4 + 4]
        images, kept = [], []
        for row in rows:
            image = self.read(row)
            if image is None:
                continue
            images.append(image)
            kept.append(row)
        return np.array(images), self.labels[kept]

    def read(self, row):
        return None if row in self.broken else np.load(self.paths[row])
"""
        ),
        Example.ok(
            """
import keras
import numpy as np


class Plates(keras.utils.PyDataset):
    def __getitem__(self, index):
        start = index * 4
        images = []
        for offset in range(4):
            if start + offset >= len(self.paths):
                continue
            images.append(np.load(self.paths[start + offset]))
        return np.array(images), self.labels[start : start + 4]
"""
        ),
        Example.ok(
            """
import keras
import numpy as np


class Plates(keras.utils.PyDataset):
    def __getitem__(self, index):
        paths = self.paths[index * 4 : index * 4 + 4]
        labels = list(self.labels[index * 4 : index * 4 + 4])
        images = []
        for path in paths:
            try:
                images.append(np.load(path))
            except FileNotFoundError:
                labels.pop(len(images))
        return np.array(images), np.array(labels)
"""
        ),
    ),
    sources=("keras-team/keras#1533",),
)


def check(facts: Facts) -> Iterator[Finding]:
    for loss in facts.partial_drops.all:
        finding = facts.finding(loss.label.node, _message(facts, loss), _note(loss))
        # Where a broad handler is the cause, raising there repairs this too.
        edits = keep_pairs(facts, loss) if loss.cause is None else ()
        if edits:
            finding = finding.fixed_by("Take each label right after its sample", *edits)
        else:
            finding = but(finding, help=_help(loss), no_fix=_reason(loss))
        yield if_for_model(loss.maker, finding, RULE.levels)


def _message(facts: Facts, loss: PartialDrop) -> str:
    if loss.label.collect is not None and loss.collect is not None:
        lost, kept = facts.text(loss.collect.target), facts.text(loss.label.collect.target)
        return f"`{kept}` gets an item even where its partner may not reach `{lost}`"
    return f"`{facts.text(loss.label.node)}` keeps the row of a sample that {_by(facts, loss)} leaves out"


def _note(loss: PartialDrop) -> str:
    if loss.label.collect is not None and loss.collect is not None:
        return "from there on each row belongs to another sample"
    return (
        "`fit` fails with 'Incompatible shapes', which names no sample, or compares a single row with every label "
        "without a message"
    )


def _help(loss: PartialDrop) -> str:
    if loss.cause is not None:
        return "raise in the `except`, or leave out the label too"
    return "filter the labels in the same way" if loss.collect is None else "take each label right after its sample"


def _reason(loss: PartialDrop) -> str:
    if loss.cause is not None:
        return "the `except` that causes it is reported as SEQ201"
    if loss.collect is None:
        return "a comprehension or a mask leaves the sample out, not a loop"
    if loss.label.frame is not loss.frame:
        return "the sample and its label are taken in different functions"
    return "the loop, or the line that takes the labels, does something else too"


def _by(facts: Facts, loss: PartialDrop) -> str:
    node = loss.skip.node
    if isinstance(node, cst.Subscript):
        return f"`{facts.text(node)}`"
    if isinstance(node, cst.With):
        return f"`with {', '.join(facts.text(item.item) for item in node.items)}`"
    if not isinstance(node, cst.ExceptHandler):
        return f"`if {facts.text(loss.skip.tests[0])}`"
    return f"`except {facts.source.slice(*facts.tree.outer_span(node.type))}`" if node.type is not None else "`except:`"
