"""A broad `except` swallows a failed `model.fit`, and the program goes on.

## Why
After an exception Keras calls neither `on_epoch_end` nor `on_train_end` of any callback. So checkpoints, logs and restored weights are
missing, and the model is half-trained. The program ends with the exit status of success, or goes on with that model.

## Measured
- Keras 3.10 and later: an exception from the data, from a callback or KeyboardInterrupt leaves `fit` at once; no hook
  of a callback runs any more. It arrives as itself from the first two batches, later as an error of TensorFlow with the
  original text.
- Keras 3.0 to 3.9 and Keras 2: nothing catches it either.

## Do this
Print or log what you need, and raise again. Where Ctrl-C should end training early, catch `KeyboardInterrupt` only: the code after it
still runs. Where a failure may happen, as in a search over parameters, record it, so that the rest of the program can tell.

## Silent when
The handler raises, leaves the program, returns, or does something about the failure; later code asks whether it happened; a cell of a
notebook ends with it and prints the error; the loop around it makes a new model or new data for each iteration, or tries again; the code
is a test.
"""

import re
from collections.abc import Iterator

from seqlint.api import (
    Contract,
    Example,
    Facts,
    Finding,
    HiddenFit,
    Levels,
    Rule,
    a_call_of_model,
    any_of,
    catch_only,
    cst,
    end_with,
    if_on_model,
    unwrap,
)

_MODEL = """
model = keras.Sequential([keras.Input((2,)), keras.layers.Dense({units}, kernel_initializer="ones")])
model.compile(optimizer="sgd", loss="mse")
"""
_ONE, _TWO = _MODEL.format(units=1), _MODEL.format(units=2)

RULE = Rule(
    code="SEQ614",
    name="fit-failure-hidden",
    since="0.1.0",
    levels=Levels.everywhere("warning"),
    contract=Contract(changes=frozenset({"errors"})),
    needs=(a_call_of_model, any_of("except")),
    examples=(
        Example(
            """
import keras
import numpy as np


class Journal(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        print(f"epoch {epoch + 1}: {logs['val_loss']:.3f}")

"""
            + _ONE
            + """
try:
    model.fit(np.ones((8, 2)), np.ones((8, 1)), epochs=2, verbose=0, callbacks=[Journal()])
except Exception as error:
    print(f"training failed: {error}")
""",
            """
import keras
import numpy as np


class Journal(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        print(f"epoch {epoch + 1}: {logs['val_loss']:.3f}")

"""
            + _ONE
            + """
try:
    model.fit(np.ones((8, 2)), np.ones((8, 1)), epochs=2, verbose=0, callbacks=[Journal()])
except Exception as error:
    print(f"training failed: {error}")
    raise
""",
        ),
        Example(
            """
import keras
import numpy as np
"""
            + _TWO
            + """

def train(labels):
    model.fit(np.ones((8, 2)), labels, epochs=1, verbose=0)


try:
    train(np.ones((8, 2)))
    try:
        train(np.ones((8, 3)))
    except Exception as error:
        print(f"three columns: {type(error).__name__}")
except:
    pass
""",
            """
import keras
import numpy as np
"""
            + _TWO
            + """

def train(labels):
    model.fit(np.ones((8, 2)), labels, epochs=1, verbose=0)


train(np.ones((8, 2)))
try:
    train(np.ones((8, 3)))
except Exception as error:
    print(f"three columns: {type(error).__name__}")
    raise
""",
        ),
        Example(
            """
import logging

import keras
import numpy as np

logger = logging.getLogger("training")
"""
            + _ONE
            + """
for part in range(2):
    rows = np.ones((8, 2 + part))
    try:
        model.fit(rows, np.ones((8, 1)), epochs=1, verbose=0)
    except (OSError, Exception): logger.exception("part %d", part); continue
""",
            """
import logging

import keras
import numpy as np

logger = logging.getLogger("training")
"""
            + _ONE
            + """
for part in range(2):
    rows = np.ones((8, 2 + part))
    try:
        model.fit(rows, np.ones((8, 1)), epochs=1, verbose=0)
    except (OSError, Exception):
        logger.exception("part %d", part)
        raise
""",
        ),
        Example(
            """
import keras
import numpy as np
"""
            + _ONE
            + """

def train(labels):
    finished = True
    try:
        model.fit(np.ones((8, 2)), labels, epochs=1, verbose=0)
    except Exception:
        finished = False
        print("the training has failed")
    model.get_weights()


train(np.ones((9, 1)))
""",
            """
import keras
import numpy as np
"""
            + _ONE
            + """

def train(labels):
    finished = True
    try:
        model.fit(np.ones((8, 2)), labels, epochs=1, verbose=0)
    except Exception:
        finished = False
        print("the training has failed")
        raise
    model.get_weights()


train(np.ones((9, 1)))
""",
        ),
        Example.where_unknown(
            """
import keras

keras.utils.set_random_seed(1)


def train(learning, rows, labels):
    try:
        learning.fit(rows, labels, epochs=3)
    except Exception:
        pass
    return learning.predict(rows)
"""
        ),
        Example.ok(
            """
import keras
import numpy as np


def trial(units):
    model = keras.Sequential([keras.layers.Dense(units), keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
    return model


results = {}
for units in (1, 2):
    net = trial(units)
    try:
        history = net.fit(np.ones((8, 2)), np.ones((8, 1)), epochs=1, verbose=0)
    except Exception as error:
        print(f"{units} units failed: {error}")
        continue
    results[units] = history.history["loss"][-1]
"""
        ),
        Example.ok(
            """
import sys

import keras


def train(model, rows, labels):
    history = None
    try:
        history = model.fit(rows, labels, epochs=3)
    except KeyboardInterrupt:
        print("stopped by hand")
    except Exception as error:
        print(f"training failed: {error}")
    if history is None:
        sys.exit(1)
    return model
"""
        ),
        Example.ok(
            """
import keras


def score(model, rows, labels):
    try:
        model.fit(rows, labels, epochs=3)
        return model.evaluate(rows, labels)
    except Exception as error:
        print(f"this trial failed: {error}")
        return float("nan")
"""
        ),
    ),
    sources=("keras-team/keras#12309",),
)


_BY_HAND = re.compile(r"(?i)interrupt|ctrl|control-c|keyboard|stopp|abort|cancel|by hand|by user")


def check(facts: Facts) -> Iterator[Finding]:
    for hidden in facts.hidden_fits.all:
        if _is_shown(facts, hidden):
            continue
        yield if_on_model(facts, hidden.fit, _finding(facts, hidden), RULE.levels)


def _finding(facts: Facts, hidden: HiddenFit) -> Finding:
    kinds = hidden.handler.type
    caught = f"except {facts.source.slice(*facts.tree.outer_span(kinds))}" if kinds is not None else "except"
    fit = facts.text(hidden.fit.node.func)
    through = "" if hidden.call is hidden.fit.node else f" in `{facts.text(hidden.call.func)}`"
    finding = facts.finding(
        hidden.handler,
        f"`{caught}` swallows a failed `{fit}`{through}",
        "`on_epoch_end` and `on_train_end` of the callbacks have not run, and the program goes on with a half-trained model",
    )
    if _may_serve_by_hand(facts, hidden):
        return finding.fixed_by(
            "Catch `KeyboardInterrupt` only", catch_only(facts, hidden.handler, "KeyboardInterrupt")
        )
    whole = unwrap(facts, hidden.handler) if _says_nothing(hidden) else None
    if whole is not None:
        return finding.fixed_by("Remove the `try`", whole)
    title = "Raise it again" if _says_nothing(hidden) else "Raise it again after the message"
    return finding.fixed_by(title, end_with(facts, hidden.handler, hidden.idle, "raise"))


def _may_serve_by_hand(facts: Facts, hidden: HiddenFit) -> bool:
    """Whether a handler also catches Ctrl-C, and may be meant to: it says so, or something runs after it, such as a save."""
    handler = hidden.handler
    guarded = facts.tree.parents[handler]
    assert isinstance(guarded, cst.Try)
    if not _catches_ctrl_c(facts, handler) or any(
        other is not handler and other.type is not None and _catches_ctrl_c(facts, other) for other in guarded.handlers
    ):
        return False
    return guarded is not facts.module.body[-1] or _BY_HAND.search(facts.text(handler)) is not None


def _catches_ctrl_c(facts: Facts, handler: cst.ExceptHandler) -> bool:
    kinds = handler.type
    if kinds is None:
        return True
    each = [element.value for element in kinds.elements] if isinstance(kinds, cst.Tuple) else [kinds]
    return any(facts.qualified(kind) in ("builtins.BaseException", "builtins.KeyboardInterrupt") for kind in each)


def _is_shown(facts: Facts, hidden: HiddenFit) -> bool:
    """Whether the failure itself is what a cell of a notebook shows: it ends with the error that it prints."""
    notebook, guarded = facts.source.notebook, facts.tree.parents[hidden.handler]
    if notebook is None or guarded not in facts.module.body:
        return False
    start, stop = facts.span(guarded)
    end = next(end for _, end in notebook.spans if stop <= end)  # of the cell
    if any(start < facts.span(node)[0] < end for node in facts.module.body):
        return False
    bound = hidden.handler.name
    error = bound.name.value if bound is not None and isinstance(bound.name, cst.Name) else None
    prints = any(name.value == error for name in facts.tree.inside(hidden.handler.body, cst.Name))
    calls = facts.tree.inside(hidden.handler.body, cst.Call)
    return prints or any((facts.qualified(call.func) or "").startswith("traceback.") for call in calls)


def _says_nothing(hidden: HiddenFit) -> bool:
    return isinstance(hidden.idle, (cst.Pass, cst.Expr)) and len(hidden.handler.body.body) == 1
