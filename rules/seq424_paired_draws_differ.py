"""Paired generators of images and masks have one seed, but other random options.

## Why
One seed makes two flows draw the same numbers. Each random option takes numbers from that sequence. A generator with an option more, such as
`brightness_range`, takes more of them, so that from the second sample on its flips and shifts are others than those of the masks. And an option
that only moves images leaves their masks where they were.

## Measured
- Keras 3 and Keras 2: without `brightness_range` all 40 pairs have the same flips; with it on the images only 4 of 40.
- Keras 3 and Keras 2: with `channel_shift_range` on the images only it is 12 of 40, with `vertical_flip` 22 of 40.
- Keras 3 and Keras 2: `rescale`, `samplewise_center` and `fill_mode` draw nothing: all 40 pairs keep the same flips.

## Do this
Give both generators the same random options. Change brightness and colours in a layer of the model, or in a `map` over the pairs.

## Silent when
The options that differ draw nothing. The flows are not read in pairs, or have other seeds (SEQ423).
"""

from collections.abc import Iterator

from seqlint.api import Example, Facts, Finding, Flows, Levels, Rule, any_of

_FLOWS = """
import keras
import numpy as np
from tensorflow.keras.preprocessing.image import ImageDataGenerator

views = np.random.default_rng(1).random((8, 4, 4, 1)).astype("float32")
masks = (views > 0.5).astype("float32")
view_reader = ImageDataGenerator(horizontal_flip=True, channel_shift_range=0.1)
mask_reader = ImageDataGenerator(horizontal_flip=True)
view_flow = view_reader.flow(views, batch_size=4, seed=1)
mask_flow = mask_reader.flow(masks, batch_size=4, seed=1)
model = keras.Sequential([keras.layers.Conv2D(1, 1)])
model.compile(optimizer="sgd", loss="mse")
model.fit((pair for pair in zip(view_flow, mask_flow)), steps_per_epoch=2, epochs=2, verbose=0)
"""

RULE = Rule(
    code="SEQ424",
    name="paired-draws-differ",
    since="0.1.0",
    levels=Levels.everywhere("warning"),
    needs=(any_of("flow", "flow_from_directory", "flow_from_dataframe"),),
    examples=(
        Example(_FLOWS),
        Example(_FLOWS.replace("channel_shift_range=0.1", "vertical_flip=True")),
        Example.ok(_FLOWS.replace(", channel_shift_range=0.1", "")),
        Example.ok(_FLOWS.replace("channel_shift_range=0.1", "rescale=0.5")),
    ),
)


def check(facts: Facts) -> Iterator[Finding]:
    run = facts.run
    found: dict[object, Finding] = {}
    for pair in run.domain(Flows).pairs:
        place = run.place(pair.second.call) if pair.other_draws else None
        if place is None or place in found:
            continue
        options = ", ".join(f"`{option}`" for option in pair.other_draws[:2])
        message = f"the generators of a pair have unlike {options}, so images and masks are changed differently"
        note = "each random option takes numbers from the sequence that the seed gives, so later draws are others, too"
        found[place] = facts.finding_at(
            run.step_span(place), message, note, "give both generators the same random options"
        )
    yield from found.values()
