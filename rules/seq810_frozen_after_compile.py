"""A part of a model is frozen or set free after `compile`, which looks at it once.

## Why
`compile` and the first training work out which weights there are to train. A `trainable` that is set later changes nothing until `compile` is called
again. Fine tuning without it trains the new head on, and the base stays as it was. Nothing raises, and nothing warns.

Between `compile` and the first training the lines differ: Keras 3 looks when it trains, Keras 2 when it compiles. A GAN that freezes its
discriminator after it was compiled needs Keras 2; on Keras 3 the discriminator has no weights left, and never learns.

## Measured
- Keras 3 and Keras 2: a part that is set free between two calls of `fit` keeps its weights in the second; after another `compile` they move.
- Keras 3 and Keras 2: a part that is frozen between two calls of `fit` goes on moving in the second.
- Keras 3: a model that is frozen after `compile` keeps its weights in `train_on_batch`, with one warning "The model does not have any trainable weights."
- Keras 2: the same model learns; and a part of a model that is frozen between `compile` and `fit` learns, too. Keras 3 keeps that part.

## Do this
Call `compile` after each change of `trainable`. For a GAN on Keras 3 write the two steps in `train_step`, each with the weights that it moves; or set
`trainable` anew before each step of either model, from the first step on.

## Silent when
The model is compiled again, perhaps in a function that nobody sees; what the model sees at its first training holds later, too; a condition decides.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import Example, Facts, Finding, Freeze, Freezes, Levels, Rule, any_of, callee, if_of_model

_START = """
import keras
import numpy as np

rows = np.ones((8, 3), "float32")
base = keras.Sequential([keras.Input((3,)), keras.layers.Dense(3)])
base.trainable = False
model = keras.Sequential([keras.Input((3,)), base, keras.layers.Dense(1)])
model.compile(keras.optimizers.SGD(0.1), "mse")
model.fit(rows, rows[:, :1], verbose=0)
base.trainable = True
{again}model.fit(rows, rows[:, :1], verbose=0)
"""
_GAN = """
import keras
import numpy as np

rows, marks = np.ones((8, 3), "float32"), np.ones((8, 1), "float32")
judge = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
judge.compile("sgd", "mse")
{frozen}painter = keras.Sequential([keras.Input((2,)), keras.layers.Dense(3)])
both = keras.Sequential([keras.Input((2,)), painter, judge])
both.compile("sgd", "mse")
judge.train_on_batch(rows, marks)
"""

RULE = Rule(
    code="SEQ810",
    name="frozen-after-compile",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    needs=(any_of("trainable"), any_of("compile"), any_of("fit", "fit_generator", "train_on_batch")),
    examples=(
        Example(_START.format(again="")),
        Example(_GAN.format(frozen="judge.trainable = False\n"), keras=">=3"),
        Example.ok(_START.format(again='model.compile(keras.optimizers.SGD(0.01), "mse")\n')),
        Example.ok(_GAN.format(frozen="")),
    ),
    sources=("eriklindernoren/Keras-GAN#73", "tensorflow/tensorflow#33018"),
)


def check(facts: Facts) -> Iterator[Finding]:
    seen = set[object]()
    for freeze in facts.run.domain(Freezes).all:
        if freeze.node not in seen:
            finding = _finding(facts, freeze)
            yield if_of_model(facts, freeze.fit, finding, finding.levels or RULE.levels)
        seen.add(freeze.node)


def _finding(facts: Facts, freeze: Freeze) -> Finding:
    fit = callee(facts.run, freeze.fit)
    span = facts.run.span(freeze.node)
    if freeze.kind == "late":
        note = "nothing raises: the next training moves the same weights as the one before"
        return facts.finding_at(
            span,
            f"`trainable` changes after `{fit}` has run, and nothing compiles again",
            note,
            "call `compile` after this line",
        )
    if freeze.kind == "never-learns":
        message = f"the model of `{fit}` is frozen after its `compile`, and then trained"
        finding = facts.finding_at(
            span, message, "it has no weights to train, and never learns", "write both steps in `train_step`"
        )
        return but(finding, levels=Levels(None, "error", "error"))
    message = f"a part of the model of `{fit}` is frozen after its `compile`"
    finding = facts.finding_at(span, message, "the part goes on learning", "call `compile` after this line")
    return but(finding, levels=Levels("error", None, None))
