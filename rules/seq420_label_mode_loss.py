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

from seqlint.api import Example, Facts, Finding, Levels, Rule, any_of

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

RULE = Rule(
    code="SEQ420",
    name="label-mode-loss",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    needs=(
        any_of("compile"),
        any_of(
            "image_dataset_from_directory",
            "text_dataset_from_directory",
            "audio_dataset_from_directory",
            "flow_from_directory",
            "flow_from_dataframe",
        ),
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
    yield from ()
