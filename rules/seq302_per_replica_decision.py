"""A custom loop stops, keeps or saves by the value of one replica.

## Why
`strategy.run` returns one value for each replica. Each value was computed on a part of the batch only. A loop that decides
by one of them ends in the wrong epoch, or keeps the wrong weights as the best.

## Measured
With two replicas under MirroredStrategy, and a batch in which the rows of the first have a loss of 0 and those of the
second a loss of 1:

- Every Keras: `strategy.experimental_local_results(loss)[0]` and `loss.values[0]` are 0.0, without a warning. `strategy.reduce`
  with MEAN gives 0.5, with SUM 1.0. The value itself can't be compared (TypeError), and `if loss:` is always true. With
  one replica it is a plain tensor.
- Keras 3.10 and later: a loss object divides by the number of replicas inside `strategy.run`. There SUM is 0.5, and MEAN
  half of it.

## Do this
Use `strategy.reduce(tf.distribute.ReduceOp.MEAN, loss, axis=None)` where each replica returns the mean of its own rows. Use
SUM where the loss is already divided by the number of replicas or by the rows of the whole batch. Or let the replicas
update a `keras.metrics.Mean`.

## Silent when
The value is only printed; all replicas are combined by hand; the replicas exchange it themselves; the function that they
run is in code that seqlint does not see; the strategy has one device.
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
    ReplicaValue,
    Rule,
    a_member,
    cst,
    matching,
    name_for,
    replace,
)

_SETUP = """
import keras
import numpy as np
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
with strategy.scope():
    model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1, kernel_initializer="ones")])

rows = np.repeat([0.0, 1.0], 4).astype("float32").reshape(8, 1)
checks = strategy.experimental_distribute_dataset(tf.data.Dataset.from_tensor_slices(rows).batch(8))


@tf.function
def check(batch):
    return strategy.run(error, args=(batch,))

"""
_MEAN = """
def error(batch):
    return tf.reduce_mean(tf.square(model(batch)))

"""
_LOOP = """
best, kept = np.inf, None
for epoch in range(3):
    for batch in checks:
        loss = check(batch)
    now = {}
    if now < best:
        best, kept = now, model.get_weights()
        model.save_weights("best.weights.h5")
model.set_weights(kept)
model.predict(rows, verbose=0)
"""
_REDUCED = "strategy.reduce(tf.distribute.ReduceOp.MEAN, loss, axis=None)"
_FIRST = "strategy.experimental_local_results(loss)[0]"

_DEEDS = {
    "ends the loop": "ends the loop",
    "keeps the best": "decides what is kept",
    "changes what follows": "decides what follows",
}
_HELP = "combine all replicas with `strategy.reduce`: MEAN of plain means, SUM of values that are already scaled"

RULE = Rule(
    code="SEQ302",
    name="per-replica-decision",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    contract=Contract(changes=frozenset({"state"})),
    needs=(matching(r"trategy|\.\s*scope\s*\(|local_results"), a_member("run", "experimental_run_v2")),
    examples=(
        Example(_SETUP + _MEAN + _LOOP.format(_FIRST), _SETUP + _MEAN + _LOOP.format(_REDUCED)),
        Example(
            _SETUP + _MEAN + _LOOP.format("float(loss.values[0])  # of all"),
            _SETUP + _MEAN + _LOOP.format(f"float({_REDUCED})  # of all"),
        ),
        Example(
            _SETUP
            + """
scored = keras.losses.MeanSquaredError()


def error(batch):
    return scored(tf.zeros_like(batch), model(batch))

"""
            + _LOOP.format(_FIRST)
        ),
        Example(_SETUP + _MEAN + _LOOP.format("loss")),
        Example.ok(_SETUP + _MEAN + _LOOP.format(_REDUCED)),
        Example.ok(
            _SETUP
            + """
def error(batch):
    own = tf.reduce_mean(tf.square(model(batch)))
    return tf.distribute.get_replica_context().all_reduce("mean", own)

"""
            + _LOOP.format(_FIRST)
        ),
        Example.ok(_SETUP + _MEAN + _LOOP.format("np.mean(strategy.experimental_local_results(loss))")),
    ),
    sources=("tensorflow/tensorflow#45923",),
)


def check(facts: Facts) -> Iterator[Finding]:
    for value in facts.replica_values.all:
        note = "each replica sees a part of the batch" if value.of_one else ""
        finding = facts.finding(value.node, _message(facts, value), note, _HELP)
        edit = _edit(facts, value)
        if edit:
            finding = but(finding, help="").fixed_by("Decide by the mean of all replicas", *edit)
        yield finding if edit else finding.unfixed(_reason(value))


def _message(facts: Facts, value: ReplicaValue) -> str:
    shown = facts.text(value.node)
    if not value.of_one and value.node is value.test:
        return f"`{shown}` holds one value per replica, so it is always true"
    if not value.of_one:
        return f"`{shown}` holds one value per replica and can't be compared (TypeError)"
    return f"`{facts.text(value.test)}` {_DEEDS[value.decides]} by the value of one replica, `{shown}`"


def _reason(value: ReplicaValue) -> str:
    if not value.is_mean:
        return "whether MEAN or SUM is right depends on how the loss is scaled"
    return "the strategy or the value has no plain name at this place"


def _edit(facts: Facts, value: ReplicaValue) -> tuple[Edit, ...]:
    """None where it is not sure that each replica gives a plain mean, or where the strategy has no name here."""
    strategy = _strategy(facts, value)
    direct = isinstance(value.node, cst.Subscript) and not isinstance(value.node.value, cst.Name)
    if strategy is None or not value.is_mean or not value.of_one or not direct:
        return ()
    mean = name_for(facts, "tensorflow.distribute.ReduceOp.MEAN", value.node)
    text = f"{strategy}.reduce({mean.text}, {facts.text(value.joined)}, axis=None)"
    return (*mean.edits, replace(facts, value.node, text))


def _strategy(facts: Facts, value: ReplicaValue) -> str | None:
    """How the strategy is called at the place of the value."""
    node = value.node.value if isinstance(value.node, cst.Subscript) else None
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):  # strategy.experimental_local_results(v)
        return facts.text(node.func.value)
    assert isinstance(value.run.func, cst.Attribute)
    named = value.run.func.value
    if not isinstance(named, cst.Name):
        return None
    bindings = facts.names.bindings(named)
    places = {facts.tree.function(binding.node) for binding in bindings}
    again = [other for other in facts.tree.all(cst.Name) if other.value == named.value and facts.tree.function(other)]
    shadowed = any(facts.names.bindings(other) != bindings for other in again if not facts.tree.is_label(other))
    seen = places == {None} or facts.tree.function(value.node) is facts.tree.function(value.run)
    return named.value if seen and not shadowed else None
