"""`class_names` or `file_paths` is read after a step of a dataset has lost it.

## Why
`image_dataset_from_directory` and its like set `class_names` (and, for pictures, `file_paths`) on the dataset that they return. Each step, such as
`map`, `cache` or `prefetch`, makes a new dataset without them.

## Measured
- Keras 3 and Keras 2: after `map`, `prefetch`, `cache`, `take`, `shuffle`, `unbatch` and `with_options` both raise AttributeError.
- Keras 3 and Keras 2: the loader's own dataset has them, and so have both parts that `subset="both"` gives.
- Keras 3 and Keras 2: what `text_dataset_from_directory` gives has `class_names`, but no `file_paths`.

## Do this
Take them before the first step: `names = train.class_names`, and then `train = train.prefetch(...)`.

## Silent when
The file sets the attribute itself. The access is in a `try`, or after `hasattr`.
"""

from collections.abc import Iterator

from seqlint.api import (
    Asked,
    Example,
    Facts,
    Finding,
    Levels,
    Pipelines,
    Result,
    Rule,
    Tries,
    any_of,
    constant_of,
)

_NAMES = ("class_names", "file_paths")
_LOADERS = ("image_dataset_from_directory", "text_dataset_from_directory", "audio_dataset_from_directory")
_FILES = """
import os

import keras
import numpy as np

for number in range(8):
    os.makedirs(f"leaves/{number % 2}", exist_ok=True)
    keras.utils.save_img(f"leaves/{number % 2}/{number}.png", np.full((4, 4, 3), 30.0 * number), scale=False)
"""
_FIT = """model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(len(names))])
model.compile(optimizer="sgd", loss="sparse_categorical_crossentropy")
model.fit(leaves, epochs=2, verbose=0)
"""
_LOST = (
    _FILES
    + """
leaves = keras.utils.image_dataset_from_directory("leaves", image_size=(4, 4), batch_size=4)
leaves = leaves.map(lambda picture, kind: (picture / 255, kind)).prefetch(2)
names = leaves.class_names
"""
    + _FIT
)
_KEPT = (
    _FILES
    + """
leaves = keras.utils.image_dataset_from_directory("leaves", image_size=(4, 4), batch_size=4)
names = leaves.class_names
leaves = leaves.map(lambda picture, kind: (picture / 255, kind)).prefetch(2)
"""
    + _FIT
)

RULE = Rule(
    code="SEQ426",
    name="class-names-lost",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    needs=(any_of(*_NAMES),),
    examples=(
        Example(_LOST),
        Example(_LOST.replace("names = leaves.class_names", "print(leaves.file_paths[:2])\nnames = [0, 1]")),
        Example.ok(_KEPT),
        Example.ok(_LOST.replace("names = leaves.class_names", 'names = getattr(leaves, "class_names", [0, 1])')),
    ),
    sources=("keras-team/keras#16577", "tensorflow/tensorflow#56233"),
)


def check(facts: Facts) -> Iterator[Finding]:
    run = facts.run
    pipelines = run.domain(Pipelines)
    found: dict[object, Finding] = {}
    for asked in run.asked(*_NAMES):
        steps = [step for owner in asked.owners if (step := _last_step(pipelines, owner)) is not None]
        if len(steps) != len(asked.owners) or not run.is_here(asked.context) or _is_expected(facts, asked):
            continue
        message = f"`{run.text(asked.node)}` does not exist after `{steps[0].method}`"
        help_ = f"take `{asked.name}` from what `{pipelines.line(steps[0])[-1].method}` returns"
        found.setdefault(asked.node, facts.finding_at(run.step_span(asked.node), message, "AttributeError", help_))
    yield from found.values()


def _last_step(pipelines: Pipelines, owner: object) -> Result | None:
    """The step that has lost the names of a loader; None where nothing is known to be lost."""
    if not isinstance(owner, Result) or not pipelines.is_step(owner):
        return None
    line = pipelines.line(owner)
    lost = [step for step in line if step.receiver is not None and step.op == "call"]
    if not lost or any(step.method == "apply" for step in lost):
        return None
    return owner if line[-1].method in _LOADERS else None


def _is_expected(facts: Facts, asked: Asked) -> bool:
    """Whether the program asks whether the attribute is there, or catches the error."""
    if any(
        asked.name == constant_of(each)
        for call in facts.run.called("builtins.hasattr")
        for each in call.result.args[1:]
    ):
        return True
    return facts.run.domain(Tries).cover(asked.node, "AttributeError")
