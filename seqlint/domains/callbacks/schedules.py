"""What the functions of a LearningRateScheduler give, epoch by epoch."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from seqlint.domains.callbacks.trainings import given_to
from seqlint.run import Bound, Constant, Function, Result, Value
from seqlint.run.machine import Spent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Call, Object, Run

_NAME = "keras.callbacks.LearningRateScheduler"
_MOST_EPOCHS = 40
_USUAL = 100
"""Where nobody knows how many epochs there are, only these are looked at."""
_EPOCHS_PLACE = 3
_TENSORS = ("tensorflow.", "keras.ops.", "keras.backend.")
_NUMBERS = frozenset({"numpy", "item", "eval", "get_value", "float"})


@dataclass(frozen=True, eq=False)
class BadRate:
    """Something that a schedule gives in place of a float.

    Attributes:
        node: the statement that gives it; the function where its end is reached; the call of a LearningRateScheduler.
        function: the name of the function; empty for a lambda, and for all but functions.
        what: "None", "an int", "a bool", "a str", "a tensor".
        epoch: the first in which it does.
    """

    node: ast.AST
    function: str
    what: str
    epoch: int


class Schedules:
    """The schedules of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run

    @cached_property
    def bad(self) -> tuple[BadRate, ...]:
        """What is given in place of a float, each place once."""
        found: dict[ast.AST, BadRate] = {}
        for call in self._run.called(_NAME):
            value = call.result.argument("schedule", 0)
            for each in value or ():
                if isinstance(each, (Function, Bound)):
                    for rate in self._of(each, call):
                        found.setdefault(rate.node, rate)
                elif isinstance(each, Result) and each.name.startswith("keras.optimizers.schedules."):
                    place = self._run.place(call)
                    if place is not None:
                        found.setdefault(place, BadRate(place, each.method, "a tensor", 0))
        return tuple(found.values())

    def _of(self, each: Function | Bound, call: Call) -> Iterator[BadRate]:
        function = each.function if isinstance(each, Bound) else each
        if function.node not in self._own:
            return
        number = self._epochs(call)
        for epoch in self._tried(function.node, number):
            what = self._given_at(each, function, epoch, call)
            if what:
                yield BadRate(_place(function.node, what), function.name, what, epoch)
                return

    def _given_at(self, each: Function | Bound, function: Function, epoch: int, call: Call) -> str:
        """What a schedule surely gives in an epoch in place of a float; empty where it may give one."""
        machine, own = self._run.machine, function.node.args
        bound = isinstance(each, Bound) and each.receiver is not None
        places = len(own.posonlyargs) + len(own.args) - bound
        rate = machine.result("parameter", "lr", None, (), (), function.node, fresh=True)
        try:
            value = machine.invoke(machine, each, (Value.of(Constant(epoch)), Value.of(rate))[:places], (), call.node)
        except (Spent, RecursionError):
            return ""
        return _word(value.only)

    def _tried(self, node: ast.AST, number: int | None) -> list[int]:
        """The first epochs, and those around each number that the function names."""
        named = {each.value for each in ast.walk(node) if isinstance(each, ast.Constant) and type(each.value) is int}
        near = {at + step for at in named for step in (-1, 0, 1)}
        tried = {*range(3), 5, 10, 20, 50, *sorted(at for at in near if at >= 0)[:_MOST_EPOCHS]}
        return sorted(at for at in tried if at < (number if number is not None else _USUAL))

    def _epochs(self, scheduler: Call) -> int | None:
        """How many epochs the trainings have that get a scheduler; None where one is not known."""
        found: list[object] = []
        for call in self._run.calls:
            if scheduler.result in given_to(self._run, call):
                result = call.result
                epochs = result.keyword("epochs")
                if epochs is None and len(result.args) > _EPOCHS_PLACE:
                    epochs = result.args[_EPOCHS_PLACE]
                found.append(1 if epochs is None and "**" not in dict(result.keywords) else _number(epochs))
        numbers = [each for each in found if isinstance(each, int)]
        return max(numbers) if numbers and len(numbers) == len(found) else None

    @cached_property
    def _own(self) -> set[ast.AST]:
        return set(ast.walk(self._run.tree))


def _number(value: Value | None) -> object:
    """A number, also one that somebody can replace."""
    return value.constant if value is not None else ...


def _word(found: Object | None) -> str:
    if isinstance(found, Constant):
        kinds = {type(None): "None", int: "an int", bool: "a bool", str: "a str"}
        return kinds.get(type(found.value), "")
    return "a tensor" if found is not None and _is_tensor(found) else ""


def _is_tensor(found: Object) -> bool:
    """A call of TensorFlow, or what an operator makes of one."""
    if not isinstance(found, Result) or found.method in _NUMBERS:
        return False
    if found.op == "operator":
        return any(_is_tensor(each) for value in found.args for each in value)
    return found.op == "call" and found.receiver is None and found.name.startswith(_TENSORS)


def _place(function: ast.AST, what: str) -> ast.AST:
    """The one `return` that gives it, or the function where its end is reached or several may do so."""
    returns = [each for each in ast.walk(function) if isinstance(each, ast.Return)]
    wanted = {"None": type(None), "an int": int, "a bool": bool, "a str": str}.get(what)
    plain = [each for each in returns if wanted is not None and _type(each) is wanted]
    if what == "a tensor" and len(returns) == 1:
        return returns[0]
    return plain[0] if len(plain) == 1 else function


def _type(node: ast.Return) -> type | None:
    if node.value is None:
        return type(None)
    return type(node.value.value) if isinstance(node.value, ast.Constant) else None
