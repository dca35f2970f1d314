"""A Sequence or PyDataset whose `__init__` never calls its Keras base class.

## Why
Keras 3 keeps the worker settings in the base class. Without its `__init__` the class cannot be given `workers`, `use_multiprocessing` or
`max_queue_size`, and Keras warns at the first `fit`. The warning says that arguments of `fit` "will be ignored"; in fact `fit` refuses
them.

## Measured
- Keras 3.10 and later: one UserWarning at the first `fit` or `evaluate`; the class works with one worker. `MyData(..., workers=4)` raises
  TypeError unless `__init__` takes `**kwargs` and passes them to the base class.
- Keras 3.0 to 3.9: the same.
- Keras 2: nothing; the base class has no `__init__` of its own.

## Do this
Take `**kwargs` and call `super().__init__(**kwargs)` first. A dataclass calls `super().__init__()` in `__post_init__`. If another base
class has an `__init__` too, pass it the arguments that it needs.

## Silent when
Only a `fit` of the file itself receives it, and reads the batches in its own loop: Keras never sees the class.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (  # fmt: skip
    ClassFacts,
    Contract,
    Edit,
    Example,
    Facts,
    Finding,
    Levels,
    Note,
    Rule,
    TrainerCall,
    a_sequence,
    any_of,
    cst,
    insert_first,
    takes_keywords,
)

RULE = Rule(
    code="SEQ221",
    name="missing-super-init",
    since="0.1.0",
    levels=Levels(keras2=None, early="warning", keras3="warning"),
    contract=Contract(repairs=frozenset({"warnings"})),
    migration=True,
    needs=(a_sequence, any_of("__init__", "dataclass")),
    examples=(
        Example(
            """
import keras
import numpy as np


class Tones(keras.utils.PyDataset):
    def __init__(self, waves, pitches):
        self.waves = waves
        self.pitches = pitches

    def __len__(self):
        return len(self.waves) // 4

    def __getitem__(self, index):
        rows = slice(index * 4, index * 4 + 4)
        return self.waves[rows], self.pitches[rows]


model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(Tones(np.ones((8, 3), "float32"), np.ones((8, 1), "float32")), epochs=2, verbose=0)
""",
            """
import keras
import numpy as np


class Tones(keras.utils.PyDataset):
    def __init__(self, waves, pitches, **kwargs):
        super().__init__(**kwargs)
        self.waves = waves
        self.pitches = pitches

    def __len__(self):
        return len(self.waves) // 4

    def __getitem__(self, index):
        rows = slice(index * 4, index * 4 + 4)
        return self.waves[rows], self.pitches[rows]


model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(Tones(np.ones((8, 3), "float32"), np.ones((8, 1), "float32")), epochs=2, verbose=0)
""",
        ),
        Example(
            """
import keras
import numpy as np


class Ones(keras.utils.PyDataset):
    def __init__(self, size): self.size = size

    def __len__(self): return 2

    def __getitem__(self, index): return np.ones((self.size, 3)), np.ones((self.size, 1))


model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(Ones(4), epochs=2, verbose=0)
""",
            """
import keras
import numpy as np


class Ones(keras.utils.PyDataset):
    def __init__(self, size, **kwargs):
        super().__init__(**kwargs)
        self.size = size

    def __len__(self): return 2

    def __getitem__(self, index): return np.ones((self.size, 3)), np.ones((self.size, 1))


model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(Ones(4), epochs=2, verbose=0)
""",
        ),
        Example(
            """
import keras
import numpy as np


class Named:
    def __init__(self, name):
        self.name = name


class Steps(Named, keras.utils.PyDataset):
    def __init__(self, steps):
        Named.__init__(self, "steps")
        self.steps = steps

    def __len__(self):
        return len(self.steps)

    def __getitem__(self, index):
        return self.steps[index], self.steps[index]


model = keras.Sequential([keras.layers.Dense(2)])
model.compile(optimizer="sgd", loss="mse")
model.fit(Steps(np.ones((2, 2, 2), "float32")), epochs=2, verbose=0)
"""
        ),
        Example.ok(
            """
from collections.abc import Sequence


class Pages(Sequence):
    def __init__(self, pages):
        self.pages = pages
"""
        ),
        Example.ok(
            """
import keras


class Named:
    def __init__(self, name, **kwargs):
        super().__init__(**kwargs)
        self.name = name


class Steps(Named, keras.utils.PyDataset):
    def __init__(self, steps):
        super().__init__("steps", workers=2)
        self.steps = steps
"""
        ),
        Example.ok(
            """
import keras


class Tones(keras.utils.PyDataset):
    def __init__(self, waves, **kwargs):
        keras.utils.PyDataset.__init__(self, **kwargs)
        self.waves = waves
"""
        ),
    ),
    sources=("keras-team/keras#21068", "frankkramer-lab/aucmedi#232"),
)


_TRAINS = frozenset({"fit", "fit_generator", "evaluate", "evaluate_generator", "predict", "predict_generator"})
_NOTE = Note.on_keras_3("the first `fit` warns, and the class can't be given workers")


def check(facts: Facts) -> Iterator[Finding]:
    for owner in facts.sequences:
        if _is_read_by_hand(facts, owner):
            continue
        if facts.dataclass_misses_base(owner):
            message = f"the `__init__` that `dataclass` writes for `{owner.name}` never calls that of Keras"
            finding = facts.finding(owner.node, message, _NOTE, "call `super().__init__()` in `__post_init__`")
            yield finding.unfixed("`dataclass` writes the `__init__`")
        init = owner.methods.get("__init__")
        if init is None or facts.reaches_base_init(owner):
            continue
        finding = facts.finding(init, f"`{owner.name}.__init__` never calls that of its Keras base class", _NOTE)
        if _can_call_super(owner):
            yield finding.fixed_by(_title(init), *_edits(facts, init))
        else:
            yield but(finding, help="call `super().__init__(**kwargs)`", no_fix=_reason(owner))


def _is_read_by_hand(facts: Facts, owner: ClassFacts) -> bool:
    """Whether each `fit` that gets it is one of this file, with a loop of its own in the place of that of Keras."""
    calls = [call for call, _ in facts.training.fed(owner)]
    return bool(calls) and all(_has_own_loop(facts, call) for call in calls)


def _has_own_loop(facts: Facts, call: TrainerCall) -> bool:
    model = facts.training.class_of(call.receiver)
    own = model.method(call.method) if model is not None else None
    if own is None:
        return False
    names = {inner.func.attr.value for inner in _calls(facts, own[1]) if isinstance(inner.func, cst.Attribute)}
    return _TRAINS.isdisjoint(names)


def _calls(facts: Facts, method: cst.FunctionDef) -> tuple[cst.Call, ...]:
    return facts.tree.inside(method.body, cst.Call)


def _can_call_super(owner: ClassFacts) -> bool:
    """Only where nothing but Keras's own `__init__` is above: another one may need arguments."""
    return owner.lineage_is_known and not any("__init__" in base.methods for base in owner.lineage[1:])


def _reason(owner: ClassFacts) -> str:
    other = next((base.name for base in owner.lineage[1:] if "__init__" in base.methods), None)
    return f"`{other}.__init__` may need arguments" if other else "one of its base classes is unknown"


def _title(init: cst.FunctionDef) -> str:
    if init.params.star_kwarg is None:
        return "Take `**kwargs` and call `super().__init__(**kwargs)`"
    return "Call `super().__init__()`"


def _edits(facts: Facts, init: cst.FunctionDef) -> tuple[Edit, ...]:
    if init.params.star_kwarg is None:
        parameter, rest = takes_keywords(facts, init)
        return (parameter, insert_first(facts, init, f"super().__init__({rest})"))
    # What the class does with keyword arguments of its own is not for the base class.
    return (insert_first(facts, init, "super().__init__()"),)
