"""Generators: whether they ever end, what they yield, and which of them reach a model in which role."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.datasets.endless import FOREVER, Endless

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.classes.kinds import Answer
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.flow.call_graph import CallGraph
    from seqlint.facts.training.training import Role, TrainerCall, Training
    from seqlint.facts.values.values import Value, Values

GeneratorNode = cst.FunctionDef | cst.GeneratorExp | cst.Call
_ONE_PASS = frozenset({"builtins.iter", "builtins.map", "builtins.zip", "builtins.filter", "builtins.enumerate"})


@dataclass(frozen=True, eq=False)
class Yielded:
    """One `yield`.

    Attributes:
        node: the `yield`.
        value: what it gives; None for a bare `yield`.
        parts: the items where a tuple is written out, here or in the place that the name leads to; None otherwise.
    """

    node: cst.Yield
    value: cst.BaseExpression | None
    parts: tuple[cst.BaseExpression, ...] | None


@dataclass(frozen=True, eq=False)
class Generator:
    """A generator function, a generator expression, or a call such as `itertools.cycle(batches)`.

    Attributes:
        endless: whether it never ends. "yes": `while True` with no way out. "no": it surely ends; it is one pass.
        yields: in reading order; empty for a call.
    """

    node: GeneratorNode
    endless: Answer
    yields: tuple[Yielded, ...] = ()

    @property
    def function(self) -> cst.FunctionDef | None:
        """The generator function, where it is one."""
        return self.node if isinstance(self.node, cst.FunctionDef) else None


@dataclass(frozen=True, eq=False)
class FedGenerator:
    """A generator that reaches a trainer call.

    Attributes:
        data: the argument.
        made: the expression that makes it: the call of the generator function.
        several: whether the argument can also be something else.
    """

    call: TrainerCall
    role: Role
    data: cst.BaseExpression
    made: cst.BaseExpression
    generator: Generator
    several: bool = False


class Generators:
    """The generators of a file."""

    def __init__(self, tree: Tree, names: Names, values: Values, calls: CallGraph, training: Training) -> None:
        self._tree = tree
        self._names = names
        self._values = values
        self._calls = calls
        self._training = training
        self._endless = Endless(tree, names, values, calls)
        self._known: dict[cst.FunctionDef, Generator] = {}
        self._open: set[cst.CSTNode] = set()

    @cached_property
    def functions(self) -> tuple[Generator, ...]:
        """Every generator function of the file, methods and inner functions too, in reading order."""
        inside = dict.fromkeys(
            self._tree.enclosing(node, cst.FunctionDef, cst.Lambda) for node in self._tree.all(cst.Yield)
        )
        found = [self.of(node) for node in inside if isinstance(node, cst.FunctionDef) and not node.asynchronous]
        return tuple(sorted(found, key=lambda generator: self._tree.order[generator.node]))

    def of(self, function: cst.FunctionDef) -> Generator:
        """What is known of a generator function."""
        if function not in self._known:
            self._known[function] = Generator(function, self._endless.of(function), tuple(self._yields(function)))
        return self._known[function]

    def made(self, node: cst.BaseExpression) -> tuple[tuple[cst.BaseExpression, Generator] | None, ...]:
        """The generators that an expression can be, each with what makes it; None stands for anything else."""
        return tuple(self._made(value) for value in self._values.of(node))

    def only(self, node: cst.BaseExpression) -> Generator | None:
        """The one generator that an expression surely is."""
        found = self.made(node)
        return found[0][1] if len(found) == 1 and found[0] is not None else None

    def named(self, node: cst.BaseExpression) -> Generator | None:
        """The generator function that an expression names without calling it: `fit(batches)`."""
        value = self._values.only(node)
        function = self._names.definition(value) if value is not None and not isinstance(value, cst.Call) else None
        is_one = isinstance(function, cst.FunctionDef) and self._values.is_generator(function)
        return self.of(function) if is_one and isinstance(function, cst.FunctionDef) else None

    @cached_property
    def fed(self) -> tuple[FedGenerator, ...]:
        """Every generator that reaches a trainer call, in reading order."""
        found: list[FedGenerator] = []
        for call in self._training.calls:
            for role, data in call.feeds:
                made = self.made(data)
                found += [FedGenerator(call, role, data, *one, len(made) > 1) for one in made if one is not None]
        return tuple(found)

    def _made(self, value: Value) -> tuple[cst.BaseExpression, Generator] | None:
        if isinstance(value, cst.GeneratorExp):
            return value, Generator(value, self._endless.source(value))
        if not isinstance(value, cst.Call):
            return None
        function = self._endless.function(value)
        if function is not None:
            return value, self.of(function)
        name = self._names.qualified(value.func)
        iterates = name in FOREVER or (name in _ONE_PASS and value.args)
        return (value, Generator(value, self._endless.source(value))) if iterates else None

    # -- what is yielded --------------------------------------------------------------------------------------------

    def _yields(self, function: cst.FunctionDef) -> Iterator[Yielded]:
        for node in self._endless.yields(function):
            if not isinstance(node.value, cst.From):
                yield Yielded(node, node.value, self._parts(node.value) if node.value is not None else None)
            elif (inner := self._delegate(node.value)) is not None and inner not in self._open:
                self._open.add(inner)
                yield from self._yields(inner)
                self._open.discard(inner)

    def _delegate(self, node: cst.From) -> cst.FunctionDef | None:
        """The generator function that `yield from self._batches()` hands over to."""
        value = self._values.only(node.item)
        return self._endless.function(value) if isinstance(value, cst.Call) else None

    def _parts(self, value: cst.BaseExpression) -> tuple[cst.BaseExpression, ...] | None:
        known = self._values.only(value)
        if not isinstance(known, cst.Tuple) or any(isinstance(e, cst.StarredElement) for e in known.elements):
            return None
        return tuple(element.value for element in known.elements)
