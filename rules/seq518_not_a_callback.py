"""`fit` gets something among its callbacks that is none.

## Why
Keras asks each of its callbacks for `set_model` before the first epoch. A class without the base `Callback` does not have it, however many hooks it has;
nor does a function, a text or an optimizer. A class that is not called has it, and lacks the object.

## Measured
- On every Keras an object of a class without the base raises AttributeError "object has no attribute 'set_model'".
- On every Keras a function, a str, an optimizer, None in a list and a set raise AttributeError, too.
- On every Keras `callbacks=[EarlyStopping]`, the class, raises TypeError "missing 1 required positional argument: 'model'".
- On every Keras a single callback, a tuple, a dict and a list in a list are accepted, and `callbacks=None`.

## Do this
Inherit from `keras.callbacks.Callback`, or call the class. The fix adds the base to a class that has none and whose hooks take what Keras passes;
where something else is among the callbacks, nobody knows what is meant.

## Silent when
The class has a base that is not seen, or `set_model` or `__getattr__` of its own.
"""

from collections.abc import Iterator

from seqlint.api import (
    Contract,
    Example,
    Facts,
    Finding,
    Levels,
    Rule,
    Stranger,
    Strangers,
    any_of,
    callee,
    give_callback_base,
)

_MODEL = """
rows = np.ones((8, 3), "float32")
model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
"""
_START = (
    """
import keras
import numpy as np


class Watch:
    def on_epoch_end(self, epoch, logs=None):
        print("epoch", epoch)

"""
    + _MODEL
)
_BASED = _START.replace("class Watch:", "class Watch(keras.callbacks.Callback):")
_FIT = "model.fit(rows, rows[:, :1], epochs=2, verbose=0, callbacks=[Watch()])\n"
_CLASS = "import keras\nimport numpy as np\n" + _MODEL
_GIVEN = "model.fit(rows, rows[:, :1], epochs=2, verbose=0, callbacks=[keras.callbacks.TerminateOnNaN])\n"

RULE = Rule(
    code="SEQ518",
    name="not-a-callback",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    contract=Contract(repairs=frozenset({"errors"})),
    needs=(any_of("fit", "fit_generator"), any_of("callbacks")),
    examples=(
        Example(_START + _FIT, _BASED + _FIT),
        Example(_CLASS + _GIVEN),
        Example.where_unknown(
            "def train(model, rows):\n    model.fit(rows, callbacks=[print, lambda epoch, logs: None])\n"
        ),
        Example.ok(_BASED + _FIT),
        Example.ok(_CLASS + _GIVEN.replace("NaN]", "NaN()]")),
    ),
    sources=("keras-team/keras#23263",),
)


def check(facts: Facts) -> Iterator[Finding]:
    for stranger in facts.run.domain(Strangers).all:
        finding = _finding(facts, stranger)
        if stranger.is_sure:
            yield finding
        else:
            yield finding.provided(f"`{callee(facts.run, stranger.fit)}` is that of a Keras model", RULE.levels)


def _finding(facts: Facts, stranger: Stranger) -> Finding:
    if stranger.cls is None:
        raises = "TypeError" if "the class" in stranger.what else "AttributeError"
        help_ = "call it" if "the class" in stranger.what else "pass callbacks only"
        message = f"the callbacks have {stranger.what} among them"
        return facts.finding_at(
            facts.run.span(stranger.node), message, f"`fit` raises {raises} before the first epoch", help_
        ).unfixed("nobody knows what is meant")
    owner = next(
        one
        for one in facts.classes
        if facts.span(one.node) == facts.run.span(stranger.cls) or one.name == stranger.cls.name
    )
    message = f"`{owner.name}` is given as a callback, and has no base"
    note = "`fit` raises AttributeError before the first epoch"
    edits = give_callback_base(facts, owner)
    if isinstance(edits, str):
        return facts.finding(owner.node, message, note, "inherit from `keras.callbacks.Callback`").unfixed(edits)
    return facts.finding(owner.node, message, note).fixed_by("Inherit from `keras.callbacks.Callback`", *edits)
