"""The functions and classes of the program that `compile` gets as losses, for models that several replicas train."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from seqlint.domains.strategies.strategies import Strategies
from seqlint.run import Container, Instance, Tuple
from seqlint.run.objects import Bound, Function, constant

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Call, Object, Run, Value
    from seqlint.run.frames import Frame
    from seqlint.run.objects import Module

_REPLICATE = frozenset({"MirroredStrategy", "TPUStrategy"})
_DEPTH = 4


@dataclass(frozen=True, eq=False)
class CompiledLoss:
    """A loss of the program.

    Attributes:
        name: its name; empty for a lambda.
        module: the import name of the file that it is in; empty for the file that is looked at.
        start: where its definition starts there, in bytes; 0 in another file.
        place: where this file gives it.
    """

    name: str
    module: str
    start: int
    place: ast.AST


class CompiledLosses:
    """The losses of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._strategies = run.domain(Strategies)

    @cached_property
    def all(self) -> tuple[CompiledLoss, ...]:
        """Each once, in running order."""
        found: dict[ast.AST, CompiledLoss] = {}
        for call in self._run.methods("compile"):
            given = call.result.argument("loss", 1)
            over = self._strategies.over(call) if given is not None else frozenset()
            if given is None or not over or not over <= _REPLICATE:
                continue
            for node, loss in self._of(given, call):
                found.setdefault(node, loss)
        return tuple(found.values())

    def _of(self, given: Value, call: Call) -> Iterator[tuple[ast.AST, CompiledLoss]]:
        place = self._place(call)
        for each in self._parts(given, _DEPTH) if place is not None else ():
            owner = each.function if isinstance(each, Bound) else each.cls if isinstance(each, Instance) else each
            module = _module(owner.frame)
            if module is self._run.machine.main:
                yield owner.node, CompiledLoss(owner.name, "", self._run.span(owner.node)[0], place or owner.node)
            elif module is not None:
                yield owner.node, CompiledLoss(owner.name, module.name, 0, place or owner.node)

    def _place(self, call: Call) -> ast.AST | None:
        node = self._run.place(call)
        if node is not call.node or not isinstance(node, ast.Call):
            return node
        return next((keyword.value for keyword in node.keywords if keyword.arg == "loss"), node)

    def _parts(self, value: Value, depth: int) -> Iterator[Function | Bound | Instance]:
        """The functions and objects of a value, those in lists and dicts among them."""
        for each in value if depth else ():
            if isinstance(each, (Function, Bound, Instance)):
                yield each
            for inner in self._inside(each):
                yield from self._parts(inner, depth - 1)

    def _inside(self, each: Object) -> list[Value]:
        if isinstance(each, Container) and each.kind == "dict":
            found = [self._run.at_key(each, constant(key)) for key in self._run.items(each) or ()]
            return [value for value in found if value is not None]
        return list(self._run.items(each) or ()) if isinstance(each, (Container, Tuple)) else []


def _module(frame: Frame) -> Module | None:
    """The module whose code a frame runs."""
    here: Frame | None = frame
    while here is not None and here.module is None:
        here = here.above
    return here.module if here is not None else None
