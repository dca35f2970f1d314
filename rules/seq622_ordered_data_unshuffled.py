"""A model is trained on rows class by class, since nothing shuffles them.

## Why
Each batch pulls the model to its own class. Where all rows of a class come one after the other, the last class wins. `fit` shuffles arrays, unless it
gets `shuffle=False`; a flow of a folder shuffles, unless it gets it; a generator or Sequence of one's own has to do so itself.

## Measured
- Keras 3 and Keras 2: 600 points of three classes, one class after the other, with `fit(shuffle=False)`: after 5 epochs the accuracy is below 0.5,
  since the last class wins; with the shuffle of `fit` it is above 0.9.
- Keras 3 and Keras 2: the same with a generator that yields them in their order.

## Do this
Leave `shuffle=False` to what is predicted or evaluated. In a generator or Sequence go through a permutation of the places, drawn anew for each epoch.

## Silent when
Something in the file shuffles arrays or lists; nobody knows the order of the labels; pictures have no labels (`class_mode="input"` or None); a dataset of
tf.data is trained on (SEQ434).
"""

from collections.abc import Iterator

from seqlint.api import (
    Example,
    Facts,
    Finding,
    Levels,
    Ordered,
    OrderedFits,
    Rule,
    a_call_of_model,
    argument_place,
    here_or_imported,
    place_of,
)

_START = """
import keras
import numpy as np

rows = np.concatenate([np.zeros((20, 3), "float32"), np.ones((20, 3), "float32")])
marks = np.array([0] * 20 + [1] * 20)
model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1, "sigmoid")])
model.compile(optimizer="sgd", loss="binary_crossentropy")


def once():
    for at in range(0, 40, 5):
        yield rows[at : at + 5], marks[at : at + 5]
"""

RULE = Rule(
    code="SEQ622",
    name="ordered-data-unshuffled",
    since="0.1.0",
    levels=Levels.everywhere("warning"),
    needs=(here_or_imported(a_call_of_model),),
    examples=(
        Example(_START + "model.fit(rows, marks, shuffle=False, epochs=2, verbose=0)\n"),
        Example.ok(_START + "model.fit(rows, marks, epochs=2, verbose=0)\n"),
        Example.ok(
            _START + "marks = marks.reshape(2, 20).T.ravel()\nmodel.fit(rows, marks, shuffle=False, verbose=0)\n"
        ),
    ),
)


_MESSAGES = {
    "arrays": "`shuffle=False` trains on the rows class by class",
    "flow": "training data come class by class: the flow doesn't shuffle its folders",
    "source": "training data come class by class: nothing shuffles their source",
}
_NOTE = "a model learned 0.33 in place of 0.98 of three classes that came one after the other"
_HELP = {
    "arrays": "leave `shuffle` out",
    "flow": "leave `shuffle=False` to what is predicted",
    "source": "go through a permutation of the rows, drawn anew for each epoch",
}


def check(facts: Facts) -> Iterator[Finding]:
    seen = set()
    for each in facts.run.domain(OrderedFits).unshuffled():
        where = _place(facts, each)
        if where is not None and where not in seen:
            seen.add(where)
            yield facts.finding_at(where, _MESSAGES[each.why], _NOTE, _HELP[each.why])


def _place(facts: Facts, each: Ordered) -> tuple[int, int] | None:
    run = facts.run
    if each.step is not None:
        step = place_of(run, each.step, each.call.result)
        written = run.written(run.call_of[each.step], "shuffle")
        return run.span(written) if written is not None else run.step_span(step) if step is not None else None
    where = argument_place(run, each.call, "shuffle" if each.why == "arrays" else "x")
    arguments = getattr(each.call.node, "args", [])
    if each.why == "source" and where is not None and arguments:
        where = arguments[0]
    return run.span(where) if where is not None else None
