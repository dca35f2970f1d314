"""A batch method that reads an attribute which is never set.

## Why
A typing error, or a constructor argument that was never stored: the object is created without an error, and fails when the first
batch is asked for, in a worker or deep in a traceback of TensorFlow.

## Measured
- Keras 3: AttributeError "'Feed' object has no attribute 'batchsize'" at the start of `fit`, which asks for batch 0 or the length first.
- Keras 2: the same.
- Every Keras: what `__init__` reads through a hook that it calls, `len(self)` or `self[0]`, fails where the object is made.

## Do this
Set it in `__init__`, or correct the name.

## Silent when
An external base class, `setattr`, `__dict__`, `__getattr__` or code outside of the class may set it. The code checks with `hasattr` first.
The class is a base: it lacks `__getitem__` or `__len__`, one of its methods only raises NotImplementedError, or other classes derive
from it.
"""

from collections.abc import Iterator
from dataclasses import replace

from seqlint.api import ClassFacts, Example, Facts, Finding, Levels, Reached, Rule, Touch, a_sequence, cst

_RUN = """

model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(Hours(np.ones((8, 3), "float32"), 4), epochs=2, verbose=0)
"""
_HOURS = """
import keras
import numpy as np


class Hours(keras.utils.Sequence):
    def __init__(self, rows, batch_size):
        super().__init__()
        self.rows = rows
        self.batch_size = batch_size

    def __len__(self):
        return len(self.rows) // self.batch_size

    def __getitem__(self, index):
        rows = self.rows[index * self.batch_size : (index + 1) * self.batchsize]
        return rows, rows[:, :1]
"""

RULE = Rule(
    code="SEQ224",
    name="attribute-never-set",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    needs=(a_sequence,),
    examples=(
        Example(_HOURS + _RUN),
        Example.where_unknown(_HOURS),
        Example.ok(_HOURS.replace("self.batchsize", "self.batch_size") + _RUN),
        Example.ok(_HOURS + "\n\nhours = Hours(np.ones((8, 3)), 4)\nhours.batchsize = 4\n"),
        Example.ok(
            """
import keras


class Kept(keras.utils.PyDataset):
    def __init__(self, **settings):
        super().__init__()
        self.__dict__.update(settings)

    def __len__(self):
        return self.steps

    def __getitem__(self, index):
        return self.rows[index]


Kept(steps=2, rows=[1, 2])
"""
        ),
    ),
)

_WHEN = {
    "__getitem__": "at the first batch",
    "__len__": "when Keras asks for the length, before the first batch",
    "on_epoch_end": "when Keras calls the hook",
    "on_epoch_begin": "when Keras calls the hook",
}
_BATCHES = tuple(_WHEN)
_BEGIN = Levels(keras2=None, early="advice", keras3="error")  # only Keras 3.5 and later calls `on_epoch_begin`
_OF_KERAS = frozenset({"keras.utils.Sequence", "keras.utils.PyDataset", "builtins.object"})
_INHERITED = frozenset({
    "workers", "use_multiprocessing", "max_queue_size", "num_batches", "on_epoch_end", "on_epoch_begin",
})  # fmt: skip


def check(facts: Facts) -> Iterator[Finding]:
    for owner in facts.sequences:
        if not owner.external_bases <= _OF_KERAS or not owner.lineage_is_known or _is_completed(facts, owner):
            continue
        made = facts.training.instances(owner)
        for name, (reached, touch) in _missing(facts, owner).items():
            note, help_ = _when(facts, owner, reached, touch), _help(facts, owner, touch)
            finding = facts.finding(touch.node, _message(facts, owner, reached, touch), note, help_)
            if reached.path[0] == "on_epoch_begin" and not facts.setups.asks(owner, "__init__", touch.name):
                finding = replace(finding, levels=_BEGIN)
            if made:
                yield finding
            elif not _is_called(facts, touch) and not facts.may_be_base(owner):
                yield finding.provided(f"no other file gives `{owner.name}` a `{_meant(reached, name)}`", RULE.levels)


def _is_completed(facts: Facts, owner: ClassFacts) -> bool:
    """Whether classes are made from it, or must be, or a decorator or other code has it in hand: they may set what it reads."""
    if any(holder.node.decorators for holder in owner.lineage) or facts.setups.is_given_away(owner):
        return True
    return facts.subclasses.here(owner) or not facts.subclasses.is_whole(owner)


def _is_called(facts: Facts, touch: Touch) -> bool:
    """Whether it is a method that is missing: derived classes may have one."""
    call = facts.tree.parents[touch.node]
    return isinstance(call, cst.Call) and call.func is touch.node


def _missing(facts: Facts, owner: ClassFacts) -> dict[str, tuple[Reached, Touch]]:
    """The attributes that are read on the way to a batch and nowhere set, each with its first use."""
    found: dict[str, tuple[Reached, Touch]] = {}
    for reached, touch in facts.attributes.on(owner, *_BATCHES):
        name = touch.name
        special = name.startswith("__") and name.endswith("__")
        if name in found or name in _INHERITED or special or touch.kind in ("assign", "delete"):
            continue
        if facts.attributes.has(owner, name, reached.owner) == "no" and not _is_asked_for(facts, touch):
            found[name] = (reached, touch)
    return found


def _is_asked_for(facts: Facts, touch: Touch) -> bool:
    """Whether the code allows for its not being there."""
    return facts.mentions.optional(touch.node) or facts.named_attributes.may_be(touch.name)


def _message(facts: Facts, owner: ClassFacts, reached: Reached, touch: Touch) -> str:
    meant = _meant(reached, touch.name)
    where = f"`{owner.name}`" if meant == touch.name else f"`{owner.name}`, where it means `{meant}`"
    return f"`{facts.text(touch.node)}` is read but never set in {where}"


def _help(facts: Facts, owner: ClassFacts, touch: Touch) -> str:
    near = facts.attributes.nearest(owner, touch.name)
    return f"use `{near}`, which exists" if near and near != touch.name else "set it in `__init__`"


def _when(facts: Facts, owner: ClassFacts, reached: Reached, touch: Touch) -> str:
    """When it fails: a constructor may come to the read long before Keras does."""
    way = f", through `{' > '.join(reached.path)}`" if len(reached.path) > 1 else ""
    made = facts.setups.asks(owner, "__init__", touch.name)
    return f"it raises AttributeError {f'where `{owner.name}` is made' if made else _WHEN[reached.path[0]]}{way}"


def _meant(reached: Reached, name: str) -> str:
    """The name of an attribute as Python has it: `_Feed__rows` for `self.__rows` in the class `Feed`."""
    return f"_{reached.owner.name.lstrip('_')}{name}" if name.startswith("__") and reached.owner is not None else name
