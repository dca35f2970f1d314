"""An optimizer Adadelta with its default learning rate, which hardly learns.

## Why
Adadelta finds its steps by itself, and its authors use a learning rate of 1. So did Keras, up to 2.3. Since Keras is part of TensorFlow, the default is
0.001: each step is a thousandth of what the method asks for, and programs that are older than that train for hours and stay where they began.

## Measured
- On every Keras, 4 epochs of 32 steps leave a loss of 15.8 at 15.8, for "adadelta" and for `Adadelta()` alike.
- On every Keras `Adadelta(learning_rate=1.0)` brings the same loss below 10 in these 4 epochs.

## Do this
Give `learning_rate=1.0`, or take another optimizer.

## Silent when
A learning rate is given, set later or scheduled; several optimizers are tried in turn, or an option decides; a function of a
test compiles the model.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (
    Contract,
    DefaultRates,
    Edit,
    Example,
    Facts,
    Finding,
    Levels,
    Rule,
    any_of,
    if_of_model,
    written_argument,
)

_START = """
import keras
import numpy as np

rows = np.ones((8, 3), "float32")
model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
model.compile(optimizer=OPTIMIZER, loss="mse")
history = model.fit(rows, rows[:, :1], epochs=2, verbose=0)
print(history.history["loss"])
"""

RULE = Rule(
    code="SEQ816",
    name="adadelta-default-rate",
    since="0.1.0",
    levels=Levels.everywhere("warning"),
    contract=Contract(
        changes=frozenset({"history", "weights", "output", "settings"}), holds=frozenset({"only rates asked"})
    ),
    needs=(any_of("adadelta", "Adadelta", "AdaDelta"), any_of("compile")),
    examples=(
        Example(
            _START.replace("OPTIMIZER", "keras.optimizers.Adadelta()"),
            _START.replace("OPTIMIZER", "keras.optimizers.Adadelta(learning_rate=1.0)"),
        ),
        Example(_START.replace("OPTIMIZER", '"adadelta"')),
        Example.ok(_START.replace("OPTIMIZER", "keras.optimizers.Adadelta(1.0)")),
        Example.ok(_START.replace("OPTIMIZER", '"adagrad"')),
    ),
)

_TEXT = "`Adadelta` is used with its default rate"
_HELP = "give `Adadelta(learning_rate=1.0)`, or take another optimizer"
_NOTE = "its default of 0.001 is a thousandth of what the method asks for: the loss hardly moves"


def check(facts: Facts) -> Iterator[Finding]:
    run = facts.run
    for found in run.domain(DefaultRates).all:
        call = found.compiled
        if found.made is not None:
            yield _made(facts, run.span(found.made))
            continue
        finding = facts.finding_at(run.span(written_argument(call, "optimizer") or call.node), _TEXT, _NOTE)
        finding = but(finding, help=_HELP, no_fix="the optimizer is named by a text")
        yield if_of_model(facts, call, finding, RULE.levels)


def _made(facts: Facts, span: tuple[int, int]) -> Finding:
    finding = facts.finding_at(span, _TEXT, _NOTE)
    if facts.run.slice(*span).endswith("()"):
        return finding.fixed_by("Give `learning_rate=1.0`", Edit(span[1] - 1, span[1] - 1, "learning_rate=1.0"))
    return but(finding, help=_HELP, no_fix="it is given other options")
