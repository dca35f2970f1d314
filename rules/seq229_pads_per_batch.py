"""A batch that is padded to the longest of its own samples.

## Why
Keras 3 looks at batches 0 and 1 before the first step. If they have the same length, it is fixed for the whole training. So two
batches decide whether a later batch of another length is accepted.

## Measured
- Keras 3: with lengths 3, 3, 4 the third batch ends `fit` with InvalidArgumentError "element of shape"; lengths 3, 4, 5
  work. The same for `evaluate` and for generators. Keras looks at batches 0 and 1 with `shuffle=True` too.
- Keras 2: every length works.

## Do this
Pad all batches to one length, with `maxlen=`. To keep batches short, let the first two batches differ in length on purpose, or use a
`tf.data.Dataset` with `padded_batch`, whose element spec leaves the axis open.

## Silent when
The length comes from outside, or from the whole set; the samples are rows of one array.
"""

from collections.abc import Iterator

from seqlint.api import Contract, Example, Facts, Finding, Levels, Note, Rule, a_batch_method, if_for_model

RULE = Rule(
    code="SEQ229",
    name="pads-per-batch",
    since="0.1.0",
    levels=Levels(keras2=None, early="warning", keras3="warning"),
    contract=Contract(),
    needs=(a_batch_method,),
    examples=(
        Example(
            """
import keras
import numpy as np


class Reviews(keras.utils.PyDataset):
    def __init__(self, words, stars):
        super().__init__()
        self.words, self.stars = words, stars

    def __len__(self):
        return len(self.words) // 2

    def __getitem__(self, index):
        rows = slice(index * 2, index * 2 + 2)
        return keras.utils.pad_sequences(self.words[rows]), self.stars[rows]


words = [[1] * length for length in (3, 2, 3, 3, 4, 1)]
model = keras.Sequential([keras.layers.Embedding(5, 2), keras.layers.GlobalAveragePooling1D(), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(Reviews(words, np.ones((6, 1))), verbose=0)
"""
        ),
        Example(
            """
import keras
import numpy as np


class Reviews(keras.utils.PyDataset):
    def __getitem__(self, index):
        batch = self.words[index * 2 : index * 2 + 2]
        longest = max(len(words) for words in batch)
        padded = np.zeros((len(batch), longest), "int32")
        for row, words in enumerate(batch):
            padded[row, : len(words)] = words
        return padded, self.stars[index]
"""
        ),
        Example.ok(
            """
import keras


class Reviews(keras.utils.PyDataset):
    def __init__(self, words, stars):
        super().__init__()
        self.words, self.stars = words, stars
        self.longest = max(len(each) for each in words)

    def __getitem__(self, index):
        rows = slice(index * 2, index * 2 + 2)
        return keras.utils.pad_sequences(self.words[rows], maxlen=self.longest), self.stars[rows]
"""
        ),
        Example.ok(
            """
import keras


class Reviews(keras.utils.PyDataset):
    def __init__(self, words, stars):
        super().__init__()
        self.words, self.stars = keras.utils.pad_sequences(words), stars

    def __getitem__(self, index):
        return self.words[index * 2 : index * 2 + 2], self.stars[index]
"""
        ),
    ),
)


_NOTE = Note.on_keras_3(
    "if batches 0 and 1 have the same length, a batch of another length ends `fit` with InvalidArgumentError"
)


def check(facts: Facts) -> Iterator[Finding]:
    for place in facts.extents.padded:
        text = facts.text(place.node)
        name = f"`{text}`" if len(text) < 60 and "\n" not in text else "this"
        finding = facts.finding(
            place.node,
            f"{name} pads to the longest sample of this batch",
            _NOTE,
            "pad all batches to one length, with `maxlen`",
        )
        yield if_for_model(place.maker, finding, RULE.levels)
