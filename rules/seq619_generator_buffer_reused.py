"""A generator fills an array again that it has yielded before.

## Why
`yield` gives the array itself, not a copy. Keras reads ahead: it looks at two batches before the training begins, and TensorFlow fetches the next
ones while a step runs. A batch that is still waiting then holds the rows of a later one, and a part of the rows is never seen.

## Measured
- Keras 3: of batches 0, 1, 2, 3, 4 the first is trained on as 1, whatever the type of the array; others, too, if the steps take longer than the
  filling. Nothing is raised.
- Keras 2: arrays of floats are copied, so nothing happens. Of arrays of integers single batches are replaced by later ones, as on Keras 3.
- On every Keras: with `yield rows.copy(), labels.copy()` each batch is right.

## Do this
Yield copies, or make the array inside the loop.

## Silent when
The array is made anew in each round, or what is yielded is worked out of it (`rows / 255`, `np.array(rows)`, `rows.astype(...)`).
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
    Note,
    Reused,
    ReusedBuffers,
    Rule,
    any_of,
    if_of_model,
    may_be_of_model,
)

_START = """
import keras
import numpy as np

table = np.arange(80, dtype="float32").reshape(40, 2) / 80


def batches(table):
    x, y = np.zeros((8, 2), "float32"), np.zeros((8, 1), "float32")
    while True:
        for start in range(0, len(table), 8):
            x[:] = table[start : start + 8]
            y[:] = x[:, :1]
            yield x, y


model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(batches(table), steps_per_epoch=5, epochs=2, verbose=0)
"""

RULE = Rule(
    code="SEQ619",
    name="generator-buffer-reused",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    contract=Contract(changes=frozenset({"samples", "order", "history", "weights"}), holds=frozenset({"epochs equal"})),
    needs=(
        any_of("yield"),
        any_of("zeros", "ones", "empty", "full", "zeros_like", "empty_like", "ndarray"),
    ),
    examples=(
        Example(_START, _START.replace("yield x, y", "yield x.copy(), y.copy()"), keras=">=3"),
        Example.ok(_START.replace("yield x, y", "yield x.copy(), y.copy()")),
        Example.ok(_START.replace("yield x, y", "yield x * 1, np.array(y)")),
        Example.ok(_START, keras="tf-keras"),
    ),
    sources=("tensorflow/tensorflow#34099", "keras-team/keras#8647"),
)

_NOTE = Note.on_keras_3(
    "batches that wait hold the rows of later ones", "integers are shared with batches that wait; floats are copied"
)
_LEVELS = {
    "floats": Levels(None, "error", "error"),
    "unknown": Levels(None, "error", "error"),
    "others": Levels.everywhere("error"),
}


def check(facts: Facts) -> Iterator[Finding]:
    for reused in facts.run.domain(ReusedBuffers).all:
        if not facts.run.is_here(reused.batch.context) or not may_be_of_model(facts, reused.reader):
            continue
        written = reused.written or ()
        what = " and ".join(f"`{facts.run.text(node)}`" for node in written) or "an array"
        verb = "are" if len(written) > 1 else "is"
        message = f"{what} {verb} yielded, and then filled again for the next batch"
        finding = facts.finding_at(facts.run.span(reused.node), message, _NOTE)
        finding = but(finding, levels=_LEVELS[reused.numbers])
        yield if_of_model(facts, reused.reader, _fixed(facts, finding, reused), RULE.levels)


def _fixed(facts: Facts, finding: Finding, reused: Reused) -> Finding:
    if reused.written is None:
        return but(finding, help="yield a copy", no_fix="the batch is put together in another place")
    ends = [facts.run.span(node)[1] for node in reused.written]
    return finding.fixed_by("Yield copies", *(Edit(end, end, ".copy()") for end in ends))
