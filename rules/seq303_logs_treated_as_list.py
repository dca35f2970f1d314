"""A callback treats a value of `logs` as a list with one value per worker.

## Why
Under every strategy `logs` holds one number per key: Keras has reduced it before the hooks run. A loop over it, an index or `len` raises
TypeError when Keras calls the hook, and training ends there.

## Measured
- Keras 3.10 and later: TypeError "'float' object is not iterable" at the end of the first epoch, on one device and under
  MirroredStrategy with two replicas.
- Keras 3.0 to 3.9: `logs` holds plain floats too.
- Keras 2: the same; under MultiWorkerMirroredStrategy every worker has the same number.
- A metric whose result is a vector arrives as an array on every Keras. So only keys that name a single number are reported: `loss`,
  accuracies, mean errors, with or without `val_`.

## Do this
Use the number itself. Nothing is left to average: on Keras 3.10 and later, and on Keras 2, it is the value of all replicas.

## Silent when
The hook checks the type of the value (`isinstance`, `np.ndim`) or catches the error; this file calls the hook with logs of its own; the
model of this file returns its own logs from `train_step` or `test_step`.
"""

import re
from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (
    Contract,
    Edit,
    Example,
    Facts,
    Finding,
    Levels,
    ListUse,
    Rule,
    cst,
    delete,
    lines_of,
    matching,
    replace,
)

_TRAIN = """

x = np.arange(8, dtype="float32").reshape(8, 1)
model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1, kernel_initializer="zeros")])
model.compile(optimizer="sgd", loss="mse")
"""
_FIT = "model.fit(x, x, epochs=2, shuffle=False, verbose=0, validation_data=(x, x), callbacks=[{}])\n"

RULE = Rule(
    code="SEQ303",
    name="logs-treated-as-list",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    contract=Contract(repairs=frozenset({"errors"})),
    needs=(matching(r"on_(?:epoch|batch|train|test|predict)_"),),
    examples=(
        Example(
            """
import keras
import numpy as np
import tensorflow as tf


class StopOnMean(keras.callbacks.Callback):
    def __init__(self, monitor="val_loss", limit=0.5):
        super().__init__()
        self.monitor = monitor
        self.limit = limit

    def on_epoch_end(self, epoch, logs=None):
        # one value from each worker
        average = tf.reduce_mean([value for value in logs[self.monitor]])
        if average < self.limit:
            self.model.stop_training = True
"""
            + _TRAIN
            + _FIT.format("StopOnMean()"),
            """
import keras
import numpy as np
import tensorflow as tf


class StopOnMean(keras.callbacks.Callback):
    def __init__(self, monitor="val_loss", limit=0.5):
        super().__init__()
        self.monitor = monitor
        self.limit = limit

    def on_epoch_end(self, epoch, logs=None):
        # one value from each worker
        average = logs[self.monitor]
        if average < self.limit:
            self.model.stop_training = True
"""
            + _TRAIN
            + _FIT.format("StopOnMean()"),
        ),
        Example(
            """
import keras
import numpy as np


class Report(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, values=None):
        values = values or {}
        losses = values.get("loss")
        print(epoch, round(sum(losses) / len(losses), 4))
        print(epoch, round(np.mean(list(values["val_loss"])), 4))
        print("%.4f" % values["val_loss"][0])
"""
            + _TRAIN
            + _FIT.format("Report()"),
            """
import keras
import numpy as np


class Report(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, values=None):
        values = values or {}
        losses = values.get("loss")
        print(epoch, round(losses, 4))
        print(epoch, round(values["val_loss"], 4))
        print("%.4f" % values["val_loss"])
"""
            + _TRAIN
            + _FIT.format("Report()"),
        ),
        Example(
            """
import keras
import numpy as np


class Gap(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        losses = [float(loss) for loss in logs["val_loss"]]
        if sum(losses) / len(losses) > 10 * logs["loss"]:
            self.model.stop_training = True
"""
            + _TRAIN
            + _FIT.format("Gap()"),
            """
import keras
import numpy as np


class Gap(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        if logs["val_loss"] > 10 * logs["loss"]:
            self.model.stop_training = True
"""
            + _TRAIN
            + _FIT.format("Gap()"),
        ),
        Example(
            """
import keras
import numpy as np


class Mean(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        print(epoch, self.mean(logs["loss"]))

    @staticmethod
    def mean(values):
        return sum(values) / len(values)

"""
            + _TRAIN
            + _FIT.format("Mean()"),
        ),
        Example(
            """
import keras
import numpy as np


class Collect(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        self.total = 0.0
        for value in logs["val_loss"]:
            self.total += value
"""
            + _TRAIN
            + _FIT.format("Collect()"),
        ),
        Example.ok(
            """
import keras
import numpy as np


class Report(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        print(epoch, float(np.mean(logs["val_loss"])), [round(value, 3) for value in logs["val_per_class"]])
        for name, value in logs.items():
            print(name, value, max(logs["loss"], 0.0))
"""
        ),
        Example.ok(
            """
import keras
import numpy as np


class Report(keras.callbacks.Callback):
    def __init__(self, monitor):
        super().__init__()
        self.monitor = monitor

    def on_epoch_end(self, epoch, logs=None):
        print([round(value, 3) for value in logs[self.monitor]])
        loss = logs["loss"]
        print(loss[0] if isinstance(loss, np.ndarray) else loss)
"""
        ),
        Example.ok(
            """
import keras


class Curve(keras.callbacks.Callback):
    def on_train_begin(self, logs=None):
        self.logs = {"loss": []}

    def on_epoch_end(self, epoch, logs=None):
        self.logs["loss"].append(logs["loss"])
        print(self.logs["loss"][-1], self.model.history.history["loss"][0], sum(self.logs["loss"]))
"""
        ),
    ),
    sources=("keras-team/keras#15509",),
)

_ERROR = {
    "iteration": "'float' object is not iterable",
    "index": "'float' object is not subscriptable",
    "length": "object of type 'float' has no len()",
}
_NUMBERS = re.compile(
    r"(?:val_)?(?:loss|acc|mae|mse|mape|msle|auc|lr|learning_rate"
    r"|(?:binary_|(?:sparse_)?(?:top_k_)?categorical_)?accuracy"
    r"|(?:root_)?mean_(?:absolute|squared)(?:_percentage|_logarithmic)?_error)"
)


def check(facts: Facts) -> Iterator[Finding]:
    uses = facts.list_uses.all
    if not uses or _makes_logs(facts):
        return
    for use in uses:
        if all(key is not None and _is_number(facts, key) for key in use.read.keys):
            yield _finding(facts, use)


def _finding(facts: Facts, use: ListUse) -> Finding:
    value = facts.text(use.read.node)
    finding = facts.finding(
        use.node if use.separate is not None else use.whole or use.node,
        f"`{value}` is one float, not a list with one value per worker",
        f'TypeError "{_ERROR[use.needs]}" ends training',
    )
    edits = _edits(facts, use.whole, facts.text(use.source)) if use.whole is not None else ()
    if use.separate is not None and edits:
        gone = _gone(facts, use.separate)
        edits = (*gone, *edits) if gone else ()
    if edits:
        return finding.fixed_by(f"Use `{facts.text(use.source)}` itself", *edits)
    return but(finding, help=f"use `{value}` itself", no_fix=_reason(use))


def _reason(use: ListUse) -> str:
    if use.whole is None:
        return "the code does more with the list than average it"
    return "a comment would be lost, or later code uses the mean as an array"


def _edits(facts: Facts, whole: cst.BaseExpression, source: str) -> tuple[Edit, ...]:
    line = facts.tree.statement(whole)
    target, _, assigned = facts.text(line).partition(" = ")
    if assigned != facts.text(whole):
        return (replace(facts, whole, source),)
    if target == source and isinstance(line, cst.SimpleStatementLine):  # it would become `value = value`
        start, end = lines_of(facts, line)
        return delete(facts, line) if "#" not in facts.source.slice(start, end) else ()
    return (replace(facts, whole, source),) if not _is_used_as_tensor(facts, line, target) else ()


def _gone(facts: Facts, unpacking: cst.Assign) -> tuple[Edit, ...]:
    """The edit that takes out a statement with its line; none where it shares the line, or a comment would go too."""
    line = facts.tree.statement(unpacking)
    if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1:
        return ()
    return delete(facts, line) if "#" not in facts.source.slice(*lines_of(facts, line)) else ()


def _is_used_as_tensor(facts: Facts, line: cst.CSTNode, name: str) -> bool:
    """Whether the function goes on with `name.numpy()` or the like, which a float does not have."""
    asked = facts.tree.asked_of(facts.tree.block(line), name)
    return not asked.isdisjoint({"dtype", "eval", "item", "mean", "numpy", "shape"})


def _makes_logs(facts: Facts) -> bool:
    """A model that returns what is logged can return vectors."""
    return any("train_step" in owner.methods or "test_step" in owner.methods for owner in facts.classes)


def _is_number(facts: Facts, key: str) -> bool:
    """Whether Keras logs a single number under the key, and no metric or callback of the file another thing."""
    if _NUMBERS.fullmatch(key) is None:
        return False
    written = facts.logs.written
    if key in written or None in written:
        return False
    return key.endswith("loss") or key.removeprefix("val_") not in facts.given("name")
