"""Symbolic tensors: an `Input`, and what layers, models and arithmetic make of one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.knowledge.types import MODEL
from seqlint.run import Container, Result, Tuple
from seqlint.run.types import type_of

if TYPE_CHECKING:
    from seqlint.run import Object, Run, Value

_DEEPEST = 30
_INPUTS = frozenset({"keras.Input", "keras.layers.Input"})
_MERGES = frozenset({"add", "average", "concatenate", "dot", "maximum", "minimum", "multiply", "subtract"})
_ARITHMETIC = frozenset({"+", "-", "*", "/", "@", "**", "//", "%"})
_OF_MODELS = frozenset({"input", "output"})


class Symbolic:
    """Which values of a run surely are symbolic tensors."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def holds(self, value: Value | None) -> bool:
        """Whether a value surely is a symbolic tensor, or a list of nothing else."""
        return self._is(value.only if value is not None else None, 0, {})

    def is_tensor(self, found: Object | None) -> bool:
        """Whether an object surely is one symbolic tensor."""
        return isinstance(found, Result) and self._is(found, 0, {})

    def is_shape(self, found: Object | None) -> bool:
        """Whether an object surely is the `shape` of a symbolic tensor."""
        if not isinstance(found, Result) or found.op != "attribute":
            return False
        return found.name.rpartition(".")[2] == "shape" and self.is_tensor(found.receiver)

    def _is(self, found: Object | None, depth: int, known: dict[Object, bool]) -> bool:
        if depth > _DEEPEST or found is None:
            return False
        if found not in known:  # sums of sums would be gone through again and again
            known[found] = False
            known[found] = self._is_one(found, depth + 1, known)
        return known[found]

    def _is_one(self, found: Object, depth: int, known: dict[Object, bool]) -> bool:
        if isinstance(found, Container | Tuple):
            items = self._run.items(found)
            return bool(items) and all(self._is(each.only, depth, known) for each in items or ())
        if not isinstance(found, Result):
            return False
        if found.op == "attribute":
            return self._of_model(found)
        if found.op == "operator" and found.name in _ARITHMETIC:
            return any(self._is(each.only, depth, known) for each in found.args if isinstance(each.only, Result))
        return found.op == "call" and self._is_made(found, depth, known)

    def _of_model(self, found: Result) -> bool:
        """`output` of a model that `keras.applications` made."""
        made = found.receiver
        if not isinstance(made, Result) or found.name.rpartition(".")[2] not in _OF_MODELS:
            return False
        return made.name.startswith("keras.applications.") and type_of(made) == MODEL

    def _is_made(self, found: Result, depth: int, known: dict[Object, bool]) -> bool:
        if found.name in _INPUTS:
            return True
        home, _, last = found.name.rpartition(".")
        made = type_of(found.receiver) if found.name.endswith("()") and isinstance(found.receiver, Result) else ""
        is_layer = made.startswith("keras.layers.") or made == "keras.Model"
        if not is_layer and not (home == "keras.layers" and last in _MERGES):
            return False
        return bool(found.args) and self._is(found.args[0].only, depth, known)
