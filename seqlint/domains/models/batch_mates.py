"""Numbers that layers take over a whole batch, so that the rows of a batch mix."""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING

from seqlint.domains.pipelines.draws import contents
from seqlint.run import Result

if TYPE_CHECKING:
    from seqlint.run import Call, Run, Value

_REDUCES = frozenset(
    {"mean", "max", "min", "sum", "std", "reduce_mean", "reduce_max", "reduce_min", "reduce_sum", "reduce_std"}
)
_LIBRARIES = ("keras.backend.", "keras.ops.", "tensorflow.")
_KEEPS = frozenset({"maximum", "expand_dims", "cast", "sqrt", "stop_gradient"})
_INPUTS = ("keras.Input", "keras.layers.Input")
_WEIGHTS = ("add_weight", "Variable", "get_weights")
_AXES = ("axis", "reduction_indices", "axes", "*", "**")


class BatchMates:
    """Such numbers of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._known: dict[Result, Result | None] = {}

    @cached_property
    def all(self) -> tuple[Call, ...]:
        """The calls that reduce what the result is then taken from: `x - mean(x)`, `x / max(x)`; each place once."""
        found: dict[ast.AST, Call] = {}
        for result in self._run.results:
            if result.op != "operator" or result.name not in ("-", "/") or len(result.args) != 2:
                continue
            reduced = self._reduced(result.args[1])
            call = self._run.call_of.get(reduced) if reduced is not None else None
            if reduced is None or call is None or not self._is_unrecorded(call):
                continue
            if self._is_taken_from(result.args[0], reduced.args[0]) and self._is_of_rows(call, reduced.args[0]):
                found.setdefault(call.node, call)
        return tuple(found.values())

    def _is_unrecorded(self, call: Call) -> bool:
        """Whether no tape records a call, so that it surely belongs to no loss."""
        within = (each for each in call.context.within if isinstance(each, Result))
        return not any(each.method == "GradientTape" for each in within)

    def _is_taken_from(self, left: Value, reduced: Value) -> bool:
        """Whether the number is applied to the very values that it was made of, and not to another number."""
        if self._reduced(left) is not None or reduced.only is None:
            return False
        return any(each.term == reduced.only.term for each in contents(self._run, left))

    def _is_of_rows(self, call: Call, reduced: Value) -> bool:
        """Whether values of a model are reduced: in a Lambda, in the `call` of a layer or model, or between its inputs and outputs."""
        if any(_is_lambda(phase.owner) for phase in call.context.phases if phase.kind == "traced"):
            return True
        parts = [each for each in contents(self._run, reduced) if isinstance(each, Result)]
        if any(each.method in _WEIGHTS for each in parts):
            return False
        if any(each.name in _INPUTS for each in parts):
            return True
        return self._is_in_call(call.node) and any(
            each.op == "parameter" or each.name.startswith("keras.layers.") for each in parts
        )

    def _is_in_call(self, node: ast.AST) -> bool:
        """Whether it is written in the method `call` of a class."""
        above = next((each for each in self._run.above(node) if isinstance(each, ast.FunctionDef)), None)
        return above is not None and above.name == "call" and isinstance(self._run.parents.get(above), ast.ClassDef)

    def _reduced(self, value: Value) -> Result | None:
        """The call that makes one number of a whole batch, with what keeps it one number around it; None where there is none."""
        found = value.only
        if not isinstance(found, Result):
            return None
        if found not in self._known:  # sums of sums would be gone through again and again
            self._known[found] = self._of_sum(found) if _is_sum(found) else self._of_call(found)
        return self._known[found]

    def _of_sum(self, found: Result) -> Result | None:
        """That of one side, where the other is a number: `max(x) + 1e-7`, `max(x) + K.epsilon()`."""
        sides = [(each.only, self._reduced(each)) for each in found.args]
        inside = [reduced for _, reduced in sides if reduced is not None]
        rest = (only for only, reduced in sides if reduced is None)
        plain = all(not isinstance(each, Result) or each.method == "epsilon" for each in rest)
        return inside[0] if len(inside) == 1 and len({*found.args}) > 1 and plain else None

    def _of_call(self, found: Result) -> Result | None:
        if found.op != "call" or found.receiver is not None or not found.args or not found.name.startswith(_LIBRARIES):
            return None
        if found.method in _REDUCES:
            return found if len(found.args) == 1 and not any(found.keyword(name) for name in _AXES) else None
        return self._reduced(found.args[0]) if found.method in _KEEPS else None


def _is_lambda(owner: object) -> bool:
    return isinstance(owner, Result) and owner.name.startswith("keras.layers.Lambda")


def _is_sum(found: Result) -> bool:
    return found.op == "operator" and found.name in ("+", "*") and bool(found.args)
