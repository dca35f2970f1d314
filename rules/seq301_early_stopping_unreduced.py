"""A callback decides by a value that is not reduced over replicas or workers.

## Why
EarlyStopping, ReduceLROnPlateau, ModelCheckpoint with `save_best_only` and callbacks that set `stop_training` are only as right as the
number that they read. If that number belongs to one replica or one rank, training ends in the wrong epoch or keeps the wrong weights.
Or one process stops, and the others wait for it for ever.

## Measured
With two replicas, and data on which one replica has a loss of 0.001 and both together 0.275:

- Keras 3.10 and later: `fit` under MirroredStrategy logs 0.275.
- Keras 3.0 to 3.9: 3.0 to 3.6 log 0.001, that of replica 0. 3.7 to 3.9 log a value in which each step counts half as much as the
  one before, 0.282 here; after about 126 steps it is 0.0 or NaN. Up to 3.4 the gradients are not synchronised either.
- Keras 2: 0.275. Under MultiWorkerMirroredStrategy all workers log the same reduced value. A worker that stops by a number of its own
  leaves `fit`, and the others wait in the next step. Keras 3 can't train under that strategy.
- Horovod, on every Keras: MetricAverageCallback writes the averages into `logs`. Callbacks after it see them, callbacks before it see
  the values of their own rank, and the history shows the averages either way. From reports: where one rank stops, the others hang or fail.
- CentralStorageStrategy and OneDeviceStrategy do not have the defect; `fit` fails under the former on Keras 3.3.

## Do this
Pin `keras>=3.10`. With Horovod, put `BroadcastGlobalVariablesCallback` first, then `MetricAverageCallback`, then the callbacks that
decide, all of them on every rank. On rank 0 alone add only what writes files. Where a callback measures something itself, exchange the
value between the ranks before it decides.

## Silent when
The strategy is MirroredStrategy, and Keras is known to be 2, or 3.10 and later; no callback decides; seqlint does not see the list; a
class exchanges values with other processes itself. ModelCheckpoint on rank 0 is right.
"""

from collections.abc import Iterator
from dataclasses import replace

from seqlint.api import (  # fmt: skip
    CallbackList,
    Contract,
    Example,
    Facts,
    Finding,
    Levels,
    LocalStop,
    Note,
    Rule,
    Sometimes,
    Unaveraged,
    UnevenCallback,
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
    needs=(matching(r"trategy|\.\s*scope\s*\(|horovod|hvd"), matching(r"[cC]allback|EarlyStopping|ReduceLROnPlateau")),
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
        reduced = "is not" if facts.keras.lines == {"3.0-3.9"} else "may not be"
        message = f"{names} {decide} by a value that {reduced} reduced over the replicas"
        help_ = "pin `keras>=3.10` where the project states its requirements"
        finding = facts.finding(deciders[0].place, message, _logged(facts), help_)
        yield finding.unfixed("Keras itself logs the wrong value, so no change of this code helps")


def _logged(facts: Facts) -> Note:
    """What is logged on each Keras, in the words of the measurement, and how the one in use is known."""
    right = "`fit` logs the mean of all replicas"
    return Note(_known(facts), keras2=right, early=_logged_early(facts), keras3=right)


def _logged_early(facts: Facts) -> str:
    alone, weighted = "the value of replica 0 alone", "a weighted value that becomes 0.0 or NaN after about 126 steps"
    name = "Keras " if facts.keras.lines == {"3.0-3.9"} else ""  # else it is named in front of the text
    if not facts.keras.may_be("3.7", "3.10"):
        return f"{name}3.0 to 3.6 log {alone}"
    both = f"{name}3.0 to 3.6 log {alone}, 3.7 to 3.9 {weighted}"
    return both if facts.keras.may_be("3.0", "3.7") else f"{name}3.7 to 3.9 log {weighted}"


def _known(facts: Facts) -> str:
    keras = facts.keras
    if not keras.known:
        return "nothing says which Keras runs here"
    if keras.lines == {"3.0-3.9"}:
        return f"Keras is {keras.range} here ({keras.source})"
    return f"{keras.source} allows Keras {keras.range}"


def _by_workers(facts: Facts, callbacks: CallbackList) -> Iterator[Finding]:
    horovod = bool(facts.workers.horovod)
    if not (horovod or facts.workers.multi_worker) or facts.workers.in_one(callbacks.fit.node):
        return
    each = "rank" if horovod else "worker"
    found = [_uneven(facts, uneven, each) for uneven in facts.decisions.uneven(callbacks)]
    found += [_local(facts, local, each) for local in facts.decisions.local(callbacks)]
    unaveraged = facts.decisions.unaveraged(callbacks) if horovod else None
    found += [_unaveraged(facts, unaveraged)] if unaveraged is not None else []
    for finding in found:
        yield replace(finding, levels=Levels.everywhere("error") if horovod else _ON_KERAS_2)


def _uneven(facts: Facts, uneven: UnevenCallback, each: str) -> Finding:
    word, condition = uneven.member.word, uneven.condition
    first = "rank 0" if each == "rank" else "the chief"
    where = first if uneven.first else f"some {each}s"
    lowers = "keras.callbacks.ReduceLROnPlateau" in uneven.member.bases
    then = "keep their learning rate" if lowers else "wait in the next step"
    note = f"the other {each}s don't know what it decides: they {then}"
    finding = facts.finding(
        uneven.member.place, f"`{word}` is added on {where} only, but decides for all {each}s", note
    )
    out_of = condition.node if isinstance(condition.node, cst.If) and condition.branch else None
    edits = lift(facts, uneven.member, out_of) if out_of is not None else None
    if edits:
        return finding.fixed_by(f"Add `{word}` on every {each}", *edits)
    reason = "other code under the same condition would have to move too"
    return replace(finding, help=f"add it on every {each}", no_fix=reason)


def _local(facts: Facts, local: LocalStop, each: str) -> Finding:
    source = facts.text(local.source.func)
    return facts.finding(
        local.stop.node,
        f"`{local.owner}` ends training by `{source}`, which each {each} computes for itself",
        f"a {each} that stops leaves the others waiting in the next step",
        f"exchange the value between the {each}s before it decides",
    ).unfixed(f"how the {each}s should agree is for you to decide")


def _unaveraged(facts: Facts, found: Unaveraged) -> Finding:
    word = found.member.word
    if found.late is not None:
        note = (
            "`MetricAverageCallback` comes after it: the history has the averages, but this callback does not see them"
        )
        edits, title = average_moved(facts, found.late, found.member), f"Move `MetricAverageCallback` before `{word}`"
    else:
        note = "no `MetricAverageCallback` comes before it, and the other ranks don't know what one rank decides"
        edits, title = average_before(facts, found.member), f"Average the metrics before `{word}` sees them"
    place = found.member.place
    finding = facts.finding(place, f"`{word}` decides by the value of its own rank", note)
    # Without Horovod its callbacks must not run: where it is optional the new one would have to be so too.
    optional = facts.workers.may_lack_horovod(place)
    if edits and not optional:
        return finding.fixed_by(title, *edits)
    reason = "Horovod is optional here" if optional else "the list of callbacks is not made in one plain place"
    return replace(finding, help="add `MetricAverageCallback` before it, on every rank", no_fix=reason)
