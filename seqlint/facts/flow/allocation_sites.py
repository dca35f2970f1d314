"""Where a value is made, with the calls on the way: two calls of one helper make two things.

`Values` gives the expressions alone; `Flow` stays inside one function and what it calls. Here parameters are followed to all callers
and attributes to what is stored in them, and each expression comes with the run of the function that computes it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.flow.call_frames import Frame, Traced

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from seqlint.facts.classes.classes import Classes, ClassFacts
    from seqlint.facts.code.scopes import Binding
    from seqlint.facts.flow.call_frames import Flow
    from seqlint.facts.flow.call_graph import CallGraph

Leaves = tuple["Traced | None", ...]
"""Expressions in their frames: calls, literals, names that are bound by a loop or by unpacking; None for what can't be followed."""

_AMONG_THEM = Traced(None, Frame(None, None, None))
"""Stands for what is asked for a second time on the way to an answer: what makes it is a part of the answer already."""


class AllocationSites:
    """Follows the values of one file."""

    def __init__(
        self,
        flow: Flow,
        calls: CallGraph,
        classes: Classes,
        class_of: Callable[[cst.BaseExpression], ClassFacts | None],
    ) -> None:
        """`class_of` gives the class of this file that an expression is surely an instance of."""
        self._flow = flow
        self._tree = flow.tree
        self._names = flow.names
        self._values = flow.values
        self._calls = calls
        self._classes = classes
        self._class_of = class_of
        self._frames: dict[cst.FunctionDef | None, Frame] = {}
        self._open: set[Traced] = set()
        self._known: dict[Traced, Leaves] = {}
        self._passed: set[Traced] = set()

    def frame(self, node: cst.CSTNode) -> Frame:
        """The run of the function in which a node stands, whoever calls it."""
        function = self._tree.function(node)
        if function not in self._frames:
            inside = self._tree.enclosing(function, cst.ClassDef, cst.FunctionDef) if function is not None else None
            owner = self._classes.of(inside) if isinstance(inside, cst.ClassDef) else None
            self._frames[function] = Frame(function, owner, owner)
        return self._frames[function]

    def of(self, node: cst.BaseExpression) -> Leaves:
        """The expressions that make the value of another, seen from its own function."""
        return self.sites(Traced(node, self.frame(node)))

    def sites(self, traced: Traced) -> Leaves:
        """The expressions that make a value."""
        found: list[Traced | None] = []
        for leaf in self._flow.trace(traced):
            found += self._leaf(leaf)
        whole = tuple(dict.fromkeys(found)) or (None,)
        return whole if self._open else tuple(each for each in whole if each is not _AMONG_THEM)

    def reaching(self, leaf: Traced) -> tuple[Binding, ...]:
        """The bindings whose value a name can have in its frame; none for anything else."""
        return self._flow.reaching(leaf.node, leaf.frame) if isinstance(leaf.node, cst.Name) else ()

    def _leaf(self, leaf: Traced) -> Leaves:
        if leaf.node is None:
            return (None,)
        home = Traced(leaf.node, self._home(leaf))
        if not isinstance(leaf.node, (cst.Name, cst.Attribute)):
            return (home,)
        if leaf in self._known:
            return self._known[leaf]
        if home in self._open:
            return (None,)
        if leaf in self._passed:
            return (_AMONG_THEM,)
        first = not self._open
        self._open.add(home)
        of_it = self._of_name(leaf.node, leaf) if isinstance(leaf.node, cst.Name) else self._stored(leaf.node, home)
        found = tuple(dict.fromkeys(of_it))
        self._open.discard(home)
        self._passed.add(leaf)
        if first:
            self._passed.clear()
            self._known[leaf] = tuple(each for each in found if each is not _AMONG_THEM)
        return found

    def _home(self, traced: Traced) -> Frame:
        """The frame in which an expression is computed: a name of the module that a function reads is the module's."""
        assert traced.node is not None
        return traced.frame.around(self._tree.function(traced.node)) or self.frame(traced.node)

    def _of_name(self, name: cst.Name, leaf: Traced) -> Iterator[Traced | None]:
        bindings = self.reaching(leaf)
        for binding in bindings:
            if isinstance(binding.node, cst.Param) and leaf.frame.caller is None:
                yield from self._given(binding.node)
            elif binding.kind != "assign":  # those are followed already
                yield None if binding.kind == "parameter" else leaf
        if not bindings:
            yield leaf if self._names.qualified(name) is not None else None

    def _given(self, param: cst.Param) -> Iterator[Traced | None]:
        """What the callers of a function of this file give to a parameter."""
        function = self._tree.enclosing(param, cst.FunctionDef, cst.Lambda)
        calls = self._calls.callers(function) if isinstance(function, cst.FunctionDef) else ()
        if not calls:
            yield None
        for call in calls:
            assert isinstance(function, cst.FunctionDef)
            value = self._calls.passed(call, function, param.name.value)
            yield from self.sites(Traced(value, self.frame(call))) if value is not None else (None,)

    def _stored(self, node: cst.Attribute, home: Traced) -> Iterator[Traced | None]:
        """What an attribute of `self`, or of an instance made in this file, is given."""
        owner = self._values.self_class(node.value)
        if owner is None and (made := self._class_of(node.value)) is not None:
            owner = made.node
        stored = self._values.attribute_values(owner, node.attr.value) if owner is not None else ()
        for value in stored:
            yield from self.of(value) if value is not None else (None,)
        if not stored:
            yield home if self._names.qualified(node) is not None else None
