"""An epoch hook of a Sequence or PyDataset that wants arguments.

## Why
A Callback's `on_epoch_end` gets `epoch` and `logs`; that of the data gets nothing. Two methods of one name, and it is easy to write one with
the parameters of the other.

## Measured
- Keras 3.10 and later: TypeError "missing 1 required positional argument: 'epoch'" before epoch 0: nothing is trained.
- Keras 3.0 to 3.9: up to 3.6 the same TypeError at the end of epoch 1, which is lost; since 3.7 before epoch 0.
- Keras 2: the same TypeError at the end of epoch 1, which is lost.
- Every Keras: a hook without `self` gets the instance all the same: TypeError "takes 0 positional arguments but 1 was given".

## Do this
Take nothing but `self`. What needs the epoch or the logs belongs in a Callback that `fit` is given.

## Silent when
The parameters have defaults (Keras never gives them), the class is a Callback too and no fit in sight trains on it, or the file calls the
hook itself and never gives the data to a model.
"""

from collections.abc import Iterator
from dataclasses import replace

from seqlint.api import (  # fmt: skip
    Contract,
    Edit,
    Example,
    Facts,
    Finding,
    Hook,
    Levels,
    Rule,
    a_sequence,
    an_epoch_hook,
    cst,
    if_for_sequence,
    keep_parameters,
    parameters,
    remove_arguments,
    remove_parameter,
)

_TIDES = """
import keras
import numpy as np


class Tides(keras.utils.Sequence):
    def __init__(self, levels):
        super().__init__()
        self.levels = levels
        self.order = np.arange(len(levels))

    def __len__(self):
        return len(self.levels) // 4

    def __getitem__(self, index):
        rows = self.levels[self.order[index * 4 : index * 4 + 4]]
        return rows, rows[:, :1]

    def on_epoch_end(self, epoch, logs=None):
        np.random.shuffle(self.order)


model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(Tides(np.ones((8, 2), "float32")), epochs=2, verbose=0)
"""
_CALLED = _TIDES.replace(
    """\
        self.order = np.arange(len(levels))
""",
    """\
        self.order = np.arange(len(levels))
        self.on_epoch_end(0, None)  # begin in another order
""",
).replace(
    """\
        np.random.shuffle(self.order)
""",
    """\
        super().on_epoch_end(epoch, logs)
        np.random.shuffle(self.order)
""",
)
_KEPT = _TIDES.replace(
    """\
    def on_epoch_end(self, epoch, logs=None):
        np.random.shuffle(self.order)
""",
    """\
    def on_epoch_end(self, epoch, logs, deals=2):
        for _ in range(deals):
            np.random.shuffle(self.order)
""",
)
_REST = """

    def __len__(self):
        return 1

    def __getitem__(self, index):
        return np.ones((4, 2)), np.ones((4, 1))


model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
"""

RULE = Rule(
    code="SEQ103",
    name="epoch-hook-signature",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    contract=Contract(repairs=frozenset({"errors"})),
    needs=(a_sequence, an_epoch_hook),
    examples=(
        Example(_TIDES, _TIDES.replace("(self, epoch, logs=None)", "(self)"), keras=">=2.15"),
        # What the class itself gives goes too.
        Example(
            _CALLED,
            _CALLED.replace("(self, epoch, logs=None)", "(self)")
            .replace("(0, None)", "()")
            .replace("(epoch, logs)", "()"),
        ),
        Example(_KEPT, _KEPT.replace("epoch, logs, ", "")),
        Example(
            """
import keras
import numpy as np


class Buoy(keras.utils.Sequence):
    def __init__(self):
        super().__init__()
        self.width = 2

    def on_epoch_end(self, epoch):
        self.width = 2 if epoch < 3 else 4
"""
            + _REST
            + "model.fit(Buoy(), epochs=2, verbose=0)\n"
        ),
        Example.ok(
            """
import keras


class Watch(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs):
        print(epoch, logs)


class Both(keras.utils.Sequence, keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs):
        print(epoch, logs)
"""
        ),
        Example.ok(
            """
import keras


class Tides(keras.utils.Sequence):
    def on_epoch_end(self, epoch=None, *args, **kwargs):
        self.epoch = epoch
"""
        ),
    ),
    sources=("keras-team/keras#7851",),
)


def check(facts: Facts) -> Iterator[Finding]:
    for hook in facts.hooks.all:
        if not hook.demands and parameters(hook.node.params):
            continue
        if hook.node.decorators or _is_called_by_hand(facts, hook):
            continue
        if not parameters(hook.node.params):
            finding = replace(facts.finding(hook.node, _without_self(facts, hook)), levels=_levels(hook))
            yield if_for_sequence(hook, finding.fixed_by("Take `self`", _take_self(facts, hook)), RULE.levels)
        if not hook.demands:
            continue
        finding = replace(facts.finding(hook.node, _message(facts, hook)), levels=_levels(hook))
        edits = _edits(facts, hook)
        finding = finding.fixed_by("Take no arguments", *edits) if edits else finding
        yield if_for_sequence(hook, finding, RULE.levels)
    for hook in facts.hooks.shared:
        if hook.demands and not hook.node.decorators and facts.training.fits_on(hook.owner):
            yield replace(facts.finding(hook.node, _message_of_both(facts, hook)), levels=_levels(hook))


def _message_of_both(facts: Facts, hook: Hook) -> str:
    who = f"`{hook.called}` is the hook of a Callback and of data in one, and wants {_wanted(hook)}"
    return f"{who}: Keras gives the data nothing, TypeError {_when(facts)}"


def _levels(hook: Hook) -> Levels | None:
    return Levels(None, None, "error") if hook.name == "on_epoch_begin" else None


def _without_self(facts: Facts, hook: Hook) -> str:
    return f"`{hook.called}` has no `self`, and Keras calls it on the instance: TypeError {_when(facts)}"


def _take_self(facts: Facts, hook: Hook) -> Edit:
    """`self` between the brackets."""
    end = facts.span(hook.node.name)[1]
    place = facts.source.utf8.index(b"(", end) + 1
    return Edit(place, place, "self")


def _is_called_by_hand(facts: Facts, hook: Hook) -> bool:
    """Whether code outside the class calls the hook, with what it wants, and no model is given the data."""
    if facts.effects.by_hand(hook) != "elsewhere":
        return False
    return not any(facts.training.fed(owner) for owner in facts.sequences if facts.trained.has(owner, hook))


def _message(facts: Facts, hook: Hook) -> str:
    moved = any(_uses(facts, hook, param) for param in hook.demands)
    instead = f"; what needs {_wanted(hook)} belongs in a Callback" if moved else ""
    return f"`{hook.called}` wants {_wanted(hook)}, and Keras calls it without arguments: TypeError {_when(facts)}{instead}"


def _wanted(hook: Hook) -> str:
    return " and ".join(f"`{param.name.value}`" for param in hook.demands)


def _when(facts: Facts) -> str:
    if "3.10+" in facts.keras.lines:
        return "before the first epoch" if len(facts.keras.lines) == 1 else "before or at the end of the first epoch"
    return "at the end of the first epoch"


def _edits(facts: Facts, hook: Hook) -> tuple[Edit, ...]:
    """The parameters that nothing reads go, with what the class itself gives to them; none where one is needed."""
    behind = parameters(hook.node.params)[1:]
    used = [param for param in behind if _uses(facts, hook, param)]
    given = [call for call in _calls(facts, hook) if call.args]
    if not used:
        if not all(_is_own(facts, hook, call) for call in given):
            return ()
        freed = (edit for call in given for edit in remove_arguments(facts, call, tuple(call.args)))
        return (keep_parameters(facts, hook.node, 1), *freed)
    needed = set(hook.demands)
    if given or needed & set(used) or not needed <= set(hook.node.params.params) or behind[-1] in needed:
        return ()
    return tuple(remove_parameter(facts, hook.node, param) for param in hook.demands)


def _calls(facts: Facts, hook: Hook) -> list[cst.Call]:
    """The calls of a hook of this name, on whatever object."""
    calls = facts.tree.all(cst.Call)
    return [call for call in calls if isinstance(call.func, cst.Attribute) and call.func.attr.value == hook.name]


def _is_own(facts: Facts, hook: Hook, call: cst.Call) -> bool:
    """Whether a call is `self.on_epoch_end(0)` of the class, or `super().on_epoch_end(epoch)` that goes to Keras."""
    assert isinstance(call.func, cst.Attribute)
    around = facts.tree.enclosing(call, cst.ClassDef)
    plain = all(isinstance(argument.value, (cst.Name, cst.Integer, cst.Dict)) for argument in call.args)
    if not plain or around is not hook.owner.node:
        return False
    if facts.values.self_class(call.func.value) is not None:
        return True
    return _goes_to_keras(facts, hook, call)


def _goes_to_keras(facts: Facts, hook: Hook, call: cst.Call) -> bool:
    above = hook.owner.lineage[1:]
    is_super = facts.text(call.func).startswith("super(")
    return is_super and hook.owner.lineage_is_known and not any(hook.name in owner.methods for owner in above)


def _uses(facts: Facts, hook: Hook, param: cst.Param) -> bool:
    """Whether the body reads a parameter for more than to hand it to Keras's own hook, which takes nothing."""
    names = [name for name in facts.tree.inside(hook.node.body, cst.Name) if name.value == param.name.value]
    if any(name.value in ("locals", "vars") for name in facts.tree.inside(hook.node.body, cst.Name)):
        return True
    return any(not facts.tree.is_label(name) and not _is_handed_up(facts, hook, name) for name in names)


def _is_handed_up(facts: Facts, hook: Hook, name: cst.Name) -> bool:
    call = facts.tree.enclosing(name, cst.Call)
    if call is None or call not in _calls(facts, hook) or facts.tree.parents[facts.tree.parents[name]] is not call:
        return False
    return _goes_to_keras(facts, hook, call)
