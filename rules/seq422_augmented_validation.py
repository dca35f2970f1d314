"""Validation data are augmented, since one generator makes both subsets.

## Why
`validation_split` of an `ImageDataGenerator` cuts the files in two, and both subsets go through the same generator, with all its flips and
rotations. So the validation images are changed at random, too: the score is lower than it should be, and differs from epoch to epoch.

## Measured
- Keras 3 and Keras 2: with `horizontal_flip=True` 2 readings of `subset="validation"` give 5 of 10 images alike; with `rescale` alone all 10.
- Keras 3 and Keras 2: two generators with the same `validation_split` cut the files at the same place, whatever else they do.

## Do this
Make a second generator for validation, with the same `validation_split` and `rescale`, and without random options.

## Silent when
The generator draws nothing. The second generator has options of its own. The validation subset is looked at, but no model is validated on it.
"""

from collections.abc import Iterator

from seqlint.api import Example, Facts, Finding, Flows, Levels, Rule, any_of

_FLOWS = """
import os

import keras
import numpy as np
from tensorflow.keras.preprocessing.image import ImageDataGenerator

for number in range(16):
    os.makedirs(f"leaves/{number % 2}", exist_ok=True)
    keras.utils.save_img(f"leaves/{number % 2}/{number}.png", np.full((4, 4, 3), 15.0 * number), scale=False)
reader = ImageDataGenerator(rescale=1 / 255, horizontal_flip=True, validation_split=0.25)
plain = ImageDataGenerator(rescale=1 / 255, validation_split=0.25)
train = reader.flow_from_directory("leaves", target_size=(4, 4), batch_size=4, subset="training", class_mode="binary")
held = reader.flow_from_directory("leaves", target_size=(4, 4), batch_size=4, subset="validation", class_mode="binary")
model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(train, validation_data=held, epochs=2, verbose=0)
"""

RULE = Rule(
    code="SEQ422",
    name="augmented-validation",
    since="0.1.0",
    levels=Levels.everywhere("warning"),
    needs=(any_of("ImageDataGenerator"), any_of("flow", "flow_from_directory", "flow_from_dataframe")),
    examples=(
        Example(_FLOWS),
        Example(_FLOWS.replace("horizontal_flip=True", "rotation_range=20")),
        Example.ok(_FLOWS.replace("held = reader", "held = plain")),
        Example.ok(_FLOWS.replace("horizontal_flip=True, ", "")),
    ),
    sources=("keras-team/keras-preprocessing#218", "keras-team/keras#10458"),
)


def check(facts: Facts) -> Iterator[Finding]:
    run = facts.run
    found: dict[object, Finding] = {}
    for flow in run.domain(Flows).augmented:
        place = run.place(flow.call)
        if place is None or place in found:
            continue
        options = ", ".join(f"`{option}`" for option in flow.surely_draws[:2])
        message = f"validation images are changed at random, too: their generator has {options}"
        note = "the validation score is lower than it should be, and differs from epoch to epoch"
        help_ = "make a second generator for validation, with the same `validation_split` and no random options"
        found[place] = facts.finding_at(run.step_span(place), message, note, help_)
    yield from found.values()
