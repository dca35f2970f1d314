"""An augmentation of brightness or contrast gets numbers that are too small.

## Why
`RandomBrightness` and `RandomContrast` take their pictures for numbers from 0 to 255 unless `value_range` says otherwise, and `brightness_range` of an
`ImageDataGenerator` makes whole numbers of them. Pictures that were divided by 255 before are all black after it, or far too bright. The model is trained on
that, and nothing raises; validation, which is not augmented, gets the real pictures.

## Measured
- Keras 3 and Keras 2: `RandomBrightness` with the factor 0.2 makes 51 to 52 of pictures from 0 to 1, and with -0.2 all 0.
- Keras 3 and Keras 2: `RandomContrast(0.3)` makes 0 of each negative number of pictures from -1 to 1.
- Keras 3 and Keras 2: `brightness_range=(0.7, 1.3)` makes pictures from 0 to 1 black: no number in them is above 1, and nearly all are 0.

## Do this
Give `value_range=(0, 1)`, or augment first and scale after it: `rescale=1 / 255` of an `ImageDataGenerator` comes after its `brightness_range`.

## Silent when
`value_range` is given; what scales the pictures is not known, or comes later; `RandomContrast` gets 0 to 1.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (
    Augmented,
    Contract,
    Edit,
    Example,
    Facts,
    Finding,
    Levels,
    OutOfRange,
    Rule,
    any_of,
    here_or_imported,
    last_argument,
)

_START = """
import keras
import numpy as np

pictures = np.random.default_rng(1).integers(0, 255, (8, 4, 4, 3)).astype("float32")
marks = np.arange(8) % 2
model = keras.Sequential([keras.Input((4, 4, 3)), {layers}keras.layers.Flatten(), keras.layers.Dense(1, "sigmoid")])
model.compile(optimizer="sgd", loss="binary_crossentropy")
model.fit({rows}, marks, epochs=1, verbose=0)
print(round(float(model.predict(pictures[:1], verbose=0)[0, 0]), 4))
"""
_SCALE, _BRIGHT = "keras.layers.Rescaling(1 / 255), ", "keras.layers.RandomBrightness(0.2{}), "

RULE = Rule(
    code="SEQ436",
    name="augmentation-value-range",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    contract=Contract(changes=frozenset({"output", "history", "settings", "weights"})),
    needs=(here_or_imported(any_of("RandomBrightness", "RandomContrast", "brightness_range")),),
    examples=(
        Example(
            _START.format(layers=_SCALE + _BRIGHT.format(""), rows="pictures"),
            _START.format(layers=_SCALE + _BRIGHT.format(", value_range=(0, 1)"), rows="pictures"),
        ),
        Example(
            _START.format(layers=_BRIGHT.format(""), rows="pictures / 255"),
            _START.format(layers=_BRIGHT.format(", value_range=(0, 1)"), rows="pictures / 255"),
        ),
        Example.ok(_START.format(layers=_BRIGHT.format("") + _SCALE, rows="pictures")),
        Example.ok(_START.format(layers=_SCALE + _BRIGHT.format(", value_range=(0, 1)"), rows="pictures")),
    ),
)

_NOTES = {
    "RandomBrightness": "it adds up to 51 for a factor of 0.2, or makes all of them 0",
    "RandomContrast": "each number below 0 becomes 0",
    "ImageDataGenerator": "all pictures of the training are black",
}
_NO_FIX = "other places may rely on the order of scale and augmentation"


def check(facts: Facts) -> Iterator[Finding]:
    run, seen = facts.run, set[object]()
    for each in run.domain(Augmented).out_of_range:
        call = run.call_of.get(each.made)
        place = run.place(call) if call is not None else None
        if place is None or place in seen:
            continue
        seen.add(place)
        method = each.made.method
        what = "brightness_range" if method == "ImageDataGenerator" else method
        message = f"`{what}` gets numbers from {each.numbers}, and expects 0 to 255"
        yield _fixed(facts, facts.finding_at(run.span(place), message, _NOTES[method]), each)


def _fixed(facts: Facts, finding: Finding, each: OutOfRange) -> Finding:
    call = facts.run.call_of[each.made]
    last = last_argument(facts.run, call)
    if each.made.method != "RandomBrightness" or last is None:
        help_ = "augment first, and scale after it"
        return but(finding, help=help_, no_fix=_NO_FIX)
    end = facts.run.span(last)[1]
    given = "(0, 1)" if each.numbers == "0 to 1" else "(-1, 1)"
    return finding.fixed_by("Give the range", Edit(end, end, f", value_range={given}"))
