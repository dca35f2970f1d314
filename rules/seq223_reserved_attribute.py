"""A Sequence or PyDataset sets an attribute that its base class has as a property.

## Why
In Keras 3 the base class has properties: `num_batches` is read-only, and Keras reads `workers`, `use_multiprocessing` and
`max_queue_size` when the training starts.

## Measured
- Keras 3: `self.num_batches = 8` raises AttributeError "property 'num_batches' of 'MyData' object has no setter".
- Keras 3: `self.workers = ["a", "b"]`, a string, None or a float is taken as the number of workers: TypeError at the first fit;
  a NumPy array raises ValueError.
- Keras 3: `self.max_queue_size = [4, 8]`, a string or None: with several workers the thread that fills the queue ends with TypeError, and
  `fit` waits forever. With one worker Keras never reads it.
- Keras 3: `self.workers = 4` above `super().__init__()` is lost: the base class sets 1.
- Keras 2: these are ordinary attributes.

## Do this
Rename the attribute. If you mean the worker settings, pass them to `super().__init__(workers=...)`.

## Silent when
The class defines a property of that name, or the class body gives it a value.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (
    ClassFacts,
    Contract,
    Edit,
    Example,
    Facts,
    Finding,
    Levels,
    Note,
    Rule,
    Touch,
    a_sequence,
    cst,
    free_attribute,
    replace,
)

_TIDES = """
import keras
import numpy as np


class Tides(keras.utils.Sequence):
    def __init__(self, levels):
        super().__init__()
        self.levels = levels
        self.num_batches = len(levels) // 4

    def __len__(self):
        return self.num_batches

    def __getitem__(self, index):
        levels = self.levels[index * 4 : index * 4 + 4]
        return levels, levels[:, :1]


model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(Tides(np.ones((8, 3), "float32")), epochs=2, verbose=0)
"""

RULE = Rule(
    code="SEQ223",
    name="reserved-attribute",
    since="0.1.0",
    levels=Levels(keras2=None, early="error", keras3="error"),
    contract=Contract(repairs=frozenset({"errors"})),
    needs=(a_sequence,),
    examples=(
        Example(_TIDES, _TIDES.replace("self.num_batches", "self.batch_count")),
        Example(
            """
import keras
import numpy as np


class Shifts(keras.utils.PyDataset):
    def __init__(self, hours):
        super().__init__()
        self.hours = hours
        self.workers = ["Ada", "Grace"]

    def __len__(self):
        return 2

    def __getitem__(self, index):
        return np.full((2, 3), len(self.workers)), self.hours[:2]


model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(Shifts(np.ones((4, 1), "float32")), epochs=2, verbose=0)
""",
        ),
        Example.ok(
            """
import keras


class Tides(keras.utils.PyDataset):
    def __init__(self, levels, workers=2):
        super().__init__()
        self.levels = levels
        self.workers = workers
        self.n_batches = self.num_batches
"""
        ),
        Example.ok(
            """
import keras


class Tides(keras.utils.PyDataset):
    def __init__(self, levels):
        super().__init__()
        self.num_batches = len(levels)

    @property
    def num_batches(self):
        return self._count

    @num_batches.setter
    def num_batches(self, count):
        self._count = count
"""
        ),
    ),
)

_SETTINGS = ("workers", "use_multiprocessing", "max_queue_size")
_OF_MANY = frozenset(
    f"builtins.{name}" for name in ("len", "enumerate", "sorted", "list", "tuple", "set", "iter", "zip", "sum")
)
_HELP = "give it another name, or pass worker settings to `super().__init__`"
_NO_FIX = "whether a worker setting is meant is not clear"
_ROOTS = {"keras.utils.Sequence", "keras.utils.PyDataset"}


def check(facts: Facts) -> Iterator[Finding]:
    for owner in facts.sequences:
        if not owner.external_bases & _ROOTS or _is_repeated(facts, owner):
            continue
        stores = _stores(facts, owner)
        if found := stores.get("num_batches"):
            yield _on_count(facts, owner, found[0])
        for name in _SETTINGS:
            for touch in stores.get(name, ())[:1]:
                yield from _on_setting(facts, owner, touch)


def _is_repeated(facts: Facts, owner: ClassFacts) -> bool:
    """Whether nothing of the class is its own: what bases of this file do is reported there."""
    return not owner.methods


def _stores(facts: Facts, owner: ClassFacts) -> dict[str, list[Touch]]:
    """Where the methods of the class itself give a value to what the base class has as a property."""
    found: dict[str, list[Touch]] = {}
    for method in owner.methods.values():
        for touch in facts.attributes.of(method):
            if touch.kind in ("assign", "augment") and not _is_own(facts, owner, touch.name):
                found.setdefault(touch.name, []).append(touch)
    return found


def _is_own(facts: Facts, owner: ClassFacts, name: str) -> bool:
    """Whether a class body gives the name another meaning than Keras does."""
    return any(name in facts.names.inner_scope(holder.node).bindings for holder in owner.lineage)


def _on_count(facts: Facts, owner: ClassFacts, touch: Touch) -> Finding:
    message = f"`{facts.text(touch.node)}` can't be set on Keras 3: the base class has a property `num_batches`"
    finding = facts.finding(touch.node, message, Note.on_keras_3("it raises AttributeError"))
    edits = _renamed(facts, owner)
    if edits:
        return finding.fixed_by("Give it another name", *edits)
    return but(finding, help="give it another name", no_fix="other code may use `num_batches` too")


def _renamed(facts: Facts, owner: ClassFacts) -> tuple[Edit, ...]:
    """Every use in the file, where all of them are of instances of this class by `self`."""
    uses = facts.members.all("num_batches")
    if any(facts.values.self_class(use.value) is not owner.node for use in uses):
        return ()
    if any("num_batches" in facts.text(text) for text in facts.tree.all(cst.SimpleString)):
        return ()  # by getattr and its kin, maybe
    name = free_attribute(facts, "batch_count")
    return tuple(replace(facts, use.attr, name) for use in uses)


def _on_setting(facts: Facts, owner: ClassFacts, touch: Touch) -> Iterator[Finding]:
    if touch.name == "use_multiprocessing" or not isinstance(touch.node, cst.Attribute):
        return
    stored = facts.values.stored(touch.node)
    value = facts.values.only(stored[0]) if stored is not None and stored[0] is not None else None
    name = facts.text(touch.node)
    if touch.name == "max_queue_size":
        if value is not None and _is_no_count(facts, value) and facts.loading.several(owner) == "yes":
            message = f"`{name}` is the size of a queue on Keras 3, but holds {_held(facts, value)}"
            yield _misread(facts, touch, message, "`fit` hangs with several workers")
        return
    if value is not None and _is_no_count(facts, value):
        message = f"`{name}` is the number of workers on Keras 3, but holds {_held(facts, value)}"
        yield _misread(facts, touch, message, "TypeError at the first `fit`")
        return
    use = next((use for use in facts.members.all("workers") if _is_of_many(facts, owner, use)), None)
    if use is not None:
        message = f"`{name}` is the number of workers on Keras 3, but `{_shown(facts, use)}` expects something else"
        yield _misread(facts, touch, message, "the first `fit` fails")


def _misread(facts: Facts, touch: Touch, message: str, happens: str) -> Finding:
    """What Keras 3 takes for a setting of its own."""
    return facts.finding(touch.node, message, Note.on_keras_3(happens), _HELP).unfixed(_NO_FIX)


def _held(facts: Facts, value: cst.BaseExpression) -> str:
    text = facts.text(value)
    return f"`{text}`" if len(text) < 50 and "\n" not in text else "something else"


def _is_of_many(facts: Facts, owner: ClassFacts, use: cst.Attribute) -> bool:
    """Whether `self.workers` is indexed, counted, gone through or asked for a part: no number is."""
    if facts.values.self_class(use.value) is not owner.node:
        return False
    parent = facts.tree.parents[use]
    if isinstance(parent, (cst.Subscript, cst.Attribute)):
        return parent.value is use
    if isinstance(parent, (cst.For, cst.CompFor)):
        return parent.iter is use
    call = facts.tree.parents[parent] if isinstance(parent, cst.Arg) else None
    return isinstance(call, cst.Call) and facts.qualified(call.func) in _OF_MANY


def _shown(facts: Facts, use: cst.Attribute) -> str:
    """The use with what it stands in."""
    parent = facts.tree.parents[use]
    if isinstance(parent, (cst.For, cst.CompFor)):
        return f"for ... in {facts.text(use)}"
    text = facts.text(facts.tree.parents[parent] if isinstance(parent, cst.Arg) else parent)
    return text if len(text) < 50 and "\n" not in text else facts.text(use)


def _is_no_count(facts: Facts, value: cst.BaseExpression) -> bool:
    if isinstance(value, (cst.List, cst.Tuple, cst.Dict, cst.Set, cst.ListComp, cst.DictComp, cst.SetComp)):
        return True
    constant = facts.values.constant(value)
    return constant is not None and not isinstance(constant.value, int)
