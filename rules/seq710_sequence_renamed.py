"""`Sequence` is the old name of `PyDataset`.

## Why
Keras 3 calls the class `keras.utils.PyDataset`. `keras.utils.Sequence` is the same class under its old name, so nothing goes wrong. This rule is off
unless it is asked for: it serves projects that have left Keras 2 and want one name.

## Measured
- Keras 3: `keras.utils.Sequence` and `keras.utils.PyDataset` are one class.
- Keras 2: `keras.utils.PyDataset` does not exist.

## Do this
Write `keras.utils.PyDataset`.

## Silent when
The project may run on Keras 2, or the name is another class.
"""

from collections.abc import Iterator

from seqlint.api import (
    KERAS_3_LINES,
    OF_KERAS,
    Contract,
    Example,
    Facts,
    Finding,
    Levels,
    Rule,
    a_member_of,
    cst,
    name_for,
    replace,
)

_FEED = """
import keras
import numpy as np


class Feed(keras.utils.Sequence):
    def __len__(self):
        return 2

    def __getitem__(self, index):
        return np.ones((2, 3)), np.ones((2, 1))


model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(Feed(), verbose=0)
"""

RULE = Rule(
    code="SEQ710",
    name="sequence-renamed",
    since="0.1.0",
    levels=Levels(keras2=None, early="advice", keras3="advice", mixed=None),
    contract=Contract(),
    default=False,
    migration=True,
    needs=(a_member_of(OF_KERAS, "Sequence"),),
    examples=(
        Example(_FEED, _FEED.replace("keras.utils.Sequence", "keras.utils.PyDataset"), keras=">=3"),
        Example.ok(_FEED.replace("keras.utils.Sequence", "keras.utils.PyDataset"), keras=">=3"),
        Example.ok(_FEED, keras="tf-keras"),
    ),
)


def check(facts: Facts) -> Iterator[Finding]:
    bases = (base.value for owner in facts.tree.all(cst.ClassDef) for base in owner.bases)
    for node in bases:
        if facts.qualified(node) != "keras.utils.Sequence":
            continue
        finding = facts.finding(node, "`Sequence` is the old name of `PyDataset`", "it is the same class")
        spelling = name_for(facts, "keras.utils.PyDataset", node)
        edits = (replace(facts, node, spelling.text), *spelling.edits)
        yield finding.fixed_by("Use the new name", *edits, lines=KERAS_3_LINES)
