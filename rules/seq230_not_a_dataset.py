"""A class that makes batches but is not a Sequence or PyDataset, given to a model.

## Why
Keras looks at the type, not at the methods. It refuses a class of your own that is not an array or a generator, and is not derived
from Sequence or PyDataset.

## Measured
- Keras 3: ValueError "Unrecognized data type: x=<...Feed object at ...>" before the first step, for any such class, also as validation
  data.
- Keras 2: ValueError "Failed to find data adapter that can handle input" for `__len__` and `__getitem__`, for `__iter__` alone and
  for `__next__` alone. A class with both `__iter__` and `__next__` is accepted.
- Keras 2: a class derived from `collections.abc.Sequence` never ends.
- Every Keras: under its base class `on_epoch_end` is called without arguments, so one that needs an epoch raises TypeError: no fix there.
- Every Keras: with a Sequence or PyDataset, `fit` refuses `y`, `sample_weight` and `validation_split` with ValueError: no fix there either.

## Do this
Inherit from `keras.utils.PyDataset` (`keras.utils.Sequence` on Keras 2) where `__getitem__` returns whole batches. Where `__iter__`
goes over batches, make it a generator function and pass its result.

## Silent when
The class looks like an array: it has `shape`, `dtype` or `__array__`.
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
    TrainerCall,
    a_call_of_model,
    any_of,
    cst,
    give_base,
    if_on_model,
)

_PAGES = """
import keras
import numpy as np


class Pages:
    def __init__(self, rows, batch_size):
        self.rows = rows
        self.batch_size = batch_size

    def __len__(self):
        return len(self.rows) // self.batch_size

    def __getitem__(self, index):
        rows = self.rows[index * self.batch_size : (index + 1) * self.batch_size]
        return rows, rows[:, :1]


model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(Pages(np.ones((8, 3), "float32"), 4), epochs=2, verbose=0)
"""
_BASED = _PAGES.replace("        self.rows = rows\n", "        super().__init__()\n        self.rows = rows\n")

RULE = Rule(
    code="SEQ230",
    name="not-a-dataset",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    contract=Contract(repairs=frozenset({"errors"})),
    needs=(a_call_of_model, any_of("__getitem__", "__iter__", "__next__")),
    examples=(
        Example(_PAGES, _BASED.replace("class Pages:", "class Pages(keras.utils.Sequence):")),
        Example(
            _PAGES.replace("class Pages:", "class Pages(object):"),
            _BASED.replace("class Pages:", "class Pages(keras.utils.PyDataset):"),
            keras=">=3",
        ),
        Example(
            """
import keras
import numpy as np


class Pages:
    def __iter__(self):
        for _ in range(2):
            yield np.ones((4, 3), "float32"), np.ones((4, 1), "float32")


model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(Pages(), epochs=2, verbose=0)
"""
        ),
        Example.ok(
            """
import keras
import numpy as np


class Pages:
    def __init__(self):
        self.shape = (4, 3)

    def __len__(self):
        return 4

    def __getitem__(self, index):
        return np.ones((4, 3))[index]


class Book:
    def __getitem__(self, index):
        return np.ones((4, 3)), np.ones((4, 1))

    def __len__(self):
        return 1

    def batches(self):
        yield self[0]


model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(Pages(), np.ones((4, 1)))
model.fit(Book().batches())
"""
        ),
        Example.ok(_PAGES.replace("class Pages:", "class Pages(keras.utils.Sequence):")),
    ),
    sources=("chuckyee/cardiac-segmentation#17",),
)

_LIKE_ARRAYS = frozenset(
    {"__array__", "__tf_tensor__", "shape", "dtype", "ndim", "__getattr__", "__getattribute__", "__dlpack__"}
)


_ENDLESS = frozenset({"collections.abc.Sequence", "typing.Sequence"})
_PLAIN = _ENDLESS | {
    "builtins.object", "collections.abc.Collection", "collections.abc.Iterable", "collections.abc.Iterator",
    "collections.abc.Sized", "typing.Iterable", "typing.Iterator",
}  # fmt: skip
"""What says nothing of Keras."""
_NOT_WITH_IT = ("y", "sample_weight", "validation_split")


def check(facts: Facts) -> Iterator[Finding]:
    seen: set[cst.CSTNode] = set()
    for call in facts.training.calls:
        if facts.evidence.guarded(call.node) or not facts.evidence.may_be_model(call) or _is_gone(facts, call):
            continue
        for role, data in call.feeds:
            owner = facts.training.class_of(data)
            if (
                owner is None
                or owner.node in seen
                or not _is_refused(facts, owner)
                or not call.method.startswith(("fit", "eval", "pred"))
            ):
                continue
            seen.add(owner.node)
            yield if_on_model(facts, call, _finding(facts, call, owner, role), RULE.levels)


def _is_gone(facts: Facts, call: TrainerCall) -> bool:
    """`fit_generator` on Keras 3, which fails for another reason."""
    return call.method.endswith("_generator") and "2" not in facts.keras.lines


def _is_refused(facts: Facts, owner: ClassFacts) -> bool:
    """Whether a class surely is none of the types that Keras takes, and is meant to give batches."""
    if not owner.lineage_is_known or not _PLAIN.issuperset(owner.external_bases):
        return False
    if any(owner.method(name) for name in _LIKE_ARRAYS) or any(
        facts.attributes.has(owner, name) != "no" for name in ("shape", "dtype")
    ):
        return False
    return _is_indexed(owner) or owner.method("__iter__") is not None or owner.method("__next__") is not None


def _is_indexed(owner: ClassFacts) -> bool:
    return owner.method("__len__") is not None and owner.method("__getitem__") is not None


def _finding(facts: Facts, call: TrainerCall, owner: ClassFacts, role: str) -> Finding:
    walks = owner.method("__iter__") is not None and owner.method("__next__") is not None
    kind = "`__len__` and `__getitem__`" if _is_indexed(owner) else "the methods of an iterator"
    message = f"`{owner.name}` has {kind}, but is not a Keras Sequence or PyDataset"
    finding = facts.finding(owner.node, message, _note(call, owner, walks=walks))
    levels = Levels(keras2=None, early="error", keras3="error") if walks else None
    finding = but(finding, levels=levels)
    base = "keras.utils.Sequence" if "2" in facts.keras.lines else "keras.utils.PyDataset"
    edits = _edits(facts, owner)
    if edits:
        return finding.fixed_by(f"Inherit from `{base}`", *edits)
    help_ = f"inherit from `{base}`, and return whole batches" if _is_indexed(owner) else "pass a generator"
    return but(finding, help=help_, no_fix=_reason(facts, owner))


def _note(call: TrainerCall, owner: ClassFacts, *, walks: bool) -> Note:
    """Keras 3 has no `fit_generator`, and `fit` in its place refuses the class too."""
    refuses = f"`{call.method}` raises ValueError before the first step"
    older = "" if walks else refuses
    if not _ENDLESS.isdisjoint(owner.external_bases):
        older = f"`{call.method}` never ends"
    return Note(keras2=older) if call.method.endswith("_generator") else Note.on_keras_3(refuses, older)


def _reason(facts: Facts, owner: ClassFacts) -> str:
    if not _is_indexed(owner) or owner.method("__iter__") is not None:
        return f"`{owner.name}` makes its batches with an iterator"
    if not _is_bare(owner):
        return f"`{owner.name}` already has a base class or a metaclass"
    if not _counts_in_batches(facts, owner):
        return "`__getitem__` may return single samples"
    if given := _given_with_it(facts, owner):
        return f"the call also passes `{given}`, which Keras refuses with a dataset"
    return "a decorator, `__init__`, a hook or an attribute conflicts with that base class"


def _edits(facts: Facts, owner: ClassFacts) -> tuple[Edit, ...]:
    """The base, where `__getitem__` gives batches: it counts in steps of a batch."""
    if not _is_bare(owner) or not _is_indexed(owner) or owner.method("__iter__") is not None:
        return ()
    return give_base(facts, owner) if _counts_in_batches(facts, owner) and not _given_with_it(facts, owner) else ()


def _is_bare(owner: ClassFacts) -> bool:
    """Whether a class has no base but `object`; an abstract one has plans of its own."""
    if owner.node.keywords or (owner.node.bases and not owner.bases):
        return False
    return len(owner.lineage) == 1 and owner.external_bases <= {"builtins.object"}


def _counts_in_batches(facts: Facts, owner: ClassFacts) -> bool:
    """Whether `__getitem__` multiplies, as `index * size` does."""
    operations = facts.tree.inside(owner.methods["__getitem__"].body, cst.BinaryOperation)
    return any(isinstance(node.operator, cst.Multiply) for node in operations)


def _given_with_it(facts: Facts, owner: ClassFacts) -> str | None:
    """What a call passes with it that Keras refuses with a dataset of its own: the next error would only come later."""
    calls = [call for call in facts.training.calls for _, data in call.feeds if facts.training.class_of(data) is owner]
    return next((name for name in _NOT_WITH_IT for call in calls if call.value(name) is not None), None)
