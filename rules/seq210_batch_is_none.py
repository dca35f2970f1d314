"""A `__getitem__` that returns None for some of its batches.

## Why
Keras asks for each index once and needs a batch for it. It can't skip one: None is not a batch.

## Measured
- Keras 3.10 and later: with one worker InvalidArgumentError, with "PyDataset.__getitem__() must return a tuple or a dict" inside; with several
  workers `fit` waits for ever, and says nothing. In batch 0 or 1 ValueError before the first step.
- Keras 3.0 to 3.9: with one worker the same; with several the batch is left out without a message.
- Keras 2: with one worker InvalidArgumentError, in batch 0 AttributeError "'NoneType' object has no attribute 'shape'"; with several workers
  the batch is left out without a message.

## Do this
Make a batch for every index: leave samples out in `__init__`, where the list of samples is made, and let `__len__` count the remaining
batches. Where a sample can't be read, raise an error.

## Silent when
The object returns no batches at all in this way (`if self.data is None: return None`); the branch is for an index beyond the end; a broad
`except` returns the None, which is SEQ201; a subclass overrides the method, here or in another file.
"""

from collections.abc import Iterator

from seqlint.api import (
    Contract,
    Example,
    Facts,
    Finding,
    Levels,
    Note,
    Rule,
    a_getitem,
    a_sequence,
    as_template_method,
    cst,
)

RULE = Rule(
    code="SEQ210",
    name="batch-is-none",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    contract=Contract(),
    needs=(a_sequence, a_getitem),
    examples=(
        Example(
            """
import keras
import numpy as np


class Calls(keras.utils.PyDataset):
    def __init__(self, sounds):
        super().__init__()
        self.sounds = sounds

    def __len__(self):
        return len(self.sounds) // 4

    def __getitem__(self, index):
        batch = self.sounds[index * 4 : index * 4 + 4]
        loud = batch[batch.max(axis=1) > 0.5]
        if len(loud) == 0:
            return None
        return loud, np.ones((len(loud), 1))


sounds = np.ones((16, 3), "float32")
sounds[12:] = 0
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(Calls(sounds), verbose=0)
"""
        ),
        Example(
            """
import keras
import numpy as np


class Calls(keras.utils.PyDataset):
    def __getitem__(self, index):
        sounds = [np.load(path) for path in self.paths[index]]
        if len(sounds) == self.size:
            return np.stack(sounds), self.kinds[index]
"""
        ),
        Example(
            """
import keras


class Calls(keras.utils.PyDataset):
    def __getitem__(self, index):
        rows = self.order[index * 4 : index * 4 + 4]
        x, y = self.sounds[rows], self.kinds[rows]
        self.prepare(x, y)
"""
        ),
        Example.ok(
            """
import keras


class Calls(keras.utils.PyDataset):
    def __init__(self, sounds=None):
        super().__init__()
        self.sounds = sounds

    def __getitem__(self, index):
        if self.sounds is None or index >= len(self):
            return None
        return self.sounds[index], self.sounds[index]
"""
        ),
        Example.ok(
            """
import keras


class Calls(keras.utils.PyDataset):
    def __getitem__(self, index):
        if self.kind == "train":
            return self.sounds[index], self.kinds[index]
        elif self.kind == "test":
            return self.sounds[index]
"""
        ),
        Example.ok(
            """
import keras
import numpy as np


class Calls(keras.utils.PyDataset):
    def __getitem__(self, index):
        try:
            return np.load(self.paths[index]), self.kinds[index]
        except Exception:
            return None
"""
        ),
    ),
)

_NOTHING = "`fit` raises before the first step"
_LEFT_OUT = (
    "`fit` raises InvalidArgumentError with one worker, and several workers leave the batch out without a message"
)
_SOMETIMES = Note(
    keras2=_LEFT_OUT,
    early=_LEFT_OUT,
    keras3="`fit` raises InvalidArgumentError with one worker, and hangs for ever with several",
)
_HELP = "leave samples out in `__init__`, so that every index has a batch"


def check(facts: Facts) -> Iterator[Finding]:
    for way in facts.absent.batches:
        owner, function = way.maker.owner, way.maker.function
        name = f"{owner.name}.{function.name.value}" if owner is not None else function.name.value
        if isinstance(way.node, cst.FunctionDef) and owner is not None and facts.may_be_base(owner):
            continue  # a subclass may override it
        if way.node is function:
            finding = facts.finding(function, f"`{name}` returns nothing", _NOTHING, "return the batch")
            yield as_template_method(way.maker.template_method, finding)
            continue
        if isinstance(way.node, cst.FunctionDef):
            helper = way.node.name.value
            text = f"`{helper}` returns nothing, and `{name}` returns its result"
            yield as_template_method(
                way.maker.template_method, facts.finding(way.node, text, _NOTHING, f"return the batch from `{helper}`")
            )
            continue
        how = (
            "returns None for some batches"
            if not isinstance(way.node, cst.If)
            else "returns nothing where this condition is false"
        )
        yield as_template_method(
            way.maker.template_method, facts.finding(way.node, f"`{name}` {how}", _SOMETIMES, _HELP)
        )
