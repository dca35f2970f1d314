"""An `except` for an error of the data, which leaves `fit` as another error.

## Why
With TensorFlow the batches are made inside a tf.data pipeline. An error of `__getitem__` or a generator leaves `fit` as an error
of TensorFlow, with the original in its text. `except KeyError` does not match it, so the program ends.

## Measured
- Every Keras: KeyError, FileNotFoundError, OSError, IndexError and errors of your own leave `fit`, `evaluate` and `predict` as
  `tf.errors.UnknownError`, from a Sequence with one worker or several, and from a generator.
- Every Keras: ValueError and what is derived from it arrive as `tf.errors.InvalidArgumentError`.
- Keras 3: batches 0 and 1 are read before the training starts; their errors arrive unchanged.
- Keras 2: the errors of batch 0 arrive unchanged.

## Do this
Catch `tf.errors.OpError` too. Better, look for missing files and keys before the training.

## Silent when
Something else in the `try`, or a callback, may raise the error itself; nothing shows that the data raise it.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (
    Contract,
    Example,
    Facts,
    Finding,
    Levels,
    MissedError,
    Rule,
    a_call_of_model,
    a_source,
    also_catch,
    any_of,
    if_on_model,
)

_FEED = """
import keras
import numpy as np
import tensorflow as tf


class Waves(keras.utils.PyDataset):
    def __init__(self, heights):
        super().__init__()
        self.heights = heights

    def __len__(self):
        return 8

    def __getitem__(self, index):
        return np.ones((2, 3)), np.full((2, 1), self.heights[f"wave {index}"])


model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
waves = Waves({f"wave {number}": 1.0 for number in range(6)})
"""
_TRY = """\
try:
    model.fit(waves, epochs=2, shuffle=False, verbose=0)
except {caught}:
    print("a wave is missing")
"""
_GENERATOR = """
import keras
import numpy as np


class NoWave(Exception):
    pass


def waves(count):
    while True:
        for number in range(count):
            yield np.ones((2, 3)), read(number)


def read(number):
    if number == 5:
        raise NoWave(number)
    return np.ones((2, 1))


model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
try:
    model.fit(waves(8), steps_per_epoch=8, verbose=0)
except (NoWave, KeyError) as error:
    print(error.args)
"""


def _tried(caught: str) -> str:
    return _FEED + _TRY.replace("{caught}", caught)


RULE = Rule(
    code="SEQ615",
    name="except-never-matches",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    contract=Contract(changes=frozenset({"errors"})),
    needs=(a_call_of_model, any_of("except"), a_source),
    examples=(
        Example(_tried("KeyError"), _tried("(KeyError, tf.errors.OpError)")),
        Example(
            _tried("(KeyError, IndexError) as error"),
            _tried("(KeyError, IndexError, tf.errors.OpError) as error"),
        ),
        Example(_GENERATOR.replace("(NoWave, KeyError)", "NoWave")),
        Example.ok(_tried("(KeyError, tf.errors.OpError)")),
        Example.ok(_tried("ValueError")),
        Example.ok(_tried("KeyError").replace("model.fit(waves, ", "model.fit(Waves(heights[0]), ")),
    ),
)


def check(facts: Facts) -> Iterator[Finding]:
    for missed in facts.missed_errors.all if facts.runs_tensorflow else ():
        finding = facts.finding(missed.handler, _message(facts, missed), _note(facts, missed))
        edits = also_catch(facts, missed, "tensorflow.errors.OpError") if not missed.named else ()
        if edits:
            finding = finding.fixed_by("Catch `tf.errors.OpError` too", *edits)
        else:
            finding = but(finding, help="catch `tf.errors.OpError` too", no_fix="the handler reads the original error")
        yield if_on_model(facts, missed.call, finding, RULE.levels)


def _message(facts: Facts, missed: MissedError) -> str:
    caught = facts.source.slice(*facts.tree.outer_span(missed.handler.type)) if missed.handler.type is not None else ""
    return f"`except {caught}` does not catch the errors of `{missed.maker}`"


def _note(facts: Facts, missed: MissedError) -> str:
    return f"after the first batches they leave `{facts.text(missed.call.node.func)}` as errors of `tf.errors`"
