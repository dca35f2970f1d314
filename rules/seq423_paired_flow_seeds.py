"""Flows of images and masks that are read in pairs differ in `seed` or `shuffle`.

## Why
Each flow of an `ImageDataGenerator` draws its own order, and its own flips and shifts. Only with one `seed`, and the same `shuffle`, two flows
draw the same. Otherwise each image is trained with the mask of another one. Without any seed the two draw separately, too.

## Measured
- Keras 3 and Keras 2: with `seed=1` and `seed=2` 1 of 40 images gets its mask, with no seed at all hardly any.
- Keras 3 and Keras 2: with one seed, but `shuffle=False` for one of them, it is 1 of 40.
- Keras 3 and Keras 2: with `shuffle=False` for both and no seed all 40 get their masks, but some another flip.
- Keras 3 and Keras 2: with one seed all 40 get their masks, and the same flip.

## Do this
Give both flows the same `seed` and the same `shuffle`.

## Silent when
Neither shuffles nor draws anything. The flows are not read in pairs, or each has labels of its own.
"""

from collections.abc import Iterator
from dataclasses import replace

from seqlint.api import Contract, Edit, Example, Facts, Finding, Flows, Levels, Pair, Rule, any_of

_FLOWS = """
import keras
import numpy as np
from tensorflow.keras.preprocessing.image import ImageDataGenerator

views = np.random.default_rng(1).random((8, 4, 4, 1)).astype("float32")
masks = (views > 0.5).astype("float32")
reader = ImageDataGenerator(horizontal_flip=True)
view_flow = reader.flow(views, batch_size=4, seed=1)
mask_flow = reader.flow(masks, batch_size=4, seed=2)
model = keras.Sequential([keras.layers.Conv2D(1, 1)])
model.compile(optimizer="sgd", loss="mse")
model.fit((pair for pair in zip(view_flow, mask_flow)), steps_per_epoch=2, epochs=2, verbose=0)
"""

RULE = Rule(
    code="SEQ423",
    name="paired-flow-seeds",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    contract=Contract(changes=frozenset({"samples", "history", "weights"}), holds=frozenset({"inputs stay"})),
    needs=(any_of("flow", "flow_from_directory", "flow_from_dataframe"),),
    examples=(
        Example(_FLOWS, _FLOWS.replace("seed=2", "seed=1")),
        Example(_FLOWS.replace("seed=1", "seed=2, shuffle=False")),
        Example(_FLOWS.replace(", seed=1", "").replace(", seed=2", "")),
        Example.ok(_FLOWS.replace("seed=2", "seed=1")),
        Example.ok(
            _FLOWS.replace("seed=1", "shuffle=False")
            .replace("seed=2", "shuffle=False")
            .replace("horizontal_flip=True", "")
        ),
    ),
    sources=("keras-team/keras#12075", "keras-team/keras-preprocessing#125"),
)


def check(facts: Facts) -> Iterator[Finding]:
    run = facts.run
    found: dict[object, Finding] = {}
    for pair in run.domain(Flows).pairs:
        place = run.place(pair.second.call) if pair.differs is not None else None
        if place is not None and place not in found:
            found[place] = _finding(facts, pair, run.step_span(place))
    yield from found.values()


def _finding(facts: Facts, pair: Pair, span: tuple[int, int]) -> Finding:
    found = facts.finding_at(
        span, _MESSAGES[pair.differs or "seed"], "images are trained with the masks of other images"
    )
    seeds = [facts.run.written(flow.call, "seed") for flow in (pair.first, pair.second)]
    texts = [facts.run.text(seed) for seed in seeds if seed is not None]
    literal = len(texts) == 2 and all(map(str.isdecimal, texts)) and texts[0] != texts[1]
    if pair.differs == "seed" and seeds[1] is not None and literal:
        return found.fixed_by("Use the seed of the other flow", Edit(*facts.run.span(seeds[1]), texts[0]))
    reason = (
        "a seed is yours to choose" if pair.differs == "no seed" else "the two calls don't both write out what differs"
    )
    return replace(found, help="give both flows one `seed`, and the same `shuffle`").unfixed(reason)


_MESSAGES = {
    "seed": "the flows of a pair have unlike seeds, so each draws its own order",
    "no seed": "the flows of a pair have no common seed, so each draws its own order",
    "shuffle": "only one flow of a pair is shuffled, so they come in two orders",
}
