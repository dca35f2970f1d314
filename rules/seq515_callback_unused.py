"""A callback is made, and no `fit` gets it.

## Why
A callback does nothing until it is in the `callbacks` of a `fit`. One that is only assigned to a variable leaves no trace: nothing is stopped,
saved or logged, and nothing says so.

## Measured
- Every Keras: an EarlyStopping with `patience=0` that is made and not passed lets all 4 epochs run, where 2 are run with it.
- Every Keras: `hooks = hooks.append(early)` makes `hooks` None, and `fit(callbacks=None)` runs all 4 epochs, too.
- On every Keras, a ModelCheckpoint that is not passed writes no file.

## Do this
Pass it, or delete it. The fix passes callbacks of Keras that a variable holds to the only `fit` of the file, below in the same block, where it
surely logs what they decide by. Callbacks of one's own are left to the reader, and so are those that set the learning rate.

## Silent when
Anything that is not seen gets the callback, or the list or object that it is in; not all of the program could be followed; the file
trains nothing after it was made.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (
    Contract,
    Edit,
    Example,
    Facts,
    Finding,
    Levels,
    Note,
    Rule,
    UnusedCallback,
    UnusedCallbacks,
    any_of,
    matching,
    pass_callbacks,
    without_result,
)

_START = """
import keras
import numpy as np

rows = np.arange(24, dtype="float32").reshape(24, 1) / 24
model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
"""
_EARLY = _START + 'early = keras.callbacks.EarlyStopping("loss", min_delta=9, patience=1)\n'
_LIST = _START + 'hooks = [keras.callbacks.TerminateOnNaN(), keras.callbacks.CSVLogger("log.csv")]\n'
_FIT = "model.fit(rows, 2 * rows, epochs=5, verbose=0, callbacks=hooks)\n"

RULE = Rule(
    code="SEQ515",
    name="callback-unused",
    since="0.1.0",
    levels=Levels.everywhere("warning"),
    contract=Contract(
        changes=frozenset({"hooks", "stop", "epochs", "steps", "samples", "history", "weights", "state", "output"})
    ),
    needs=(any_of("fit", "fit_generator"), matching(r"[cC]allback")),
    examples=(
        Example(
            _EARLY + "model.fit(rows, 2 * rows, epochs=5, verbose=0)\n",
            _EARLY + "model.fit(rows, 2 * rows, epochs=5, verbose=0, callbacks=[early])\n",
        ),
        Example(
            _LIST + "model.fit(rows, 2 * rows, epochs=2, verbose=0)\n",
            _LIST + "model.fit(rows, 2 * rows, epochs=2, verbose=0, callbacks=hooks)\n",
        ),
        Example(
            _EARLY + "hooks = []\nhooks = hooks.append(early)\n" + _FIT,
            _EARLY + "hooks = []\nhooks.append(early)\n" + _FIT,
        ),
        Example.ok(_EARLY + "model.fit(rows, 2 * rows, epochs=5, verbose=0, callbacks=[early])\n"),
        Example.ok(_LIST + _FIT),
    ),
)

_NOTE = Note("none of its hooks is called, and nothing says so")


def check(facts: Facts) -> Iterator[Finding]:
    for unused in facts.run.domain(UnusedCallbacks).all:
        yield _lost(facts, unused) if unused.lost_by is not None else _finding(facts, unused)


def _lost(facts: Facts, unused: UnusedCallback) -> Finding:
    lost = unused.lost_by
    assert lost is not None
    what = f"`{unused.name}`" if unused.name and unused.is_list else "the list"
    message = f"`append` gives None, so {what} is lost with {_classes(unused)}"
    finding = facts.finding_at(facts.run.span(lost), message, _NOTE)
    return _mended(finding, without_result(facts, lost), "Append on a line of its own", "append on a line of its own")


def _finding(facts: Facts, unused: UnusedCallback) -> Finding:
    what = f"`{unused.name}`" if unused.name else f"`{unused.classes[0]}`"
    held = f" with {_classes(unused)}" if unused.is_list else ""
    made = "made" if not unused.is_list else "filled"
    finding = facts.finding_at(facts.run.span(unused.node), f"{what} is {made}{held}, and no `fit` gets it", _NOTE)
    return _mended(finding, pass_callbacks(facts, unused), f"Pass {what}", "pass it, or delete it")


def _mended(finding: Finding, edit: Edit | str, title: str, by_hand: str) -> Finding:
    return finding.fixed_by(title, edit) if isinstance(edit, Edit) else but(finding, help=by_hand).unfixed(edit)


def _classes(unused: UnusedCallback) -> str:
    shown = " and ".join(f"`{name}`" for name in unused.classes[:2])
    return shown if len(unused.classes) < 3 else f"{len(unused.classes)} callbacks"
