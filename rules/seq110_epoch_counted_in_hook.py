"""A counter or schedule that an epoch hook of the data steps.

## Why
A hook that adds one to `self.epoch`, or makes the task a little harder, counts calls, not epochs. Keras calls it for the
data: once more than there are epochs, again for `evaluate` and `predict`, and with workers on older Keras twice per epoch.
A flag that the hook flips, so that the first epoch differs from the rest, is flipped before the first epoch.

## Measured
- Keras 3.10 and later: two epochs call `on_epoch_end` 3 times, once before epoch 0: the first epoch already runs one step ahead. A flag that is flipped
  in `on_epoch_end` is flipped in all epochs.
- Keras 3.0 to 3.9: up to 3.6 once per epoch; with processes once or twice. Since 3.7 once more, before epoch 0.
- Keras 2: once per epoch; with workers or processes once or twice, from two threads.

## Do this
Set it in a Callback and pass that to `fit`: `on_epoch_begin(self, epoch, logs=None)` knows the epoch, and
`self.data.epoch = epoch` can't drift.

## Silent when
The number only seeds a generator, is only logged, wraps around with `%`, or starts at -1. On Keras 2, the file shows every
`fit` and never mentions workers. A flag that other code may set, that the hook itself reads, or any flag on Keras 2.
"""

from collections.abc import Iterator
from dataclasses import replace

from seqlint.api import (
    Example,
    Facts,
    Finding,
    Hook,
    HookCounter,
    Levels,
    Note,
    Rule,
    Sometimes,
    a_sequence,
    as_template_method,
    cst,
    epoch_code,
    if_for_sequence,
)

RULE = Rule(
    code="SEQ110",
    name="epoch-counted-in-hook",
    since="0.1.0",
    levels=Levels.everywhere("warning"),
    sometimes=Sometimes(keras2=("advice",), early=("advice",)),
    needs=(a_sequence, epoch_code),
    examples=(
        Example(
            """
import keras
import numpy as np


class Ladder(keras.utils.PyDataset):
    def __init__(self, rungs, **kwargs):
        super().__init__(**kwargs)
        self.rungs = rungs
        self.height = 1

    def __len__(self):
        return 2

    def __getitem__(self, index):
        rows = self.rungs[index * 4 : index * 4 + 4, : self.height]
        return rows, rows[:, :1]

    def on_epoch_end(self):
        self.height += 1


model = keras.Sequential([keras.layers.GlobalAveragePooling1D(), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(Ladder(np.ones((8, 6, 3), "float32")), epochs=2, verbose=0)
"""
        ),
        Example(
            """
import keras
import numpy as np


class Warming(keras.utils.Sequence):
    def __init__(self, x):
        super().__init__()
        self.x = x
        self.epoch = 0
        self.augment = False

    def __len__(self):
        return 2

    def __getitem__(self, index):
        noise = np.random.normal(size=self.x.shape) if self.augment else 0
        return self.x + noise, self.x

    def on_epoch_end(self):
        self._count()
        if self.epoch >= 2:
            self.augment = True

    def _count(self):
        self.epoch = self.epoch + 1
"""
        ),
        Example.where_unknown(
            """
import keras

from ours import Reporting


class Ladder(keras.utils.PyDataset, Reporting):
    height = 1

    def __getitem__(self, index):
        return self.rungs[: self.height], self.rungs[: self.height]

    def on_epoch_end(self):
        self.height *= 2
"""
        ),
        Example.ok(
            """
import keras
import numpy as np


class Seeded(keras.utils.PyDataset):
    def __init__(self, x, seed):
        super().__init__()
        self.x = x
        self.seed = seed
        self.epoch = 0

    def __getitem__(self, index):
        rng = np.random.default_rng([self.seed, self.epoch, index])
        return self.x + rng.normal(size=self.x.shape), self.x

    def on_epoch_end(self):
        self.epoch += 1
        print(f"epoch {self.epoch}")
"""
        ),
        Example.ok(
            """
import keras


class Parts(keras.utils.PyDataset):
    def __init__(self, parts):
        super().__init__()
        self.parts = parts
        self.part = 0

    def __getitem__(self, index):
        return self.parts[self.part][index]

    def on_epoch_end(self):
        self.part = (self.part + 1) % len(self.parts)
"""
        ),
    ),
    sources=("tensorflow/tensorflow#45962",),
)

_STEP = Note(
    every="`evaluate` steps it too",
    keras2="with workers the hook runs up to twice per epoch",
    early="since 3.7 the hook also runs once before epoch 0, so it is one step ahead",
    keras3="the hook also runs once before epoch 0, so it is one step ahead",
)
_FLAG = Note(early="since 3.7 the hook also runs once before epoch 0", keras3="the hook also runs once before epoch 0")
_HELP = "set it in a Callback's `on_epoch_begin`, which gets the epoch"


def check(facts: Facts) -> Iterator[Finding]:
    seen: set[cst.CSTNode] = set()
    for hook in (*facts.hooks.all, *facts.hooks.filled):
        if hook.name != "on_epoch_end":
            continue
        lengths = {change.name for change in facts.length_changes.changed(hook)}
        for step in facts.hook_counters.of(hook):
            use = facts.hook_counters.use(step) if step.name not in lengths else None
            if use is None or _is_set_right(facts, step) or step.node in seen:
                continue
            seen.add(step.node)
            finding = replace(facts.finding(step.node, _message(step), _STEP, _HELP), levels=_levels(facts, hook))
            yield if_for_sequence(hook, as_template_method(hook.template_method, finding), RULE.levels)
    yield from _turned(facts)


def _turned(facts: Facts) -> Iterator[Finding]:
    """Flags that should hold from the second epoch on, and hold from the first."""
    for hook in facts.hooks.all:
        if hook.name != "on_epoch_end" or facts.effects.by_hand(hook) != "never":
            continue
        for flag in facts.hook_flags.of(hook):
            message = f"`{hook.called}` sets `self.{flag.name}` before epoch 0, so no epoch runs with `{flag.before}`"
            finding = replace(facts.finding(flag.node, message, _FLAG, _HELP), levels=Levels(None, "advice", "warning"))
            yield if_for_sequence(hook, finding, RULE.levels)


def _is_set_right(facts: Facts, step: HookCounter) -> bool:
    """Whether a counter starts one call early on purpose, and the file does not make that call itself."""
    return facts.hook_counters.starts_before_zero(step) and facts.effects.by_hand(step.hook) == "never"


def _message(step: HookCounter) -> str:
    through = f" (through `{step.via[-1]}`)" if step.via else ""
    return f"`{step.hook.called}` steps `self.{step.name}`{through} per call, not per epoch; batches depend on it"


def _levels(facts: Facts, hook: Hook) -> Levels:
    """Keras 2, and Keras 3 before 3.7, count correctly without workers."""
    if facts.effects.has_workers():
        return Levels.everywhere("warning")
    return Levels(None if facts.fit_bindings.on(hook) else "advice", "advice", "warning")
