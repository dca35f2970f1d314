"""What waits for every rank of Horovod runs on some ranks only.

## Why
`hvd.allreduce`, `hvd.broadcast` and their like, MetricAverageCallback and every step of a DistributedOptimizer end when all ranks have
called them. Where one rank calls them alone, it waits for ever; or the next such call of another rank gets in their place.

## Measured
- On every Keras: `logs` holds `val_loss` and its like only on a rank whose `fit` is given validation data.
- On every Keras, from the documentation of Horovod and from reports, since Horovod was not run for this page: it waits, and warns after
  60 seconds that "One or more tensors were submitted to be reduced, gathered or broadcasted by subset of ranks". Validation on rank 0 alone
  stalls in MetricAverageCallback, which averages the `val_` values too.

## Do this
Call it on every rank, and use the result on rank 0: print, save and log there. Give every rank validation data, each a part of them.

## Silent when
The other branch calls the same; a rank evaluates or predicts for itself, without an exchange; only what writes files is on rank 0; it
can't be told which ranks run the code.
"""

from collections.abc import Iterator

from seqlint.api import Example, Facts, Finding, Levels, RankCollective, Rule, if_on_model, matching

_START = """
import horovod.tensorflow.keras as hvd
import keras

from mine import build, check, rows

hvd.init()
model = build()
model.compile(optimizer=hvd.DistributedOptimizer(keras.optimizers.SGD(0.01 * hvd.size())), loss="mse")
callbacks = [hvd.callbacks.BroadcastGlobalVariablesCallback(0)]
"""
_FIT = "model.fit(rows, epochs=9, callbacks=callbacks)\n"

RULE = Rule(
    code="SEQ312",
    name="horovod-rank0-collective",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    needs=(matching(r"horovod"),),
    examples=(
        Example(
            _START
            + _FIT
            + """if hvd.rank() == 0:
    loss = hvd.allreduce(model.evaluate(check), name="loss")
    print(loss)
"""
        ),
        Example(
            _START
            + """if hvd.rank() == 0:
    callbacks.append(hvd.callbacks.MetricAverageCallback())
    callbacks.append(keras.callbacks.ModelCheckpoint("last.keras"))
"""
            + _FIT
        ),
        Example(
            _START
            + "callbacks.append(hvd.callbacks.MetricAverageCallback())\n"
            + "model.fit(rows, callbacks=callbacks, validation_data=check if hvd.rank() == 0 else None)\n"
        ),
        Example(_START + "if hvd.rank() == 0:\n    " + _FIT),
        Example.ok(
            _START
            + _FIT
            + """loss = hvd.allreduce(model.evaluate(check), name="loss")
if hvd.rank() == 0:
    print(loss, model.evaluate(check))
    model.save("last.keras")
"""
        ),
        Example.ok(
            _START
            + """if hvd.rank() == 0:
    settings = hvd.broadcast_object(model.get_config())
else:
    settings = hvd.broadcast_object(None)
"""
            + _FIT
        ),
    ),
    sources=("horovod/horovod#600", "horovod/horovod#403"),
)

_NOTES = {
    "call": "it waits until every rank has called it",
    "callback": "it exchanges values with all ranks, and waits for those that don't have it",
    "own callback": "its hooks exchange values with all ranks, and wait for those that don't have it",
    "fit": "each step adds up the gradients of all ranks, and waits for them",
    "validation": "`MetricAverageCallback` waits until every rank has the `val_` values",
}
_HELP = {
    "call": "call it on every rank, and use the result on rank 0",
    "callback": "add it on every rank",
    "own callback": "add it on every rank",
    "fit": "train on every rank",
    "validation": "give every rank validation data",
}
_DOES = {"call": "runs", "callback": "is added", "own callback": "is added", "fit": "runs", "validation": "is given"}


def check(facts: Facts) -> Iterator[Finding]:
    for found in facts.rank_collectives.all:
        finding = facts.finding(found.node, _message(found), _NOTES[found.kind], _HELP[found.kind])
        yield if_on_model(facts, found.fit, finding, RULE.levels) if found.fit is not None else finding


def _message(found: RankCollective) -> str:
    where = "on rank 0 only" if found.first else "on some ranks only"
    return f"`{found.name}` {_DOES[found.kind]} {where}, and waits for all"
