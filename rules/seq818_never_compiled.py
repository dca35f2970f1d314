"""A model is trained or evaluated, and nobody has compiled it.

## Why
`fit`, `evaluate` and `train_on_batch` need the loss that `compile` names. A second model that is made for predictions alone, from layers of the trained one,
has none, although the first was compiled. Where it is evaluated after the training, the program fails at its very end.

## Measured
- Keras 3: `evaluate` of a model that shares all its layers with a compiled one raises ValueError "You must call `compile()` before", and so do `fit` and
  `train_on_batch`.
- Keras 2: `evaluate` of a model that shares all its layers with a compiled one raises RuntimeError "You must compile your model before", and so do `fit`
  and `train_on_batch`.

## Do this
Compile this model, too, or evaluate the one that was trained.

## Silent when
The model is loaded, or of a class of the program; code that is not seen gets it; something that nobody knows is compiled.
"""

from collections.abc import Iterator

from seqlint.api import Example, Facts, Finding, Levels, Note, Rule, Uncompiled, any_of, callee

_START = """
import keras
import numpy as np

rows = np.ones((8, 3), "float32")
inputs = keras.Input((3,))
outputs = keras.layers.Dense(1)(inputs)
model = keras.Model(inputs, outputs)
model.compile("sgd", "mse")
model.fit(rows, rows[:, :1], verbose=0)
served = keras.Model(inputs, outputs)
"""

RULE = Rule(
    code="SEQ818",
    name="never-compiled",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    needs=(
        any_of("Model", "Sequential", "clone_model"),
        any_of("fit", "fit_generator", "evaluate", "evaluate_generator", "train_on_batch", "test_on_batch"),
    ),
    examples=(
        Example(_START + "served.evaluate(rows, rows[:, :1], verbose=0)\n"),
        Example(
            _START.replace(
                "served = keras.Model(inputs, outputs)", "served = keras.Sequential([keras.layers.Dense(1)])"
            )
            + "served.train_on_batch(rows, rows[:, :1])\n"
        ),
        Example.ok(_START + 'served.compile("sgd", "mse")\nserved.evaluate(rows, rows[:, :1], verbose=0)\n'),
        Example.ok(_START + "print(served.predict(rows, verbose=0).shape)\n"),
    ),
)

_NOTE = Note.on_keras_3("ValueError: `compile()` must come before", "RuntimeError: it must be compiled before")


def check(facts: Facts) -> Iterator[Finding]:
    run = facts.run
    for call in run.domain(Uncompiled).all:
        place = run.place(call)
        if place is None:
            continue
        message = f"`{callee(run, call)}` needs a compiled model, and nobody compiles this one"
        yield facts.finding_at(run.span(place), message, _NOTE, "compile it, or take the model that was compiled")
