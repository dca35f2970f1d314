"""Batches with a random image size, crop size or length.

## Why
Keras 3 looks at batches 0 and 1 before the first step. If they have the same size, it is fixed for the whole training. So two
random numbers decide whether a later batch of another size is accepted.

## Measured
- Keras 3: sizes 3, 3, 4 end `fit` with InvalidArgumentError "element of shape" at the third batch; sizes 3, 4, 5
  train. The same for a size that is drawn anew in `on_epoch_end`.
- Keras 2: every size works.

## Do this
Choose sizes so that batches 0 and 1 surely differ. Or train with several sizes one after the other, a `fit` for each. Or use a
`tf.data.Dataset` whose element spec leaves the axis open.

## Silent when
Only the position of a crop is random, not its size; the result is resized to one size afterwards.
"""

from collections.abc import Iterator

from seqlint.api import Contract, Example, Facts, Finding, Levels, Note, Rule, a_batch_method, if_for_model

RULE = Rule(
    code="SEQ235",
    name="batch-shape-random",
    since="0.1.0",
    levels=Levels(keras2=None, early="warning", keras3="warning"),
    contract=Contract(),
    needs=(a_batch_method,),
    examples=(
        Example(
            """
import random

import keras
import numpy as np


class Scales(keras.utils.PyDataset):
    def __init__(self, count):
        super().__init__()
        self.count = count

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        size = random.choice([32, 40, 48])
        images = np.zeros((2, size, size, 1))
        return images, np.ones((2, 1))


model = keras.Sequential([keras.layers.GlobalAveragePooling2D(), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(Scales(8), verbose=0)
"""
        ),
        Example(
            """
import cv2
import keras
import numpy as np


class Scales(keras.utils.PyDataset):
    def __getitem__(self, index):
        if index % 10 == 0:
            self.side = 32 * np.random.randint(10, 20)
        images = []
        for path in self.paths[index]:
            images.append(cv2.resize(cv2.imread(path), (self.side, self.side)))
        return np.array(images) / 255.0, self.kinds[index]
"""
        ),
        Example.ok(
            """
import keras
import numpy as np


class Crops(keras.utils.PyDataset):
    def __getitem__(self, index):
        image = self.images[index]
        top, left = np.random.randint(0, 10, size=2)
        return image[:, top : top + 32, left : left + 32], self.kinds[index]
"""
        ),
        Example.ok(
            """
import random

import cv2
import keras
import numpy as np


class Zooms(keras.utils.PyDataset):
    def __getitem__(self, index):
        images = []
        for path in self.paths[index]:
            side = random.randint(100, 200)
            image = cv2.resize(cv2.imread(path), (side, side))
            image = cv2.resize(image[:64, :64], (32, 32))
            images.append(image)
        return np.array(images), self.kinds[index]
"""
        ),
    ),
)


_NOTE = Note.on_keras_3(
    "if batches 0 and 1 have the same size, a batch of another size ends `fit` with InvalidArgumentError"
)


def check(facts: Facts) -> Iterator[Finding]:
    for place in facts.extents.drawn:
        text = facts.text(place.node)
        name = f"`{text}`" if len(text) < 60 and "\n" not in text else "this"
        finding = facts.finding(
            place.node,
            f"{name} has a random size",
            _NOTE,
            "resize all batches to one size, or make batches 0 and 1 differ",
        )
        yield if_for_model(place.maker, finding, RULE.levels)
