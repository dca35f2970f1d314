"""Several workers are asked for where a generator gives the batches.

## Why
A Python generator can't be read by two threads at once. With `use_multiprocessing=True` each process gets a copy of it, and gives the same batches
again. Keras 3 takes no such arguments in `fit` (SEQ701 says so); there a generator is read by one thread.

## Measured
- Keras 2: with `workers=2` and a batch that takes 20 ms, `fit` raises UnknownError "Your generator is NOT thread-safe". With batches that take no
  time it may pass by luck.
- Keras 3: `fit` refuses `workers`.

## Do this
Leave `workers` and `use_multiprocessing` out. Where one thread is too slow write a Sequence, which workers can share.

## Silent when
The data are a Sequence, or something else than a generator of the program; there is one worker.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (
    BatchSources,
    Contract,
    Example,
    Facts,
    Feed,
    Feeds,
    Finding,
    Levels,
    Rule,
    a_call_of_model,
    any_of,
    argument,
    argument_node,
    constant_of,
    if_of_model,
    is_expected_to_fail,
    may_be_of_model,
    remove_arguments,
    trainer_of,
)

_START = """
import time

import keras
import numpy as np

rows = np.arange(40, dtype="float32").reshape(20, 2) / 40
model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")


def batches():
    while True:
        for start in range(0, len(rows), 4):
            time.sleep(0.02)
            yield rows[start : start + 4], rows[start : start + 4, :1]


"""

RULE = Rule(
    code="SEQ610",
    name="generator-with-workers",
    since="0.1.0",
    levels=Levels(keras2="error", early=None, keras3=None),
    contract=Contract(repairs=frozenset({"errors"})),
    needs=(a_call_of_model, any_of("workers", "use_multiprocessing")),
    examples=(
        Example(
            _START + "model.fit(batches(), steps_per_epoch=5, workers=2, verbose=0)\n",
            _START + "model.fit(batches(), steps_per_epoch=5, verbose=0)\n",
            keras="tf-keras",
        ),
        Example.ok(_START + "model.fit(batches(), steps_per_epoch=5, workers=1, verbose=0)\n", keras="tf-keras"),
        Example.ok(_START + "model.fit(batches(), steps_per_epoch=5, workers=2, verbose=0)\n", keras=">=3"),
    ),
    sources=("keras-team/keras#13220", "fizyr/keras-retinanet#1070"),
)

_NAMES = ("workers", "use_multiprocessing")


def check(facts: Facts) -> Iterator[Finding]:
    run, seen = facts.run, set[object]()
    for feed in run.domain(Feeds).all:
        name = _asks_for_several(feed) if run.domain(BatchSources).kind(feed.value) == "generator" else ""
        node = (argument_node(run, feed.call, name) or run.place(feed.call)) if name else None
        if node is None or node in seen or is_expected_to_fail(feed.call) or not may_be_of_model(facts, feed.call):
            continue
        seen.add(node)
        what = (
            "copies of it give the same batches" if name == "use_multiprocessing" else "it can't be shared by threads"
        )
        message = f"`{name}` is for Sequences: a generator has one reader"
        finding = facts.finding_at(run.span(node), message, f"`fit` fails, or {what}")
        yield if_of_model(facts, feed.call, _fixed(facts, finding, feed), RULE.levels)


def _asks_for_several(feed: Feed) -> str:
    """The argument that asks for more than one worker, or for processes; empty where none does."""
    given = {name: argument(feed.call, name) for name in _NAMES}
    workers = constant_of(given["workers"]) if given["workers"] is not None else 1
    if isinstance(workers, int) and workers > 1:
        return "workers"
    processes = given["use_multiprocessing"]
    return "use_multiprocessing" if processes is not None and constant_of(processes) is True else ""


def _fixed(facts: Facts, finding: Finding, feed: Feed) -> Finding:
    trainer, processes = trainer_of(facts, feed.call), argument(feed.call, "use_multiprocessing")
    if processes is not None and constant_of(processes) is not False:
        return but(finding, help="leave it out", no_fix="each process gives all batches: an epoch would have others")
    named = [trainer.arguments[name] for name in _NAMES if name in trainer.arguments] if trainer is not None else []
    written = [each for each in named if each.keyword is not None]
    if trainer is None or not written or len(written) != len(named) or len(named) != _given(feed):
        return but(finding, help="leave it out", no_fix="it is given in another way than by its name")
    return finding.fixed_by("Leave the workers out", *remove_arguments(facts, trainer.node, tuple(written)))


def _given(feed: Feed) -> int:
    return sum(argument(feed.call, name) is not None for name in _NAMES)
