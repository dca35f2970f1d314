"""Sequences of Keras that are wrapped in a dataset of tf.data."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from seqlint.domains.pipelines.pipelines import Pipelines
from seqlint.knowledge.canonical_names import SEQUENCE
from seqlint.run import Container, Generator, Instance, Result, Tuple, Value
from seqlint.run.attributes import inherits, lookup

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Call, Object, Run

_HOOKS = ("on_epoch_end", "on_epoch_begin")


@dataclass(frozen=True, eq=False)
class Wrapped:
    """A call that makes a dataset of a Sequence.

    Attributes:
        sequence: the object.
        sliced: whether it is cut into rows; else a generator takes its batches, and nobody calls `hook`.
        to_models: whether the dataset itself, and nothing made of it, goes to `fit` and its like.
    """

    call: Call
    sequence: Instance
    sliced: bool
    hook: str
    to_models: bool


class Sequences:
    """The Sequences of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._pipelines = run.domain(Pipelines)

    @cached_property
    def wrapped(self) -> tuple[Wrapped, ...]:
        """The datasets that are made of Sequences."""
        return tuple(self._wrapped())

    def _wrapped(self) -> Iterator[Wrapped]:
        for call in self._run.calls:
            step = call.result
            if step.method == "from_tensor_slices":
                found = self._sliced(self._pipelines.argument(step, "tensors"))
                if found is not None:
                    yield Wrapped(call, found, True, "", self._goes_to_models(step))
            elif step.method == "from_generator":
                found = self._generated(step)
                hook = self._hook(found) if found is not None else ""
                if found is not None and hook and not self._is_called(hook):
                    yield Wrapped(call, found, False, hook, self._goes_to_models(step))

    def _sliced(self, value: Value | None) -> Instance | None:
        only = value.only if value is not None else None
        return only if isinstance(only, Instance) and inherits(only.cls, SEQUENCE) else None

    def _goes_to_models(self, step: Result) -> bool:
        readings = self._pipelines.readings_of(step)
        return (
            not self._pipelines.children(step)
            and bool(readings)
            and all(each.role in ("trained", "validated", "evaluated", "predicted") for each in readings)
        )

    # -- generators -------------------------------------------------------------------------------------------------

    def _generated(self, step: Result) -> Instance | None:
        """The Sequence that all batches of a generator come from."""
        found: set[Instance | None] = set()
        for value in self._run.returned(step):
            for each in value:
                values = (
                    [given.value for given in each.frame.yields] if isinstance(each, Generator) else [Value.of(each)]
                )
                found |= {self._source(part, 5) for one in values for part in one}
        return found.pop() if len(found) == 1 else None

    def _source(self, found: Object | None, depth: int) -> Instance | None:
        """The Sequence that a batch is taken from: `feed[i]`, or what a loop over it gets."""
        if isinstance(found, Instance):
            return found if inherits(found.cls, SEQUENCE) else None
        if depth and found is not None and (taken := self._run.machine.taken.get(found)) is not None:
            return self._source(taken, depth - 1)
        if depth and isinstance(found, Result) and found.op in ("item", "each"):
            return self._source(found.receiver, depth - 1) or (
                self._source(found.args[0].only, depth - 1) if found.op == "each" and found.args else None
            )
        if depth and isinstance(found, (Tuple, Container)):
            parts = {self._source(item.only, depth - 1) for item in self._run.items(found) or ()}
            return parts.pop() if len(parts) == 1 else None
        return None

    # -- hooks ------------------------------------------------------------------------------------------------------

    def _hook(self, found: Instance) -> str:
        """The epoch hook that a Sequence of the program has."""
        return next((name for name in _HOOKS if lookup(self._run.machine, found.cls, name).value is not None), "")

    def _is_called(self, hook: str) -> bool:
        """Whether the program calls a hook itself, other than on `self` or `super()`."""
        calls = (node for node in ast.walk(self._run.machine.main.tree) if isinstance(node, ast.Call))
        named = (node.func for node in calls if isinstance(node.func, ast.Attribute) and node.func.attr == hook)
        return any(not isinstance(func.value, ast.Call) and not _is_self(func.value) for func in named)


def _is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"
