"""A model is trained on a dataset in the order of its files or classes.

## Why
`fit` shuffles arrays, and never a dataset. Rows that come class by class, or file by file, are then learned one class after the other: each
batch pulls the model to its own class, and the last one wins.

## Measured
- Keras 3 and Keras 2: 600 points of three classes, which come class by class: after 5 epochs the accuracy is 0.33, that of the last class
  alone; with a shuffle it is 0.98.
- Keras 3 and Keras 2: `fit(shuffle=True)` doesn't shuffle a dataset.

## Do this
Shuffle before `batch`, with a buffer for all rows: paths are small, so shuffle the paths and not the pictures.

## Silent when
The order means nothing, or is not known: rows that were shuffled or split at random before, those of `load_data`, rows from a generator; or it
matters, as in a time series.
"""

from collections.abc import Iterator

from seqlint.api import (
    BATCHES,
    ClassOrders,
    Example,
    Facts,
    Finding,
    Levels,
    Loops,
    Pipelines,
    Result,
    Rule,
    any_of,
    place_of,
)

_MODEL = """
import keras
import numpy as np
import tensorflow as tf

cells = np.arange(40, dtype="float32").reshape(40, 1) / 40
model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
"""
_PICTURES = """
import keras

model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
"""

RULE = Rule(
    code="SEQ434",
    name="training-data-never-shuffled",
    since="0.1.0",
    levels=Levels.everywhere("warning"),
    needs=(any_of("fit", "fit_generator", "train_on_batch", "GradientTape"),),
    examples=(
        Example(
            _PICTURES
            + """pictures = keras.utils.image_dataset_from_directory("moths", image_size=(8, 8), shuffle=False)
model.fit(pictures, epochs=3)
"""
        ),
        Example(
            _MODEL
            + """

names = tf.data.Dataset.list_files("wells/*/*.txt", shuffle=False)
wells = names.map(lambda name: (tf.strings.length(tf.io.read_file(name))[None], 1.0))
model.fit(wells.batch(8), epochs=3)
"""
        ),
        Example.ok(
            _PICTURES
            + """pictures = keras.utils.image_dataset_from_directory("moths", image_size=(8, 8))
model.fit(pictures, epochs=3)
"""
        ),
        Example.ok(
            _MODEL
            + """rows = tf.data.Dataset.from_tensor_slices((cells, cells))
model.fit(rows.batch(8), epochs=3)
"""
        ),
    ),
)


_NOTE = "a model learned 0.33 in place of 0.98 of three classes that came one after the other"
_HELP = "shuffle before `batch`, with a buffer for all rows"
_LOADERS = ("image_dataset_from_directory", "text_dataset_from_directory", "audio_dataset_from_directory")


def check(facts: Facts) -> Iterator[Finding]:
    loops, seen = facts.run.domain(Loops), set()
    for reading in facts.run.domain(Pipelines).readings:
        source = _source(facts, reading.dataset) if loops.role(reading) == "trained" else None
        step = _step(facts, reading.dataset, source) if source is not None else None
        causes = (reading.trainer.result,) if reading.trainer is not None else ()
        place = place_of(facts.run, step, step, *causes) if step is not None else None
        if source is None or place is None or place in seen:
            continue
        seen.add(place)
        what = "the loader" if source.method in _LOADERS else f"`{source.method}`"
        order = "class by class" if facts.run.domain(ClassOrders).is_of_labels(source) else "folder by folder"
        message = f"training data come {order}: {what} keeps their order, and nothing shuffles"
        yield facts.finding_at(facts.run.step_span(place), message, _NOTE, _HELP)


def _source(facts: Facts, dataset: Result) -> Result | None:
    return facts.run.domain(ClassOrders).source(dataset)


def _step(facts: Facts, dataset: Result, source: Result) -> Result:
    """Where to point: the loader that makes the batches, or `batch`."""
    line = facts.run.domain(Pipelines).line(dataset)
    return next((each for each in line if each.method in BATCHES and source.method not in _LOADERS), source)
