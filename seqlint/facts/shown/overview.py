"""All that is known about a file as plain values, so that a person or a program can look at it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from seqlint.facts.batches.forms import described
from seqlint.facts.classes.hook import HOOKS
from seqlint.facts.shown.spoken import UNKNOWN, Spoken, Way, here, known_as, short, spoken

if TYPE_CHECKING:
    import libcst as cst

    from seqlint.facts import Answer, CallbackList, ClassFacts, Facts, Kind, Listed, Maker, Role, TrainerCall
    from seqlint.facts.batches.batches import MakerKind
    from seqlint.facts.training.input_kinds import InputKind
    from seqlint.facts.training.strategies import Held

KINDS: tuple[Kind, ...] = ("sequence", "callback", "metric", "model")
_BATCHES = ("__getitem__", "__len__")


@dataclass(frozen=True)
class KindKnown:
    """Whether a class is of a kind, and the bases that lead there: ("Base", "keras.utils.PyDataset")."""

    kind: Kind
    answer: Answer
    through: tuple[str, ...]


@dataclass(frozen=True)
class ClassKnown:
    """A class.

    Attributes:
        bases: as written, each with what it is.
        made: where the file makes instances of exactly this class.
        ways: the functions of the file that run with the batch methods and the hooks.
    """

    name: str
    line: int
    bases: tuple[Spoken, ...]
    kinds: tuple[KindKnown, ...]
    made: tuple[Spoken, ...]
    ways: tuple[Way, ...]


@dataclass(frozen=True)
class BatchKnown:
    """A batch where it leaves its maker, and the forms that it can have: "tuple(array(32, 28, 28) float32, ?)"."""

    line: int
    forms: tuple[str, ...]


@dataclass(frozen=True)
class MakerKnown:
    """A function that makes batches, or a piece of them: a `__getitem__`, what one in another file calls, a generator that a model gets."""

    kind: MakerKind
    name: str
    line: int
    batches: tuple[BatchKnown, ...]


@dataclass(frozen=True)
class DataKnown:
    """The data of a trainer call: what it can be, and the classes of this file that it is made of."""

    role: Role
    text: str
    kind: InputKind
    values: tuple[Spoken, ...]
    classes: tuple[str, ...]


@dataclass(frozen=True)
class ArgumentKnown:
    """What a call gives to a parameter."""

    parameter: str
    text: str


@dataclass(frozen=True)
class CallbackKnown:
    """A callback in the list of a fit: what makes it, its class, and the lines of the conditions under which it is there."""

    made: Spoken
    name: str
    conditions: tuple[int, ...]


@dataclass(frozen=True)
class CallKnown:
    """A call that trains, evaluates or predicts.

    Attributes:
        arguments: what is bound to each parameter, in the order of the call.
        callbacks: those of a fit, in order.
        complete: whether all callbacks are in sight.
        strategies: those that can hold; empty: none.
    """

    text: str
    line: int
    end: int
    method: str
    model: Answer
    data: tuple[DataKnown, ...]
    arguments: tuple[ArgumentKnown, ...]
    callbacks: tuple[CallbackKnown, ...]
    complete: bool
    strategies: tuple[str, ...]


@dataclass(frozen=True)
class StrategyKnown:
    """A `tf.distribute` strategy; `devices` is None for all that there are, or if unknown."""

    name: str
    line: int
    devices: int | None


@dataclass(frozen=True)
class FileKnown:
    """A file.

    Attributes:
        module: its import name; "" outside a project.
    """

    path: str
    module: str
    classes: tuple[ClassKnown, ...]
    makers: tuple[MakerKnown, ...]
    calls: tuple[CallKnown, ...]
    strategies: tuple[StrategyKnown, ...]


def overview(facts: Facts) -> FileKnown:
    """All that is known about a file."""
    return FileKnown(
        facts.source.path,
        facts.module_name,
        tuple(class_known(facts, owner) for owner in facts.classes),
        tuple(_maker(facts, maker) for maker in facts.batches.makers),
        tuple(call_known(facts, call) for call in facts.training.calls),
        tuple(StrategyKnown(s.name, here(facts, s.node), s.devices) for s in facts.strategies.made),
    )


# -- classes --------------------------------------------------------------------------------------------------------


def class_known(facts: Facts, owner: ClassFacts) -> ClassKnown:
    """What is known of a class."""
    bases = tuple(Spoken(short(facts, base), here(facts, base), known_as(facts, base)) for base in owner.bases)
    kinds = tuple(KindKnown(kind, owner.is_a(kind), owner.through(kind)) for kind in KINDS)
    made = tuple(Spoken(short(facts, call), here(facts, call)) for call in facts.training.instances(owner))
    return ClassKnown(owner.name, here(facts, owner.node), bases, kinds, made, _ways(facts, owner))


def _ways(facts: Facts, owner: ClassFacts) -> tuple[Way, ...]:
    methods = {name for above in owner.lineage for name in above.methods}
    entries = [
        *(name for name in _BATCHES if name in methods or owner.template_methods(name)),
        *sorted(
            {name for name in methods if name.startswith("on_")}
            | {name for name in HOOKS if owner.template_methods(name)}
        ),
    ]
    found = [reached for entry in entries for reached in owner.reachable(entry)]
    return tuple(Way(reached.path, here(facts, reached.node)) for reached in found)


def _maker(facts: Facts, maker: Maker) -> MakerKnown:
    name = maker.function.name.value
    batches = (
        BatchKnown(here(facts, batch.statement), tuple(described(form) for form in forms))
        for batch, forms in facts.forms.made(maker)
    )
    owner = f"{maker.owner.name}." if maker.owner is not None else ""
    return MakerKnown(maker.kind, owner + name, here(facts, maker.function), tuple(batches))


# -- calls ----------------------------------------------------------------------------------------------------------


def call_known(facts: Facts, call: TrainerCall) -> CallKnown:
    """What is known of a call that trains, evaluates or predicts."""
    listed = next((found for found in facts.callback_lists.all if found.fit.node is call.node), None)
    start, end = facts.span(call.node)
    return CallKnown(
        short(facts, call.node),
        facts.source.position(start).line,
        facts.source.position(end).line,
        call.method,
        facts.evidence.model(call),
        tuple(_data(facts, role, data) for role, data in call.feeds),
        tuple(ArgumentKnown(name, short(facts, argument.value)) for name, argument in call.arguments.items()),
        _callbacks(facts, listed),
        listed is None or listed.complete,
        strategies(facts, facts.strategies.of_fit(call)),
    )


def _data(facts: Facts, role: Role, data: cst.BaseExpression) -> DataKnown:
    values = tuple(spoken(facts, value) for value in facts.values.of(data))
    classes = tuple(UNKNOWN if made is None else made.name for made in facts.training.classes_of(data))
    return DataKnown(
        role, short(facts, data), facts.input_kinds.kind(data), values, () if set(classes) == {UNKNOWN} else classes
    )


def _callbacks(facts: Facts, listed: CallbackList | None) -> tuple[CallbackKnown, ...]:
    members = listed.members if listed is not None else ()
    return tuple(
        CallbackKnown(
            spoken(facts, member.made or member.item.value),
            _class_of(member),
            tuple(here(facts, condition.node) for condition in member.conditions),
        )
        for member in members
    )


def _class_of(member: Listed) -> str:
    if member.owner is not None:
        return member.owner.name
    return member.name or UNKNOWN


def strategies(facts: Facts, held: Held) -> tuple[str, ...]:
    """Strategies by name and line."""
    return tuple(UNKNOWN if found is None else f"{found.name}, line {here(facts, found.node)}" for found in held)
