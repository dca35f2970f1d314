"""One optimizer object trains two models.

## Why
An optimizer keeps values for each weight, and makes them when it first sees the weights of a model. Since Keras 2.11 it knows these weights alone: when
a second model is trained with it, it meets weights that it does not know. Folds and searches that make a model anew in each round, and GANs whose
models share one `Adam(...)`, fail at the first step of the second model.

## Measured
- Keras 3: the second model raises ValueError "Unknown variable" at its first step.
- Keras 2: from 2.11 on it raises KeyError "The optimizer cannot recognize variable"; an optimizer of `optimizers.legacy` serves both.
- Keras 3 and Keras 2: the name of an optimizer, such as "adam", makes one for each `compile`, and a model that has no weights of its own shares without harm.

## Do this
Make an optimizer for each model: call the class in each `compile`, or give its name.

## Silent when
The second model has no layer of its own, as far as one sees; one of the two is never trained; the range allows a Keras below 2.11 alone.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import Example, Facts, Finding, Levels, Rule, SharedOptimizers, any_of

_START = """
import keras
import numpy as np

rows = np.ones((8, 3), "float32")
{before}
for seed in range(2):
    model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
    model.compile(optimizer={given}, loss="mse")
    model.fit(rows, rows[:, :1], verbose=0)
"""
_TWO = """
import keras
import numpy as np

rows = np.ones((8, 3), "float32")
adam = keras.optimizers.Adam(0.01)
one = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
one.compile(adam, "mse")
two = keras.Sequential([keras.Input((3,)), keras.layers.Dense({width})])
two.compile({second}, "mse")
one.train_on_batch(rows, rows[:, :1])
two.train_on_batch(rows, rows[:, :1])
"""

RULE = Rule(
    code="SEQ527",
    name="optimizer-shared",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    needs=(
        any_of("compile"),
        any_of("optimizers", "Adam", "SGD", "RMSprop", "AdamW", "Nadam", "Adagrad", "Adadelta", "Adamax", "Ftrl"),
    ),
    examples=(
        Example(_START.format(before="adam = keras.optimizers.Adam(0.01)", given="adam"), keras=">=3"),
        Example(_TWO.format(width=1, second="adam"), keras=">=3"),
        Example.ok(_START.format(before="", given="keras.optimizers.Adam(0.01)")),
        Example.ok(_TWO.format(width=1, second='"adam"')),
    ),
    sources=("yzhao062/pyod#459",),
)

_NOTE = "the first step of the second model raises: the optimizer does not know its weights"


def check(facts: Facts) -> Iterator[Finding]:
    run, seen = facts.run, set[object]()
    for shared in run.domain(SharedOptimizers).all:
        place = run.place(shared.compiled)
        if place is None or place in seen:
            continue
        seen.add(place)
        message = f"one `{shared.made}` trains this model and another one"
        finding = facts.finding_at(run.span(place), message, _NOTE, f"make a `{shared.made}` for each model")
        yield but(finding, levels=Levels(None, "error", "error")) if facts.keras.may_be_older("2.11") else finding
