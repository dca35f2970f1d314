"""Inputs are scaled for the training, and otherwise where the model is scored.

## Why
A model learns the scale of its inputs. Rows of another scale are other rows to it: its answers are far off, and nothing fails. The same happens
where a scaler is fitted once more on the rows of a test: their mean is 0 again, wherever it was.

## Measured
- Keras 3 and Keras 2: a model that tells two kinds of pictures after a division by 255 is right for 100 % of others that are divided, too, and for
  50 % of those that are not.
- Keras 3 and Keras 2: with a `StandardScaler` fitted once more on 20 test rows of one kind, it is right for about half of them, in place of all.
- Keras 3 and Keras 2: pictures that are divided by 255 twice lie between 0 and 0.004.
- Keras 3 and Keras 2: an `ImageDataGenerator` with `preprocess_input` of `mobilenet_v2` and `rescale=1 / 255` gives -0.004 to 0.004.

## Do this
Put the scale into the model, as a `Rescaling` or `Normalization` layer. Or do for all parts what was done for the training part: `transform` with the
scaler that was fitted on it.

## Silent when
The two parts have no common source; a function on the way is not known; training alone draws changes.
"""

from collections.abc import Iterator

from seqlint.api import (
    Example,
    Facts,
    Finding,
    Levels,
    Preprocessed,
    Rule,
    Unscaled,
    a_call_of_model,
    argument_place,
    here_or_imported,
)

_START = """
import keras
import numpy as np

pictures = np.random.default_rng(1).integers(0, 255, (40, 6)).astype("float32")
marks = np.arange(40) % 2
rows, held = pictures[:30], pictures[30:]
model = keras.Sequential([keras.Input((6,)), keras.layers.Dense(1, "sigmoid")])
model.compile(optimizer="sgd", loss="binary_crossentropy")
"""

RULE = Rule(
    code="SEQ627",
    name="preprocessed-unlike",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    needs=(here_or_imported(a_call_of_model),),
    examples=(
        Example(_START + "model.fit(rows / 255, marks[:30], validation_data=(held, marks[30:]), verbose=0)\n"),
        Example(
            _START
            + """rows = rows / 255
model.fit(rows / 255, marks[:30], validation_data=(held / 255, marks[30:]), verbose=0)
"""
        ),
        Example.ok(_START + "model.fit(rows / 255, marks[:30], validation_data=(held / 255, marks[30:]), verbose=0)\n"),
        Example.ok(
            _START + "model.fit(rows / 255, marks[:30], validation_data=(held * (1 / 255), marks[30:]), verbose=0)\n"
        ),
    ),
)


_DATA = {
    "validation": "validation data",
    "evaluate": "data of `evaluate`",
    "predict": "data of `predict`",
    "train": "training data",
}
_NAMES = {"train": "x", "validation": "validation_data", "evaluate": "x", "predict": "x"}
_NOTE = "a model that is right for 100 % of such rows is right for 50 % where they have another scale"
_TWICE = "the pictures spread over 1/255 of the range that is meant"
_HELP = "scale all parts alike, best by a layer of the model"


def check(facts: Facts) -> Iterator[Finding]:
    seen = set()
    for each in facts.run.domain(Preprocessed).unlike:
        where = _place(facts, each)
        if where is None or where in seen:
            continue
        seen.add(where)
        note = _TWICE if each.how == "twice" else _NOTE
        yield facts.finding_at(where, _message(each), note, _help(each))


def _message(each: Unscaled) -> str:
    data, what = _DATA[each.reader.role], _what(each)
    return {
        "missing": f"{data} miss {what} that the training data get",
        "added": f"{data} get {what} that the training data don't get",
        "own": f"{data} are scaled by numbers of their own rows: {what}",
        "other": f"{data} are scaled otherwise than the training data: {what}",
        "twice": f"{data} are scaled twice: {what} comes second",
    }[each.how]


def _what(each: Unscaled) -> str:
    made = each.scale.made
    if each.scale.kind == "times" and made.op == "operator":
        return f"the `{made.name}`"
    return "`rescale`" if made.method == "ImageDataGenerator" else f"`{made.method.removesuffix('()') or 'Rescaling'}`"


def _help(each: Unscaled) -> str:
    if each.how == "own":
        return "call `transform` of the scaler that was fitted on the training data"
    return "scale once" if each.how == "twice" else _HELP


def _place(facts: Facts, each: Unscaled) -> tuple[int, int] | None:
    """The operation that is too much, or the data that lack one."""
    made = each.scale.made
    call = facts.run.call_of.get(made)
    if each.how in ("own", "twice") and made.node is not None and made.module is facts.run.machine.main:
        return facts.run.step_span(made.node) if call is not None else facts.run.span(made.node)
    reader = each.reader
    where = argument_place(facts.run, reader.call, _NAMES[reader.role])
    if reader.role != "validation" and where is not None and facts.run.is_here(reader.call.context):
        arguments = getattr(reader.call.node, "args", [])
        where = arguments[0] if arguments else where
    return facts.run.span(where) if where is not None else None
