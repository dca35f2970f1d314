"""Models that are compiled with Adadelta and its default learning rate."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from seqlint.run import Result
from seqlint.run.objects import constant, is_setting

if TYPE_CHECKING:
    from seqlint.run import Call, Run, Value

_NAME = "keras.optimizers.Adadelta"
_RATES = ("learning_rate", "lr", "*", "**")
_SETTERS = ("LearningRateScheduler", "set_value", "assign")


@dataclass(frozen=True, eq=False)
class DefaultRate:
    """A `compile` whose optimizer surely has the default rate.

    Attributes:
        made: what makes the optimizer, in this file; None where a text names it.
    """

    compiled: Call
    made: ast.AST | None


class DefaultRates:
    """Such calls of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run

    @cached_property
    def all(self) -> tuple[DefaultRate, ...]:
        """One for each place that makes or names the optimizer; none where something of the program sets a rate."""
        if self._sets_rate:
            return ()
        found: dict[ast.AST, DefaultRate] = {}
        for call in self._run.methods("compile"):
            value = _optimizer(call)
            if value is None or is_setting(value) or self._is_one_of_several(call) or self._is_in_test(call):
                continue
            only = value.only
            if str(constant(value)).lower() == "adadelta" and self._run.is_here(call.context):
                found.setdefault(call.node, DefaultRate(call, None))
            elif (
                isinstance(only, Result) and _is_default(only) and only.node is not None and self._run.is_own(only.node)
            ):
                found.setdefault(only.node, DefaultRate(call, only.node))
        return tuple(found.values())

    @cached_property
    def _sets_rate(self) -> bool:
        stored = any(store.name in ("learning_rate", "lr") for store in self._run.stores)
        return stored or any(True for _ in self._run.methods(*_SETTERS))

    def _is_one_of_several(self, call: Call) -> bool:
        """Whether one `compile` gets several optimizers in turn, which are then compared."""
        given = [_optimizer(each) for each in self._run.methods("compile") if each.node is call.node]
        return len({None if each is None or each.only is None else each.only.term for each in given}) > 1

    def _is_in_test(self, call: Call) -> bool:
        """Whether a function of a test compiles: nobody asks what its model learns."""
        above = next((each for each in self._run.above(call.node) if isinstance(each, ast.FunctionDef)), None)
        return above is not None and above.name.startswith("test")


def _optimizer(call: Call) -> Value | None:
    result = call.result
    return result.argument("optimizer", 0)


def _is_default(made: Result) -> bool:
    return made.name == _NAME and not made.args and not any(made.keyword(name) is not None for name in _RATES)
