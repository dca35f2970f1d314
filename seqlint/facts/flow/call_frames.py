"""Follows a value back to where it is made, through helpers; each call of a helper is a frame of its own.

`Values` asks what an expression can be wherever its function is called from. Here the way from the outermost function
is kept, so that two calls of one helper give two lists.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.control_flow import runs_off
from seqlint.facts.code.methods import PLAIN
from seqlint.facts.flow.branch_feasibility import BranchFeasibility
from seqlint.facts.flow.call_times import CallTimes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.classes.classes import Classes, ClassFacts
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.scopes import Binding
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.flow.call_graph import CallGraph
    from seqlint.facts.values.values import Constant, Values

Called = tuple[cst.FunctionDef, "ClassFacts | None", "ClassFacts | None"]
MAX_TRAILS = 40
MAX_DEPTH = 6
_MAPS = ("map", "imap")


@dataclass(frozen=True, eq=False)
class Frame:
    """One run of a function.

    Attributes:
        function: None for the code of the module.
        owner: the class in whose body the function is written.
        runtime: the class that `self` is an instance of.
        call: the call that runs it, where one is known.
        caller: the frame in which the call stands; None for the outermost function.
        handed: the call that the function is handed to, such as `map(self._load, paths)`.
    """

    function: cst.FunctionDef | None
    owner: ClassFacts | None = None
    runtime: ClassFacts | None = None
    call: cst.Call | None = None
    caller: Frame | None = None
    handed: cst.Call | None = None

    @property
    def depth(self) -> int:
        """How many calls lie between this frame and the outermost one."""
        return 0 if self.caller is None else self.caller.depth + 1

    def around(self, function: cst.CSTNode | None) -> Frame | None:
        """This frame, or the nearest one that called it, in which the function runs."""
        return self if self.function is function else self.caller.around(function) if self.caller is not None else None


@dataclass(frozen=True)
class Traced:
    """An expression in the frame in which it is computed; without a node: nothing is returned, so the value is None."""

    node: cst.BaseExpression | None
    frame: Frame


class Flow:
    """Follows values through the frames of one file."""

    def __init__(self, tree: Tree, names: Names, values: Values, classes: Classes, calls: CallGraph) -> None:
        self.tree = tree
        self.names = names
        self.values = values
        self._classes = classes
        self._calls = calls
        self._entered: dict[tuple[Frame, cst.Call], Frame | None] = {}
        self._open: set[Traced] = set()
        self._traced: dict[Traced, tuple[Traced, ...]] = {}
        self._feasibility = BranchFeasibility(tree, self._constants)
        self._call_times = CallTimes(tree, names, calls)
        self._mapped: dict[tuple[Frame, cst.Call], Frame | None] = {}

    # -- frames -----------------------------------------------------------------------------------------------------

    def enter(self, call: cst.Call, frame: Frame) -> Frame | None:
        """The frame of the function of this file that a call runs; None where it is not in sight."""
        if (frame, call) not in self._entered:
            self._entered[frame, call] = self._enter(call, frame)
        return self._entered[frame, call]

    def called(self, call: cst.Call, frame: Frame) -> cst.FunctionDef | None:
        """The function of this file that a call runs, whatever its decorators make of it."""
        found = self._called(call, frame)
        return found[0] if found is not None else None

    def handed(self, call: cst.Call, frame: Frame) -> Frame | None:
        """The frame of the function that `map(self._load, paths)`, or the `map` of a pool, runs."""
        if (frame, call) not in self._mapped:
            self._mapped[frame, call] = self._hand(call, frame)
        return self._mapped[frame, call]

    def _enter(self, call: cst.Call, frame: Frame) -> Frame | None:
        found = self._called(call, frame)
        return Frame(*found, call, frame) if found is not None and self._can_enter(found[0], frame) else None

    def _hand(self, call: cst.Call, frame: Frame) -> Frame | None:
        is_map = isinstance(call.func, cst.Attribute) and call.func.attr.value in _MAPS
        if not call.args or not (is_map or self.names.qualified(call.func) == "builtins.map"):
            return None
        found = self._function(call.args[0].value, frame)
        if found is None or not self._can_enter(found[0], frame):
            return None
        return Frame(*found, None, frame, call)

    def _can_enter(self, function: cst.FunctionDef, frame: Frame) -> bool:
        if frame.depth >= MAX_DEPTH or frame.around(function) is not None or function.asynchronous:
            return False
        return all(self.names.qualified(item.decorator) in PLAIN for item in function.decorators)

    def _called(self, call: cst.Call, frame: Frame) -> Called | None:
        found = self._function(call.func, frame)
        if found is not None:
            return found
        function = self._calls.called(call)
        if function is None or function.name.value == "__init__":
            return None
        return self._placed(function, frame)

    def _function(self, node: cst.BaseExpression, frame: Frame) -> Called | None:
        if isinstance(node, cst.Attribute) and frame.runtime is not None:
            found = frame.runtime.member(node, frame.owner)
            return (found[1], found[0], frame.runtime) if found is not None else None
        function = self.names.definition(node) if isinstance(node, cst.Name) else None
        return self._placed(function, frame) if isinstance(function, cst.FunctionDef) else None

    def _placed(self, function: cst.FunctionDef, frame: Frame) -> Called:
        inside = self.tree.enclosing(function, cst.ClassDef, cst.FunctionDef)
        if isinstance(inside, cst.FunctionDef):  # an inner function sees the `self` of the method around it
            return function, frame.owner, frame.runtime
        if inside is None and self.values.handed_to(function) is not None:
            return function, None, frame.runtime
        owner = self._classes.of(inside) if isinstance(inside, cst.ClassDef) else None
        return function, owner, owner

    def frames(self, start: Frame) -> tuple[Frame, ...]:
        """The frame and all that run on the way through it, in reading order of their calls."""
        found, stack = [start], [start]
        while stack:
            here = stack.pop()
            for call in self.tree.inside(here.function.body, cst.Call) if here.function is not None else ():
                inner = self.enter(call, here) or self.handed(call, here)
                if inner is not None:
                    found.append(inner)
                    stack.append(inner)
        return tuple(found)

    def returned(self, frame: Frame) -> tuple[Traced, ...]:
        """What a function returns, with None where it can run off its end; nothing for a generator."""
        function = frame.function
        if function is None or self.values.is_generator(function):
            return ()
        live = self._feasibility.live(self.values.own(function, cst.Return), lambda statement: statement, frame, None)
        found = [Traced(statement.value, frame) for statement in live]
        return (*found, *([Traced(None, frame)] if runs_off(function.body) else []))

    # -- values -----------------------------------------------------------------------------------------------------

    def trace(self, traced: Traced) -> tuple[Traced, ...]:
        """The expressions that compute a value. What can't be followed stands for itself."""
        if self._open:  # what leads back to itself is cut off, which holds for this time alone
            return self._trace(traced)
        if traced not in self._traced:
            self._traced[traced] = self._trace(traced)
        return self._traced[traced]

    def _trace(self, traced: Traced) -> tuple[Traced, ...]:
        found: dict[Traced, None] = {}
        seen, stack = {traced}, [traced]
        while stack:
            here = stack.pop()
            steps = self._steps(here)
            if not steps or None in steps:
                found[here] = None
            fresh = [step for step in reversed(steps) if step is not None and step not in seen]
            seen.update(fresh)
            stack += fresh
        return tuple(found) or (traced,)

    def trails(self, traced: Traced) -> tuple[tuple[Traced, ...], ...]:
        """The ways to the expressions that compute a value, with the names and calls between; none where they are many."""
        found = tuple(islice(self._trails((traced,)), MAX_TRAILS + 1))
        return found if len(found) <= MAX_TRAILS else ()

    def _trails(self, way: tuple[Traced, ...]) -> Iterator[tuple[Traced, ...]]:
        steps = self._steps(way[-1])
        if not steps or None in steps:
            yield way
        for step in steps:
            if step is not None and step not in way:
                yield from self._trails((*way, step))

    def _steps(self, traced: Traced) -> tuple[Traced | None, ...]:
        node, frame = traced.node, traced.frame
        if isinstance(node, cst.Name):
            return self.sources(node, frame)
        if isinstance(node, cst.IfExp):
            return (Traced(node.body, frame), Traced(node.orelse, frame))
        if isinstance(node, cst.NamedExpr):
            return (Traced(node.value, frame),)
        if isinstance(node, cst.Call) and (inner := self.enter(node, frame)) is not None:
            return self.returned(inner)
        return ()

    def sources(self, name: cst.Name, frame: Frame) -> tuple[Traced | None, ...]:
        """One step back from a name: what each binding gives it; None for what can't be followed."""
        return tuple(source for binding in self.reaching(name, frame) for source in self._bound(binding, frame))

    def reaching(self, name: cst.Name, frame: Frame) -> tuple[Binding, ...]:
        """The bindings whose value a name can have in one run of a function."""
        found = self._call_times.reaching(name, frame)
        return self._feasibility.live(found, lambda binding: binding.node, frame, name)

    def _constants(self, node: cst.BaseExpression, frame: Frame) -> frozenset[Constant | None]:
        leaves = self.trace(Traced(node, frame))
        return frozenset(self.values.constant(leaf.node) if leaf.node is not None else None for leaf in leaves)

    def _bound(self, binding: Binding, frame: Frame) -> tuple[Traced | None, ...]:
        home = frame.around(binding.scope.node) if binding.scope.kind == "function" else frame
        if home is None:
            return (None,)
        if binding.kind == "assign" and binding.value is not None:
            return (Traced(binding.value, home),)
        if binding.kind == "augment" and isinstance(binding.node, cst.Name):  # `x /= 255`: what it was before
            return (Traced(binding.node, home),)
        if binding.kind == "unpack" and binding.value is not None and isinstance(binding.node, cst.Name):
            return self._unpacked(binding.node, Traced(binding.value, home))
        if binding.kind == "parameter" and binding.scope.kind == "function" and isinstance(binding.node, cst.Param):
            return (self._argument(binding.node, home),)
        return (None,)

    def _argument(self, param: cst.Param, frame: Frame) -> Traced | None:
        if frame.function is None or frame.call is None or frame.caller is None:
            return None
        value = self._calls.passed(frame.call, frame.function, param.name.value)
        if value is None:
            return None
        return Traced(value, frame if value is param.default else frame.caller)

    def _unpacked(self, target: cst.Name, value: Traced) -> tuple[Traced | None, ...]:
        path = self._path(target)
        if path is None or value in self._open:  # `pair, rest = pair` in a loop leads back to itself
            return (None,)
        self._open.add(value)
        found: tuple[Traced | None, ...] = (value,)
        for position in path:
            found = tuple(_element(whole, position) for part in found if part is not None for whole in self.trace(part))
        self._open.discard(value)
        return found or (None,)

    def _path(self, target: cst.Name) -> tuple[int, ...] | None:
        """Where a name stands in the tuple that is unpacked: `a, (b, c) = ...` has b at (1, 0)."""
        path: list[int] = []
        here: cst.CSTNode = target
        while isinstance(element := self.tree.parents[here], cst.Element):
            holder = self.tree.parents[element]
            if not isinstance(holder, (cst.Tuple, cst.List)):
                return None
            if any(isinstance(other, cst.StarredElement) for other in holder.elements):
                return None
            path.append(list(holder.elements).index(element))
            here = holder
        return tuple(reversed(path)) if path and isinstance(element, cst.AssignTarget) else None

    def mentioned(self, traced: Traced) -> tuple[Traced, ...]:
        """Every expression that has a part in a value, through names and through the helpers that are called."""
        found: dict[Traced, None] = {}
        stack = [traced]
        while stack:
            here = stack.pop()
            if here.node is None or here in found:
                continue
            for node in self.tree.walk(here.node):
                label = isinstance(node, cst.Name) and self.tree.is_label(node)
                if label or not isinstance(node, cst.BaseExpression):
                    continue
                found[Traced(node, here.frame)] = None
                stack += self._deeper(node, here.frame)
        return tuple(found)

    def _deeper(self, node: cst.BaseExpression, frame: Frame) -> Iterator[Traced]:
        if isinstance(node, cst.Call) and (inner := self.enter(node, frame)) is not None:
            yield from self.returned(inner)
        if not isinstance(node, cst.Name):
            return
        for binding in self.names.reaching(node):
            yield from (source for source in self._bound(binding, frame) if source is not None)
            if binding.value is not None and binding.kind in ("augment", "unpack", "for", "with"):
                home = frame.around(binding.scope.node) if binding.scope.kind == "function" else frame
                yield from [Traced(binding.value, home)] if home is not None else []


def _element(whole: Traced, position: int) -> Traced | None:
    node = whole.node
    if not isinstance(node, (cst.Tuple, cst.List)) or position >= len(node.elements):
        return None
    if any(isinstance(element, cst.StarredElement) for element in node.elements):
        return None
    return Traced(node.elements[position].value, whole.frame)
