"""An epoch hook of a Sequence or PyDataset that requires arguments.

## Why
A Callback's `on_epoch_end` gets `epoch` and `logs`. The hook of the data has the same name and gets nothing, so it is easy
to write one with the parameters of the other.

## Measured
- Keras 3.10 and later: TypeError "missing 1 required positional argument: 'epoch'" before epoch 0: nothing is trained.
- Keras 3.0 to 3.9: up to 3.6 the same TypeError at the end of epoch 1, which is lost; since 3.7 before epoch 0.
- Keras 2: the same TypeError at the end of epoch 1, which is lost.
- Every Keras: a hook without `self` still gets the instance: TypeError "takes 0 positional arguments but 1 was given".

## Do this
Take only `self`. Move what needs the epoch or the logs to a Callback and pass that to `fit`.

## Silent when
The parameters have defaults (Keras never passes them); the class is a Callback too and no `fit` in the file trains on it;
the file calls the hook itself and never gives the data to a model.
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
    Note,
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
        # The arguments of the class's own calls go too.
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


_LATE, _BEFORE = "TypeError at the end of the first epoch", "TypeError before the first epoch"
_END = Note(keras2=_LATE, early=f"{_LATE}, since 3.7 before it", keras3=_BEFORE)


def check(facts: Facts) -> Iterator[Finding]:
    for hook in facts.hooks.all:
        if not hook.demands and parameters(hook.node.params):
            continue
        if hook.node.decorators or _is_called_by_hand(facts, hook):
            continue
        if not parameters(hook.node.params):
            finding = _finding(facts, hook, f"`{hook.called}` has no `self`, but Keras calls it on the instance")
            finding = finding.fixed_by("Add the parameter `self`", _take_self(facts, hook))
            yield if_for_sequence(hook, finding, RULE.levels)
        if not hook.demands:
            continue
        message = f"`{hook.called}` requires {_wanted(hook)}, but Keras calls it without arguments"
        yield if_for_sequence(hook, _mended(facts, hook, _finding(facts, hook, message)), RULE.levels)
    for hook in facts.hooks.shared:
        if hook.demands and not hook.node.decorators and facts.training.fits_on(hook.owner):
            yield _of_both(facts, hook)


def _finding(facts: Facts, hook: Hook, message: str) -> Finding:
    if hook.name == "on_epoch_begin":
        finding = facts.finding(hook.node, message, Note(keras3=_BEFORE))
        return replace(finding, levels=Levels(None, None, "error"))
    return facts.finding(hook.node, message, _END)


def _of_both(facts: Facts, hook: Hook) -> Finding:
    message = f"`{hook.called}` requires {_wanted(hook)}, but Keras also calls it without arguments, as a Sequence's"
    found = replace(_finding(facts, hook, message), help="use one class for the data and another one for the Callback")
    return found.unfixed(f"the class is a Callback too, which gets {_wanted(hook)}")


def _mended(facts: Facts, hook: Hook, finding: Finding) -> Finding:
    if edits := _edits(facts, hook):
        return finding.fixed_by("Remove the parameters that Keras does not pass", *edits)
    used = " and ".join(f"`{param.name.value}`" for param in hook.demands if _uses(facts, hook, param))
    if used:
        return replace(finding, help=f"move what needs {used} to a Callback", no_fix=f"the hook uses {used}")
    given = any(call.args for call in _calls(facts, hook))
    reason = "other code passes it arguments" if given else "its other parameters are in use"
    return replace(finding, help="take only `self`", no_fix=reason)


def _take_self(facts: Facts, hook: Hook) -> Edit:
    """Write `self` between the parentheses."""
    end = facts.span(hook.node.name)[1]
    place = facts.source.utf8.index(b"(", end) + 1
    return Edit(place, place, "self")


def _is_called_by_hand(facts: Facts, hook: Hook) -> bool:
    """Whether code outside the class calls the hook with arguments, and no model is given the data."""
    if facts.effects.by_hand(hook) != "elsewhere":
        return False
    return not any(facts.training.fed(owner) for owner in facts.sequences if facts.fit_bindings.has(owner, hook))


def _wanted(hook: Hook) -> str:
    return " and ".join(f"`{param.name.value}`" for param in hook.demands)


def _edits(facts: Facts, hook: Hook) -> tuple[Edit, ...]:
    """Remove the parameters that nothing reads, with the arguments of the class's own calls; none where one is needed."""
    rest = parameters(hook.node.params)[1:]
    used = [param for param in rest if _uses(facts, hook, param)]
    given = [call for call in _calls(facts, hook) if call.args]
    if not used:
        if not all(_is_own(facts, hook, call) for call in given):
            return ()
        freed = (edit for call in given for edit in remove_arguments(facts, call, tuple(call.args)))
        return (keep_parameters(facts, hook.node, 1), *freed)
    needed = set(hook.demands)
    if given or needed & set(used) or not needed <= set(hook.node.params.params) or rest[-1] in needed:
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
    """Whether the body reads a parameter other than to pass it to Keras's own hook, which takes nothing."""
    names = [name for name in facts.tree.inside(hook.node.body, cst.Name) if name.value == param.name.value]
    if any(name.value in ("locals", "vars") for name in facts.tree.inside(hook.node.body, cst.Name)):
        return True
    return any(not facts.tree.is_label(name) and not _is_handed_up(facts, hook, name) for name in names)


def _is_handed_up(facts: Facts, hook: Hook, name: cst.Name) -> bool:
    call = facts.tree.enclosing(name, cst.Call)
    if call is None or call not in _calls(facts, hook) or facts.tree.parents[facts.tree.parents[name]] is not call:
        return False
    return _goes_to_keras(facts, hook, call)
