"""Codemods of what stands next to times and chance, of private state, of the environment, and of what one seed and one replica hide."""

from __future__ import annotations

from tests.proof.codemods.codemod import At, Right, Unseen, Wrong
from tests.proof.codemods.programs import MIRRORED

SEEN = """\
import datetime
import os
import random
import time
import uuid

import numpy as np
import tensorflow as tf
from tensorflow import keras

random.seed(7)
drawn = random.random()
rows = np.arange(10, dtype="float32").reshape(10, 1)
labels = rows / 10


class Notes:
    def __init__(self):
        self._kept = []

    def keep(self, number):
        self._kept.append(number)


class Last(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        self._epoch = epoch


def first(many, count=3):
    return many[:count]


notes = Notes()
for number in range(3):
    notes.keep(number * 2)
limit = globals().get("most", 10)
data = tf.data.Dataset.from_tensor_slices((first(rows, 9), first(labels, 9)))
data = data.map(lambda x, y: (x, y), num_parallel_calls=4).batch(5)
model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(data, epochs=2, verbose=0, callbacks=[Last()])
model.export("exported", verbose=False)
writer = tf.summary.create_file_writer("logs")
with writer.as_default():
    tf.summary.write("rows", float(len(rows)), step=1)
writer.close()
tf.train.Checkpoint(model).save("checkpoints/model")
tf.print("rows", len(rows))
bar = keras.utils.Progbar(2)
for number in (1, 2):
    bar.update(number, [("score", number / 10)])
print(f"run {uuid.UUID(bytes=os.urandom(16))} of {datetime.datetime.now():%A %H:%M:%S} has {len(rows)} rows")
print("3/10 [===>      ] kept 3")
print(f"took {time.process_time():.0f} s, {len(labels)} labels")
"""
TRAINED = "model.fit(data, epochs=2, verbose=0, callbacks=[Last()])\n"
EXPORTED = 'model.export("exported", verbose=False)\n'
SAVED = 'tf.train.Checkpoint(model).save("checkpoints/model")\n'

WRONG_SEEN = (
    Wrong(
        "a private list of an object gets other values",
        SEEN,
        {"number * 2": "number * 3"},
        {"state": At("notes._kept[1]", 2, 3)},
        same="samples weights history output",
    ),
    Wrong(
        "a private attribute of a callback gets another value",
        SEEN,
        {"self._epoch = epoch": "self._epoch = epoch + 1"},
        {"state": At("the callback Last._epoch", 1, 2)},
        same="samples weights history hooks output",
    ),
    Wrong(
        "a variable comes into the environment",
        SEEN,
        {"notes = Notes()\n": 'notes = Notes()\nos.environ["OMP_SCHEDULE"] = "static"\n'},
        {"state": At("environ[OMP_SCHEDULE]", "nothing", "static")},
    ),
    Wrong(
        "a global appears that the code looks for",
        SEEN,
        {"model.export(": "most = 10\nmodel.export("},
        {"state": At("most", "nothing", "10")},
        same="samples weights history output",
    ),
    Wrong(
        "TensorFlow prints another number",
        SEEN,
        {'tf.print("rows", len(rows))': 'tf.print("rows", len(rows) - 1)'},
        {"output": At("error stream, line 1", "rows 10", "rows 9")},
        same="samples weights history state",
    ),
    Wrong(
        "a bar shows another score",
        SEEN,
        {"number / 10)": "number / 20)"},
        {"output": At("line 1", "1 of 2 score: 0.1", "1 of 2 score: 0.05")},
    ),
    Wrong(
        "a count is off next to an identity and a time",
        SEEN,
        {"has {len(rows)} rows": "has {len(rows) - 1} rows"},
        {"output": At("line 3", "run …10 rows", "run …9 rows")},
    ),
    Wrong(
        "a line changes that looks like progress",
        SEEN,
        {"] kept 3": "] kept 4"},
        {"output": At("line 4", "3/10 [===> ] kept 3", "3/10 [===> ] kept 4")},
    ),
    Wrong(
        "a count is off next to a duration",
        SEEN,
        {"{len(labels)} labels": "{len(labels) + 1} labels"},
        {"output": At("line 5", "took <duration>, 10 labels", "took <duration>, 11 labels")},
    ),
    Wrong(
        "a model is exported before it is trained",
        SEEN,
        {TRAINED + EXPORTED: EXPORTED + TRAINED},
        {"output": At("what is in exported/…")},
        same="samples weights history state",
    ),
    Wrong(
        "a checkpoint is written before the training",
        SEEN,
        {SAVED: "", TRAINED: SAVED + TRAINED},
        {"output": At("what is in checkpoints/model-1.index…")},
        same="samples weights history state",
    ),
    Wrong(
        "another number goes to the log",
        SEEN,
        {"float(len(rows))": "float(len(rows) - 1)"},
        {"output": At("what is in logs/events.out.tfevents.…", "rows of step 1: 10", "rows of step 1: 9")},
        same="samples weights history state",
    ),
    Wrong(
        "the order of a parallel map is left to chance",
        SEEN,
        {"num_parallel_calls=4)": "num_parallel_calls=4, deterministic=False)"},
        {"order": At("the order in which ParallelMap gives elements", "that of its input", "left to chance")},
    ),
    Wrong(
        "a seed is lost that is that of the proof by chance",
        SEEN,
        {"random.seed(7)\n": ""},
        {"state": At("drawn"), "history": At("fit 1, loss, epoch 1")},
        same="samples steps",
    ),
    Wrong(
        "one device in place of a strategy",
        MIRRORED + "print(strategy.num_replicas_in_sync)\n",
        {"tf.distribute.MirroredStrategy()": 'tf.distribute.OneDeviceStrategy("CPU:0")'},
        {"output": At("line 1", "2", "1")},
    ),
)

UNSEEN_SEEN = (
    Unseen("a default changes that no call uses", SEEN, {"count=3": "count=4"}),
    Unseen(
        "a seed is drawn where nothing is trained",
        "import random\nrandom.seed(7)\nprint('ready')\n",
        {"random.seed(7)": "random.seed(random.random())"},
    ),
)

RIGHT_SEEN = (
    Right(
        "a private attribute gets another name",
        SEEN,
        {"_kept": "_numbers"},
    ),
    Right(
        "a format in place of an f-string, next to an identity and a time",
        SEEN,
        {
            'print(f"took {time.process_time():.0f} s, {len(labels)} labels")': (
                'print("took {:.0f} s, {} labels".format(time.process_time(), len(labels)))'
            )
        },
    ),
    Right(
        "TensorFlow prints one text in place of two values",
        SEEN,
        {'tf.print("rows", len(rows))': 'tf.print(f"rows {len(rows)}")'},
    ),
    Right(
        "a bar counts by itself",
        SEEN,
        {'bar.update(number, [("score", number / 10)])': 'bar.add(1, values=[("score", number / 10)])'},
    ),
    Right(
        "a number gets a name, and a model is exported in another way",
        SEEN,
        {EXPORTED: 'keras.Model.export(model, "exported", verbose=False)\n', "has {len(rows)}": "has {count}", "notes = Notes()\n": "notes = Notes()\ncount = len(rows)\n"},
    ),
    Right(
        "the order of a map is kept in words, and a seed is written in another way",
        SEEN,
        {"num_parallel_calls=4)": "num_parallel_calls=4, deterministic=True)", "random.seed(7)": "random.seed(a=7)"},
    ),
)  # fmt: skip
