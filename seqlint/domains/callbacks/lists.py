"""The callbacks that each fit gets, and what their constructors are given."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from seqlint.domains.values.held import held
from seqlint.run import Class, External, Instance, Result
from seqlint.run.attributes import lineage
from seqlint.run.objects import itself

if TYPE_CHECKING:
    from seqlint.run import Call, Object, Run, Value
    from seqlint.run.objects import Guards

FITS = ("fit", "fit_generator")
FIT_PARAMETERS = ("x", "y", "batch_size", "epochs", "verbose", "callbacks", "validation_split", "validation_data")
GENERATOR_PARAMETERS = (
    "generator",
    "steps_per_epoch",
    "epochs",
    "verbose",
    "callbacks",
    "validation_data",
    "validation_steps",
)
KERAS = "keras.callbacks."
PARAMETERS: dict[str, tuple[str, ...]] = {
    "EarlyStopping": ("monitor", "min_delta", "patience", "verbose", "mode", "baseline", "restore_best_weights", "start_from_epoch"),
    "ReduceLROnPlateau": ("monitor", "factor", "patience", "verbose", "mode", "min_delta", "cooldown", "min_lr"),
    "ModelCheckpoint": ("filepath", "monitor", "verbose", "save_best_only", "save_weights_only", "mode", "save_freq"),
}  # fmt: skip
_LISTS = ("CallbackList",)


@dataclass(frozen=True, eq=False)
class Member:
    """A callback in the list of a fit.

    Attributes:
        object: the callback.
        guards: the conditions under which it is there, those of the fit left out.
        kind: the last name of its class, or base class, of Keras: "EarlyStopping"; empty where it has none.
        made: the call that creates it, or that of Keras's `__init__` in a class of the program; None where that is not known.
    """

    object: Object
    guards: Guards
    kind: str
    made: Call | None

    @property
    def word(self) -> str:
        """Its class as a reader knows it."""
        return self.object.cls.name if isinstance(self.object, Instance) else self.kind

    def argument(self, name: str) -> Value | None:
        """What the constructor of Keras is given; None where it is left out."""
        if self.made is None:
            return None
        result = self.made.result
        given = dict(zip(PARAMETERS.get(self.kind, ()), result.args, strict=False))
        return result.keyword(name) or given.get(name)

    @property
    def hides_arguments(self) -> bool:
        """Whether `**options` may hold more, or the constructor is not known."""
        return self.made is None or any(name in ("*", "**") for name, _ in self.made.result.keywords)


@dataclass(frozen=True, eq=False)
class CallbackList:
    """The callbacks of one fit.

    Attributes:
        complete: whether there can be no others.
    """

    fit: Call
    members: tuple[Member, ...]
    complete: bool


class CallbackLists:
    """The callbacks of the fits of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run

    @cached_property
    def all(self) -> tuple[CallbackList, ...]:
        """One for every fit, in running order."""
        return tuple(self._of(call) for call in self._run.methods(*FITS) if call.result.receiver is not None)

    def of(self, fit: Call) -> CallbackList:
        """The callbacks of a fit."""
        return next(each for each in self.all if each.fit is fit)

    def _of(self, fit: Call) -> CallbackList:
        value = fit_argument(fit, "callbacks")
        if value is None:
            return CallbackList(fit, (), not hides_arguments(fit))
        way = fit.context.guards
        whole = held(self._run, value, way, fit.context.clock)
        members = tuple(self._member(each.object, each.guards) for each in whole.items if not _is_nothing(each.object))
        return CallbackList(fit, members, whole.complete and all(_is_callback(each.object) for each in members))

    def _member(self, found: Object, guards: Guards) -> Member:
        if isinstance(found, Instance):
            names = [each.name for each in lineage(found.cls) if isinstance(each, External)]
            kind = next((name.removeprefix(KERAS) for name in names if name.startswith(KERAS)), "")
            return Member(found, guards, kind, self._inits.get(found))
        if (
            isinstance(found, Result)
            and found.op == "call"
            and found.name.startswith(KERAS)
            and found.method not in _LISTS
        ):
            return Member(found, guards, found.method, self._run.call_of.get(found))
        return Member(found, guards, "", None)

    @cached_property
    def _inits(self) -> dict[Instance, Call]:
        """The call of Keras's `__init__` for each object of a class of the program, if there is one alone."""
        found: dict[Instance, list[Call]] = defaultdict(list)
        for call in self._run.calls:
            receiver = itself(call.result.receiver)
            if isinstance(receiver, Instance) and call.name.endswith(".__init__"):
                found[receiver].append(call)
        return {
            instance: calls[0]
            for instance, calls in found.items()
            if len(calls) == 1 and calls[0].name.startswith(KERAS)
        }


class CallbackFits:
    """Which fits get the callbacks of a class."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def of(self, name: str) -> tuple[Call, ...]:
        """The fits that surely get an object of a class of this file, or of one that is made from it; none where two have that name."""
        classes = [each for each in self._run.machine.classes if each.name == name]
        if len(classes) != 1:
            return ()
        lists = self._run.domain(CallbackLists).all
        found = (each.fit for each in lists if any(_is_of(member.object, classes[0]) for member in each.members))
        return tuple(dict.fromkeys(found))


def _is_of(found: Object, cls: Class) -> bool:
    return isinstance(found, Instance) and any(each is cls for each in lineage(found.cls))


def _is_nothing(found: Object) -> bool:
    return getattr(found, "value", ...) is None


def _is_callback(found: Object) -> bool:
    if isinstance(found, Instance):
        return all(isinstance(each, (Class, External)) for each in lineage(found.cls))
    return (
        isinstance(found, Result) and found.op == "call" and found.method[:1].isupper() and found.method not in _LISTS
    )


def fit_argument(fit: Call, name: str) -> Value | None:
    """An argument of `fit` or `fit_generator`, by name or by place; None where it is left out."""
    names = FIT_PARAMETERS if fit.result.method == "fit" else GENERATOR_PARAMETERS
    given = dict(zip(names, fit.result.args, strict=False))
    return fit.result.keyword(name) or given.get(name)


def hides_arguments(call: Call) -> bool:
    """Whether `**options` may hold more arguments."""
    return any(name in ("*", "**") for name, _ in call.result.keywords)
