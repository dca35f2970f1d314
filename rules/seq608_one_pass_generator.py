"""A generator that ends is read more often than once.

## Why
Keras reads a generator on from where it stopped; it can't start it anew. One whose loop ends has batches for a single epoch. The epochs after it,
the later validations and the next call get nothing, or the little that Keras had put aside.

## Measured
- Keras 3: with `epochs=3` a generator of 5 batches gives 5 batches, and later epochs get 2 at most, the two that Keras had looked at before.
- Keras 3.10 and later: as `validation_data` it gives 5 batches, and later validations get 2 at most; `val_loss` is that of these two.
- Keras 3.0 to 3.9: as `validation_data` it makes `fit` fail in the second epoch: AttributeError "'NoneType' object has no attribute 'items'".
- Keras 2: with `epochs=3` a generator of 5 batches gives 5 batches, then 0, and the training ends.
- Keras 2: as `validation_data` it gives 5 batches, then 0; only the first epoch has a `val_loss`.
- Keras 3.10 and later: a second `fit`, `evaluate` or `predict` with the same generator raises ValueError, since it is empty.
- Keras 3.0 to 3.9: a second `fit`, `evaluate` or `predict` with the same generator raises IndexError.
- Keras 2: a second `fit`, `evaluate` or `predict` with the same generator raises StopIteration.

## Do this
Put the loop into `while True:` and say how many batches an epoch has, or write a Sequence, which Keras can start anew. Give each call a
generator of its own.

## Silent when
One epoch alone; the loop goes on for ever; seqlint can't tell whether what is gone through ends; steps that take only a part in each epoch.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (
    Contract,
    Example,
    Facts,
    Finding,
    Levels,
    Note,
    Rule,
    UsedUp,
    UsedUpGenerators,
    a_call_of_model,
    feed_node,
    for_ever,
    if_of_model,
    is_expected_to_fail,
    may_be_of_model,
    only_with_steps,
)

_START = """
import keras
import numpy as np

rows = np.arange(40, dtype="float32").reshape(20, 2) / 40
model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")


def once(rows):
    for start in range(0, len(rows), 4):
        yield rows[start : start + 4], rows[start : start + 4, :1]


def forever(rows):
    while True:
        yield from once(rows)


"""

_ONCE = _START[: _START.index("def forever")]
_LOOP = """    for start in range(0, len(rows), 4):
        yield rows[start : start + 4], rows[start : start + 4, :1]
"""
_ENDLESS = """    while True:
        for start in range(0, len(rows), 4):
            yield rows[start : start + 4], rows[start : start + 4, :1]
"""

RULE = Rule(
    code="SEQ608",
    name="one-pass-generator",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    contract=Contract(
        changes=frozenset({"samples", "epochs", "steps", "history", "weights", "stop", "warnings"}),
        holds=frozenset({"none lost"}),
    ),
    needs=(a_call_of_model,),
    examples=(
        Example(_START + "model.fit(once(rows), epochs=3, verbose=0)\n"),
        Example(
            _START
            + "model.fit(rows, rows[:, :1], epochs=2, validation_data=once(rows), validation_steps=len(rows) // 4, verbose=0)\n"
        ),
        Example(
            _ONCE + "model.fit(once(rows), epochs=3, steps_per_epoch=len(rows) // 4, verbose=0)\n",
            _ONCE.replace(_LOOP, _ENDLESS)
            + "model.fit(once(rows), epochs=3, steps_per_epoch=len(rows) // 4, verbose=0)\n",
        ),
        Example.where_unknown(_START + "def train(epochs):\n    model.fit(once(rows), epochs=epochs, verbose=0)\n"),
        Example.ok(_START + "model.fit(once(rows), verbose=0)\n"),
        Example.ok(_START + "model.fit(forever(rows), epochs=3, steps_per_epoch=5, verbose=0)\n"),
        Example.ok(_START + "model.fit(once(rows), epochs=2, steps_per_epoch=2, verbose=0)\n"),
    ),
)

_LATER = Note.on_keras_3(
    "later epochs get nothing, or the two batches that Keras had looked at", "the training ends after one epoch"
)
_HELD = Note(
    keras2="only the first epoch is validated",
    early="`fit` fails in the second epoch",
    keras3="later validations get two batches at most",
)
_EMPTY = Note(keras2="StopIteration", early="IndexError", keras3="ValueError: the generator is empty")


def check(facts: Facts) -> Iterator[Finding]:
    seen: set[object] = set()
    for used in facts.run.domain(UsedUpGenerators).all:
        call = used.feed.call
        node = feed_node(facts.run, used.feed)
        if node is None or node in seen or is_expected_to_fail(call) or not may_be_of_model(facts, call):
            continue
        seen.add(node)
        finding = _finding(facts, used, facts.run.span(node))
        if used.epochs is None and used.before is None:
            finding = finding.provided(f"`{call.result.method}` trains more than one epoch", RULE.levels)
        yield if_of_model(facts, call, _fixed(facts, finding, used), RULE.levels)


def _fixed(facts: Facts, finding: Finding, used: UsedUp) -> Finding:
    """A loop without an end, where the steps say how long an epoch is."""
    help_text = "loop with `while True` and give the steps, or write a Sequence"
    if used.before is not None:
        return but(finding, help="make a generator for each call", no_fix="where it shall be made is not known")
    function = only_with_steps(facts.run, used)
    edits = for_ever(facts, function) if function is not None else ()
    if function is None or not edits:
        return but(finding, help=help_text, no_fix="without an end it needs a number of steps wherever it is read")
    return finding.fixed_by(f"Let `{function.name}` begin anew", *edits)


def _finding(facts: Facts, used: UsedUp, span: tuple[int, int]) -> Finding:
    what, method = facts.run.slice(*span), used.feed.call.result.method
    what = f"`{' '.join(what.split())}`" if len(what) < 40 else "the generator"
    if used.before is not None:
        message = f"{what} has nothing left: `{used.before.call.result.method}` has read all of it"
        return facts.finding_at(span, message, _EMPTY)
    many = f"{used.epochs} epochs" if used.epochs is not None else "each epoch"
    if used.feed.role == "validated":
        message, note = f"{what} ends after one pass, and `{method}` validates after {many}", _HELD
    else:
        message, note = f"{what} ends after one pass, and `{method}` reads it for {many}", _LATER
    return facts.finding_at(span, message, note)
