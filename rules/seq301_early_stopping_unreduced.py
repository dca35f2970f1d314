"""A callback decides from a value that was not reduced across replicas or workers.

## Why
EarlyStopping, ReduceLROnPlateau, ModelCheckpoint with `save_best_only` and callbacks that set `stop_training` are only
as right as the number that they read. Where that number is one replica's, or one rank's, training ends in the wrong
epoch, the wrong weights are kept, or the processes part and wait for each other for ever.

## Measured
With two replicas, and with data on which one of them alone has a loss of 0.001 and both together 0.275:

- Keras 3.10 and later: `fit` under MirroredStrategy logs 0.275.
- Keras 3.0 to 3.9: 3.0 to 3.6 log 0.001, that of replica 0. 3.7 to 3.9 log a value in which each step counts half of
  the one before, 0.282 here; after some 126 steps it is 0.0 or NaN. Up to 3.4 the gradients are not synchronised
  either.
- Keras 2: 0.275. Under MultiWorkerMirroredStrategy all workers log the same reduced value; where one of them stops by a
  number of its own, it leaves `fit`, and the others wait in the next step. Keras 3 can't train under that strategy.
- Horovod, on every Keras: MetricAverageCallback writes the averages into `logs`. Callbacks behind it see them, those in
  front of it see the values of their own rank, while the history shows the averages all the same. From reports: where
  one rank stops, the others hang or fail.
- CentralStorageStrategy and OneDeviceStrategy do not have the defect; `fit` fails under the former on Keras 3.3.

## Do this
Pin `keras>=3.10`. With Horovod: the broadcast first, then `MetricAverageCallback`, then what decides, on every rank. On
rank 0 alone only what writes files.

## Silent when
The strategy is MirroredStrategy, and Keras is known to be 2, or 3.10 and later; no callback decides; the list is not in sight; a class exchanges values with
other processes itself. ModelCheckpoint on rank 0 is right.
"""

from collections.abc import Iterator
from dataclasses import replace

from seqlint.api import (  # fmt: skip
    Apart,
    CallbackList,
    Contract,
    Example,
    Facts,
    Finding,
    Levels,
    LocalStop,
    Rule,
    Sometimes,
    Unaveraged,
    average_before,
    average_moved,
    cst,
    if_on_model,
    lift,
    matching,
    mended_in_both,
)

_DATA = """
import keras
import numpy as np
import tensorflow as tf

strategy = tf.distribute.{}
rows = np.arange(16, dtype="float32").reshape(16, 1)
"""
_FIT = "model.fit(rows, rows, epochs=2, verbose=0, validation_data=(rows, rows), callbacks={})\n"
_SCOPE = """with strategy.scope():
    model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
"""
_RANKS = """
import horovod.tensorflow.keras as hvd
import keras

from mine import build, rows

hvd.init()
model = build(hvd.DistributedOptimizer(keras.optimizers.SGD(0.01 * hvd.size())))
"""
_FIT_RANK = "model.fit(rows, epochs=9, callbacks=callbacks)\n"
_BROADCAST = "callbacks = [hvd.callbacks.BroadcastGlobalVariablesCallback(0)]\n"

_SOURCES = (
    "keras-team/keras#19891", "keras-team/keras#20568", "keras-team/keras#21467", "horovod/horovod#2740",
    "horovod/horovod#3140", "horovod/horovod#4027", "DeepRec-AI/HybridBackend#88",
)  # fmt: skip

RULE = Rule(
    code="SEQ301",
    name="early-stopping-unreduced",
    since="0.1.0",
    levels=Levels(keras2=None, early="error", keras3=None, mixed="advice"),
    sometimes=Sometimes(keras2=("error",), keras3=("error",)),
    contract=Contract(
        changes=frozenset({"epochs", "history", "hooks", "output", "samples", "steps", "stop", "weights"})
    ),
    needs=(matching(r"trategy|\.\s*scope\s*\(|horovod|hvd"),),
    examples=(
        Example(
            _DATA.format("MirroredStrategy()")
            + _SCOPE
            + _FIT.format('[keras.callbacks.EarlyStopping("val_loss", patience=2)]'),
            keras="3.3.3",
        ),
        Example(
            _DATA.format("MirroredStrategy()")
            + """

class StopAt(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        if logs["val_loss"] < 0.1:
            self.model.stop_training = True


def build():
    model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
    return model


with strategy.scope():
    model = build()
callbacks = [keras.callbacks.TerminateOnNaN()]
callbacks.append(StopAt())
"""
            + _FIT.format("callbacks")
        ),
        Example(
            _RANKS
            + """callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    # stop when it no longer gets better
    keras.callbacks.EarlyStopping(patience=3),
]
"""
            + _FIT_RANK,
            _RANKS
            + """callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
    # stop when it no longer gets better
    keras.callbacks.EarlyStopping(patience=3),
]
"""
            + _FIT_RANK,
        ),
        Example(
            _RANKS
            + _BROADCAST
            + """callbacks.append(keras.callbacks.ReduceLROnPlateau(patience=3))
# averages over all ranks
callbacks.append(hvd.callbacks.MetricAverageCallback())
"""
            + _FIT_RANK,
            _RANKS
            + _BROADCAST
            + """# averages over all ranks
callbacks.append(hvd.callbacks.MetricAverageCallback())
callbacks.append(keras.callbacks.ReduceLROnPlateau(patience=3))
"""
            + _FIT_RANK,
        ),
        Example(
            _RANKS
            + _BROADCAST
            + """callbacks.append(hvd.callbacks.MetricAverageCallback())
if hvd.rank() == 0:
    callbacks.append(keras.callbacks.ModelCheckpoint("best.keras", save_best_only=True))
    callbacks.append(keras.callbacks.EarlyStopping(patience=3))
"""
            + _FIT_RANK,
            _RANKS
            + _BROADCAST
            + """callbacks.append(hvd.callbacks.MetricAverageCallback())
if hvd.rank() == 0:
    callbacks.append(keras.callbacks.ModelCheckpoint("best.keras", save_best_only=True))
callbacks.append(keras.callbacks.EarlyStopping(patience=3))
"""
            + _FIT_RANK,
        ),
        Example(
            _RANKS
            + """

class StopByScore(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        scores = self.model.predict(rows, verbose=0)
        if scores.mean() < 0.1:
            self.model.stop_training = True


model.fit(rows, epochs=9, callbacks=[StopByScore()])
"""
        ),
        Example.where_unknown(
            _DATA.format("MirroredStrategy()")
            + "from ours import Twin\n\nwith strategy.scope():\n    twin = Twin()\n"
            + _FIT.format("[keras.callbacks.EarlyStopping()]").replace("model", "twin"),
            keras="3.3.3",
        ),
        Example.ok(
            _DATA.format("MirroredStrategy()") + _SCOPE + _FIT.format("[keras.callbacks.EarlyStopping()]"),
            keras=">=3.10",
        ),
        Example.ok(
            _DATA.format('OneDeviceStrategy("/cpu:0")') + _SCOPE + _FIT.format("[keras.callbacks.EarlyStopping()]")
        ),
        Example.ok(
            _DATA.format("MirroredStrategy()")
            + _SCOPE
            + "unused = keras.callbacks.EarlyStopping()\n"
            + _FIT.format('[keras.callbacks.ModelCheckpoint("last.keras"), keras.callbacks.TerminateOnNaN()]')
        ),
        Example.ok(
            _RANKS
            + _BROADCAST
            + """callbacks += [hvd.callbacks.MetricAverageCallback(), keras.callbacks.EarlyStopping(patience=3)]
if hvd.rank() == 0:
    callbacks.append(keras.callbacks.ModelCheckpoint("best.keras", save_best_only=True))
"""
            + _FIT_RANK
        ),
        Example.ok(
            _RANKS
            + """
if hvd.rank() == 0:
    model.fit(rows, epochs=1, callbacks=[keras.callbacks.EarlyStopping(patience=3)])
"""
        ),
        Example.ok(
            """
import horovod.torch as hvd
import keras

from mine import build, rows

hvd.init()
model = build(keras.optimizers.SGD(0.01))
model.fit(rows, epochs=9, callbacks=[keras.callbacks.EarlyStopping(patience=3)])
"""
        ),
    ),
    sources=_SOURCES,
)

# Keras 3 can't train under several workers.
_ON_KERAS_2 = Levels(keras2="error", early=None, keras3=None, mixed="error")


def check(facts: Facts) -> Iterator[Finding]:
    found: dict[tuple[int, int, str], Finding] = {}
    for callbacks in facts.callback_lists.all:
        for finding in (*_by_strategy(facts, callbacks), *_by_workers(facts, callbacks)):
            known = if_on_model(facts, callbacks.fit, finding, RULE.levels)
            key = (known.start, known.end, known.message)
            found[key] = mended_in_both(found[key], known) if key in found else known  # one callback in two fits
    yield from found.values()


def _by_strategy(facts: Facts, callbacks: CallbackList) -> Iterator[Finding]:
    deciders = facts.decisions.mirrored(callbacks)
    if deciders:
        names = " and ".join(dict.fromkeys(f"`{member.word}`" for member in deciders))
        decide = "decide" if " and " in names else "decides"
        yield facts.finding(deciders[0].place, f"{names} {decide} by a value that {_unreduced(facts)}")


def _unreduced(facts: Facts) -> str:
    """What is logged on the Keras in use, in the words of the measurement, and how that Keras is known."""
    keras, logs = facts.keras, _logged(facts)
    if keras.lines == {"3.0-3.9"}:
        return (
            f"was never reduced under MirroredStrategy: {logs}, and Keras is {keras.range} here ({keras.source}): "
            "pin keras>=3.10"
        )
    known = f"{keras.source} allows these too ({keras.range})" if keras.known else "nothing says which Keras runs here"
    return (
        f"may never have been reduced under MirroredStrategy: {logs}; tf-keras and Keras 3.10 and later are right, but "
        f"{known}: pin keras>=3.10 where the project states what it needs"
    )


def _logged(facts: Facts) -> str:
    alone, weighted = "replica 0 alone", "a weighted value that becomes 0.0 or NaN after some 126 steps"
    if not facts.keras.may_be("3.7", "3.10"):
        return f"Keras 3.0 to 3.6 log {alone}"
    return (
        f"Keras 3.0 to 3.6 log {alone}, 3.7 to 3.9 {weighted}"
        if facts.keras.may_be("3.0", "3.7")
        else f"Keras 3.7 to 3.9 log {weighted}"
    )


def _by_workers(facts: Facts, callbacks: CallbackList) -> Iterator[Finding]:
    horovod = bool(facts.workers.horovod)
    if not (horovod or facts.workers.multi_worker) or facts.workers.in_one(callbacks.fit.node):
        return
    each = "rank" if horovod else "worker"
    found = [_apart(facts, apart, each) for apart in facts.decisions.apart(callbacks)]
    found += [_local(facts, local, each) for local in facts.decisions.local(callbacks)]
    unaveraged = facts.decisions.unaveraged(callbacks) if horovod else None
    found += [_unaveraged(facts, unaveraged)] if unaveraged is not None else []
    for finding in found:
        yield replace(finding, levels=Levels.everywhere("error") if horovod else _ON_KERAS_2)


def _apart(facts: Facts, apart: Apart, each: str) -> Finding:
    word, condition = apart.member.word, apart.condition
    first = "rank 0" if each == "rank" else "the chief"
    where = first if apart.first else f"some {each}s"
    lowers = "keras.callbacks.ReduceLROnPlateau" in apart.member.bases
    then = "keep their learning rate" if lowers else "wait for it in the next step"
    finding = facts.finding(
        apart.member.place,
        f"`{word}` is added on {where} alone: what it decides there the other {each}s do not know, and they {then}",
    )
    out_of = condition.node if isinstance(condition.node, cst.If) and condition.branch else None
    edits = lift(facts, apart.member, out_of) if out_of is not None else None
    return finding.fixed_by(f"Add `{word}` on every {each}", *edits) if edits else finding


def _local(facts: Facts, local: LocalStop, each: str) -> Finding:
    return facts.finding(
        local.stop.node,
        f"`{local.owner}` ends the training by `{facts.text(local.source.func)}`, which each {each} works out for "
        f"itself: a {each} that stops leaves the others waiting in the next step",
    )


def _unaveraged(facts: Facts, found: Unaveraged) -> Finding:
    word = found.member.word
    if found.late is not None:
        why = "MetricAverageCallback comes behind it, so the averages are in the history and not in what it sees"
        edits, title = (
            average_moved(facts, found.late, found.member),
            f"Move MetricAverageCallback in front of `{word}`",
        )
    else:
        why = "no MetricAverageCallback comes before it, and what one rank decides the others do not know"
        edits, title = average_before(facts, found.member), f"Average the metrics before `{word}` sees them"
    place = found.member.place
    finding = facts.finding(place, f"`{word}` decides by the value of its own rank: {why}")
    # Without Horovod its callbacks must not run: where it is optional the new one would have to be so too.
    return finding.fixed_by(title, *edits) if edits and not facts.workers.may_lack_horovod(place) else finding
