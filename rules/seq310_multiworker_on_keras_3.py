"""`fit` runs under MultiWorkerMirroredStrategy, which Keras 3 can't train under.

## Why
MultiWorkerMirroredStrategy joins several processes that train one model. Keras 3 works under it as long as there is only one
of them: the program runs on one machine and fails on the cluster.

## Measured
With processes of this machine as workers, a Dense layer and SGD:

- Keras 3.10 and later: two workers end with ValueError "Attempt to convert a value (PerReplica" in the first step of `fit`, for arrays, a
  Dataset and a PyDataset alike. One worker trains.
- Keras 3.0 to 3.9: two workers end with ValueError, "Invalid reduction dimension 0" on 3.3. One worker trains.
- Keras 2: two workers train and log the same loss.

## Do this
Use Keras 2: install `tf_keras`, and set the environment variable `TF_USE_LEGACY_KERAS=1` before TensorFlow is imported, on every worker.
Or train with `keras.distribution` on JAX. A custom loop with `strategy.run` works.

## Silent when
The strategy comes from code that seqlint does not see, or is one of several that a function of another file can choose; a custom
loop trains; the project is on Keras 2.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import Example, Facts, Finding, Levels, Note, Rule, Sometimes, if_on_model, matching

_START = """
import json
import os

import keras
import numpy as np
import tensorflow as tf

"""
_TRAIN = """strategy = tf.distribute.MultiWorkerMirroredStrategy()
with strategy.scope():
    model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
rows = np.ones((8, 1), "float32")
model.fit(rows, rows, verbose=0)
"""
_CLUSTER = """cluster = {"worker": ["ant:7000", "bee:7000"]}
os.environ["TF_CONFIG"] = json.dumps({"cluster": cluster, "task": {"type": "worker", "index": 0}})
"""

RULE = Rule(
    code="SEQ310",
    name="multiworker-on-keras-3",
    since="0.1.0",
    levels=Levels(keras2=None, early="warning", keras3="warning"),
    sometimes=Sometimes(early=("error",), keras3=("error",)),
    needs=(matching(r"trategy|\.\s*scope\s*\("), matching(r"\bfit\b")),
    examples=(
        Example(_START + _CLUSTER + _TRAIN, keras=">=3.10"),
        Example(_START + _TRAIN, keras=">=3.10"),
        Example.where_unknown(
            _START
            + "from ours import Net\n\nstrategy = tf.distribute.MultiWorkerMirroredStrategy()\nwith strategy.scope():\n"
            "    net = Net()\nnet.fit(np.ones((8, 1)), verbose=0)\n",
            keras=">=3.10",
        ),
        Example.ok(_START + _TRAIN, keras="<3"),
        Example.ok((_START + _TRAIN).replace("MultiWorkerMirrored", "Mirrored"), keras=">=3.10"),
    ),
    sources=("keras-team/keras#20585", "tensorflow/tensorflow#72388"),
)

_SEVERAL = Levels(keras2=None, early="error", keras3="error")
_HELP = "train on Keras 2, with `tf_keras` and `TF_USE_LEGACY_KERAS=1`, or in a loop with `strategy.run`"


def check(facts: Facts) -> Iterator[Finding]:
    for call in facts.training.calls:
        held = facts.strategies.of_fit(call) if call.method in ("fit", "fit_generator") else ()
        joined = [strategy for strategy in held if strategy is not None and strategy.spans_workers]
        sure = len(joined) == len(held)
        if not joined or not (sure or joined[0] in facts.strategies.made):
            continue
        several = facts.workers.cluster > 1
        workers = f"the {facts.workers.cluster} workers of `TF_CONFIG`" if several else "more than one worker"
        name = facts.text(call.node.func)
        what = f"`{name}`" if "\n" not in name and len(name) < 40 else "`fit`"
        message = f"{what} fails on Keras 3 with {workers} under MultiWorkerMirroredStrategy"
        finding = facts.finding(
            call.node, message, Note.on_keras_3("the first step raises ValueError on each worker"), _HELP
        )
        finding = but(finding, levels=_SEVERAL) if several else finding
        finding = finding if sure else finding.provided("that strategy is the one that is chosen", RULE.levels)
        yield if_on_model(facts, call, finding, RULE.levels)
