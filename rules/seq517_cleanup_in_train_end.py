"""A file or lock is released in `on_train_end` alone, which a failed fit skips.

## Why
Keras calls `on_train_end` where a training has ended well. After an exception of the data, of another callback or of Ctrl-C it calls none of the hooks:
a lock stays taken, a process goes on, and what was written last stays in the buffer of the file for as long as the program lives.

## Measured
- On every Keras `on_train_end` and `on_epoch_end` are called 0 times where the data, a callback or Ctrl-C end `fit` with an exception.
- On every Keras the file of a callback then has 0 bytes on the disk, where 2 epochs were written to it, and its lock is still taken.
- On every Keras `stop_training = True` and the last of `epochs` do call `on_train_end`.

## Do this
Release it in `finally` around `fit`, too: `try: model.fit(...)`, `finally: log.close()`. A file that is opened with `buffering=1`, or is flushed
in `on_epoch_end`, loses nothing.

## Silent when
Other code releases or flushes it, too, or somebody who may do so gets it; a file is read, or is written line by line; the class has `__del__`.
"""

from collections.abc import Iterator

from seqlint.api import Cleanup, Cleanups, Example, Facts, Finding, Levels, Rule, any_of

_START = """
import keras
import numpy as np


class Lines(keras.callbacks.Callback):
    def on_train_begin(self, logs=None):
        self.file = open("lines.txt", "w")

    def on_epoch_end(self, epoch, logs=None):
        self.file.write(f"{epoch}\\n")

    def on_train_end(self, logs=None):
        self.file.close()


rows = np.arange(12, dtype="float32").reshape(12, 1)
model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
lines = Lines()
"""
_FIT = "model.fit(rows, rows, verbose=0, callbacks=[lines])\n"
_LOCK = (
    _START.replace('open("lines.txt", "w")', "threading.Lock()\n        self.file.acquire()")
    .replace('self.file.write(f"{epoch}\\n")', "print(epoch)")
    .replace(".close()", ".release()")
    .replace("import keras", "import threading\n\nimport keras", 1)
)

RULE = Rule(
    code="SEQ517",
    name="cleanup-in-train-end",
    since="0.1.0",
    levels=Levels.everywhere("advice"),
    needs=(any_of("on_train_end"),),
    examples=(
        Example(_START + _FIT),
        Example(_LOCK + _FIT),
        Example.ok(_START + f"try:\n    {_FIT}finally:\n    lines.file.close()\n"),
        Example.ok(_START.replace('"w")', '"w", buffering=1)') + _FIT),
    ),
)

_NOTE = "a lock stays taken, and the last rows of a file stay in its buffer"
_HELP = "release it in `finally` around `fit`, too"


def check(facts: Facts) -> Iterator[Finding]:
    seen = set()
    for cleanup in facts.run.domain(Cleanups).all:
        if cleanup.call.node not in seen:
            seen.add(cleanup.call.node)
            yield facts.finding_at(facts.run.step_span(cleanup.call.node), _message(cleanup), _NOTE, _HELP)


def _message(cleanup: Cleanup) -> str:
    return f"`{cleanup.owner}` calls `{cleanup.call.result.method}` in `on_train_end` alone, which a failed `fit` skips"
