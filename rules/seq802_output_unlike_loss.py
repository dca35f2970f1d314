"""The last layer gives something else than the loss takes.

## Why
A loss compares the labels either with probabilities or with logits, and can't see which of them it gets. A last layer without an activation gives
logits; the text "categorical_crossentropy" means probabilities. The training runs all the same.

## Measured
With a model of one layer, whose loss is known:

- Keras 3 and Keras 2: a linear layer under `sparse_categorical_crossentropy` logs 7.15, where 3.49 is right. A linear layer, `relu` or `tanh` under
  `binary_crossentropy` logs another loss than the 1.68 that is right.
- Every Keras: `softmax` over one unit is always 1; under a categorical loss the loss of a single output is always 0.0, and
  `sparse_categorical_crossentropy` raises InvalidArgumentError at the first label that is not 0.
- Every Keras: with `from_logits=True` after `softmax` or `sigmoid` as the last operation TensorFlow takes the numbers before it and warns: no
  number changes.
- Every Keras: with `from_logits=True` and another layer after `softmax`, such as `Reshape`, the loss is 1.18, where 3.49 is right.
- Every Keras: `sigmoid` under a categorical loss trains as `softmax` does; but the outputs that `predict` gives do not sum to 1.

## Do this
End the model in `softmax` for classes of which one is right, in `sigmoid` for yes or no; or leave the last layer without an activation and say
`from_logits=True`. For two classes take either one unit, `sigmoid` and `binary_crossentropy`, or two units, `softmax` and a categorical loss.

## Silent when
The loss is your own; the model has several outputs, or its end is not known; it is only a part of another model; `compile` is called again.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (
    Contract,
    Example,
    Facts,
    Finding,
    Levels,
    Rule,
    Sometimes,
    Unlike,
    UnlikeLosses,
    any_of,
    compile_place,
    matching,
    with_logits,
    without_logits,
)

_START = """
import keras
import numpy as np

rows = np.linspace(-1, 1, 24, dtype="float32").reshape(12, 2)
kinds = np.arange(12) % 3
model = keras.Sequential([keras.Input((2,)), keras.layers.Dense({last})])
model.compile(optimizer="sgd", loss={loss})
model.fit(rows, kinds, epochs=2, shuffle=False, verbose=0)
"""
_SPARSE = "keras.losses.SparseCategoricalCrossentropy({})"


def _program(last: str, loss: str) -> str:
    return _START.replace("{last}", last).replace("{loss}", loss)


RULE = Rule(
    code="SEQ802",
    name="output-unlike-loss",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    sometimes=Sometimes.everywhere("warning", "advice"),
    contract=Contract(changes=frozenset({"history", "weights", "settings"}), holds=frozenset({"only losses asked"})),
    needs=(any_of("compile"), matching(r"[Cc]ross_?entropy|[Ff]ocal|softmax|bce|BCE|cce|CCE")),
    examples=(
        Example(_program("3", '"sparse_categorical_crossentropy"'), _program("3", _SPARSE.format("from_logits=True"))),
        Example(
            _program('3, activation="softmax"', _SPARSE.format("from_logits=True")),
            _program('3, activation="softmax"', _SPARSE.format("from_logits=False")),
            contract=Contract(repairs=frozenset({"warnings", "settings"}), holds=frozenset({"only losses asked"})),
        ),
        Example(_program('1, activation="softmax"', '"mse"')),
        Example.ok(_program("3", _SPARSE.format("from_logits=True"))),
        Example.ok(_program('3, activation="softmax"', _SPARSE.format(""))),
    ),
    sources=(),
)

_MESSAGES = {
    "softmax of one": "`softmax` over one unit always gives 1",
    "one class": "`{loss}` of a single output can't distinguish classes",
    "no probabilities": "`{loss}` takes probabilities, but the last layer is {activation}",
    "twice": "`{loss}` takes logits, but the model gives what `{activation}` makes of them",
    "twice undone": "`{loss}` takes logits, but the last layer ends in `{activation}`",
    "not exclusive": "`sigmoid` gives each class a probability of its own; `{loss}` wants one of them",
}
_NOTES = {
    "softmax of one": "nothing is learned: the output is the same for each row",
    "one class": "the loss is always 0.0, or the first label that is not 0 raises InvalidArgumentError",
    "no probabilities": "the loss is cut off below 0 and above 1, so that it is another number",
    "twice": "the loss is another number: it takes the probabilities for logits",
    "twice undone": "TensorFlow takes the numbers before `{activation}` and warns; other backends do not",
    "not exclusive": "the training is that of `softmax`, but what `predict` gives does not sum to 1",
}
_HELPS = {
    "softmax of one": "take `sigmoid`, or a unit for each class",
    "one class": "take `sigmoid` and `binary_crossentropy`, or a unit for each class",
    "no probabilities": "end it in `{wanted}`, or give the loss `from_logits=True`",
    "twice": "leave `from_logits=True` out",
    "twice undone": "leave `from_logits=True` out",
    "not exclusive": "end the model in `softmax`",
}
_LEVELS = {"twice undone": Levels.everywhere("warning"), "not exclusive": Levels.everywhere("advice")}
_SAME = Contract(repairs=frozenset({"warnings", "settings"}), holds=frozenset({"only losses asked"}))


def check(facts: Facts) -> Iterator[Finding]:
    run, seen = facts.run, set[object]()
    for unlike in run.domain(UnlikeLosses).all:
        place = None
        if unlike.fault == "softmax of one" and run.is_own(unlike.head.activated_by.node):
            place = unlike.head.activated_by.node
        place = place or compile_place(run, unlike.compiled, "loss")
        if place is None or place in seen:
            continue
        seen.add(place)
        finding = facts.finding_at(run.span(place), _said(_MESSAGES, unlike), _said(_NOTES, unlike))
        finding = but(finding, levels=_LEVELS.get(unlike.fault))
        yield _fixed(facts, finding, unlike)


def _fixed(facts: Facts, finding: Finding, unlike: Unlike) -> Finding:
    loss, fault = unlike.loss, unlike.fault
    if loss is not None and unlike.is_alone:
        if fault == "twice undone" and (edits := without_logits(facts, loss)):
            return finding.fixed_by("Set `from_logits` to False", *edits, contract=_SAME)
        is_linear = fault == "no probabilities" and unlike.head.activation == "linear"
        if is_linear and (edits := with_logits(facts, unlike.compiled)):
            return finding.fixed_by("Let the loss take logits: `from_logits=True`", *edits)
    return but(finding, help=_said(_HELPS, unlike), no_fix="the layer and the loss can both be the wrong one")


def _said(texts: dict[str, str], unlike: Unlike) -> str:
    name = unlike.loss.name if unlike.loss is not None else ""
    activation = unlike.head.activation
    wanted = "sigmoid" if name.startswith("binary") else "softmax"
    return texts[unlike.fault].format(loss=name, activation=activation, wanted=wanted)
