"""One-hot labels of a batch that are made without the number of classes.

## Why
`to_categorical` without `num_classes` makes as many columns as the largest of these labels needs. A batch that lacks the
last class gets one column less. `pd.get_dummies`, and an encoder that is fitted on the batch, leave out every class that is missing.

## Measured
- Keras 3: labels of width 3, 3, 2 end `fit` with InvalidArgumentError at the third batch; of width 2 first with
  ValueError, as the model has another output.
- Keras 2: InvalidArgumentError from categorical cross-entropy at the batch that is narrower. A batch in which all labels are 0 has
  width 1: it is broadcast to all outputs, without a warning.

## Do this
Use `to_categorical(labels, num_classes=10)`, with the number of outputs of the model. Or use integer labels and
`sparse_categorical_crossentropy`.

## Silent when
The number of classes is given; the labels are those of the whole set.
"""

from collections.abc import Iterator

from seqlint.api import Contract, Example, Facts, Finding, Levels, Rule, a_batch_method, if_for_model

RULE = Rule(
    code="SEQ234",
    name="one-hot-per-batch",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    contract=Contract(),
    needs=(a_batch_method,),
    examples=(
        Example(
            """
import keras
import numpy as np


class Digits(keras.utils.PyDataset):
    def __init__(self, images, digits):
        super().__init__()
        self.images, self.digits = images, digits

    def __len__(self):
        return len(self.images) // 3

    def __getitem__(self, index):
        rows = slice(index * 3, index * 3 + 3)
        return self.images[rows], keras.utils.to_categorical(self.digits[rows])


model = keras.Sequential([keras.layers.Dense(3, activation="softmax")])
model.compile(optimizer="sgd", loss="categorical_crossentropy")
model.fit(Digits(np.ones((9, 4)), [0, 1, 2, 0, 1, 2, 0, 1, 1]), verbose=0)
"""
        ),
        Example(
            """
import keras


def digits(images, labels, size=32):
    while True:
        for start in range(0, len(images), size):
            batch = labels[start : start + size]
            yield images[start : start + size], keras.utils.to_categorical(batch, num_classes=None)


model = keras.Sequential([keras.layers.Dense(10, activation="softmax")])
model.compile(loss="categorical_crossentropy")
model.fit(digits([], []), steps_per_epoch=10)
"""
        ),
        Example.ok(
            """
import keras


class Digits(keras.utils.PyDataset):
    def __getitem__(self, index):
        rows = slice(index * 3, index * 3 + 3)
        return self.images[rows], keras.utils.to_categorical(self.digits[rows], self.classes)
"""
        ),
        Example.ok(
            """
import keras


class Digits(keras.utils.PyDataset):
    def __init__(self, images, digits):
        super().__init__()
        self.images, self.digits = images, keras.utils.to_categorical(digits)

    def __getitem__(self, index):
        rows = slice(index * 3, index * 3 + 3)
        return self.images[rows], keras.utils.to_categorical(self.raw)[rows]
"""
        ),
    ),
)


def check(facts: Facts) -> Iterator[Finding]:
    for place in facts.one_hots.all:
        text = facts.text(place.node)
        name = f"`{text}`" if len(text) < 60 and "\n" not in text else "this"
        finding = facts.finding(
            place.node,
            f"{name} takes the number of classes from the labels of this batch",
            "a batch that lacks a class is narrower, and ends `fit` or is broadcast without a warning",
            "give the number of classes, such as `num_classes=10`",
        )
        yield if_for_model(place.maker, finding, RULE.levels)
