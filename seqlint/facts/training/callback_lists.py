"""The callbacks that reach each fit, in order, with what each one is."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.flow.lists import Condition, Item
from seqlint.facts.values.values import Constant

if TYPE_CHECKING:
    from seqlint.facts.classes.classes import Classes, ClassFacts
    from seqlint.facts.code.names import Names
    from seqlint.facts.flow.lists import Lists
    from seqlint.facts.training.training import TrainerCall, Training
    from seqlint.facts.values.values import Values

FITS = ("fit", "fit_generator")


@dataclass(frozen=True, eq=False)
class Listed:
    """One callback in the list of a fit, or a part of the list that is unknown.

    Attributes:
        item: its place: the expression, what adds it, and under which conditions.
        made: the call that creates it; None where that is unknown.
        name: the canonical name of its class, such as "keras.callbacks.EarlyStopping"; None for a class of this file.
        owner: its class, where that is of this file.
        bases: the canonical names of the class and of its bases outside this file.
    """

    item: Item
    made: cst.Call | None = None
    name: str | None = None
    owner: ClassFacts | None = None
    bases: frozenset[str] = frozenset()

    @property
    def known(self) -> bool:
        """Whether the class is known, at least by name."""
        return self.name is not None or self.owner is not None

    @property
    def place(self) -> cst.CSTNode:
        """Where it is created, or added to the list where the former is unknown."""
        place = self.made or self.item.value
        assert place is not None, "a stretch of the list that can't be seen has no place"
        return place

    @property
    def word(self) -> str:
        """Its class as a reader knows it: "EarlyStopping"."""
        return self.owner.name if self.owner is not None else (self.name or "").rpartition(".")[2]

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """The conditions under which it is in the list; empty: always."""
        return self.item.conditions

    def meets(self, other: Listed) -> bool:
        """Whether the two can be in the list at the same time."""
        return self.item.meets(other.item)


@dataclass(frozen=True, eq=False)
class CallbackList:
    """The callbacks of one fit.

    Attributes:
        fit: the call.
        members: in order. A callback appears once for each way in which it can get into the list.
        given: the name of the function of another file that returns the whole list, and its call; else None.
    """

    fit: TrainerCall
    members: tuple[Listed, ...]
    given: tuple[str, cst.Call] | None = None

    @property
    def complete(self) -> bool:
        """Whether every callback and its class are known."""
        return all(member.known for member in self.members)

    def before(self, member: Listed) -> tuple[Listed, ...]:
        """Those before one of the members that can be in the list together with it."""
        place = self.members.index(member)
        return tuple(other for other in self.members[:place] if other.meets(member))

    def after(self, member: Listed) -> tuple[Listed, ...]:
        """Those after one of the members that can be in the list together with it."""
        place = self.members.index(member)
        return tuple(other for other in self.members[place + 1 :] if other.meets(member))


class CallbackLists:
    """The callbacks of every fit of a file."""

    def __init__(self, names: Names, values: Values, classes: Classes, training: Training, lists: Lists) -> None:
        self._names = names
        self._values = values
        self._classes = classes
        self._training = training
        self._lists = lists

    @cached_property
    def all(self) -> tuple[CallbackList, ...]:
        """One for every fit of the file that gets callbacks, in reading order."""
        calls = (call for call in self._training.calls if call.method in FITS)
        found = (
            CallbackList(call, self.members(argument), self._given(argument))
            for call in calls
            if (argument := self.argument(call)) is not None
        )
        return tuple(callbacks for callbacks in found if callbacks.members)

    def argument(self, call: TrainerCall) -> cst.BaseExpression | None:
        """What a fit gets as `callbacks`, also through `**{"callbacks": ...}` or `**dict(callbacks=...)`."""
        given = call.value("callbacks")
        if given is not None:
            return given
        unpacked = (argument.value for argument in call.node.args if argument.star == "**")
        return next((found for value in unpacked if (found := self._unpacked(value)) is not None), None)

    def _unpacked(self, value: cst.BaseExpression) -> cst.BaseExpression | None:
        known = self._values.only(value)
        if isinstance(known, cst.Dict):
            pairs = (element for element in known.elements if isinstance(element, cst.DictElement))
            return next((p.value for p in pairs if self._values.constant(p.key) == Constant("callbacks")), None)
        if isinstance(known, cst.Call) and self._names.qualified(known.func) == "builtins.dict":
            named = (argument for argument in known.args if argument.keyword is not None)
            return next((a.value for a in named if a.keyword is not None and a.keyword.value == "callbacks"), None)
        return None

    def _given(self, argument: cst.BaseExpression) -> tuple[str, cst.Call] | None:
        """`callbacks=make_hooks(config)`, where `make_hooks` is imported."""
        value = self._values.only(argument)
        if not isinstance(value, cst.Call) or self._names.definition(value.func) is not None:
            return None
        name = self._names.qualified(value.func)
        return (name, value) if name is not None else None

    def members(self, argument: cst.BaseExpression) -> tuple[Listed, ...]:
        """The callbacks of a list, or of an expression for one, in order."""
        if self._is_one_callback(argument):
            return self._listed(Item(argument))
        return tuple(member for item in self._lists.items(argument) for member in self._listed(item))

    def _is_one_callback(self, argument: cst.BaseExpression) -> bool:
        """`callbacks=EarlyStopping()`: Keras takes a single one too."""
        values = self._values.of(argument)
        return all(isinstance(value, cst.Call) and self._kind(value) == "yes" for value in values)

    def _kind(self, call: cst.Call) -> str:
        definition = self._names.definition(call.func)
        if isinstance(definition, cst.ClassDef):
            return self._classes.of(definition).is_a("callback")
        name = self._names.qualified(call.func)
        return self._classes.kinds.of_name(name, "callback") if name not in _LISTS else "no"

    def _listed(self, item: Item) -> tuple[Listed, ...]:
        if item.value is None:
            return (Listed(item),)
        values = self._values.of(item.value)
        if values == (item.value,):
            return self._made(item, item.value)
        if len(values) == 1:
            return self._made(item, values[0])
        found: list[Listed] = []
        for number, value in enumerate(values):
            choice = Condition(item.value, number)
            found += self._made(Item(item.value, item.holder, (*item.conditions, choice)), value)
        return tuple(found)

    def _made(self, item: Item, value: cst.BaseExpression | None) -> tuple[Listed, ...]:
        if isinstance(value, cst.Name) and value.value == "None":
            return ()
        if not isinstance(value, cst.Call):
            return (Listed(item),)
        definition = self._names.definition(value.func)
        if isinstance(definition, cst.ClassDef):
            owner = self._classes.of(definition)
            return (Listed(item, value, None, owner, owner.external_bases),)
        name = self._names.qualified(value.func)
        bases = frozenset({name, *self._classes.kinds.ancestors(name)}) if name is not None else frozenset()
        return (Listed(item, value, name, None, bases),)


_LISTS = ("keras.callbacks.CallbackList",)
