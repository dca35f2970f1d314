"""What a model is validated on is changed at random, as its training data are.

## Why
Flips, rotations and shifts are meant for training. Where they are made on the way to the validation, too, the score is lower than it should be and
differs from epoch to epoch, and the checkpoint that is kept as the best one was lucky in what was drawn. It happens where one generator makes both
subsets by `validation_split`, where its options were copied, and where a function, generator or Sequence augments whatever it reads.

## Measured
- Keras 3 and Keras 2: with `horizontal_flip=True` 2 readings of `subset="validation"` give 5 of 10 images alike; with `rescale` alone all 10.
- Keras 3 and Keras 2: two generators with the same `validation_split` cut the files at the same place, whatever else they do.
- Keras 3 and Keras 2: `random_flip_left_right` in a `map`: one model has another loss on 40 pictures than without it.

## Do this
Leave what is random out of the validation: a second `ImageDataGenerator` with the same `validation_split` and `rescale` alone, a `map` that only the
training pipeline has, or a switch of the generator that `validation_data` turns off.

## Silent when
A switch decides whether the pictures are changed, and nobody knows how it is set; they are cut at random, or get noise; the labels say how they were
turned; nothing is validated or evaluated on them; the file is about contrastive learning, or augments in tests on purpose.
"""

from collections.abc import Iterator

from seqlint.api import Example, Facts, Finding, HeldDraws, Levels, Rule, any_of, here_or_imported, matching

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

_MAPPED = """
import keras
import numpy as np
import tensorflow as tf

leaves = np.random.default_rng(2).random((16, 4, 4, 3)).astype("float32")


def turned(leaf, kind):
    return tf.image.random_flip_left_right(leaf), kind


train = tf.data.Dataset.from_tensor_slices((leaves[:12], np.arange(12.0))).shuffle(12).map(turned).batch(4)
held = tf.data.Dataset.from_tensor_slices((leaves[12:], np.arange(4.0))).map(turned).batch(4)
model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(train, validation_data=held, epochs=2, verbose=0)
"""
_WORDS = (
    "flow", "flow_from_directory", "flow_from_dataframe", "fliplr", "flipud", "flip", "rot90", "rotate", "shift", "zoom", "mirror", "reverse",
    "warpAffine", "warpPerspective", "random_transform", "apply_affine_transform", "apply_transform", "Sequential", "warp",
    "translate",
)  # fmt: skip

RULE = Rule(
    code="SEQ422",
    name="augmented-validation",
    since="0.1.0",
    levels=Levels.everywhere("warning"),
    needs=(
        any_of("validation_data", "evaluate", "evaluate_generator", "update_state", "test_on_batch", "test_step"),
        here_or_imported(matching(r"\b(" + "|".join(_WORDS) + r")\b|\brandom_|\bRandom[A-Z]|\badjust_|\brotate")),
    ),
    examples=(
        Example(_FLOWS),
        Example(_FLOWS.replace("horizontal_flip=True", "rotation_range=20")),
        Example(_MAPPED),
        Example.ok(_FLOWS.replace("held = reader", "held = plain")),
        Example.ok(_FLOWS.replace("horizontal_flip=True, ", "")),
        Example.ok(_MAPPED.replace("np.arange(4.0))).map(turned)", "np.arange(4.0)))")),
    ),
    sources=("keras-team/keras-preprocessing#218", "keras-team/keras#10458"),
)

_NOTE = "the validation score is lower than it should be, and differs from epoch to epoch"


def check(facts: Facts) -> Iterator[Finding]:
    run = facts.run
    for held in run.domain(HeldDraws).all():
        by = ", ".join(f"`{each}`" for each in held.by[:2])
        if held.is_flow:
            message = f"validation images are changed at random, too: their generator has {by}"
            help_ = "make a second generator for validation, with the same `validation_split` and no random options"
        else:
            message = f"what the model is validated on is changed at random, too, by {by}"
            help_ = "change pictures at random for the training alone"
        yield facts.finding_at(run.step_span(held.place), message, _NOTE, help_)
