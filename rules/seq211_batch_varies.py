"""Batches of one source that differ in structure, shape or dtype.

## Why
Keras reads the structure, the ranks and the dtypes from the first one or two batches, and passes them to tf.data as a signature.
Later batches must match it, or are cast to it.

## Measured
- Keras 3.10 and later: InvalidArgumentError for another number of items, structure, rank or size, at the first batch that differs.
  ValueError before the first step where batch 1 has another structure or rank. Another size in batch 1 leaves the axis open instead.
- Keras 3.0 to 3.9: the same.
- Keras 2: InvalidArgumentError for another number of items, structure or rank. Another size is not checked: labels of width 2 are
  broadcast against an output of width 1, and the training runs to its end.
- Every Keras: where floats from 0 to 1 come after whole numbers, they are truncated to zeros without a warning. A mix of float32 and
  float64 is cast, and right. The dtype is that of batch 0: whole numbers after floats lose nothing.

## Do this
Build every batch in the same way. If only some batches have an item, such as weights, give the others a neutral value
(`np.ones(...)`). Scale or cast in all branches, or in none.

## Silent when
The branch depends on arguments of the constructor or the generator, so that one object always gives one structure; the batches
differ only in their number of rows; batches 0 and 1 have different sizes, which leaves the axis open.
"""

from collections.abc import Iterator

from seqlint.api import (
    Contract,
    Example,
    Facts,
    Finding,
    Form,
    Levels,
    Note,
    Rule,
    Variant,
    a_batch_method,
    if_for_model,
)

RULE = Rule(
    code="SEQ211",
    name="batch-varies",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    contract=Contract(),
    needs=(a_batch_method,),
    examples=(
        Example(
            """
import keras
import numpy as np


class Meters(keras.utils.PyDataset):
    def __init__(self, readings, weights):
        super().__init__()
        self.readings, self.weights = readings, weights

    def __len__(self):
        return 4

    def __getitem__(self, index):
        rows = slice(index * 4, index * 4 + 4)
        x, y = self.readings[rows, :3], self.readings[rows, 3:]
        if index == len(self) - 1:
            return x, y, self.weights
        return x, y


model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(Meters(np.ones((16, 4), "float32"), np.full(4, 0.5)), verbose=0)
"""
        ),
        Example(
            """
import keras
import numpy as np


class Pages(keras.utils.PyDataset):
    def __init__(self, paths):
        super().__init__()
        self.paths = paths

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, index):
        page = np.zeros((1, 8), "uint8")
        page[0] = np.load(self.paths[index])
        if page.max() > 1:
            page = page / 255.0
        return page, np.ones((1, 1))
"""
        ),
        Example(
            """
import keras
import numpy as np


def pairs(rows):
    while True:
        for start in range(0, len(rows), 4):
            yield rows[start : start + 4], labels(start)


def labels(start):
    if start < 8:
        return np.ones((4, 1))
    return np.ones((4, 2))


model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(pairs(np.ones((16, 3))), steps_per_epoch=4, verbose=0)
"""
        ),
        Example.where_unknown(
            """
import numpy as np


def pairs(rows):
    for start in range(0, 16, 4):
        if start == 8:
            yield rows[start : start + 4], np.ones((4, 2))
        else:
            yield rows[start : start + 4], np.ones((4, 1))


def run(trainer, rows):
    trainer.fit(pairs(rows))
"""
        ),
        Example.ok(
            """
import keras


class Meters(keras.utils.PyDataset):
    def __init__(self, readings, labels=None):
        super().__init__()
        self.readings, self.labels = readings, labels

    def __getitem__(self, index):
        rows = slice(index * 4, index * 4 + 4)
        if self.labels is None:
            return self.readings[rows]
        if index % 2:
            return self.readings[rows][::-1], self.labels[rows][::-1]
        return self.readings[rows], self.labels[rows]
"""
        ),
        Example.ok(
            """
import keras
import numpy as np


class Meters(keras.utils.PyDataset):
    def __getitem__(self, index):
        if index == len(self) - 1:
            return np.zeros((3, 8), "float32"), np.zeros((3, 1))
        return [np.zeros((16, 8)), np.zeros((16, 1))]
"""
        ),
    ),
    sources=("keras-team/keras#20600",),
)

_ITEMS = ("inputs", "targets", "weights")
_LATER = Note("Keras raises InvalidArgumentError at the first batch that differs")
_AT_ONCE = Note.on_keras_3("ValueError before the first step", "an error at the first batch that differs")
_CUT = Note("floats that come after whole numbers are truncated to whole numbers, without a warning")
_HELP = "build every batch in the same way"


def check(facts: Facts) -> Iterator[Finding]:
    for variant in facts.variants.all:
        assert variant.second.node is not None
        finding = facts.finding(variant.second.node, _message(variant), _note(variant), _HELP)
        yield if_for_model(variant.maker, finding, RULE.levels)


def _message(variant: Variant) -> str:
    first, second = variant.forms
    if variant.way == "items":
        return f"this batch of `{_maker(variant)}` has {len(second.parts)} items, others have {len(first.parts)}"
    what = "batches" if variant.position is None else _ITEMS[min(variant.position, 2)]
    return f"the {what} of `{_maker(variant)}` vary: {_difference(variant)}"


def _difference(variant: Variant) -> str:
    first, second = variant.forms
    if variant.way == "structure":
        return f"{_kind(first)} or {_kind(second)}"
    if variant.way == "rank":
        return f"rank {first.array.rank} or {second.array.rank}"
    if variant.way == "size":
        return f"shape `{_shape(first.array.shape)}` or `{_shape(second.array.shape)}`"
    return f"`{first.array.dtype}` or `{second.array.dtype}`"


def _note(variant: Variant) -> Note:
    if variant.way == "size":
        older = "the layers accept or refuse it" if variant.position == 0 else "it may be broadcast without a warning"
        return Note.on_keras_3(
            "it raises InvalidArgumentError at the first batch that differs from the first two", older
        )
    if variant.way in ("items", "structure", "rank"):
        return _AT_ONCE if variant.at_once else _LATER
    return _CUT


def _maker(variant: Variant) -> str:
    owner, name = variant.maker.owner, variant.maker.function.name.value
    return f"{owner.name}.{name}" if owner is not None else name


def _kind(form: Form) -> str:
    """A dict with its keys, which are what differs."""
    if form.kind == "dict" and form.keys:
        return f"a dict with `{', '.join(map(repr, form.keys))}`"
    return f"an {form.kind}" if form.kind == "array" else f"a {form.kind}"


def _shape(shape: tuple[int | None, ...] | None) -> str:
    """Without the number of rows: "(rows, 28, 28)"."""
    sizes = ["rows", *("?" if size is None else str(size) for size in (shape or ())[1:])]
    return f"({', '.join(sizes)})"
