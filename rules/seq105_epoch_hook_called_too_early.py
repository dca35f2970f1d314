"""An `__init__` that calls the epoch hook before it sets what the hook reads.

## Why
The hook that shuffles for the next epoch is called once by hand, to shuffle for the first one. In `__init__` it finds what
is set above the call, but nothing that is set below it.

## Measured
- Keras 3 and Keras 2: AttributeError when the instance is made; Keras has no part in it.

## Do this
Call the hook at the end of `__init__`.

## Silent when
The hook sets the attribute before it reads it, reads it in a branch that may not run, or asks for it with `hasattr` or
`getattr`. A base class that seqlint does not see may have set it, or other files subclass the class.
"""

from collections.abc import Iterator
from dataclasses import replace

from seqlint.api import (
    ClassFacts,
    Contract,
    Event,
    Example,
    Facts,
    Finding,
    Levels,
    Rule,
    a_sequence,
    any_of,
    cst,
    move_last,
)

_BELLS = """
import keras
import numpy as np


class Bells(keras.utils.Sequence):
    def __init__(self, tones, batch=4, shuffle=True):
        super().__init__()
        self.tones = tones
        self.on_epoch_end()
        self.shuffle = shuffle
        self.batch = batch

    def __len__(self):
        return len(self.order) // self.batch

    def __getitem__(self, index):
        rows = self.tones[self.order[index * self.batch : (index + 1) * self.batch]]
        return rows, rows[:, :1]

    def on_epoch_end(self):
        self.order = np.arange(len(self.tones))
        if self.shuffle:
            np.random.shuffle(self.order)


model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(Bells(np.ones((8, 2), "float32")), epochs=2, verbose=0)
"""
_HELPER = """
import keras
import numpy as np


class Chimes(keras.utils.Sequence):
    def __init__(self, tones):
        super().__init__()

        # The first epoch, too, is dealt.
        self.on_epoch_end()  # shuffles

        self.tones = tones
        self.seed = 3
        # All is set.

    def __len__(self):
        return 2

    def __getitem__(self, index):
        return self.dealt[index], self.dealt[index][:, :1]

    def on_epoch_end(self):
        self._deal()

    def _deal(self):
        self.dealt = self.tones.reshape(2, 4, -1)


model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(Chimes(np.ones((8, 2), "float32")), epochs=2, verbose=0)
"""

RULE = Rule(
    code="SEQ105",
    name="epoch-hook-called-too-early",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    contract=Contract(repairs=frozenset({"errors"})),
    needs=(a_sequence, any_of("__init__")),
    examples=(
        Example(
            _BELLS,
            _BELLS.replace("        self.on_epoch_end()\n", "").replace(
                "= batch\n", "= batch\n        self.on_epoch_end()\n"
            ),
            keras=">=2.15",
        ),
        Example(
            _HELPER,
            _HELPER.replace(
                """\
        # The first epoch, too, is dealt.
        self.on_epoch_end()  # shuffles

""",
                "",
            ).replace(
                """\
        # All is set.
""",
                """\
        # All is set.
        # The first epoch, too, is dealt.
        self.on_epoch_end()  # shuffles
""",
            ),
        ),
        # The line below needs what the hook sets: the user has to decide.
        Example(
            """
import keras
import numpy as np


class Bells(keras.utils.PyDataset):
    def __init__(self, tones):
        super().__init__()
        self.on_epoch_end()
        self.tones = tones[self.order]

    def on_epoch_end(self):
        self.order = np.random.permutation(len(self.tones))
"""
        ),
        Example.ok(
            """
import keras
import numpy as np


class Bells(keras.utils.PyDataset):
    def __init__(self, tones):
        super().__init__()
        self.epoch = 0
        self.tones = tones
        self.on_epoch_end()
        self.rng = np.random.default_rng(1)

    def on_epoch_end(self):
        self.order = np.arange(len(self.tones))
        if self.epoch > 0:
            self.rng.shuffle(self.order)
        self.epoch += 1
"""
        ),
        Example.ok(
            """
import keras
import numpy as np


class Bells(keras.utils.PyDataset):
    limit = 3

    def __init__(self, tones):
        super().__init__()
        self._read(tones)
        self.on_epoch_end()
        self.limit = 5

    def _read(self, tones):
        self.tones = tones

    def on_epoch_end(self):
        self.order = np.random.permutation(len(self.tones))[: self.limit]
"""
        ),
    ),
    sources=("keras-team/keras#11805",),
)

_HOOKS = ("on_epoch_end", "on_epoch_begin")


def check(facts: Facts) -> Iterator[Finding]:
    seen: set[cst.CSTNode] = set()
    for owner in facts.sequences:
        yield from _over_the_border(facts, owner)
        for call, late, hook in _early_calls(facts, owner) if facts.setups.is_seen(owner) else ():
            if call in seen or facts.may_be_base(owner):
                continue
            seen.add(call)
            what = f"`{owner.name}.__init__` runs `{hook}` before it sets"
            finding = _finding(facts, call, what, late)
            reason = _obstacle(facts, owner, call, hook)
            if reason:
                yield _unfixed(finding, hook, late, reason)
                continue
            edits = move_last(facts, facts.tree.statement(call), owner.methods["__init__"])
            yield finding.fixed_by(f"Call `{hook}` at the end of `__init__`", *edits)


def _over_the_border(facts: Facts, owner: ClassFacts) -> Iterator[Finding]:
    """`super().__init__()`, where the base class is in another file and calls the hook that this class overrides."""
    early = facts.external_bases.called_early(owner)
    if early is not None and not facts.may_be_base(owner):
        what = f"`{facts.text(early[0])}` runs `on_epoch_end` before `{owner.name}` sets"
        finding = _finding(facts, early[0], what, early[1])
        yield _unfixed(finding, "on_epoch_end", early[1], "a base class in another file calls the hook")


def _finding(facts: Facts, call: cst.CSTNode, what: str, late: tuple[str, ...]) -> Finding:
    note = f"the hook reads {'them' if late[1:] else 'it'}: AttributeError when the object is created"
    return facts.finding(call, f"{what} {_names(late)}", note)


def _names(late: tuple[str, ...]) -> str:
    return " and ".join(f"`self.{name}`" for name in late[:2]) + (" and more" if late[2:] else "")


def _unfixed(finding: Finding, hook: str, late: tuple[str, ...], reason: str) -> Finding:
    return replace(finding, help=f"set {_names(late)} before `{hook}` runs").unfixed(reason)


def _early_calls(facts: Facts, owner: ClassFacts) -> Iterator[tuple[cst.CSTNode, tuple[str, ...], str]]:
    """The calls that run a hook while an instance is created, with what the hook reads and is set only later."""
    events = facts.setups.run(owner, "__init__")
    known = set(facts.setups.of_class(owner))
    found: dict[cst.CSTNode, tuple[tuple[str, ...], str]] = {}
    for position, event in enumerate(events):
        name, hook = event.touch.name, _hook_of(event)
        if hook is not None and event.needs and _is_sure(event, hook) and name not in known:
            place = _place(event, hook, [later for later in events[position:] if later.touch.name == name])
            if place is not None:
                names = found.get(place, ((), ""))[0]
                found[place] = (tuple(dict.fromkeys((*names, name))), hook)
        known |= {name} if event.sets else set()
    yield from ((place, *what) for place, what in found.items())


def _hook_of(event: Event) -> str | None:
    return next((function.name.value for function in event.entered if function.name.value in _HOOKS), None)


def _is_sure(event: Event, hook: str) -> bool:
    """Whether it happens whenever the hook runs."""
    return event.doubt <= _depth(event, hook)


def _depth(event: Event, hook: str) -> int:
    return [function.name.value for function in event.entered].index(hook)


def _place(event: Event, hook: str, later: list[Event]) -> cst.CSTNode | None:
    """The call that should be below the line that sets the attribute; None where nothing outside the hook sets it."""
    for other in later:
        shared = 0
        while shared < len(other.calls) and other.calls[shared] is event.calls[shared]:
            shared += 1
        if other.touch.kind == "assign" and shared <= _depth(event, hook):
            return event.calls[shared]
    return None


def _obstacle(facts: Facts, owner: ClassFacts, call: cst.CSTNode, hook: str) -> str:
    """Why the call can't move to the end of `__init__`; empty where it can."""
    line, init = facts.tree.statement(call), owner.methods.get("__init__")
    if init is None or facts.tree.parents[line] is not init.body or not isinstance(init.body, cst.IndentedBlock):
        return f"the call is not a line of `{owner.name}.__init__` that always runs"
    if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1 or not _is_plain(line.body[0], call, hook):
        return "the line does not just call the hook"
    below = list(init.body.body)[list(init.body.body).index(line) + 1 :]
    made = {event.touch.name for event in facts.setups.run(owner, hook) if event.touch.kind != "read"}
    touched = {name for node in below for name in facts.members.used((node,))}
    if used := sorted(made & touched):
        return f"a line below the call uses `self.{used[0]}`, which the hook sets"
    if any(owner.method(name) is not None for name in touched):
        return "a line below the call runs another method"
    return "`__init__` has a `return`" if facts.tree.inside(init.body, cst.Return) else ""


def _is_plain(statement: cst.BaseSmallStatement, call: cst.CSTNode, hook: str) -> bool:
    """Whether a statement is `self.on_epoch_end()` and nothing else."""
    if not isinstance(statement, cst.Expr) or statement.value is not call or not isinstance(call, cst.Call):
        return False
    return not call.args and isinstance(call.func, cst.Attribute) and call.func.attr.value == hook
