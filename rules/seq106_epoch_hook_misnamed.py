"""A method of a Sequence or PyDataset that is nearly an epoch hook.

## Why
Keras calls the hooks of the data by their exact names. A method called `onEpochEnd`, `on_epoch` or `on_epoch_start` is a method like any other:
nobody calls it, and nothing says so. The shuffle in it never happens, and every epoch sees the same order.

## Measured
- Every Keras: `on_epoch_end` is the hook that is called; `onEpochEnd`, `on_epoch` and `on_epoch_start` are not, in silence.
- Keras 3.10 and later: `on_epoch_begin` is called too, at the start of every epoch.
- Keras 3.0 to 3.9: `on_epoch_begin` is called since 3.5, and never before.
- Keras 2: `on_epoch_begin` is never called.

## Do this
Name it `on_epoch_end`, which every Keras calls. What must run before the first epoch, too, can be called in `__init__`.

## Silent when
The file calls the method elsewhere than in `__init__`, or a base in another file has it; or the class has the hook as well and trains in another file, where somebody may
call it; or classes of other files are made from it.
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
    Sometimes,
    a_sequence,
    alike,
    cst,
    demanded,
)

_LAMPS = """
import keras
import numpy as np


class Lamps(keras.utils.Sequence):
    def __init__(self, lights):
        super().__init__()
        self.lights = lights
        self.order = np.arange(len(lights))

    def __len__(self):
        return len(self.lights) // 4

    def __getitem__(self, index):
        rows = self.lights[self.order[index * 4 : index * 4 + 4]]
        return rows, rows[:, :1]

    def onEpochEnd(self):
        np.random.shuffle(self.order)


model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(Lamps(np.arange(16.0).reshape(8, 2) / 16), epochs=2, verbose=0)
"""

_ORDER = "        self.order = np.arange(len(lights))\n"

RULE = Rule(
    code="SEQ106",
    name="epoch-hook-misnamed",
    since="0.1.0",
    levels=Levels.everywhere("warning"),
    sometimes=Sometimes(early=("advice",)),
    contract=Contract(changes=frozenset({"hooks", "order", "grouping", "history", "weights"})),
    needs=(a_sequence,),
    examples=(
        Example(_LAMPS, _LAMPS.replace("onEpochEnd", "on_epoch_end"), keras=">=2.15"),
        # It runs once: the class calls it itself.
        Example(
            _LAMPS.replace("onEpochEnd", "on_epoch_start").replace(_ORDER, _ORDER + "        self.on_epoch_start()\n"),
            _LAMPS.replace("onEpochEnd", "on_epoch_end").replace(_ORDER, _ORDER + "        self.on_epoch_end()\n"),
            keras=">=2.15",
        ),
        # A start of the epoch: the Keras that is used calls it by another name.
        Example(
            _LAMPS.replace("onEpochEnd", "on_epoch_start"),
            _LAMPS.replace("onEpochEnd", "on_epoch_begin"),
            keras=">=3.10",
        ),
        # On Keras 2 there is no such hook.
        Example(
            _LAMPS.replace("onEpochEnd", "on_epoch_begin"),
            _LAMPS.replace("onEpochEnd", "on_epoch_end"),
            keras="tf-keras",
        ),
        # It wants something that Keras doesn't give.
        Example(_LAMPS.replace("onEpochEnd(self)", "on_epoch_ends(self, epoch)")),
        Example.ok(_LAMPS.replace("onEpochEnd", "on_epoch_begin")),
        Example.ok(
            """
import keras
import numpy as np


class Lamps(keras.utils.PyDataset):
    def on_epoch_end(self):
        self.on_epoch()

    def on_epoch(self):
        np.random.shuffle(self.order)
"""
        ),
        Example.ok(
            """
import keras


class Lamps(keras.utils.PyDataset):
    def on_epoch_start(self):
        raise NotImplementedError
"""
        ),
    ),
    sources=("mpkuse/cartwheel_train#8",),
)

_HOOKS = ("on_epoch_end", "on_epoch_begin")
_ENDS = frozenset({
    "onepoch", "onepochs", "onepochover", "onepochdone", "onepochstop", "onepochclose", "onepochfinish", "onepochfinished", "onepochcomplete",
    "onepochcompleted", "onendepoch", "onendofepoch", "onepochesend", "ontrainepochend", "ontrainingepochend", "onvalidationepochend",
})  # fmt: skip
_BEGINS = frozenset({
    "onepochstart", "onepochstarts", "onepochstarted", "onepochbeginning", "onbeginepoch", "onstartepoch", "onbeginofepoch", "onstartofepoch",
    "ontrainepochstart", "ontrainepochbegin",
})  # fmt: skip
_NOT_CALLED = Levels(keras2="warning", early="advice", keras3=None)


def check(facts: Facts) -> Iterator[Finding]:
    for owner in facts.sequences:
        for name, method in owner.methods.items():
            hook = _meant(name)
            if hook is None or method.decorators or not _does_something(method) or _may_be_called(facts, owner, name):
                continue
            if facts.may_be_base(owner):  # heirs may call it
                continue
            calls = facts.called.only_when_made(owner, name)
            finding = facts.finding(method, _message(owner, name, called=bool(calls)))
            finding = replace(finding, levels=_NOT_CALLED if name == "on_epoch_begin" else None)
            wanted = _wanted(facts, owner, method, "on_epoch_end" if calls else hook)
            names = (method.name, *(call.attr for call in calls)) if wanted else ()
            edits = tuple(Edit(*facts.span(each), wanted) for each in names)
            yield finding.fixed_by(f"Name it `{wanted}`", *edits) if edits else finding


def _meant(name: str) -> str | None:
    """The hook that a name was meant to be; None for the hook itself, and for any other name."""
    plain = name.replace("_", "").lower()
    private = name.startswith("__") and not name.endswith("__")
    if name == "on_epoch_end" or not plain.startswith("on") or private:
        return None
    if name == "on_epoch_begin" or plain in _BEGINS:
        return "on_epoch_begin"
    if plain in _ENDS:
        return "on_epoch_end"
    return next((hook for hook in _HOOKS if alike(name, hook)), None)


def _does_something(method: cst.FunctionDef) -> bool:
    """Whether a method is more than a place to be filled in: a docstring, `pass`, `raise NotImplementedError`."""
    idle = (cst.Pass, cst.Raise)
    small = [
        each
        for line in method.body.body
        for each in (line.body if isinstance(line, cst.SimpleStatementLine) else (line,))
    ]
    return any(not isinstance(each, idle) and not _is_literal(each) for each in small)


def _is_literal(statement: cst.CSTNode) -> bool:
    return isinstance(statement, cst.Expr) and not isinstance(statement.value, (cst.Call, cst.Await, cst.Yield))


def _may_be_called(facts: Facts, owner: ClassFacts, name: str) -> bool:
    """Whether code of the file speaks of the method after the class is made, or code out of sight may call it."""
    spoken, made = facts.called.is_spoken_of(name), facts.called.only_when_made(owner, name)
    if (spoken and not made) or facts.called.may_be_above(owner, name):
        return True
    right = owner.method("on_epoch_end") is not None
    once = right or (owner.method("on_epoch_begin") is not None and name != "on_epoch_begin")
    if made and (once or name.startswith("_")):
        return True  # what is done once, and what is done in each epoch; or a helper of `__init__`
    return right and name != "on_epoch_begin" and not facts.training.fed(owner)


def _message(owner: ClassFacts, name: str, *, called: bool) -> str:
    if called and name == "on_epoch_begin":
        return (
            f"`{owner.name}.on_epoch_begin` is called by `__init__` alone before Keras 3.5: what it does happens once"
        )
    if called:
        return f"`{owner.name}.{name}` is no hook of Keras, which calls `on_epoch_end`: it runs once, in `__init__`, and never again"
    if name == "on_epoch_begin":
        return f"`{owner.name}.on_epoch_begin` is never called before Keras 3.5: what it does never happens"
    if _meant(name) == "on_epoch_begin" and owner.method("on_epoch_end") is not None:
        return f"`{owner.name}.{name}` is no hook of Keras, which calls `on_epoch_begin` from 3.5 on: it never runs, in silence"
    return f"`{owner.name}.{name}` is no hook of Keras, which calls `on_epoch_end`: it never runs, in silence"


def _wanted(facts: Facts, owner: ClassFacts, method: cst.FunctionDef, hook: str) -> str:
    """The name that the Kerases in use call; empty where it is taken, or the method wants what Keras does not give."""
    wanted = hook if set(facts.keras.lines) == {"3.10+"} else "on_epoch_end"
    others = [other for other in facts.classes if owner in other.lineage or other in owner.lineage]
    if demanded(method) or any(wanted in other.methods for other in others):
        return ""
    return wanted if sum(method.name.value in other.methods for other in others) == 1 else ""
