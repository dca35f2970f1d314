"""State that `__getitem__` reads and only an epoch hook sets.

## Why
`on_epoch_end` reads like a place to set up every epoch, including the first. But Keras asks for batches before it calls any
hook: it learns shapes and types from the first of them.

## Measured
- Keras 3.10 and later: AttributeError at the start of `fit`, from the look at batches 0 and 1; `on_epoch_end` and `on_epoch_begin` come
  after it.
- Keras 3.0 to 3.9: AttributeError at the start of `fit`; no hook was called before.
- Keras 2: AttributeError at the start of `fit`, from the look at batch 0; no hook was called before.

## Do this
Call the hook at the end of `__init__`, or set in `__init__` what the first epoch needs.

## Silent when
The attribute is set anywhere else: in the class body, in a base class of this file or another, in `__init__` or its helpers,
by `setattr`, or from outside. The file calls the hook itself. The class is a base class: it lacks `__getitem__` or
`__len__`, one of its methods only raises NotImplementedError, or other files subclass it.
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
    a_sequence,
    cst,
    demanded,
    epoch_code,
    insert_last,
    receiver,
)

_TERNS = """
import keras
import numpy as np


class Terns(keras.utils.Sequence):
    def __init__(self, wings):
        super().__init__()
        self.wings = wings

    def __len__(self):
        return len(self.wings) // 4

    def __getitem__(self, index):
        rows = self.wings[self.order[index * 4 : index * 4 + 4]]
        return rows, rows[:, :1]

    def on_epoch_end(self):
        self.order = np.random.permutation(len(self.wings))


model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(Terns(np.ones((8, 2), "float32")), epochs=2, verbose=0)
"""
_HELPERS = """
import keras
import numpy as np


class Colony(keras.utils.Sequence):
    def __init__(self, nests, shuffle=True):
        super().__init__()
        self.nests = nests
        self.shuffle = shuffle
        # The first epoch, too, is dealt.

    def __len__(self):
        return 2

    def __getitem__(self, index):
        return self.__load(index), np.ones((4, 1))

    def __load(self, index):
        return np.stack([self.nests[row] for row in self.deal[index]])

    def on_epoch_end(self):
        self._deal()

    def _deal(self):
        rows = np.arange(len(self.nests))
        if self.shuffle:
            np.random.shuffle(rows)
        self.deal = rows.reshape(2, -1)


model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(Colony(np.ones((8, 2), "float32")), epochs=2, verbose=0)
"""

RULE = Rule(
    code="SEQ104",
    name="epoch-hook-sets-up-state",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    contract=Contract(repairs=frozenset({"errors"})),
    needs=(a_sequence, epoch_code),
    examples=(
        Example(_TERNS, _TERNS.replace("= wings\n", "= wings\n        self.on_epoch_end()\n"), keras=">=2.15"),
        Example(
            _HELPERS,
            _HELPERS.replace(
                """\
        self.shuffle = shuffle
        # The first epoch, too, is dealt.
""",
                """\
        self.shuffle = shuffle
        # The first epoch, too, is dealt.
        self.on_epoch_end()
""",
            ),
        ),
        # The hook itself needs what nothing sets: no inserted line would help.
        Example(
            """
import keras


class Ringed(keras.utils.PyDataset):
    def __init__(self, rings):
        super().__init__()
        self.rings = rings

    def __len__(self):
        return 2

    def __getitem__(self, index):
        return self.rings[self.order[index]]

    def on_epoch_end(self):
        self.order = self.rng.permutation(len(self.rings))
"""
        ),
        Example.ok(
            """
import keras
import numpy as np


class Terns(keras.utils.PyDataset):
    def __init__(self, wings):
        super().__init__()
        self.wings = wings
        self._deal()

    def __len__(self):
        return 2

    def __getitem__(self, index):
        return self.wings[self.order[index]]

    def on_epoch_end(self):
        self._deal()

    def _deal(self):
        self.order = np.random.permutation(len(self.wings))
"""
        ),
        Example.ok(
            """
import keras
import numpy as np


class Terns(keras.utils.PyDataset):
    order = None

    def __getitem__(self, index):
        return self.wings[index] if self.order is None else self.wings[self.order[index]]

    def on_epoch_end(self):
        self.order = np.random.permutation(8)
"""
        ),
    ),
    sources=("keras-team/keras#11805",),
)


def check(facts: Facts) -> Iterator[Finding]:
    for owner in facts.sequences:
        late = _set_late(facts, owner) if facts.setups.is_seen(owner) else {}
        if not late:
            yield from _over_the_border(facts, owner)
            continue
        if not facts.subclasses.is_whole(owner) or facts.may_be_base(owner):
            continue
        names, hook = tuple(late), next(iter(late.values()))
        finding = _finding(facts, owner, names, hook)
        reason = _obstacle(facts, owner, hook)
        if reason:
            yield _unfixed(finding, hook, reason)
            continue
        yield finding.fixed_by(f"Call `{hook}` at the end of `__init__`", _call(facts, owner, hook))


def _over_the_border(facts: Facts, owner: ClassFacts) -> Iterator[Finding]:
    """The same with base classes in other files: all of them are read, and no line of theirs sets it."""
    names = facts.external_bases.set_late(owner)
    if names and not facts.may_be_base(owner):
        finding = _finding(facts, owner, names, "on_epoch_end")
        yield _unfixed(finding, "on_epoch_end", "a base class is in another file")


def _finding(facts: Facts, owner: ClassFacts, names: tuple[str, ...], hook: str) -> Finding:
    what = " and ".join(f"`self.{name}`" for name in names[:2]) + (" and more" if names[2:] else "")
    message = f"`{owner.name}.__getitem__` reads {what}, but only `{hook}` sets {'them' if names[1:] else 'it'}"
    note = "Keras reads a batch before it calls any hook, so `fit` starts with AttributeError"
    return facts.finding(owner.methods.get("__init__") or owner.node, message, note)


def _unfixed(finding: Finding, hook: str, reason: str) -> Finding:
    return replace(finding, help=f"set it in `__init__`, or call `{hook}` there").unfixed(reason)


def _set_late(facts: Facts, owner: ClassFacts) -> dict[str, str]:
    """The attributes that a batch surely reads and that only a hook sets, each with the hook."""
    known = set(facts.setups.of_class(owner)) | facts.attributes.assigned(owner, "__init__", "__len__")
    found: dict[str, str] = {}
    for event in facts.setups.run(owner, "__getitem__"):
        name = event.touch.name
        if event.needs and event.sure and name not in known and name not in found:
            hook = _only_hook(facts, owner, name)
            found |= {name: hook} if hook is not None else {}
        known |= {name} if event.sets else set()
    return found


def _only_hook(facts: Facts, owner: ClassFacts, name: str) -> str | None:
    """The hook that alone, and run by Keras alone, sets an attribute."""
    for hook in ("on_epoch_end", "on_epoch_begin"):
        reached = owner.reachable(hook)
        inside = {found.node for found in reached}
        stores = [node for node in facts.members.all(name) if facts.values.stored(node) is not None]
        setting = {facts.tree.function(node) for node in stores if not facts.called.is_of_other(owner, node)}
        if name in facts.attributes.assigned(owner, hook) and setting <= inside:
            return hook if facts.called.is_by_keras_alone(owner, hook, reached) else None
    return None


def _obstacle(facts: Facts, owner: ClassFacts, hook: str) -> str:
    """Why a call of the hook as the last line of `__init__` would fail, or do more than set state; empty where it works."""
    init, method = owner.methods.get("__init__"), owner.method(hook)
    if init is None or method is None or not isinstance(init.body, cst.IndentedBlock):
        return f"`{owner.name}` has no `__init__` of its own" if init is None else "`__init__` is written on one line"
    if receiver(init) is None:
        return "`__init__` has no parameter for `self`"
    if demanded(method[1]):
        return f"`{hook}` requires arguments"
    if hook == "on_epoch_begin" and set(facts.keras.lines) != {"3.10+"}:  # that one has to get another name
        return "not every Keras in use calls `on_epoch_begin`"
    if facts.tree.inside(init.body, cst.Return):
        return "`__init__` has a `return`"
    if _does_more(facts, owner, hook):
        return f"`{hook}` also writes shared state or runs a model"
    return _unset(facts, owner, hook)


def _unset(facts: Facts, owner: ClassFacts, hook: str) -> str:
    """What the hook needs and `__init__` does not set, as a reason."""
    known = set(facts.setups.of_class(owner)) | facts.attributes.assigned(owner, "__init__")
    for event in facts.setups.run(owner, hook):
        if event.needs and event.touch.name not in known:
            return f"`{hook}` reads `self.{event.touch.name}`, which `__init__` does not set"
        known |= {event.touch.name} if event.sets else set()
    return ""


def _call(facts: Facts, owner: ClassFacts, hook: str) -> Edit:
    init = owner.methods["__init__"]
    return insert_last(facts, init, f"{receiver(init)}.{hook}()")


def _does_more(facts: Facts, owner: ClassFacts, hook: str) -> bool:
    """Whether a hook writes outside the instance or runs a model: one more call would be one too many."""
    inside = {found.node for found in owner.reachable(hook)}
    busy = {deed.hook.node for deed in facts.hooks.writes} | {deed.hook.node for deed in facts.hooks.runs}
    return not busy.isdisjoint(inside)
