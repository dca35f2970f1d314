"""A Sequence that wraps another one but does not call its epoch hook.

## Why
Keras calls only the hooks of the object that `fit` gets. A Sequence may take its batches from another one, to augment or to
cut them. Then the shuffle of the inner one never happens.

## Measured
- Keras 3 and Keras 2: the hooks of a wrapped Sequence are not called, those of the wrapper are.
- Keras 3 and Keras 2: a wrapped `ImageDataGenerator().flow(...)` keeps the batches of the first epoch: each holds the same samples in all
  epochs. With the call it is shuffled for each.

## Do this
Call the hook of the inner Sequence in the hook of the wrapper.

## Silent when
The class wraps several (each would shuffle separately), takes other batches than the requested one, or shares the inner one
with another wrapper. The file itself calls the hook of the inner one.
"""

from collections.abc import Iterator
from dataclasses import replace

from seqlint.api import (
    ClassFacts,
    Contract,
    Edit,
    Example,
    Facts,
    Finding,
    Levels,
    Rule,
    Wrapper,
    Wrappers,
    a_sequence,
    cst,
    insert_after,
    insert_last,
    receiver,
)

_FRAMES = """
import keras
import numpy as np


class Frames(keras.utils.Sequence):
    def __init__(self, frames):
        super().__init__()
        self.frames = frames
        self.order = np.arange(len(frames))

    def __len__(self):
        return len(self.frames) // 4

    def __getitem__(self, index):
        rows = self.frames[self.order[index * 4 : index * 4 + 4]]
        return rows, rows[:, :1]

    def on_epoch_end(self):
        np.random.shuffle(self.order)


class Flipped(keras.utils.Sequence):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def __len__(self):
        return len(self.inner)

    def __getitem__(self, index):
        x, y = self.inner[index]
        return x[:, ::-1], y


model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(Flipped(Frames(np.arange(16.0).reshape(8, 2) / 16)), epochs=2, verbose=0)
"""
_OWN = _FRAMES.replace(
    """\
        return x[:, ::-1], y
""",
    """\
        return x[:, ::-1] * self.scale, y

    def on_epoch_end(self):
        self.scale = np.random.rand()  # another one
""",
).replace("self.inner = inner\n", "self.inner = inner\n        self.scale = 1.0\n")

RULE = Rule(
    code="SEQ112",
    name="hook-not-forwarded",
    since="0.1.0",
    levels=Levels.everywhere("warning"),
    contract=Contract(
        changes=frozenset({"hooks", "samples", "order", "grouping", "history", "weights"}),
        holds=frozenset({"labels stay"}),
    ),
    needs=(a_sequence,),
    examples=(
        Example(
            _FRAMES,
            _FRAMES.replace(
                """\
        return x[:, ::-1], y
""",
                """\
        return x[:, ::-1], y

    def on_epoch_end(self):
        self.inner.on_epoch_end()
""",
            ),
            keras=">=2.15",
        ),
        Example(
            _OWN,
            _OWN.replace(
                """\
        self.scale = np.random.rand()  # another one
""",
                """\
        self.scale = np.random.rand()  # another one
        self.inner.on_epoch_end()
""",
            ),
        ),
        Example.ok(
            """
import keras


class Frames(keras.utils.PyDataset):
    def on_epoch_end(self):
        \"\"\"Nothing to do.\"\"\"


class Flipped(keras.utils.PyDataset):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def __getitem__(self, index):
        x, y = self.inner[index]
        return x[:, ::-1], y


flipped = Flipped(Frames())
"""
        ),
        # Each would shuffle separately: images and masks would no longer match.
        Example.ok(
            """
import keras


class Frames(keras.utils.PyDataset):
    def on_epoch_end(self):
        self.rng.shuffle(self.order)


class Masked(keras.utils.PyDataset):
    def __init__(self, frames, masks):
        super().__init__()
        self.frames = frames
        self.masks = masks

    def __getitem__(self, index):
        return self.frames[index], self.masks[index]


masked = Masked(Frames(), Frames())
"""
        ),
    ),
    sources=("keras-team/keras#13074",),
)


def check(facts: Facts) -> Iterator[Finding]:
    for wrapper in facts.run.domain(Wrappers).all:
        owner = facts.class_of(wrapper.cls)
        called = wrapper.called or (facts.external_uses.hooked(owner, wrapper.attribute) if owner is not None else ())
        if owner is None or not called:
            continue
        inner = " or ".join(f"`{name}.on_epoch_end`" for name in called)
        method = owner.methods.get("on_epoch_end")
        message = f"`{owner.name}` wraps `self.{wrapper.attribute}`, but never calls {inner}"
        finding = facts.finding(
            method or owner.node, message, "Keras calls only the hook of the object that `fit` gets"
        )
        call = f"self.{wrapper.attribute}.on_epoch_end()"
        edit = _edit(facts, owner, wrapper)
        if edit is not None:
            yield finding.fixed_by(f"Call `{call}` in `on_epoch_end`", edit)
            continue
        reason = _reason(facts, owner, wrapper)
        yield replace(finding, help=f"call `{call}` in `{owner.name}.on_epoch_end`", no_fix=reason)


def _reason(facts: Facts, owner: ClassFacts, wrapper: Wrapper) -> str:
    own = owner.methods.get("on_epoch_end")
    if not wrapper.called:
        return f"another file makes `self.{wrapper.attribute}`"
    if wrapper.demands:
        return "the hook of the inner Sequence requires arguments"
    if own is None:
        return f"the last method of `{owner.name}` is not a plain method of the class"
    return (
        "`on_epoch_end` has a `return`"
        if facts.tree.inside(own.body, cst.Return)
        else "`on_epoch_end` is decorated, or on one line"
    )


def _edit(facts: Facts, owner: ClassFacts, wrapper: Wrapper) -> Edit | None:
    """A last line in the hook of the wrapper, or a hook below its other methods; None where neither has a place."""
    if not wrapper.called or wrapper.demands:
        return None
    own = owner.methods.get("on_epoch_end")
    if own is not None:
        if not isinstance(own.body, cst.IndentedBlock) or facts.tree.inside(own.body, cst.Return) or own.decorators:
            return None
        instance = receiver(own)
        return insert_last(facts, own, f"{instance}.{wrapper.attribute}.on_epoch_end()") if instance else None
    last = list(owner.methods.values())[-1]
    if facts.tree.parents[last] is not owner.node.body or not isinstance(owner.node.body, cst.IndentedBlock):
        return None
    above = "super().on_epoch_end()\n    " if owner.method("on_epoch_end") is not None else ""
    return insert_after(facts, last, f"\ndef on_epoch_end(self):\n    {above}self.{wrapper.attribute}.on_epoch_end()")
