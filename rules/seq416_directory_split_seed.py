"""The two subsets of one directory are not split alike, so they overlap.

## Why
`image_dataset_from_directory` and its like shuffle the list of files, and then cut it in two. Each of the two calls does so for itself. Only
with the same seed, the same `shuffle` and the same `validation_split` do both cut the same list at the same place. Otherwise the model
is validated on files that it was trained on, and the score is too good. Without any shuffle the list is sorted by class, so that the
validation files are those of the last classes.

## Measured
- Keras 3 and Keras 2: with `seed=1` and `seed=2` 7 of 10 validation files are among the training files.
- Keras 3 and Keras 2: with one seed, but `shuffle=False` in one of the calls, it is 9 of 10.
- Keras 3 and Keras 2: with one seed, and `validation_split=0.2` for training but 0.3 for validation, it is 4 of 12.
- Keras 3 and Keras 2: with `shuffle=False` in both calls no file is in both, but all 10 validation files are of the last of 4 classes.
- Keras 3 and Keras 2: other sizes of images or batches, or another `label_mode`, change nothing.

## Do this
Give both calls the same `seed`, and leave `shuffle` alone. Or make both with one call, `subset="both"`.

## Silent when
The two calls read different directories. The order of the files is not that of the classes (`labels=None` or labels of your own). The flows of an
`ImageDataGenerator` are split by the order of the files, whatever their seeds are.
"""

from collections.abc import Iterator
from dataclasses import replace

from seqlint.api import Contract, Edit, Example, Facts, Finding, Levels, Rule, Split, Subsets, any_of, either, matching

_LOADERS = ("image_dataset_from_directory", "text_dataset_from_directory", "audio_dataset_from_directory")
_FILES = """
import os

import keras
import numpy as np

for number in range(16):
    os.makedirs(f"leaves/{number % 2}", exist_ok=True)
    keras.utils.save_img(f"leaves/{number % 2}/{number}.png", np.full((4, 4, 3), 15.0 * number), scale=False)
"""
_SPLIT = (
    _FILES
    + """
train = keras.utils.image_dataset_from_directory(
    "leaves", validation_split=0.25, subset="training", seed=1, image_size=(4, 4), batch_size=4
)
held = keras.utils.image_dataset_from_directory(
    "leaves", validation_split=0.25, subset="validation", seed=2, image_size=(4, 4), batch_size=4
)
model = keras.Sequential([keras.layers.Rescaling(1 / 255), keras.layers.Flatten(), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(train, validation_data=held, epochs=2, verbose=0)
"""
)
_SWAPPED = _SPLIT.replace("train =", "later =").replace("held =", "train =").replace("later =", "held =")
_SWAPPED = (
    _SWAPPED.replace('"training"', '"later"').replace('"validation"', '"training"').replace('"later"', '"validation"')
)

RULE = Rule(
    code="SEQ416",
    name="directory-split-seed",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    contract=Contract(
        changes=frozenset({"samples", "order", "grouping", "history", "weights"}),
        holds=frozenset({"epochs equal", "parts share no sample"}),
    ),
    needs=(either(any_of(*_LOADERS), matching(r"\bvalidation['\"]")),),
    examples=(
        Example(_SPLIT, _SPLIT.replace("seed=2", "seed=1")),
        Example(_SWAPPED, _SWAPPED.replace("seed=2", "seed=1")),
        Example(_SPLIT.replace("seed=2", "seed=1, shuffle=False")),
        Example(_SPLIT.replace("seed=1", "shuffle=False").replace("seed=2", "shuffle=False")),
        Example(_SPLIT.replace("seed=2", "seed=1").replace('split=0.25, subset="v', 'split=0.5, subset="v')),
        Example.ok(_SPLIT.replace("seed=2", "seed=1")),
        Example.ok(
            _FILES
            + """
train, held = keras.utils.image_dataset_from_directory(
    "leaves", validation_split=0.25, subset="both", seed=1, image_size=(4, 4), batch_size=4
)
model = keras.Sequential([keras.layers.Rescaling(1 / 255), keras.layers.Flatten(), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(train, validation_data=held, epochs=2, verbose=0)
"""
        ),
    ),
    sources=("BatteryDEV/AutoECM#13",),
)


_NOTES = {
    "order": "files are sorted by class, so the validation files are those of the last classes",
    "other": "files that the model is trained on are validation files, too, so the score is too good",
}


def check(facts: Facts) -> Iterator[Finding]:
    run = facts.run
    found: dict[object, Finding] = {}
    for split in run.domain(Subsets).uneven:
        place = run.place(split.second)
        if place is not None and place not in found:
            written = run.written(split.second, split.argument) if split.by_two_calls else None
            found[place] = _finding(facts, split, run.span(written or place))
    yield from found.values()


def _finding(facts: Facts, split: Split, span: tuple[int, int]) -> Finding:
    found = facts.finding_at(span, _message(split), _NOTES.get(split.differs, _NOTES["other"]))
    seeds = [facts.run.written(call, "seed") for call in (split.first, split.second)]
    texts = [facts.run.text(seed) for seed in seeds if seed is not None]
    if (
        split.differs == "seed"
        and seeds[1] is not None
        and len(texts) == 2
        and all(map(str.isdecimal, texts))
        and texts[0] != texts[1]
    ):
        return found.fixed_by("Use the seed of the other call", Edit(*facts.run.span(seeds[1]), texts[0]))
    return replace(found, help="give both calls one `seed`, and the same `shuffle` and `validation_split`").unfixed(
        _reason(split)
    )


def _message(split: Split) -> str:
    if split.differs == "order":
        return "neither subset is shuffled, so the validation subset holds only the last classes"
    what = {"seed": "seeds", "shuffle": "values of `shuffle`", "share": "values of `validation_split`"}[split.differs]
    return f"the subsets of one directory have unlike {what}, so they overlap"


def _reason(split: Split) -> str:
    if split.differs == "order":
        return "a shuffle would need a seed that is yours to choose"
    if split.differs != "seed":
        return f"either value of `{'shuffle' if split.differs == 'shuffle' else 'validation_split'}` can be the one that is meant"
    if split.train.node is split.held.node:
        return "one call makes both subsets"
    return "the seeds are not written out in the two calls"
