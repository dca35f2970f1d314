"""A batch of a Sequence whose targets or weights are None.

## Why
Keras 3 turns the structure of a batch into a signature for tf.data. None has no shape and no type, so it has no place there. Leave out
what a batch does not have.

## Measured
- Keras 3.10 and later: `(x, None)` in `predict` and `(x, y, None)` in `fit` and `evaluate` end with InvalidArgumentError, whose text says
  that the structure does not match; `(x, None)` in `fit` with ValueError "None values not supported". From a plain generator `(x, y, None)`
  works. A None in a dict of targets, and in a field of a `NamedTuple`, ends like `(x, None)` in `predict`.
- Keras 3.0 to 3.9: AttributeError "'NoneType' object has no attribute 'shape'" for each of them, from a generator too.
- Keras 2: `(x, None)` works in `predict`, `(x, y, None)` everywhere, and so does a None in a dict or a `NamedTuple`.
- Every Keras: `(x,)` works in `predict`, and `(x, y)` in `fit` and `evaluate`.

## Do this
Leave the item out: `(x,)` or `(x, y)`. Where only some batches have weights, give all of them weights, such as
`np.ones(len(x))`.

## Silent when
The batch comes from a plain generator; the whole batch is None, which is SEQ210.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (
    Contract,
    Edit,
    Example,
    Facts,
    Finding,
    Levels,
    NoItem,
    Note,
    Rule,
    a_batch_method,
    as_template_method,
    cst,
    drop_last,
)

_SONGS = """
import keras
import numpy as np


class Songs(keras.utils.PyDataset):
    def __init__(self, notes, marks):
        super().__init__()
        self.notes, self.marks = notes, marks

    def __len__(self):
        return 2

    def __getitem__(self, index):
        rows = slice(index * 4, index * 4 + 4)
        return self.notes[rows], self.marks[rows], None


model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(Songs(np.ones((8, 3), "float32"), np.ones((8, 1), "float32")), epochs=2, verbose=0)
"""
_UNSEEN = """
import keras
import numpy as np


class Unseen(keras.utils.PyDataset):
    def __init__(self, notes, size=4):
        super().__init__()
        self.notes, self.size = notes, size

    def __len__(self):
        return len(self.notes) // self.size

    def __getitem__(self, index):
        return self._rows(index), None  # nothing is known yet

    def _rows(self, index):
        return self.notes[index * self.size : (index + 1) * self.size]


model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
guesses = model.predict(Unseen(np.ones((8, 3), "float32")), verbose=0)
"""

RULE = Rule(
    code="SEQ209",
    name="batch-none-item",
    since="0.1.0",
    levels=Levels(keras2=None, early="error", keras3="error"),
    contract=Contract(repairs=frozenset({"errors"})),
    needs=(a_batch_method,),
    examples=(
        Example(_SONGS, _SONGS.replace("self.marks[rows], None", "self.marks[rows]")),
        Example(_UNSEEN, _UNSEEN.replace("return self._rows(index), None", "return (self._rows(index),)")),
        Example(
            """
import keras


class Songs(keras.utils.PyDataset):
    def __getitem__(self, index):
        rows = slice(index * 4, index * 4 + 4)
        return self.notes[rows], self.marks[rows], self._weights(index)

    def _weights(self, index):
        if index < 3:
            return None
        return self.weights[index]
"""
        ),
        Example.where_unknown(
            """
import keras


class Songs(keras.utils.PyDataset):
    def __init__(self, notes, marks=None):
        super().__init__()
        self.notes, self.marks = notes, marks

    def __getitem__(self, index):
        rows = slice(index * 4, index * 4 + 4)
        marks = self.marks[rows] if self.marks is not None else None
        return self.notes[rows], marks
"""
        ),
        Example.ok(
            """
import keras


class Songs(keras.utils.PyDataset):
    def __getitem__(self, index):
        rows = slice(index * 4, index * 4 + 4)
        marks = None
        if self.marks is not None:
            marks = self.marks[rows]
        if marks is None:
            return self.notes[rows]
        return self.notes[rows], marks
"""
        ),
        Example.ok(
            """
import keras


class Songs(keras.utils.PyDataset):
    def __getitem__(self, index):
        return self.notes[index], None
""",
            keras="tf-keras",
        ),
    ),
)

_NOTE = Note.on_keras_3("each item needs a shape and a type, so Keras raises before or at the first step")


def check(facts: Facts) -> Iterator[Finding]:
    for item in facts.absent.items:
        assert item.part.node is not None
        what = "targets" if item.position == 1 else "weights"
        where = "some batches" if item.sure and not item.always else "this batch"
        finding = facts.finding(item.part.node, f"the {what} of {where} are None", _NOTE)
        if not item.sure:
            finding = finding.provided(f"`{facts.text(item.part.node)}` is None", RULE.levels)
        elif edits := _edits(facts, item):
            finding = finding.fixed_by("Leave out the None", *edits)
        else:
            finding = but(finding, help=f"leave the {what} out of the batch", no_fix=_reason(facts, item))
        yield as_template_method(item.batch.maker.template_method, finding)


def _reason(facts: Facts, item: NoItem) -> str:
    if item.whole is None:
        return "a dict or a named tuple holds the None"
    if _is_unpacked(facts, len(item.whole.elements)):
        return "other code of this file unpacks the batch"
    if _is_none(item.whole.elements[item.position].value):
        return "another item of the batch is None too, and its fix comes first"
    return "it is not a plain `None` at the end of the batch"


def _edits(facts: Facts, item: NoItem) -> tuple[Edit, ...]:
    """Cut off the Nones at the end of the batch; none where other code unpacks the batch."""
    if item.whole is None:
        return ()
    items = [element.value for element in item.whole.elements]
    if any(_is_none(one) for one in items[: item.position]) or not all(_is_none(one) for one in items[item.position :]):
        return ()
    if _is_unpacked(facts, len(items)):
        return ()
    return drop_last(facts, item.whole, len(items) - item.position)


def _is_none(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Name) and node.value == "None"


def _is_unpacked(facts: Facts, many: int) -> bool:
    """`x, y, weights = songs[0]`, or a loop over the batches, anywhere in the file."""
    assigns = (node for node in facts.tree.all(cst.Assign) if isinstance(node.value, cst.Subscript))
    loops = (node for node in facts.tree.all(cst.For) if isinstance(node.iter, (cst.Name, cst.Attribute)))
    targets = [*(target.target for node in assigns for target in node.targets), *(node.target for node in loops)]
    return any(isinstance(target, cst.Tuple) and len(target.elements) == many for target in targets)
