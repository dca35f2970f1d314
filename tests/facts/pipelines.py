"""Small tf.data pipelines, each of which ends with a dataset called `ds`."""

from __future__ import annotations

START = """
import functools
import keras
import numpy as np
import tensorflow as tf

AUTO = tf.data.AUTOTUNE


def numbers(count=64):
    return tf.data.Dataset.range(count)


def prepared(ds, shuffle=False, batch=None):
    if shuffle:
        ds = ds.shuffle(64)
    if batch is not None:
        ds = ds.batch(batch)
    return ds.prefetch(AUTO)


def early(ds, training):
    if training:
        return ds.shuffle(64).repeat()
    return ds.cache()


def rows():
    for number in range(64):
        yield number
"""

PROGRAMS: dict[str, str] = {
    "range": "ds = numbers()",
    "slices": "ds = tf.data.Dataset.from_tensor_slices(np.arange(64))",
    "shuffle": "ds = numbers().shuffle(64)",
    "shuffle once": "ds = numbers().shuffle(64, reshuffle_each_iteration=False)",
    "shuffle with a seed": "ds = numbers().shuffle(64, seed=3)",
    "shuffle by position": "ds = numbers().shuffle(64, 3, False)",
    "shuffle twice": "ds = numbers().shuffle(64).shuffle(64, reshuffle_each_iteration=False)",
    "shuffle and cache": "ds = numbers().shuffle(64).cache()",
    "batch": "ds = numbers().batch(4)",
    "batch and unbatch": "ds = numbers().batch(4).unbatch()",
    "batches of batches": "ds = numbers().batch(4).batch(2).unbatch()",
    "repeat": "ds = numbers().repeat()",
    "repeat some times": "ds = numbers().repeat(2)",
    "repeat by a negative number": "ds = numbers().repeat(count=-1)",
    "repeat and take": "ds = numbers().repeat().take(100)",
    "take them all": "ds = numbers().repeat().take(-1)",
    "skip": "ds = numbers().repeat().skip(5)",
    "assigned again": "ds = numbers()\nds = ds.map(lambda n: n + 1)\nds = ds.batch(4)\nds = ds.prefetch(AUTO)",
    "a branch": "ds = numbers()\nif len('abc') == 3:\n    ds = ds.shuffle(64)\nds = ds.batch(4)",
    "a function": "ds = prepared(numbers())",
    "a function that shuffles": "ds = prepared(numbers(), True, 8)",
    "a function with keywords": "ds = prepared(batch=4, ds=numbers().cache())",
    "a function that leaves early": "ds = early(numbers(), training=True)",
    "a function that goes on": "ds = early(numbers(), training=False)",
    "zip of shuffled": "ds = tf.data.Dataset.zip((numbers().shuffle(64), numbers()))",
    "zip without end": "ds = tf.data.Dataset.zip((numbers().repeat(), numbers()))",
    "zip of two without end": "ds = tf.data.Dataset.zip((numbers().repeat(), numbers().repeat()))",
    "concatenate": "ds = numbers().concatenate(numbers().repeat())",
    "windows": "ds = numbers().window(4, drop_remainder=True).flat_map(lambda part: part.batch(4))",
    "flat map": "ds = numbers().flat_map(lambda n: tf.data.Dataset.from_tensors(n))",
    "apply": "ds = numbers().apply(tf.data.experimental.shuffle_and_repeat(64))",
    "enumerate": "ds = numbers().enumerate()",
    "a generator": "ds = tf.data.Dataset.from_generator(rows, output_signature=tf.TensorSpec((), tf.int64))",
    "counter": "ds = tf.data.Dataset.counter()",
    "series": "ds = keras.utils.timeseries_dataset_from_array(np.arange(64), None, sequence_length=1)",
    "shuffled series": "ds = keras.utils.timeseries_dataset_from_array(np.arange(64), None, sequence_length=1, shuffle=True, batch_size=4)",
    "split": "ds, rest = keras.utils.split_dataset(numbers(), left_size=0.5)",
    "in a class": """
class Data:
    def __init__(self):
        self.rows = numbers().shuffle(64)
        self.batches = self.rows.batch(4)


ds = Data().batches.prefetch(AUTO)
""",
    "in a loop": "ds = numbers()\nfor step in (1, 2):\n    ds = ds.map(lambda n: n + 1)\nds = ds.batch(4)",
    "a partial": "ds = numbers().map(functools.partial(lambda one, other: one + other, 1), num_parallel_calls=AUTO)",
}
