"""`steps_per_epoch` is given for data that know their length.

## Why
A Sequence has a length, so Keras knows its epochs. A count of steps repeats that length or contradicts it: `n // size` where
the Sequence rounds up, or the number of samples.

## Measured
- Keras 3.10 and later: with fewer steps than batches each epoch continues where the last one stopped, so an epoch is no
  longer one pass. With more steps each epoch ends at the last batch with a warning that the data ran out.
- Keras 3.0 to 3.9: with as many steps as batches, 3.0 to 3.3 run every second epoch without a single batch; with fewer, an
  epoch without a batch comes between two passes.
- Keras 2: fewer steps start from the first batch in every epoch, so the last ones are never used in a fixed order. With more
  steps training stops after the first epoch; with several workers it starts again at the first batch, so `2 * len(feed)` is two passes.
- Keras 3 and Keras 2: `predict` with fewer steps returns fewer rows, without a warning; `validation_steps` leaves the rest
  out of the scores.

## Do this
Leave it out. To train on a part of the data in each epoch, give the Sequence that length.

## Silent when
Steps and length can't be compared; the steps are a part of the length on purpose, such as `len(feed) // hvd.size()`.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (
    Constant,
    Contract,
    Example,
    Facts,
    Finding,
    Fits,
    Levels,
    Note,
    Rule,
    Sometimes,
    TrainerCall,
    a_call_of_model,
    a_source,
    any_of,
    if_on_model,
    remove_argument,
)

_FEED = """
import math

import keras
import numpy as np


class Wells(keras.utils.Sequence):
    def __init__(self, depths, size, **kwargs):
        super().__init__(**kwargs)
        self.depths = depths
        self.size = size

    def __len__(self):
        return math.ceil(len(self.depths) / self.size)

    def __getitem__(self, index):
        rows = self.depths[index * self.size : (index + 1) * self.size]
        return rows, rows[:, :1]


depths = np.ones((10, 3), "float32")
wells = Wells(depths, 4)
model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
"""

# What a working program of Keras 3.0 to 3.3 sees once no epoch is without a batch.
_ALL_EPOCHS = Contract(
    changes=frozenset({"samples", "steps", "history", "weights", "warnings"}), holds=frozenset({"none lost"})
)
_RUNS_OUT = Note.on_keras_3("each epoch ends at the last batch, with a warning", "the training stops after one epoch")
_CONTINUES = Note.on_keras_3(
    "the next epoch continues where this one stopped", "the last batches are never used, unless they are shuffled"
)
_HELP = "leave it out"
_NO_FIX = "without it an epoch has another number of steps"

RULE = Rule(
    code="SEQ605",
    name="steps-with-sized-data",
    since="0.1.0",
    levels=Levels.everywhere("warning"),
    sometimes=Sometimes(keras2=("error", "advice"), early=("error",), keras3=("error", "advice")),
    needs=(a_call_of_model, any_of("steps_per_epoch", "validation_steps", "steps", "fit_generator"), a_source),
    examples=(
        Example(_FEED + "model.fit(wells, steps_per_epoch=len(depths) // 4, epochs=2, shuffle=False, verbose=0)\n"),
        Example(
            _FEED + "model.fit(wells, epochs=2, steps_per_epoch=len(wells), verbose=0)\n",
            _FEED + "model.fit(wells, epochs=2, verbose=0)\n",
            keras=">=2.15",
            contract=_ALL_EPOCHS,
        ),
        Example(
            _FEED.replace("math.ceil(len(self.depths) / self.size)", "len(self.depths) // self.size")
            + "model.fit(wells, epochs=2, steps_per_epoch=math.ceil(len(depths) / 4), verbose=0)\n"
        ),
        Example(_FEED + "guess = model.predict(wells, steps=len(depths) // 4, verbose=0)\n"),
        Example.ok(_FEED + "model.fit(wells, epochs=2, steps_per_epoch=100, verbose=0)\n"),
        Example.ok(_FEED + "def run(size):\n    model.fit(wells, steps_per_epoch=len(wells) // size)\n"),
        Example.ok(_FEED + "model.fit(wells, steps_per_epoch=len(depths[2:]) // 4)\n"),
    ),
    sources=("keras-team/keras#11122", "keras-team/keras#8282", "keras-team/keras#20032"),
)

_EQUAL = Levels(keras2="advice", early="warning", keras3="advice")
_MORE = Levels.everywhere("error")
_GIVEN = {
    "fit": (("steps_per_epoch", ""), ("validation_steps", "validation_data")),
    "fit_generator": (("steps_per_epoch", ""), ("validation_steps", "validation_data")),
    "evaluate": (("steps", ""),),
    "predict": (("steps", ""),),
}  # fmt: skip


def check(facts: Facts) -> Iterator[Finding]:
    for call in facts.training.calls:
        if call.method not in _GIVEN or not facts.evidence.may_be_model(call):
            continue
        for name, source in _GIVEN[call.method]:
            finding = _finding(facts, call, name, source)
            if finding is not None:
                yield if_on_model(facts, call, finding, RULE.levels)


def _finding(facts: Facts, call: TrainerCall, name: str, source: str) -> Finding | None:
    steps, data = call.arguments.get(name), call.value(source) if source else call.data
    relation = facts.step_counts.relation(steps.value, data) if steps is not None and data is not None else None
    if relation is None and steps is not None and name == "steps_per_epoch" and _is_length_when_it_runs(facts, call):
        relation = "equal"
    if steps is None or data is None or relation is None:
        return None
    text, feed, trains = facts.text(steps.value), facts.text(data), name == "steps_per_epoch"
    if relation == "equal":
        skips = facts.keras.may_be("3.0", "3.4")
        if not trains:
            return None
        early = "versions up to 3.3 run every second epoch without a batch" if skips else ""
        found = Finding(
            *facts.span(steps.value), f"`{feed}` already knows `{name}`", levels=_EQUAL, note=Note(early=early)
        )
        edits = remove_argument(facts, call.node, steps) if steps.keyword is not None else ()
        contract = _ALL_EPOCHS if skips else None
        if not edits:
            return found.unfixed("it is given by its place")
        return found.fixed_by(f"Leave out `{name}`", *edits, contract=contract)
    if relation == "more":
        if _goes_round(facts, call):
            return None
        found = facts.finding(steps.value, f"`{text}` can be more steps than `{feed}` has batches", _RUNS_OUT, _HELP)
        return but(found, levels=_MORE if trains else None, no_fix=_NO_FIX)
    message = f"`{text}` can be fewer steps than `{feed}` has batches"
    if relation == "twice divided":
        message = f"`{text}` divides batches: `len({feed})` already counts them"
    return facts.finding(steps.value, message, _lost(call, name), _HELP).unfixed(_NO_FIX)


def _is_length_when_it_runs(facts: Facts, call: TrainerCall) -> bool:
    """Whether the steps are worked out as the Sequence works out its length, each time that the call runs."""
    ran = facts.run.at(facts.span(call.node))
    return bool(ran) and all(map(facts.run.domain(Fits).counts_its_steps, ran))


def _goes_round(facts: Facts, call: TrainerCall) -> bool:
    """Whether Keras 2 loads with several workers here: they start again at the first batch."""
    workers = call.arguments.get("workers")
    return (
        set(facts.keras.lines) == {"2"} and workers is not None and facts.values.constant(workers.value) != Constant(1)
    )


def _lost(call: TrainerCall, name: str) -> Note:
    if name == "steps_per_epoch":
        return _CONTINUES
    return Note("predictions of the rest are missing" if call.method == "predict" else "the scores leave out the rest")
