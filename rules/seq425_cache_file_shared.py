"""Two datasets are cached in one file: the second reads the rows of the first.

## Why
`cache("file")` writes the rows of the first pass, and whoever finds that file reads it. Nothing compares what is in it with the dataset. The
validation that shares a file with the training is scored on training rows, and looks fine.

## Measured
- On every Keras the second dataset gives all rows of the first, whatever it is made from and however it is prepared. In `fit` the
  validation then runs over the rows of the training.
- On every Keras two that are read at the same time raise AlreadyExistsError "There appears to be a concurrent caching iterator running".
- On every Keras `snapshot` tells the datasets by how they are made, and gives each its own rows.

## Do this
Give each dataset a file of its own: put the name of the split, or the number of the fold, into the path.

## Silent when
The two have the same rows, as one pipeline that is made twice; one of them runs at a time; the names may differ; the file is removed
in between.
"""

from collections.abc import Iterator

from seqlint.api import (
    Example,
    Facts,
    Finding,
    Levels,
    Pipelines,
    Result,
    Rule,
    any_of,
    constant_of,
    differ,
    place,
)

_START = """
import os
import tempfile

import keras
import numpy as np
import tensorflow as tf

rows = np.arange(24, dtype="float32").reshape(24, 1) / 24
model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
folder = tempfile.mkdtemp()
path = os.path.join(folder, "rows")
train = tf.data.Dataset.from_tensor_slices((rows[:16], rows[:16])).batch(4)
held = tf.data.Dataset.from_tensor_slices((rows[16:], rows[16:])).batch(4)
"""

RULE = Rule(
    code="SEQ425",
    name="cache-file-shared",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    needs=(any_of("cache"),),
    examples=(
        Example(
            _START
            + """train = train.cache(path)
held = held.cache(path)
model.fit(train, validation_data=held, epochs=2, verbose=0)
"""
        ),
        Example.ok(
            _START
            + """train = train.cache(path + "-train")
held = held.cache(path + "-held")
model.fit(train, validation_data=held, epochs=2, verbose=0)
"""
        ),
        Example.ok(_START + "model.fit(train.cache(), validation_data=held.cache(), epochs=2, verbose=0)\n"),
    ),
    sources=("tensorflow/tensorflow#18266",),
)


_FILES = ("os.", "shutil.", "pathlib.", "tensorflow.io.gfile.", "subprocess.", "glob.", ".")
_REMOVERS = ("remove", "unlink", "rmtree", "system", "run", "call", "check_call", "rename", "move")
_HELP = "give each dataset a file of its own"


def check(facts: Facts) -> Iterator[Finding]:
    run, pipelines = facts.run, facts.run.domain(Pipelines)
    if any(call.name.startswith(_FILES) and call.result.method in _REMOVERS for call in run.calls):
        return
    files: dict[int, list[Result]] = {}
    seen = set()
    for cache in pipelines.named("cache"):
        name = pipelines.argument(cache, "filename")
        if name is None or name.only is None or constant_of(name) in ("", None):
            continue
        earlier = files.setdefault(name.term, [])
        other = next((one for one in earlier if _meets(facts, one, cache) and differ(run, pipelines, one, cache)), None)
        earlier.append(cache)
        where = place(run, cache, other) if other is not None else None
        if where is None or where in seen:
            continue
        seen.add(where)
        message = "`cache` reads the rows of another dataset, from the same file"
        yield facts.finding_at(run.step_span(where), message, "whichever is read first has written them", _HELP)


def _meets(facts: Facts, one: Result, other: Result) -> bool:
    """Whether one run of the program makes both: no test keeps them from each other, and no two functions that nobody calls."""
    left, right = (facts.run.call_of[each].context for each in (one, other))
    return not left.excludes(right) and left.phases[:2] == right.phases[:2]
