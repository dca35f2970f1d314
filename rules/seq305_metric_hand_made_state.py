"""A Metric keeps its state in a variable that Keras does not know.

## Why
Keras resets the variables of `add_weight` before each epoch and each validation, and a strategy adds them up over its replicas. A
variable made by hand belongs to one replica, and Keras 3 never resets it.

## Measured
With a metric that counts the rows of each pass, of which there are 15:

- Keras 3.10 and later: a `tf.Variable` is never reset: 15 and 45 in two epochs, 30 and 60 for their validations,
  unless the class has a `reset_state` of its own. With two replicas under MirroredStrategy it counts 8 of 15, and so
  does a `keras.Variable`.
- Keras 3.0 to 3.9: the same. With two replicas a weight of `add_weight` is just as wrong: it counts 8 of 15 up to 3.6, and
  23 from 3.7 to 3.9.
- Keras 2: a `tf.Variable` is reset. With two replicas it counts 8 of 15.

## Do this
Use `self.add_weight(name=..., initializer="zeros")` in `__init__`. For a state that does not start at zero give its own `initializer`
and `shape`.

## Silent when
No strategy is used, and the project runs on Keras 2 or the class resets its state itself; the variable says how replicas are joined
(`synchronization=`, `aggregation=`).
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (  # fmt: skip
    Contract,
    Edit,
    Example,
    Facts,
    Finding,
    Levels,
    MetricState,
    Note,
    Rule,
    any_of,
    replace,
)

_TRAIN = """

x = np.arange(16, dtype="float32").reshape(16, 1) / 16
{}model.fit(x, x, batch_size=8, epochs=2, verbose=0, shuffle=False, validation_data=(x, x))
"""
_MODEL = """model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1, kernel_initializer="ones")])
model.compile(optimizer="sgd", loss="mse", metrics=[Rows()])
"""
_SCOPED = "with tf.distribute.MirroredStrategy().scope():\n" + "".join(f"    {line}\n" for line in _MODEL.splitlines())
_COUNT = """
import keras
import numpy as np
import tensorflow as tf


class Rows(keras.metrics.Metric):
    def __init__(self, name="rows", **kwargs):
        super().__init__(name=name, **kwargs)
        self.seen = {}

    def update_state(self, y_true, y_pred, sample_weight=None):
        self.seen.assign_add(tf.cast(tf.shape(y_true)[0], "float32"))

    def result(self):
        return self.seen + 0.0
"""
_RESET = """
    def reset_state(self):
        self.seen.assign(0.0)
"""
_BARE = "tf.Variable(0.0, trainable=False)"
_WEIGHT = 'self.add_weight(name="seen", initializer="zeros")'

RULE = Rule(
    code="SEQ305",
    name="metric-hand-made-state",
    since="0.1.0",
    levels=Levels(keras2="error", early="error", keras3="error"),
    contract=Contract(changes=frozenset({"history"}), holds=frozenset({"losses stay", "as on one replica"})),
    needs=(any_of("update_state"),),
    examples=(
        Example(
            _COUNT.format(_BARE) + _TRAIN.format(_MODEL),
            _COUNT.format(_WEIGHT) + _TRAIN.format(_MODEL),
            keras=">=3",
        ),
        Example(
            _COUNT.format(_BARE) + _RESET + _TRAIN.format(_SCOPED),
            _COUNT.format(_WEIGHT) + _RESET + _TRAIN.format(_SCOPED),
            keras=">=2.15",
        ),
        Example(_COUNT.format("tf.Variable([1.0, 2.0], trainable=False)") + _TRAIN.format(_MODEL), keras=">=3"),
        Example.ok(_COUNT.format(_WEIGHT) + _TRAIN.format(_SCOPED)),
        Example.ok(_COUNT.format(_BARE) + _TRAIN.format(_MODEL), keras="tf-keras"),
        Example.ok(_COUNT.format(_BARE) + _RESET + _TRAIN.format(_MODEL), keras=">=3"),
    ),
    sources=("keras-team/keras#21054",),
)

_ON_KERAS_3 = Levels(keras2=None, early="error", keras3="error")


def check(facts: Facts) -> Iterator[Finding]:
    for state in facts.metric_states.all:
        if not _is_wrong(facts, state):
            continue
        mirrored = _is_mirrored(facts, state)
        finding = _fixed(facts, state, _finding(facts, state, mirrored=mirrored))
        yield finding if mirrored else but(finding, levels=_ON_KERAS_3)


def _fixed(facts: Facts, state: MetricState, finding: Finding) -> Finding:
    together = facts.metric_states.together(state)
    states = [each for each in together or () if _is_wrong(facts, each)]
    edits = _as_weights(facts, states)
    if edits:
        names = " and ".join(f"`{each.name}`" for each in states)
        return finding.fixed_by(f"Make {names} with `add_weight`", *edits)
    return but(finding, help="make it with `self.add_weight`", no_fix=_reason(state, states))


def _reason(state: MetricState, states: list[MetricState]) -> str:
    if not states:
        return f"`{state.owner.name}` keeps more state than seqlint can follow"
    if all(each.is_plain for each in states):
        return "two weights would have the same name"
    return "a state does not start as a plain 0.0, or other code uses what only a `tf.Variable` has"


def _is_mirrored(facts: Facts, state: MetricState) -> bool:
    return state.mirrored or facts.external_uses.replicates(state.owner)


def _is_wrong(facts: Facts, state: MetricState) -> bool:
    return _is_mirrored(facts, state) or not (state.by_keras or state.resets)


def _as_weights(facts: Facts, states: list[MetricState]) -> tuple[Edit, ...]:
    """All of the states as weights, or none of them: one that is set back alone makes the result wrong."""
    names = [state.name.strip("_") for state in states]
    if not all(state.is_plain for state in states) or len(set(names)) < len(names):
        return ()
    made = [f'self.add_weight(name="{name}", initializer="zeros")' for name in names]
    return tuple(replace(facts, state.made, weight) for state, weight in zip(states, made, strict=True))


def _finding(facts: Facts, state: MetricState, *, mirrored: bool) -> Finding:
    named = f"`{state.owner.name}` counts in a `{facts.text(state.made.func)}`"
    again = "each epoch continues from the one before and its validation"
    if not mirrored:
        return facts.finding(state.made, f"{named} that Keras 3 never resets", Note.on_keras_3(again, "it is reset"))
    note = Note("under a strategy the result leaves out the rows of the other replicas")
    if not (state.resets or state.by_keras):
        note = but(note, early=f"it is never reset: {again}", keras3=f"it is never reset: {again}")
    return facts.finding(state.made, f"{named} that holds the share of one replica only", note)
