"""A `__getitem__` that never uses its index: every batch is the same.

## Why
Keras asks for batch 0 to `len - 1` and takes what it gets. Where the index picks nothing, each batch is made of the same rows, and the
model never sees the rest of the data. Where the rows are drawn at random, predictions belong to unknown rows. Where only one mode of
the instance uses the index (`if self.train:`), it is a warning: one batch may be what the other mode is for.

## Measured
- Every Keras: `fit` trains on one batch, as often as `__len__` says, and reports a loss as if nothing were wrong.
- Every Keras: `predict` returns one prediction for each row that it gets: the same rows again and again.
- Keras 3 and Keras 2: the index is between 0 and `len - 1`, in random order in `fit` unless told not to shuffle.

## Do this
Pick the rows by the index: `rows = slice(index * size, (index + 1) * size)`.

## Silent when
Something else replaces the index (an iterator, SEQ204, or a position, SEQ205); rows are drawn at random to train on; the code makes up
the data; `__len__` says how often a whole set is used; or a mode has a name such as `debug` or `overfit`.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (
    Example,
    Facts,
    Finding,
    Ignored,
    Levels,
    Mode,
    Rule,
    Sometimes,
    a_getitem,
    a_sequence,
    as_template_method,
    if_on_model,
)

_CLASS = """
import keras
import numpy as np


class Stamps(keras.utils.PyDataset):
    def __init__(self, images, years, size):
        super().__init__()
        self.images = images
        self.years = years
        self.size = size

    def __len__(self):
        return len(self.images) // self.size

    def __getitem__(self, index):
"""
_FIT = """

model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
stamps = Stamps(np.ones((12, 3), "float32"), np.ones((12, 1), "float32"), 4)
"""

RULE = Rule(
    code="SEQ203",
    name="getitem-ignores-index",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    sometimes=Sometimes.everywhere("warning"),
    needs=(a_sequence, a_getitem),
    examples=(
        Example(
            _CLASS
            + """\
        rows = np.arange(self.size)
        return self.images[rows], self.years[rows]
"""
            + _FIT
            + "model.fit(stamps, epochs=2, verbose=0)\n"
        ),
        Example(
            _CLASS
            + """\
        rows = np.random.choice(len(self.images), self.size)
        return self.images[rows], self.years[rows]
"""
            + _FIT
            + "guess = model.predict(stamps, verbose=0)\n"
        ),
        Example.ok(
            _CLASS
            + """\
        rows = np.random.choice(len(self.images), self.size)
        return self.images[rows], self.years[rows]
"""
            + _FIT
            + "model.fit(stamps, epochs=2, verbose=0)\n"
        ),
        Example.ok(
            _CLASS
            + """\
        return self._cut(index)

    def _cut(self, number):
        rows = slice(number * self.size, (number + 1) * self.size)
        return self.images[rows], self.years[rows]
"""
            + _FIT
            + "model.fit(stamps, epochs=2, verbose=0)\n"
        ),
        Example.ok(
            """
import keras
import numpy as np


class Whole(keras.utils.PyDataset):
    def __init__(self, graph, labels):
        super().__init__()
        self.graph = graph
        self.labels = labels

    def __len__(self):
        return 1

    def __getitem__(self, index):
        return self.graph, self.labels
"""
        ),
    ),
    sources=("keras-team/keras#17946",),
)

_SAME = "every batch is made of the same rows, and the model never sees the others"
_DRAWN = "the predictions belong to rows drawn at random, in an unknown order"
_HELP = "pick the rows by the index: `rows = slice(index * size, (index + 1) * size)`"


def check(facts: Facts) -> Iterator[Finding]:
    for ignored in facts.indexes.ignored:
        if ignored.mode is not None:
            text = _in_mode(facts, ignored, ignored.mode)
            told = facts.finding(ignored.mode.choice.test, text, "every batch is made of the same rows there", _HELP)
            yield but(told, levels=Levels.everywhere("warning"))
            continue
        message = f"`{_method(ignored)}` never uses `{ignored.index.name.value}`"
        finding = facts.finding(ignored.index, message, _DRAWN if ignored.drawn else _SAME, _HELP)
        if not ignored.drawn:
            yield as_template_method(ignored.template_method, finding)
            continue
        predicts = [call for call, role in facts.training.fed(ignored.owner) if role == "predict"]
        sure = [call for call in predicts if facts.evidence.model(call) == "yes"]
        for call in (sure or predicts)[:1]:
            yield if_on_model(facts, call, as_template_method(ignored.template_method, finding), RULE.levels)


def _in_mode(facts: Facts, ignored: Ignored, mode: Mode) -> str:
    """Warning: one batch may be what this mode is for."""
    where = f"where `{facts.text(mode.choice.test)}` is {'true' if mode.holds else 'false'}"
    return f"`{_method(ignored)}` does not use `{ignored.index.name.value}` {where}"


def _method(ignored: Ignored) -> str:
    return f"{ignored.owner.name}.{ignored.function.name.value}"
