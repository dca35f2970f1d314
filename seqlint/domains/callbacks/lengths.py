"""Callbacks that change how many batches a Sequence has."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from seqlint.domains.callbacks.hooks import hook_of
from seqlint.run import Constant, Function, Instance, Result
from seqlint.run.attributes import lookup
from seqlint.run.sequences import is_sequence

if TYPE_CHECKING:
    from seqlint.run import Object, Run, Store, Value

_HOOKS = frozenset({"on_epoch_begin", "on_epoch_end"})
_ARITHMETIC = frozenset({"+", "-", "*", "/", "//", "**", "%"})
_DEPTH = 6


@dataclass(frozen=True, eq=False)
class LengthSet:
    """A place in the hook of a callback that sets a number on which the length of a Sequence depends.

    Attributes:
        sequence: the class of the Sequence.
        name: the attribute.
        hook: such as "on_epoch_end".
    """

    node: ast.AST
    sequence: str
    name: str
    hook: str


class LengthsSet:
    """What the callbacks of a run do to lengths."""

    def __init__(self, run: Run) -> None:
        self._run = run

    @cached_property
    def all(self) -> tuple[LengthSet, ...]:
        """Each place once."""
        found: dict[ast.AST, LengthSet] = {}
        for store in self._run.stores:
            phase = hook_of(store.context)
            owner = store.owner
            if (
                phase is None
                or phase.method not in _HOOKS
                or not isinstance(owner, Instance)
                or not is_sequence(owner.cls)
            ):
                continue
            if (
                self._run.is_here(store.context)
                and store.name in self._read_by_length(owner)
                and self._is_other(owner, store)
            ):
                found.setdefault(store.node, LengthSet(store.node, owner.cls.name, store.name, phase.method))
        return tuple(found.values())

    def _read_by_length(self, owner: Instance) -> set[str]:
        """The attributes that `__len__` reads itself."""
        value = lookup(self._run.machine, owner.cls, "__len__").value
        function = value.only if value is not None else None
        if not isinstance(function, Function):
            return set()
        return {node.attr for node in ast.walk(function.node) if isinstance(node, ast.Attribute)}

    def _is_other(self, owner: Instance, store: Store) -> bool:
        """Whether an attribute surely gets another number than it begins with."""
        log = self._run.machine.heap.log.get((owner.serial, store.name), [])
        first = next((put.value for put in log if put.value is not None), None)
        return first is not None and first.term != store.value.term and _is_number(store.value, _DEPTH)


def _is_number(value: Value, depth: int) -> bool:
    return all(_is_numeric(each, depth) for each in value)


def _is_numeric(found: Object, depth: int) -> bool:
    """A number, the number of an epoch, or what is worked out from such."""
    if isinstance(found, Constant):
        return isinstance(found.value, (int, float)) and not isinstance(found.value, bool)
    if not isinstance(found, Result) or not depth:
        return False
    if found.op == "parameter":
        return found.name == "epoch"
    works = found.op == "operator" and found.name in _ARITHMETIC
    works = works or (found.op == "call" and found.method in ("min", "max", "int", "round"))
    return works and any(_is_number(value, depth - 1) for value in found.args)
