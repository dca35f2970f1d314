"""A model with weights of ImageNet gets other numbers than they were trained on.

## Why
Each model of `keras.applications` was trained on pictures in one form: -1 to 1 for MobileNetV2 and Xception, 0 to 255 for EfficientNet and MobileNetV3,
which scale by themselves, BGR less a mean for VGG16 and ResNet50. With `rescale=1 / 255` they get 0 to 1. The layers see pictures of hardly any
contrast, or half of the range, and the features that the head learns from are worse. Nothing raises.

## Measured
- Keras 3 and Keras 2: `preprocess_input` of `mobilenet_v2`, `inception_v3`, `xception` and `resnet_v2` makes -1 to 1 of 0 to 255.
- Keras 3 and Keras 2: that of `vgg16` and `resnet` makes -123.68 to 151.06; that of `densenet` -2.12 to 2.64.
- Keras 3 and Keras 2: that of `efficientnet`, `mobilenet_v3` and `convnext` changes nothing. EfficientNetB0 and MobileNetV3Small begin with a
  `Rescaling`: 0 to 1 becomes 0 to 0.004, and -1 to -0.99.

## Do this
Give `preprocessing_function=preprocess_input` of the model's own module to `ImageDataGenerator`, or call it on the inputs, in place of the division.
Give EfficientNet, EfficientNetV2, MobileNetV3 and ConvNeXt the pictures as they are.

## Silent when
The weights are not those of ImageNet, or `include_preprocessing` is given; something on the way is not known, or scales in another way.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import Example, Facts, Finding, Levels, Mismatched, Pretrained, Rule, Sometimes, any_of

_START = """
import os

import keras
import numpy as np
from tensorflow.keras.preprocessing.image import ImageDataGenerator

for number in range(8):
    os.makedirs(f"leaves/{{number % 2}}", exist_ok=True)
    keras.utils.save_img(f"leaves/{{number % 2}}/{{number}}.png", np.full((4, 4, 3), 30.0 * number), scale=False)
reader = ImageDataGenerator({1})
train = reader.flow_from_directory("leaves", target_size=(32, 32), batch_size=4, class_mode="binary")
base = keras.applications.{0}(include_top=False, input_shape=(32, 32, 3), pooling="avg"{2})
model = keras.Sequential([base, keras.layers.Dense(1, activation="sigmoid")])
model.compile(optimizer="sgd", loss="binary_crossentropy")
model.fit(train, epochs=1, verbose=0)
"""

RULE = Rule(
    code="SEQ811",
    name="pretrained-input-scale",
    since="0.1.0",
    levels=Levels.everywhere("warning"),
    sometimes=Sometimes.everywhere("error"),
    needs=(any_of("applications"), any_of("fit", "fit_generator")),
    examples=(
        Example(_START.format("MobileNetV2", "rescale=1 / 255", "")),
        Example(_START.format("EfficientNetB0", "rescale=1 / 255", "")),
        Example.ok(_START.format("MobileNetV2", "rescale=1 / 255", ", weights=None")),
        Example.ok(_START.format("EfficientNetB0", "", "")),
    ),
)

_WANTS = {
    "own": "it scales 0 to 255 itself",
    "centred": "its weights were trained on -1 to 1",
    "caffe": "its weights were trained on BGR of 0 to 255, less a mean",
    "torch": "its weights were trained on 0 to 1, less a mean",
}


def check(facts: Facts) -> Iterator[Finding]:
    run, seen = facts.run, set[object]()
    for each in run.domain(Pretrained).mismatched:
        call = run.call_of.get(each.made)
        place = run.place(call) if call is not None else None
        if place is None or place in seen:
            continue
        seen.add(place)
        finding = facts.finding_at(
            run.span(place), f"`{each.made.method}` gets numbers from {each.numbers}", _WANTS[each.kind], _help(each)
        )
        yield but(finding, levels=Levels.everywhere("error")) if each.kind == "own" else finding


def _help(each: Mismatched) -> str:
    return (
        "give it the pictures as they are"
        if each.kind == "own"
        else "give it what its own `preprocess_input` makes of 0 to 255"
    )
