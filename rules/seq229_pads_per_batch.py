"""A batch that is padded to the longest of its own samples.

## Why
Keras 3 looks at batches 0 and 1 before the first step. An axis on which they agree is fixed for the whole training, so it hangs on
two batches whether a later one, which is longer or shorter, is let in.

## Measured
- Keras 3: with lengths 3, 3, 4 the third batch ends `fit` with InvalidArgumentError "element of shape"; with
  lengths 3, 4, 5 all is well. The same for `evaluate` and for generators. With `shuffle=True` too it is batches 0 and 1 that are looked
  at.
- Keras 2: every length works.

## Do this
Pad to one length, `maxlen=` of all samples. To keep batches short, let the first two batches differ in length on purpose, or use a
`tf.data.Dataset` with `padded_batch`, whose element spec says that the axis is free.

## Silent when
The length is given from outside, or is that of the whole set; the samples are rows of one array.
"""

from collections.abc import Iterator

from seqlint.api import Contract, Example, Facts, Finding, Levels, Rule, a_batch_method, if_for_model

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


def check(facts: Facts) -> Iterator[Finding]:
    for place in facts.extents.padded:
        text = facts.text(place.node)
        name = f"`{text}`" if len(text) < 60 and "\n" not in text else "this"
        finding = facts.finding(
            place.node,
            f"{name} pads to the longest sample of this batch: Keras 3 fixes the length where batches 0 and 1 agree, and a batch of another "
            "length ends fit with InvalidArgumentError",
        )
        yield if_for_model(place.maker, finding, RULE.levels)
