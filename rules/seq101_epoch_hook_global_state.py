"""Shared state written in the epoch hook of a Sequence or PyDataset.

## Why
A hook of the data looks like the place to count epochs or to step a curriculum. But Keras calls it for the data, not for
the training: before the first epoch, for `evaluate` and `predict`, for validation, and once for each Sequence. So what it
writes outside the instance is off by some epochs. With workers on Keras 2, two threads write it. A seed that is set there
resets the random numbers of the whole program.

## Measured
- Keras 3.10 and later: `on_epoch_end` runs epochs + 1 times, once before epoch 0; twice in each `evaluate`, once in each `predict`.
  `on_epoch_begin` runs at the start of every epoch, `evaluate` and `predict`.
- Keras 3.0 to 3.9: up to 3.6 `on_epoch_end` runs once per epoch, with processes once or twice; since 3.7 epochs + 1 times. `on_epoch_begin`
  is called since 3.5.
- Keras 2: once per epoch; with workers or processes once or twice, from two threads. Not for an epoch in which a callback stops the training.
- A Callback's `on_epoch_end` runs once per epoch, in the main thread, on every Keras.

## Do this
Move the write to a Callback and pass that to `fit`. Its `epoch` argument often replaces the counter. For a shuffle that
you can repeat, draw from a generator of your own, such as `np.random.RandomState(seed)`: it gives the same numbers and
leaves the global generator alone.

## Silent when
The hook writes only attributes of the instance, or draws random numbers without seeding: `np.random.shuffle(self.order)` is fine.
"""

from collections.abc import Iterator
from dataclasses import replace

from seqlint.api import (
    Contract,
    Deed,
    Example,
    Facts,
    Finding,
    Levels,
    Note,
    Rule,
    Write,
    a_sequence,
    as_template_method,
    callback_fixes,
    epoch_code,
    if_for_sequence,
    own_generator_fix,
    why_not_moved,
)

RULE = Rule(
    code="SEQ101",
    name="epoch-hook-global-state",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    contract=Contract(changes=frozenset({"hooks", "state"})),
    needs=(a_sequence, epoch_code),
    examples=(
        Example(
            """
import keras
import numpy as np

finished = 0


class Scales(keras.utils.PyDataset):
    def __len__(self):
        return 3

    def __getitem__(self, index):
        notes = np.full((4, 2), index, "float32")
        return notes, notes[:, :1]

    def on_epoch_end(self):
        global finished
        finished += 1  # one more epoch


model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(Scales(), epochs=2, verbose=0)
""",
            """
import keras
import numpy as np

finished = 0


class Scales(keras.utils.PyDataset):
    def __len__(self):
        return 3

    def __getitem__(self, index):
        notes = np.full((4, 2), index, "float32")
        return notes, notes[:, :1]


class EpochCounter(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        global finished
        finished += 1  # one more epoch


model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(Scales(), epochs=2, verbose=0, callbacks=[EpochCounter()])
""",
            keras=">=3.10",
        ),
        # What belongs to the data stays; helpers go along; values of the instance are handed over, each fit has its own.
        Example(
            """
import os

import keras
import numpy as np

order_log = []


class Scales(keras.utils.PyDataset):
    runs = 0

    def __init__(self, notes, label="scale", **kwargs):
        super().__init__(**kwargs)
        self.notes = notes
        self.label = label
        self.order = np.arange(len(notes))

    def __len__(self):
        return len(self.notes) // 4

    def __getitem__(self, index):
        rows = self.notes[self.order[index * 4 : index * 4 + 4]]
        return rows, rows[:, :1]

    def on_epoch_end(self):
        # Another order for the next epoch.
        np.random.shuffle(self.order)

        # Tell the world.
        self._note(self.label)
        os.environ["RUNS"] = str(Scales.runs)

    def _note(self, label):
        type(self).runs += 1
        order_log.append(f"{label} {Scales.runs}")


major = Scales(np.ones((8, 2), "float32"))
minor = Scales(np.zeros((8, 2), "float32"), label="minor")
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(major, epochs=2, verbose=0, callbacks=[keras.callbacks.TerminateOnNaN()])
model.fit(minor, epochs=1, verbose=0, validation_data=major)
print(len(order_log))
""",
            """
import os

import keras
import numpy as np

order_log = []


class Scales(keras.utils.PyDataset):
    runs = 0

    def __init__(self, notes, label="scale", **kwargs):
        super().__init__(**kwargs)
        self.notes = notes
        self.label = label
        self.order = np.arange(len(notes))

    def __len__(self):
        return len(self.notes) // 4

    def __getitem__(self, index):
        rows = self.notes[self.order[index * 4 : index * 4 + 4]]
        return rows, rows[:, :1]

    def on_epoch_end(self):
        # Another order for the next epoch.
        np.random.shuffle(self.order)


class ScalesCallback(keras.callbacks.Callback):
    def __init__(self, label):
        super().__init__()
        self.label = label

    def on_epoch_end(self, epoch, logs=None):
        # Tell the world.
        self._note(self.label)
        os.environ["RUNS"] = str(Scales.runs)

    def _note(self, label):
        Scales.runs += 1
        order_log.append(f"{label} {Scales.runs}")


major = Scales(np.ones((8, 2), "float32"))
minor = Scales(np.zeros((8, 2), "float32"), label="minor")
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(major, epochs=2, verbose=0, callbacks=[keras.callbacks.TerminateOnNaN(), ScalesCallback(major.label)])
model.fit(minor, epochs=1, verbose=0, validation_data=major, callbacks=[ScalesCallback(minor.label)])
print(len(order_log))
""",
            keras=">=3.10",
            contract=Contract(changes=frozenset({"hooks", "state", "output"})),
        ),
        # A seed in the hook resets the noise too: the same in every epoch.
        Example(
            """
import keras
import numpy as np


class Noisy(keras.utils.PyDataset):
    def __init__(self, x):
        super().__init__()
        self.x = x

    def __len__(self):
        return 1

    def __getitem__(self, index):
        return self.x + np.random.normal(size=self.x.shape), self.x

    def on_epoch_end(self):
        np.random.seed(1)
        np.random.shuffle(self.x)


model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(Noisy(np.arange(4.0).reshape(4, 1)), epochs=2, verbose=0)
""",
            """
import keras
import numpy as np


class Noisy(keras.utils.PyDataset):
    def __init__(self, x):
        super().__init__()
        self.x = x

    def __len__(self):
        return 1

    def __getitem__(self, index):
        return self.x + np.random.normal(size=self.x.shape), self.x

    def on_epoch_end(self):
        rng = np.random.RandomState(1)
        rng.shuffle(self.x)


model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(Noisy(np.arange(4.0).reshape(4, 1)), epochs=2, verbose=0)
""",
            keras=">=3.10",
            contract=Contract(
                changes=frozenset({"samples", "order", "grouping", "history", "weights"}),
                holds=frozenset({"labels stay"}),
            ),
        ),
        # Trained in another file: found, but the fit that should get the callback is not here.
        Example(
            """
import keras

seen = {}


class Pages(keras.utils.PyDataset):
    def on_epoch_end(self):
        seen["epochs"] = seen.get("epochs", 0) + 1
"""
        ),
        Example.where_unknown(
            """
import keras

from ours import Reporting

epochs = 0


class Notes(keras.utils.PyDataset, Reporting):
    def on_epoch_end(self):
        global epochs
        epochs += 1
"""
        ),
        Example.ok(
            """
import keras
import numpy as np

limit = 3


class Mixed(keras.utils.PyDataset):
    def __init__(self, x):
        super().__init__()
        self.x = x
        self.epoch = 0
        self.log = []

    def on_epoch_end(self):
        global limit
        self.epoch += 1
        history = []
        history.append(self.epoch)
        self.log.append(history)
        if self.epoch < limit:
            np.random.shuffle(self.x)
"""
        ),
        Example.ok(
            """
from collections.abc import Sequence

import keras

count = 0


class Pages(Sequence):
    def on_epoch_end(self):
        global count
        count += 1


class Counter(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        global count
        count += 1
"""
        ),
    ),
    sources=(
        "How do multiple Keras Sequence on_epoch_end() calls affect model training?",
        "tensorflow/tensorflow#45962",
    ),
)

_WHAT = {
    "global": "rebinds the module global `{}`",
    "enclosing": "rebinds `{}` of the enclosing function",
    "object": "changes the shared `{}`",
    "class": "writes the class attribute `{}`",
    "module": "writes `{}` of another module",
    "environment": "writes `{}` of the whole process",
    "seed": "reseeds the global generator with `{}`",
}
_END = Note(
    keras2="with workers the hook runs once or twice per epoch, from two threads",
    early="with processes the hook runs once or twice per epoch, since 3.7 epochs + 1 times",
    keras3="the hook runs epochs + 1 times, once before epoch 0",
)
_BEGIN = Note(
    keras2="the hook never runs",
    early="since 3.5 the hook runs at the start of every epoch, `evaluate` and `predict`",
    keras3="the hook runs at the start of every epoch, `evaluate` and `predict`",
)
_SEED = Note("all other random draws, such as augmentation, start over each time")


def check(facts: Facts) -> Iterator[Finding]:
    if not facts.hooks.writes:
        return
    moves = callback_fixes(facts)
    seen = set()
    for deed in facts.hooks.writes:
        if (deed.hook, deed.done.target) in seen:
            continue
        seen.add((deed.hook, deed.done.target))
        finding = facts.finding(deed.node, _message(deed), _note(deed))
        fixes = next((move.fixes for move in moves if move.takes(deed)), ())
        own = own_generator_fix(facts, deed) if deed.done.kind == "seed" and deed.hook.template_method is None else None
        finding = as_template_method(
            deed.hook.template_method, replace(finding, fixes=fixes if own is None else (own,))
        )
        finding = if_for_sequence(deed.hook, finding, RULE.levels)
        yield finding if finding.fixes else replace(finding.unfixed(_reason(facts, deed)), help=_help(deed))


def _message(deed: Deed[Write]) -> str:
    through = f" (through `{deed.via[-1]}`)" if deed.via else ""
    what = _WHAT[deed.done.kind].format(deed.done.target)
    if deed.done.external:
        what = f"calls `{deed.done.target}`, which calls `{deed.done.external[0].name}`"
    return f"`{deed.hook.called}` {what}{through}"


def _note(deed: Deed[Write]) -> Note:
    if deed.done.kind == "seed":
        return _SEED
    return _BEGIN if deed.hook.name == "on_epoch_begin" else _END


def _help(deed: Deed[Write]) -> str:
    if deed.done.kind == "seed":
        return "draw from a generator of your own, such as `np.random.RandomState(seed)`"
    return "write it in a Callback and pass that to `fit`"


def _reason(facts: Facts, deed: Deed[Write]) -> str:
    if deed.done.kind != "seed":
        return why_not_moved(facts, deed)
    return "another function sets the seed" if deed.via or deed.done.external else "other code may rely on this seed"
