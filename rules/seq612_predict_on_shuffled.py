"""Predictions on shuffled data are compared with labels in another order.

## Why
`flow_from_directory` and `image_dataset_from_directory` shuffle by default, and `predict` gets the rows in that order. `.classes` and
`.filenames` are in the order of the files. A second pass over a shuffled dataset has an order of its own. So the report compares each
prediction with the label of another row, while `evaluate` of the same model is right.

## Measured
- Keras 3 and Keras 2: with the shuffle a perfect classifier agrees with `.classes` of `flow_from_directory` by chance alone, and with
  `shuffle=False` everywhere.
- Keras 3 and Keras 2: the same with labels that another pass over `image_dataset_from_directory` gives.
- Keras 3 and Keras 2: the same with a Sequence of one's own that shuffles its indexes, and the labels that it was made of.
- Keras 3 and Keras 2: `flow.reset()` before `predict` does not help.

## Do this
Pass `shuffle=False` where the data for `predict` are made. If a model trains on the same data, make a second source for `predict`. Or
predict batch by batch, in the loop that takes the labels. For one `subset` of a directory use that loop: the shuffle comes before the
split, so `shuffle=False` on one subset alone makes it overlap the other.

## Silent when
The order is kept: `shuffle=False`, `reshuffle_each_iteration=False`; the labels are sorted by the `index_array` of the flow.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (
    Compared,
    Comparisons,
    Contract,
    Edit,
    Example,
    Facts,
    Finding,
    Levels,
    Rule,
    TrainerCall,
    a_member,
    a_shuffled_source,
    a_source,
    add_argument,
    if_on_model,
)

_FILES = """
import os

import keras
import numpy as np

for number in range(8):
    os.makedirs(f"leaves/{number % 2}", exist_ok=True)
    keras.utils.save_img(f"leaves/{number % 2}/{number}.png", np.full((4, 4, 3), 30.0 * number), scale=False)
model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(1, kernel_initializer="ones")])
model.compile(optimizer="sgd", loss="mse")
"""
_DATASET = (
    _FILES
    + """
held_out = keras.utils.image_dataset_from_directory("leaves", image_size=(4, 4), batch_size=3)
labels = np.concatenate([label for _, label in held_out])
scores = model.predict(held_out, verbose=0)
print(np.corrcoef(scores[:, 0], labels))
"""
)
_FLOW = (
    _FILES
    + """
reader = keras.preprocessing.image.ImageDataGenerator(rescale=1 / 255)
flow = reader.flow_from_directory("leaves", target_size=(4, 4), batch_size=3, class_mode="binary")
model.fit(flow, epochs=2)
picked = model.predict(flow, verbose=0)[:, 0]
print(np.corrcoef(picked, flow.classes))
"""
)

RULE = Rule(
    code="SEQ612",
    name="predict-on-shuffled",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    contract=Contract(changes=frozenset({"history", "state", "output"}), holds=frozenset({"answers stay"})),
    needs=(a_member("predict", "predict_generator"), a_source, a_shuffled_source),
    examples=(
        Example(
            _DATASET,
            _DATASET.replace("batch_size=3)", "batch_size=3, shuffle=False)"),
        ),
        Example(
            _DATASET.replace("batch_size=3)", "batch_size=3, shuffle=True)"),
            _DATASET.replace("batch_size=3)", "batch_size=3, shuffle=False)"),
        ),
        Example(_DATASET.replace("batch_size=3)", 'batch_size=3, validation_split=0.5, subset="validation", seed=1)')),
        Example(_FLOW, keras="<3"),
        Example.ok(_DATASET.replace("batch_size=3)", "batch_size=3, shuffle=False)")),
        Example.ok(
            _FILES
            + """
held_out = keras.utils.image_dataset_from_directory("leaves", image_size=(4, 4), batch_size=3)
hits = []
for pictures, labels in held_out:
    hits += list((model.predict(pictures, verbose=0)[:, 0] > 0.5) == labels.numpy())
print(np.mean(hits))
"""
        ),
    ),
    sources=("keras-team/keras#11427", "keras-team/keras#3849", "keras-team/keras#6499"),
)


# What a Sequence of the file's own gives is recorded batch by batch.
_OWN = Contract(frozenset({"samples", "order", "history", "state", "output"}), holds=frozenset({"answers stay"}))


def check(facts: Facts) -> Iterator[Finding]:
    for compared in facts.run.domain(Comparisons).all:
        predict = facts.trainer_call(compared.predict)
        if predict is None:
            continue
        note = "each prediction is compared with the label of another row"
        finding = facts.finding_at(facts.run.span(compared.source.node), _message(facts, compared, predict), note)
        edit = _kept_order(facts, compared)
        contract = _OWN if compared.source.kind == "sequence" else None
        if edit is not None:
            finding = finding.fixed_by("Keep the order", edit, contract=contract)
        else:
            finding = but(finding, help=_help(compared), no_fix=_reason(facts, compared))
        yield if_on_model(facts, predict, finding, RULE.levels)


def _message(facts: Facts, compared: Compared, predict: TrainerCall) -> str:
    data = facts.text(predict.data) if predict.data is not None else "the data"
    others = {
        "dataset": f"and the loop over `{compared.labels}` in another",
        "sequence": f"but `{compared.labels}` keeps its order",
        "flow": f"but `{compared.labels}` is in file order",
    }
    called = facts.text(predict.node.func)
    return f"`{called}` reads `{data}` in random order, {others[compared.source.kind]}"


def _help(compared: Compared) -> str:
    if compared.trains:
        return "make a second source without shuffling for `predict`"
    if compared.source.is_part_of_split:
        return "take labels and predictions in one loop"
    return "make the data for `predict` without shuffling"


def _reason(facts: Facts, compared: Compared) -> str:
    if compared.trains:
        return "a model trains on the same data"
    if compared.source.kind == "sequence":
        return f"`{facts.run.text(compared.source.node.func)}` always shuffles"
    if compared.source.is_part_of_split:
        return "`shuffle=False` on one subset alone would make it overlap the other"
    return "the call that shuffles has no plain argument for it"


def _kept_order(facts: Facts, compared: Compared) -> Edit | None:
    source = compared.source
    if compared.trains or not source.parameter or source.is_part_of_split:
        return None
    if source.given is not None:
        return Edit(*facts.run.span(source.given), "False")
    call = facts.call_node(source.node)
    if call is None or any(argument.star for argument in call.args):
        return None
    return add_argument(facts, call, f"{source.parameter}=False")
