"""`train_step` or `test_step` returns the tensor of one batch as what is logged.

## Why
What an epoch logs is what its last step returned. A metric's `result()` is the mean so far; a tensor that the step worked
out is the value of one batch, and under a strategy the values of all replicas are still to be joined. EarlyStopping and
ModelCheckpoint decide by it.

## Measured
With four batches whose losses are 0, 0, 1 and 1, and so 0.5 on average:

- Keras 3.10 and later: a step that returns `{"loss": loss}` alone logs 0.0, the value of Keras's own tracker, which the
  step did not update. Any other key, or `"loss"` among others, logs 1.0, that of the last batch.
- Keras 3.0 to 3.9: the same.
- Keras 2: 1.0, that of the last batch. With two replicas under MirroredStrategy 2.0, their sum. A metric of the model's
  own counts among its `get_weights()`, where its attribute is set.
- Keras 3 and Keras 2: a step that the model leaves to Keras logs such a metric as well, at 0.0. One that is called "loss" takes the
  place of its loss there.

## Instead
A `keras.metrics.Mean`, made in `__init__`, updated in the step; return its `result()`. Write both steps where both run, or
give the metric another name than "loss".

## Silent when
The value may be the result of a metric, or comes from code out of sight.
"""

import re
from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (  # fmt: skip
    Constant,
    Contract,
    Edit,
    Example,
    Facts,
    Finding,
    Levels,
    RawResult,
    Rule,
    any_of,
    cst,
    insert_after,
    insert_before,
    name_for,
    replace,
)

_MODEL = """
import keras
import numpy as np
import tensorflow as tf


class Damped(keras.Model):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
{}        self.inner = keras.layers.Dense(1, kernel_initializer="ones")

    def call(self, inputs):
        return self.inner(inputs)

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((y - self(x, training=True)) ** 2)
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
{}        return {{{}}}


x = np.arange(16, dtype="float32").reshape(16, 1) / 16
model = Damped()
model.compile(optimizer="sgd")
model.fit(x, 3 * x, batch_size=4, epochs=2, shuffle=False, verbose=0)
"""


def _program(key: str, value: str, tracked: bool) -> str:
    made = f'        self.{key}_tracker = keras.metrics.Mean(name="{key}")\n' if tracked else ""
    update = f"        self.{key}_tracker.update_state(loss)\n" if tracked else ""
    return _MODEL.format(made, update, f'"{key}": {value}')


RULE = Rule(
    code="SEQ304",
    name="raw-step-result",
    since="0.1.0",
    levels=Levels.everywhere("warning"),
    contract=Contract(changes=frozenset({"history", "weights"})),
    needs=(any_of("train_step", "test_step"),),
    examples=(
        Example(
            _program("loss", "loss", tracked=False),
            _program("loss", "self.loss_tracker.result()", tracked=True),
            keras=">=2.15",
        ),
        Example(
            _program("pull", "loss", tracked=False),
            _program("pull", "self.pull_tracker.result()", tracked=True),
            keras=">=3",
        ),
        Example.ok(_program("pull", "self.pull_tracker.result()", tracked=True)),
        Example.ok(
            """
import keras

from ours import backward


class Damped(keras.Model):
    def train_step(self, data):
        return {"loss": backward(self, data)}
"""
        ),
    ),
    sources=("keras-team/keras#15509",),
)

_STEPS = ("train_step", "test_step")
_CHECKS = {"validation_data", "validation_split"}
_ERROR = Levels.everywhere("error")
_ERROR_ON_KERAS_3 = Levels(keras2="warning", early="error", keras3="error")


def check(facts: Facts) -> Iterator[Finding]:
    mirrored = any(strategy.name != "OneDeviceStrategy" and strategy.devices != 1 for strategy in facts.strategies.made)
    for raws in _by_key(facts):
        raw = raws[0]
        finding = facts.finding(raw.node, _message(raw))
        edits = _edits(facts, raws)
        finding = finding.fixed_by("Log the mean of all batches", *edits) if edits else finding
        if mirrored:
            finding = but(finding, levels=_ERROR)
        elif _is_replaced(raw):
            finding = but(finding, levels=_ERROR_ON_KERAS_3)
        yield finding


def _by_key(facts: Facts) -> list[list[RawResult]]:
    """What a class returns under one key, in both steps: one Mean is made for all."""
    found: dict[tuple[cst.ClassDef, str], list[RawResult]] = {}
    for raw in facts.step_results.raw:
        found.setdefault((raw.owner.node, raw.key), []).append(raw)
    return list(found.values())


def _is_replaced(raw: RawResult) -> bool:
    """Whether Keras 3 logs its own tracker instead."""
    return raw.key == "loss" and raw.alone


def _message(raw: RawResult) -> str:
    what = f'`{raw.step.name.value}` returns the value of one batch as "{raw.key}"'
    if _is_replaced(raw):
        return (
            f"{what}: Keras 3 logs 0.0 instead, tf-keras the last batch, and the sum of its replicas under a strategy"
        )
    return f"{what}: the epoch logs its last batch, and not the mean of all"


def _edits(facts: Facts, raws: list[RawResult]) -> tuple[Edit, ...]:
    """A Mean made in `__init__`, updated before each return, its result returned; none where one has no plain place."""
    owner, name = raws[0].owner, f"{raws[0].key}_tracker"
    if not all(_is_plain(facts, raw) for raw in raws):
        return ()
    if (known := _tracker(facts, raws[0])) is not None:
        return _through(facts, raws, known)
    if owner.method("metrics") is not None or _is_shown_beside(facts, raws):  # what it does not list is never reset
        return ()
    made = owner.methods.get("__init__")
    init = _super_init(facts, made) if made is not None else None
    named = {node.value for node in facts.tree.inside(owner.node, cst.Name)}
    if init is None or not name.isidentifier() or name in named or not owner.lineage_is_known:
        return ()
    mean = name_for(facts, "keras.metrics.Mean", init)
    made_by = f'self.{name} = {mean.text}(name="{raws[0].key}")'
    return (
        *mean.edits,
        insert_after(facts, _last_tracker(facts, init), made_by),
        *_through(facts, raws, f"self.{name}"),
    )


def _is_shown_beside(facts: Facts, raws: list[RawResult]) -> bool:
    """Whether a step of Keras's own may run too: it logs every Mean of the model, at 0.0, and one called "loss" hides the loss."""
    owner, steps = raws[0].owner, {raw.step.name.value for raw in raws}
    if all(step in steps or owner.method(step) is not None for step in _STEPS):
        return False
    if "train_step" not in steps:
        return True
    if owner.method("call") is None:  # Keras's own `test_step` can't run
        return False
    calls = facts.training.calls
    checks = any(call.method.startswith("eval") or _CHECKS & call.arguments.keys() for call in calls)
    return checks or not any(call.method.startswith("fit") for call in calls)


def _tracker(facts: Facts, raw: RawResult) -> str | None:
    """The Mean that the class has already for what is logged, where Keras resets it."""
    init, listed = raw.owner.methods.get("__init__"), raw.owner.method("metrics")
    for assign in facts.tree.inside(init.body, cst.Assign) if init is not None else ():
        call, target = assign.value, facts.text(assign.targets[0].target)
        if not isinstance(call, cst.Call) or facts.qualified(call.func) != "keras.metrics.Mean":
            continue
        names = [facts.values.constant(argument.value) for argument in call.args[:1]]
        known = listed is None or any(
            facts.text(node) == target for node in facts.tree.inside(listed[1], cst.Attribute)
        )
        if Constant(raw.key) in names and target.startswith("self.") and known:
            return target
    return None


def _through(facts: Facts, raws: list[RawResult], tracker: str) -> tuple[Edit, ...]:
    edits = []
    for raw in raws:
        line, update = facts.tree.statement(raw.returned), f"{tracker}.update_state"
        if not any(facts.text(call.func) == update for call in facts.tree.inside(raw.step.body, cst.Call)):
            edits.append(insert_before(facts, line, f"{update}({facts.text(raw.node)})"))
        edits.append(replace(facts, raw.node, f"{tracker}.result()"))
    return tuple(edits)


def _last_tracker(facts: Facts, line: cst.SimpleStatementLine) -> cst.SimpleStatementLine:
    """The last of the trackers right below a line, or the line: new ones come in the order in which they are logged."""
    block = facts.tree.parents[line]
    for other in block.body[list(block.body).index(line) + 1 :] if isinstance(block, cst.IndentedBlock) else ():
        if not isinstance(other, cst.SimpleStatementLine) or not re.match(r"self\.\w+_tracker = ", facts.text(other)):
            break
        line = other
    return line


def _is_plain(facts: Facts, raw: RawResult) -> bool:
    """Whether the return stands alone on its lines, with the dict in it, and what is returned has a name."""
    line = facts.tree.statement(raw.returned)
    inside = facts.tree.holds(raw.returned, raw.node)
    alone = isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1
    return inside and alone and isinstance(raw.node, cst.Name)


def _super_init(facts: Facts, init: cst.FunctionDef) -> cst.SimpleStatementLine | None:
    """The line of `super().__init__(...)` in the body of `__init__`."""
    for line in init.body.body:
        if isinstance(line, cst.SimpleStatementLine) and facts.text(line).startswith("super("):
            return line
    return None
