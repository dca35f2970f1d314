"""One array that each batch is filled into, while the batch before is still used.

## Why
Keras makes batches ahead of the training step, in other threads. It does not copy a batch at once, and with NumPy and TensorFlow often
never: the tensor shares the memory of the array. Filling the array again changes batches that the model has not trained on yet. Nothing
fails, and labels no longer match their rows.

## Measured
- Keras 3: a Sequence that fills `self.batch`, 20 batches: 19 wrong with `workers=4`. With one worker 6 to 13 wrong where the array starts at
  a multiple of 64 bytes, else none. A generator that yields one array again and again: the first batch is lost and the second comes
  twice, always, because Keras reads ahead to learn the shapes; 10 of 20 wrong where the array is aligned.
- Keras 2: 19 of 20 wrong with `workers=4`; none with one worker or from a generator, because Keras copies there.
- Every Keras: `.copy()` at the `return` is right with one worker and not enough with several: they fill the shared array before one of them
  copies it. Processes are safe, each has an array of its own.

## Do this
Make the array where it is filled, in `__getitem__` or at the top of the loop. `np.empty` costs microseconds.

## Silent when
The batches are made in processes; the array is a copy and there is one worker; nothing fills it between batches.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (  # fmt: skip
    Buffer,
    Contract,
    Example,
    Facts,
    Finding,
    Levels,
    Note,
    Rule,
    a_batch_method,
    allocate_per_batch,
    if_for_model,
)

_BEATS = """
import keras
import numpy as np


class Beats(keras.utils.PyDataset):
    def __init__(self, beats, size, **kwargs):
        super().__init__(**kwargs)
        self.beats = beats
        self.size = size
        self.batch = np.empty((size, 3), dtype="float32")

    def __len__(self):
        return len(self.beats) // self.size

    def __getitem__(self, index):
        for row in range(self.size):
            self.batch[row] = self.beats[index * self.size + row] / 9
        return self.batch, self.batch[:, :1] * 2


beats = np.arange(24).reshape(8, 3)
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(Beats(beats, 2, workers=2), epochs=2, verbose=0)
"""
_STREAM = """
import keras
import numpy as np


def stream(beats, size):
    batch = np.zeros((size, 3), dtype="float32")
    while True:
        for start in range(0, len(beats), size):
            for row in range(size):
                batch[row] = beats[start + row]
            yield batch, beats[start : start + size, :1]


beats = np.arange(24).reshape(8, 3)
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(stream(beats, 2), steps_per_epoch=4, epochs=2, verbose=0)
"""

RULE = Rule(
    code="SEQ215",
    name="batch-buffer-reused",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    contract=Contract(changes=frozenset({"samples", "order", "history", "weights"}), holds=frozenset({"epochs equal"})),
    needs=(a_batch_method,),
    examples=(
        Example(
            _BEATS,
            _BEATS.replace('        self.batch = np.empty((size, 3), dtype="float32")\n', "")
            .replace("        for row", '        batch = np.empty((self.size, 3), dtype="float32")\n        for row')
            .replace("self.batch[", "batch[")
            .replace("return self.batch,", "return batch,"),
            contract=Contract(
                frozenset({"samples", "order", "grouping", "history", "weights"}), holds=frozenset({"epochs equal"})
            ),
        ),
        Example(
            _STREAM,
            _STREAM.replace('    batch = np.zeros((size, 3), dtype="float32")\n', "").replace(
                "            for row", '            batch = np.zeros((size, 3), dtype="float32")\n            for row'
            ),
        ),
        Example(
            _BEATS.replace("return self.batch,", "return self.batch.copy(),")
            .replace("(self.size)", "(self.size - 0)")
            .replace("        self.batch = ", "        self.last = self.batch = ")
        ),
        Example.ok(_BEATS.replace("return self.batch,", "return self.batch.copy(),").replace(", workers=2", "")),
        Example.ok(_BEATS.replace("workers=2", "workers=2, use_multiprocessing=True")),
        Example.ok(_BEATS.replace(", workers=2", ""), keras="tf-keras"),
        Example.ok(
            _STREAM.replace("                batch[row] = beats[start + row]\n", "                print(row)\n")
        ),
        Example.ok(
            """
import keras
import numpy as np


class Cached(keras.utils.PyDataset):
    def __init__(self, count):
        super().__init__(workers=4)
        self.cache = np.zeros((count, 2, 3))

    def __getitem__(self, index):
        if not self.cache[index].any():
            self.cache[index] = np.load(f"{index}.npy")
        return self.cache[index], self.cache[index][:, 0]
"""
        ),
        Example.where_unknown(_BEATS.replace("workers=2", "workers=choose()")),
    ),
    sources=("tensorflow/tensorflow#34099", "keras-team/keras#8647"),
)

# What several threads mix up can be anything.
_MIXED = Contract(frozenset({"samples", "order", "grouping", "history", "weights"}), holds=frozenset({"epochs equal"}))
_NOT_ON_2 = Levels(keras2=None, early="error", keras3="error")


def check(facts: Facts) -> Iterator[Finding]:
    found = [buffer for buffer in facts.buffers.all if _is_mixed_up(facts, buffer)]
    for buffer in found:
        owner = buffer.maker.owner if buffer.maker.of_sequence else None
        threads = facts.loading.threads(owner) if owner is not None else "no"
        levels = _NOT_ON_2 if threads == "no" else RULE.levels
        finding = facts.finding(buffer.given, _message(buffer), _note(buffer, threads == "yes"))
        finding = but(finding, levels=levels)
        # Half of a new batch does not repair it: make all arrays of a maker new, or none.
        same = [each for each in found if (each.maker.function, each.loop) == (buffer.maker.function, buffer.loop)]
        edits = allocate_per_batch(facts, same)
        title = "Make a new array for each batch" if len(same) == 1 else "Make new arrays for each batch"
        if edits:
            finding = finding.fixed_by(title, *edits, contract=_MIXED)
        else:
            finding = but(finding, help="make the array where it is filled", no_fix=_reason(facts, same))
        if owner is not None and (threads == "unknown" or facts.loading.processes(owner) == "unknown"):
            finding = finding.provided(f"`{owner.name}` is loaded by several threads", levels)
        yield if_for_model(buffer.maker, finding, levels)


def _is_mixed_up(facts: Facts, buffer: Buffer) -> bool:
    """Whether threads can fill it too early; processes have one each, and for one thread a copy will do."""
    owner = buffer.maker.owner if buffer.maker.of_sequence else None
    threads = facts.loading.threads(owner) if owner is not None else "no"
    in_processes = owner is not None and facts.loading.processes(owner) == "yes"
    return not in_processes and not (buffer.copied and threads == "no")


def _message(buffer: Buffer) -> str:
    if buffer.loop is not None:
        return f"the generator fills the same array `{buffer.name}` for every batch"
    part = f"[{buffer.key}]" if buffer.key else ""
    name = f"`self.{buffer.name}{part}`"
    if buffer.copied:
        return f"all workers fill {name} at the same time, before one of them copies it"
    return f"{name} is filled again while earlier batches still use it"


def _note(buffer: Buffer, several: bool) -> Note:
    if buffer.loop is not None:
        return Note.on_keras_3("batches are read ahead, so the first one is lost and the second comes twice")
    if buffer.copied:
        return Note("up to 250 of 320 rows were wrong")
    if several:
        return Note("19 of 20 batches were wrong")
    return Note.on_keras_3(
        "up to 13 of 20 batches were wrong with one worker, 19 with four",
        "19 of 20 batches were wrong with four workers",
    )


def _reason(facts: Facts, same: list[Buffer]) -> str:
    maker = same[0].maker
    if same[0].loop is not None:
        return "no simple edit makes the arrays of this batch inside of the loop"
    init = maker.owner.methods.get("__init__") if maker.owner is not None else None
    for buffer in same:
        if any(facts.tree.function(use) not in (maker.function, init) for use in facts.members.all(buffer.name)):
            return f"other code uses `self.{buffer.name}` too"
    return f"no simple edit makes all arrays of this batch in `{maker.function.name.value}`"
