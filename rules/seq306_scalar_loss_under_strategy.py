"""A loss gives one number for the batch, and several replicas train the model.

## Why
Keras takes the mean of what a loss gives for each sample, and divides it by the number of replicas, because their gradients are
added up. A loss that has taken the mean itself, such as `tf.reduce_mean(...)` without an axis or a Dice loss over the whole batch, leaves
Keras nothing to divide.

## Measured
With two replicas under MirroredStrategy, a model of one weight and SGD:

- Keras 3.10 and later: a loss function, a lambda, `Loss.call` or `compute_loss` that returns one number logs 2.74037, and 1.37398 on one
  device. The first epoch moves the weight by 0.05496, and by 0.02752 on one device: the learning rate is doubled, too. The same
  loss with a mean for each sample logs 1.37398 and moves it by 0.02752.
- Keras 3.0 to 3.9: up to 3.4 nothing is added up, and both forms do the same. From 3.5 to 3.7 every loss trains with the sum.
- Keras 2: both forms log 1.37398 and move the weight by 0.02752, since Keras 2 divides one number, too.

## Do this
Return one number for each sample: take the mean over `axis=-1` alone, and for images over all axes but the first. A loss of Keras, such
as `keras.losses.binary_crossentropy`, gives these numbers already: leave out the `tf.reduce_mean` around it.

## Silent when
A loss object of Keras is part of it, which divides by the number of replicas itself; seqlint does not see what the loss returns; the
number of replicas is in it; a fit gives sample weights; the strategy has one device.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (  # fmt: skip
    CompiledLosses,
    Contract,
    Edit,
    Example,
    Facts,
    Finding,
    Levels,
    Note,
    Rule,
    ScalarLoss,
    add_argument,
    cst,
    matching,
    replace,
)

_START = """
import keras
import numpy as np
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
rows = np.linspace(0, 1, 16, dtype="float32").reshape(16, 1)
"""
_LOSS = """

def squares(target, guess):
    return tf.reduce_mean(tf.square(target - guess){})

"""
_FIT = """
with strategy.scope():
    model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1, kernel_initializer="ones")])
    model.compile(optimizer=keras.optimizers.SGD(0.01), loss={})
model.fit(rows, 3 * rows, batch_size=8, epochs=2, shuffle=False, verbose=0)
"""
_CLASS = """

class Squares(keras.losses.Loss):
    def call(self, y_true, y_pred):
        loss = 2.0 * tf.reduce_mean(tf.square(y_true - y_pred){})
        return loss

"""
_MIXED = """

def mixed(target, guess):
    return {} * 0.5

"""
_DICE = """

def dice(target, guess):
    both = tf.reduce_sum(target * guess)
    return 1 - (2 * both + 1) / (tf.reduce_sum(target) + tf.reduce_sum(guess) + 1)

"""

RULE = Rule(
    code="SEQ306",
    name="scalar-loss-under-strategy",
    since="0.1.0",
    levels=Levels(keras2=None, early=None, keras3="error"),
    contract=Contract(changes=frozenset({"history", "weights"}), holds=frozenset({"as on one replica"})),
    needs=(matching(r"trategy|\.\s*scope\s*\("), matching(r"compile|compute_loss")),
    examples=(
        Example(
            _START + _LOSS.format("") + _FIT.format("squares"),
            _START + _LOSS.format(", axis=-1") + _FIT.format("squares"),
            keras=">=3.10",
        ),
        Example(
            _START + _CLASS.format("") + _FIT.format("Squares()"),
            _START + _CLASS.format(", axis=-1") + _FIT.format("Squares()"),
            keras=">=3.10",
        ),
        Example(
            _START
            + _MIXED.format("tf.reduce_mean(keras.losses.mean_squared_error(target, guess))")
            + _FIT.format("mixed"),
            _START + _MIXED.format("keras.losses.mean_squared_error(target, guess)") + _FIT.format("mixed"),
            keras=">=3.10",
        ),
        Example(_START + _DICE + _FIT.format("dice"), keras=">=3.10"),
        Example.ok(_START + _LOSS.format(", axis=-1") + _FIT.format("squares"), keras=">=3.10"),
        Example.ok(_START + _LOSS.format("") + _FIT.format("squares"), keras="<3"),
        Example.ok(
            _START
            + """
scored = keras.losses.MeanSquaredError()


def squares(target, guess):
    return 2.0 * scored(target, guess)

"""
            + _FIT.format("squares"),
            keras=">=3.10",
        ),
        Example.ok(
            (_START + _LOSS.format("") + _FIT.format("squares"))
            .replace("Mirrored", "OneDevice")
            .replace("y()", 'y("/cpu:0")')
        ),
    ),
    sources=("keras-team/keras#19891", "tensorflow/tensorflow#45923"),
)

_NOTE = Note(keras3="with N replicas the logged loss and the gradients are N times those of one device")
_HELP = "return one number for each sample: reduce all axes but the first"


def check(facts: Facts) -> Iterator[Finding]:
    compiled = facts.run.domain(CompiledLosses).all
    own = [facts.scalar_losses.defined_at(loss.start) for loss in compiled if not loss.module]
    found = {loss.node: loss for loss in (*own, *facts.scalar_losses.all) if loss is not None}
    reported = [_fixed(facts, loss) for loss in found.values()]
    yield from reported
    starts = {finding.start for finding in reported}
    for far in compiled:
        span = facts.run.span(far.place)
        if far.module and span[0] not in starts and facts.scalar_losses.is_one_elsewhere(f"{far.module}.{far.name}"):
            yield but(facts.finding_at(span, _message(far.name), _NOTE, _HELP), no_fix="the loss is in another file")


def _fixed(facts: Facts, loss: ScalarLoss) -> Finding:
    finding = facts.finding(loss.node, _message(loss.name), _NOTE)
    edits = tuple(_per_row(facts, loss, mean) for mean in loss.per_row)
    if edits:
        finding = finding.fixed_by("Take the mean of each sample", *edits)
    else:
        finding = but(finding, help=_HELP).unfixed("which axes are those of a sample is for you to decide")
    return _if_model(facts, loss, finding)


def _message(name: str) -> str:
    return f"{f'`{name}`' if name else 'the loss'} gives one number for the whole batch, and several replicas train"


def _per_row(facts: Facts, loss: ScalarLoss, mean: cst.Call) -> Edit:
    """The mean of each sample alone; a loss of Keras has taken it already."""
    return (
        replace(facts, mean, facts.text(mean.args[0].value))
        if mean in loss.bare
        else add_argument(facts, mean, "axis=-1")
    )


def _if_model(facts: Facts, loss: ScalarLoss, finding: Finding) -> Finding:
    if loss.model or loss.receiver is None:
        return finding
    return finding.provided(f"`{facts.text(loss.receiver)}` is a Keras model", RULE.levels)
