"""What is asked of the facts while a rule runs, and the rule with other answers.

A fact about truth is a public method, or an attribute, of `seqlint.facts` that is annotated as an `Answer`.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil
from collections.abc import Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import is_dataclass
from typing import TYPE_CHECKING, Any
from unittest import mock

import seqlint.facts
from seqlint.facts import Answer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

_INNER = ("Classes", "Kinds")
"""Rules have no way to these: their answers go into those of others."""

_MODEL, _MADE = "a receiver is a Keras model", "a receiver is made as a Keras model"
_TRUTHS = {
    "Evidence.model": _MODEL, "Training.is_model": _MADE, "TrainerCall.model": _MADE, "Compile.model": _MADE,
}  # fmt: skip
WEIGHED = {_MADE: _MODEL}
"""Truths that others take into account: where the other is asked, its answer is the one that counts."""

Instead = Mapping[tuple[str, Answer], Answer]
"""By a truth and an answer that the facts give, the answer that is given instead."""


def truth_of(fact: str, *words: str) -> str:
    """What a fact is about, such as "ClassFacts.is_a model": its class and name, with the words that it is asked with."""
    return _TRUTHS.get(fact) or " ".join((fact, *words))


def other_answer(truth: str, answer: Answer, instead: Answer) -> Instead:
    """One answer for another, to a truth and to those that it goes into or takes into account."""
    others = {other for pair in WEIGHED.items() if truth in pair for other in pair}
    return {(one, answer): instead for one in (truth, *others)}


class Asked:
    """The answers that were given to each truth, as the facts have them, and those that are given instead."""

    def __init__(self, instead: Instead) -> None:
        self.given: dict[str, set[Answer]] = {}
        self._instead = instead

    def answer(self, truth: str, answer: Answer) -> Answer:
        """What is said instead of an answer."""
        self.given.setdefault(truth, set()).add(answer)
        return self._instead.get((truth, answer), answer)


@contextmanager
def asking(instead: Instead | None = None) -> Iterator[Asked]:
    """The facts with other answers to some questions, wherever they are asked."""
    asked = Asked(instead or {})
    with ExitStack() as stack:
        for owner, name in METHODS:
            stack.enter_context(mock.patch.object(owner, name, _method(asked, owner, name)))
        for owner, name in ATTRIBUTES:
            held = mock.patch.object(owner, name, _Attribute(asked, owner, name), create=True)
            stack.enter_context(held)
        yield asked


def _method(asked: Asked, owner: type, name: str) -> Any:
    told = getattr(owner, name)

    @functools.wraps(told)
    def ask(self: object, *arguments: object, **named: object) -> Answer:
        words = tuple(word for word in arguments if isinstance(word, str))
        return asked.answer(truth_of(f"{owner.__name__}.{name}", *words), told(self, *arguments, **named))

    return ask


class _Attribute:
    """Stands for a field of a dataclass: its values are kept in the instance as before."""

    def __init__(self, asked: Asked, owner: type, name: str) -> None:
        self._asked = asked
        self._truth = truth_of(f"{owner.__name__}.{name}")
        self._slot = owner.__dict__[name] if name in getattr(owner, "__slots__", ()) else None
        self._name = name

    def __get__(self, instance: object, owner: type) -> Answer:
        held = self._slot.__get__(instance, owner) if self._slot is not None else instance.__dict__[self._name]
        return self._asked.answer(self._truth, held)

    def __set__(self, instance: object, value: Answer) -> None:
        if self._slot is not None:
            self._slot.__set__(instance, value)
        else:
            instance.__dict__[self._name] = value


def _classes() -> Iterator[type]:
    for module in _modules():
        for held in vars(module).values():
            if isinstance(held, type) and held.__module__ == module.__name__:
                yield held


def _modules() -> Iterator[ModuleType]:
    for found in pkgutil.walk_packages(seqlint.facts.__path__, "seqlint.facts."):
        if not found.name.startswith("seqlint.facts.shown"):  # it shows what the others know
            yield importlib.import_module(found.name)


def _is_told(held: object) -> bool:
    return callable(held) and getattr(held, "__annotations__", {}).get("return") == "Answer"


METHODS = tuple(
    (owner, name)
    for owner in _classes()
    for name, held in vars(owner).items()
    if owner.__name__ not in _INNER and not name.startswith("_") and _is_told(held)
)
ATTRIBUTES = tuple(
    (owner, name)
    for owner in _classes()
    if is_dataclass(owner)
    for name, annotation in owner.__annotations__.items()
    if annotation == "Answer"
)
