"""A pretrained base is set free, and its batch normalisation with it.

## Why
A frozen `BatchNormalization` uses the mean and the variance that it learned from millions of pictures. Once the base is set free, it uses those of each
batch and moves the learned ones, whatever the learning rate is. With batches of 8 or 32 the statistics are worse, the features that the head was
trained on change at once, and the accuracy falls with the first steps of fine tuning.

## Measured
- Keras 3 and Keras 2: after `base.trainable = True` and another `compile`, one epoch of `fit` with a learning rate of 0 moves the mean of a
  `BatchNormalization` in the base.
- Keras 3: the same happens where a functional model was made with `base(inputs, training=False)`: `fit` runs all layers with `training=True`.
- Keras 2: there the mean stays, and the weights learn.
- Keras 3 and Keras 2: where the `BatchNormalization` itself is frozen again, the mean stays, and the other weights learn.

## Do this
Freeze each `BatchNormalization` of the base again before `compile`: `if isinstance(layer, BatchNormalization): layer.trainable = False`. On Keras 2 it is
enough to call the base with `training=False`. With large batches it may well be as it is: then ignore this.

## Silent when
The base has no batch normalisation (VGG16), or was never trained while it was frozen; the program asks which layers are batch normalisation; on Keras 2 also where the base
is called with `training=`.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import Example, Facts, Finding, Levels, Rule, ThawedModels, any_of, if_of_model

_START = """
import keras
import numpy as np

rows, kinds = np.ones((4, 32, 32, 3), "float32"), np.ones((4, 1), "float32")
base = keras.applications.{base}(include_top=False, weights=None, input_shape=(32, 32, 3), pooling="avg")
base.trainable = False
inputs = keras.Input((32, 32, 3))
model = keras.Model(inputs, keras.layers.Dense(1)(base(inputs{flag})))
model.compile("sgd", "mse")
model.fit(rows, kinds, verbose=0)
base.trainable = True
model.compile(keras.optimizers.SGD(1e-5), "mse")
model.fit(rows, kinds, verbose=0)
"""

RULE = Rule(
    code="SEQ814",
    name="thawed-batch-norm",
    since="0.1.0",
    levels=Levels.everywhere("advice"),
    needs=(any_of("applications"), any_of("trainable"), any_of("fit", "fit_generator")),
    examples=(
        Example(_START.format(base="MobileNetV2", flag="")),
        Example(_START.format(base="MobileNetV2", flag=", training=False"), keras=">=3"),
        Example.ok(_START.format(base="MobileNetV2", flag=", training=False"), keras="<3"),
        Example.ok(_START.format(base="VGG16", flag="")),
    ),
    sources=("keras-team/keras#9214",),
)

_FLAGGED = "`fit` of Keras 3 runs the base with `training=True`, whatever its call says"


def check(facts: Facts) -> Iterator[Finding]:
    run = facts.run
    for each in run.domain(ThawedModels).all:
        if run.machine.main.tree is not run.tree or each.node is None:
            continue
        message = f"batch normalisation of `{each.base.method}` learns from each batch from here on"
        note = _FLAGGED if each.is_flagged else "its mean and variance move, whatever the learning rate is"
        finding = facts.finding_at(run.span(each.node), message, note, "freeze its `BatchNormalization` layers again")
        levels = Levels(None, "advice", "advice") if each.is_flagged else RULE.levels
        yield if_of_model(facts, each.fit, but(finding, levels=levels), levels)
