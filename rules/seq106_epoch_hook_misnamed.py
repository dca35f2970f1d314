"""A method of a Sequence or PyDataset with nearly the name of an epoch hook.

## Why
Keras calls the hooks of the data by their exact names. A method named `onEpochEnd`, `on_epoch` or `on_epoch_start` is an
ordinary method: Keras never calls it, and nothing warns you. Its shuffle never happens, so every epoch has the same order.

## Measured
- Every Keras: `on_epoch_end` is the hook that is called; `onEpochEnd`, `on_epoch` and `on_epoch_start` are never called, without a warning.
- Keras 3.10 and later: `on_epoch_begin` is called too, at the start of every epoch.
- Keras 3.0 to 3.9: `on_epoch_begin` is called since 3.5, and never before.
- Keras 2: `on_epoch_begin` is never called.

## Do this
Name it `on_epoch_end`, which every Keras calls. If it must also run before the first epoch, call it in `__init__`.

## Silent when
The file calls the method outside of `__init__`, or a base class in another file has it. The class has the real hook as well
and trains in another file, which may call the method. Other files subclass the class.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

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
    contract=Contract(
        changes=frozenset({"hooks", "order", "grouping", "history", "weights"}), holds=frozenset({"inputs stay"})
    ),
    needs=(a_sequence,),
    examples=(
        Example(_LAMPS, _LAMPS.replace("onEpochEnd", "on_epoch_end"), keras=">=2.15"),
        # It runs once: the class calls it itself.
        Example(
            _LAMPS.replace("onEpochEnd", "on_epoch_start").replace(_ORDER, _ORDER + "        self.on_epoch_start()\n"),
            _LAMPS.replace("onEpochEnd", "on_epoch_end").replace(_ORDER, _ORDER + "        self.on_epoch_end()\n"),
            keras=">=2.15",
        ),
        # The start of an epoch: Keras calls it by another name.
        Example(
            _LAMPS.replace("onEpochEnd", "on_epoch_start"),
            _LAMPS.replace("onEpochEnd", "on_epoch_begin"),
            keras=">=3.10",
        ),
        # Keras 2 never calls this hook.
        Example(
            _LAMPS.replace("onEpochEnd", "on_epoch_begin"),
            _LAMPS.replace("onEpochEnd", "on_epoch_end"),
            keras="tf-keras",
        ),
        # It requires an argument that Keras does not pass.
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
            if facts.may_be_base(owner):  # subclasses may call it
                continue
            calls = facts.called.only_when_made(owner, name)
            finding = facts.finding(method, _message(facts, owner, name, calls), _note(facts, owner, name, calls))
            finding = replace(finding, levels=_NOT_CALLED if name == "on_epoch_begin" else None)
            wanted = "on_epoch_end" if calls or set(facts.keras.lines) != {"3.10+"} else hook
            if reason := _obstacle(facts, owner, method, wanted):
                yield replace(finding, help=_help(facts, owner, name, wanted), no_fix=reason)
                continue
            names = (method.name, *(call.attr for call in calls))
            edits = tuple(Edit(*facts.span(each), wanted) for each in names)
            yield finding.fixed_by(f"Rename it to `{wanted}`", *edits)


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
    """Whether the file mentions the method other than in `__init__`, or code that seqlint does not see may call it."""
    spoken, made = facts.called.is_spoken_of(name), facts.called.only_when_made(owner, name)
    if (spoken and not made) or facts.called.may_be_used_by_base(owner, name):
        return True
    right = owner.method("on_epoch_end") is not None
    once = right or (owner.method("on_epoch_begin") is not None and name != "on_epoch_begin")
    if made and (once or name.startswith("_")):
        return True  # what is done once, and what is done in each epoch; or a helper of `__init__`
    return right and name != "on_epoch_begin" and not facts.training.fed(owner)


def _message(facts: Facts, owner: ClassFacts, name: str, calls: Sequence[cst.Attribute]) -> str:
    method = f"`{owner.name}.{name}`"
    begins = name == "on_epoch_begin"
    if calls:
        return f"{method} runs only once, in `__init__`: Keras{' before 3.5' if begins else ''} never calls it"
    if begins:
        return f"{method} is never called before Keras 3.5"
    return f"{method} is never called: Keras calls `{_hook(facts, owner, name)}`"


def _note(facts: Facts, owner: ClassFacts, name: str, calls: Sequence[cst.Attribute]) -> Note:
    if calls:
        return Note("nothing warns you")
    note = Note("what it does never happens, and nothing warns you")
    if name == "on_epoch_begin" or _hook(facts, owner, name) == "on_epoch_end":
        return note
    return replace(note, keras2="`on_epoch_begin` is never called either", early="`on_epoch_begin` is called since 3.5")


def _hook(facts: Facts, owner: ClassFacts, name: str) -> str:
    """The hook to write: `on_epoch_begin` only where every Keras calls it, or the class has the other one."""
    both = set(facts.keras.lines) == {"3.10+"} or owner.method("on_epoch_end") is not None
    return "on_epoch_begin" if both and _meant(name) == "on_epoch_begin" else "on_epoch_end"


def _help(facts: Facts, owner: ClassFacts, name: str, wanted: str) -> str:
    named = _hook(facts, owner, name)
    return f"do this in `{wanted}`" if named == wanted else f"name it `{named}`, or do this in `{wanted}`"


def _obstacle(facts: Facts, owner: ClassFacts, method: cst.FunctionDef, wanted: str) -> str:
    """Why the method can't have the name that every Keras in use calls; empty where it can."""
    if demanded(method):
        return "it requires arguments, but Keras passes none"
    others = [other for other in facts.classes if owner in other.lineage or other in owner.lineage]
    for other in others:
        if wanted in other.methods:
            return f"`{other.name}` already has `{wanted}`"
    again = sum(method.name.value in other.methods for other in others) != 1
    return "a base class or a subclass has it too" if again else ""
