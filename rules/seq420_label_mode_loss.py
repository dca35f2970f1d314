"""The loss does not fit the form in which a directory's labels are loaded.

## Why
`label_mode` and `class_mode` say what a label is: a number of a class ("int", "sparse", "binary") or a row with one place for each class
("categorical"). `categorical_crossentropy` wants rows, and `sparse_categorical_crossentropy` numbers. The defaults of the two
families differ: `image_dataset_from_directory` gives numbers, `flow_from_directory` rows.

## Measured
- Keras 3: numbers with `categorical_crossentropy` raise ValueError at the start of `fit`. With a model of one output the loss is 0.0, without a word.
- Keras 2: numbers with `categorical_crossentropy` raise ValueError at the start of `fit`. With a model of one output the loss is 0.0, without a word.
- Keras 3: rows with `sparse_categorical_crossentropy` raise ValueError at the start of `fit`.
- Keras 2: rows with `sparse_categorical_crossentropy` raise InvalidArgumentError at the first batch.
- Keras 3 and Keras 2: `binary_crossentropy` takes numbers for one output, and rows for as many outputs as there are classes. Other pairs raise ValueError.

## Do this
Use the loss that fits: `sparse_categorical_crossentropy` for numbers, `categorical_crossentropy` for rows. Metrics must fit, too.

## Silent when
A function changes the labels on the way (`map`). The loss is another one, or your own.
"""

from collections.abc import Iterator

from seqlint.api import Example, Facts, Finding, LabelForms, Levels, Note, Rule, Unfit, any_of, loss_node, matching

_FILES = """
import os

import keras
import numpy as np

for number in range(8):
    os.makedirs(f"leaves/{number % 2}", exist_ok=True)
    keras.utils.save_img(f"leaves/{number % 2}/{number}.png", np.full((4, 4, 3), 30.0 * number), scale=False)
"""
_NUMBERS = (
    _FILES
    + """
leaves = keras.utils.image_dataset_from_directory("leaves", image_size=(4, 4), batch_size=4)
model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(2, activation="softmax")])
model.compile(optimizer="sgd", loss="categorical_crossentropy")
model.fit(leaves, epochs=2, verbose=0)
"""
)
_ROWS = _NUMBERS.replace("batch_size=4", 'batch_size=4, label_mode="categorical"')

_NOTES = {
    "numbers": Note("`fit` raises ValueError; with a model of one output the loss is 0.0"),
    "rows": Note.on_keras_3("`fit` raises ValueError", "`fit` raises InvalidArgumentError at the first batch"),
}
_SPARSE = {
    "categorical_crossentropy": "sparse_categorical_crossentropy",
    "CategoricalCrossentropy": "SparseCategoricalCrossentropy",
}

RULE = Rule(
    code="SEQ420",
    name="label-mode-loss",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    needs=(
        any_of("compile"),
        any_of("fit", "fit_generator", "evaluate"),
        matching(r"[Cc]ategorical_?(?:[Cc]ross|[Ff]ocal)"),
    ),
    examples=(
        Example(_NUMBERS),
        Example(_ROWS.replace('"categorical_crossentropy"', "keras.losses.SparseCategoricalCrossentropy()")),
        Example.ok(_ROWS),
        Example.ok(_NUMBERS.replace('"categorical_cross', '"sparse_categorical_cross')),
        Example.ok(
            _NUMBERS.replace("fit(leaves", "fit(leaves.map(lambda x, y: (x, keras.ops.one_hot(y, 2)))"), keras=">=3"
        ),
    ),
    sources=("keras-team/keras#14341", "tensorflow/tensorflow#24667"),
)


def check(facts: Facts) -> Iterator[Finding]:
    run = facts.run
    found: dict[object, Finding] = {}
    for unfit in run.domain(LabelForms).unfit:
        written = loss_node(unfit.compiled) if run.is_here(unfit.compiled.context) else None
        place = written or run.place(unfit.compiled)
        if place is not None and place not in found:
            found[place] = facts.finding_at(run.span(place), _message(unfit), _NOTES[unfit.labels], _help(unfit))
    yield from found.values()


def _message(unfit: Unfit) -> str:
    what = "numbers" if unfit.labels == "numbers" else "rows"
    return f"`{unfit.loss}` does not take labels as `{unfit.source.method}` gives them: {what}"


def _help(unfit: Unfit) -> str:
    sparse = unfit.loss.lower().startswith("sparse")
    other = unfit.loss.replace("sparse_", "").replace("Sparse", "") if sparse else _SPARSE.get(unfit.loss, "")
    setting = "class_mode" if unfit.source.method.startswith("flow") else "label_mode"
    mode = "int" if setting == "label_mode" else "sparse"
    wanted = f'load them with `{setting}="{mode if sparse else "categorical"}"`'
    return f"use `{other}`, or {wanted}" if other else wanted
