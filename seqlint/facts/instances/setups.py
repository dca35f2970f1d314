"""What an instance has when: the attributes that a method touches, in the order in which it runs, helpers included."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.control_flow import ways_out
from seqlint.facts.code.tree import is_super
from seqlint.knowledge.canonical_names import SEQUENCE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.classes.classes import ClassFacts
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.instances.attributes import Attributes, Touch
    from seqlint.facts.values.values import Values

_PLAIN_BASES = frozenset({*SEQUENCE, "builtins.object"})
_LOOKS = frozenset(
    f"builtins.{name}" for name in ("delattr", "getattr", "hasattr", "id", "isinstance", "len", "print", "repr", "setattr", "str", "type")
)  # fmt: skip
_GUARDS = ("__getattr__", "__getattribute__", "__new__", "__setattr__")
_BRANCHES = (cst.If, cst.IfExp, cst.While, cst.Try, cst.TryStar, cst.Match, cst.BooleanOperation)
_TOUCHING: frozenset[type[cst.CSTNode]] = frozenset({cst.Attribute, cst.Name, cst.Call})
_MAX_CALLS = 8


@dataclass(frozen=True, eq=False)
class Event:
    """One touch of an attribute while a method runs.

    Attributes:
        doubt: the innermost of the functions on the way whose branches may leave it out: 0 for the method itself, 1 for the
            first function that is entered; -1 where it surely happens.
        calls: the calls that lead there, the outermost first; none in the method itself.
        entered: the functions that these calls run.
    """

    touch: Touch
    doubt: int
    calls: tuple[cst.CSTNode, ...] = ()
    entered: tuple[cst.FunctionDef, ...] = ()

    @property
    def sure(self) -> bool:
        """Whether it surely happens."""
        return self.doubt < 0

    @property
    def needs(self) -> bool:
        """Whether the attribute must have a value by then."""
        return self.touch.kind not in ("assign", "delete")

    @property
    def sets(self) -> bool:
        """Whether the attribute has a value from then on."""
        return self.touch.kind in ("assign", "augment")


class Setups:
    """How the instances of the classes of one file are set up."""

    def __init__(self, tree: Tree, names: Names, values: Values, attributes: Attributes) -> None:
        self._tree = tree
        self._names = names
        self._values = values
        self._attributes = attributes
        self._runs: dict[tuple[ClassFacts, str], tuple[Event, ...]] = {}
        self._handed_on: dict[ClassFacts, bool] = {}

    # -- whether all of it is in sight ------------------------------------------------------------------------------

    def is_seen(self, owner: ClassFacts) -> bool:
        """Whether every attribute of an instance is set by code of this file that names it, inside the class and its bases."""
        return owner.lineage_is_known and owner.external_bases <= _PLAIN_BASES and self.names_all(owner)

    def names_all(self, owner: ClassFacts) -> bool:
        """Whether the methods of this file name every attribute that they set, and give `self` to no other code."""
        if any(owner.method(name) is not None for name in _GUARDS) or self._attributes.sets_unseen(owner):
            return False
        return not any(self._hands_itself_on(holder) for holder in owner.lineage)

    def is_given_away(self, owner: ClassFacts) -> bool:
        """Whether the constructor gives `self` to code out of sight, which may set anything: `configure(self, values)`."""
        names = (name for r in owner.reachable("__init__") for name in self._tree.inside(r.node.body, cst.Name))
        return any(self._values.self_class(name) is not None and self._leaves(name) for name in names)

    def _hands_itself_on(self, owner: ClassFacts) -> bool:
        """Whether a method gives `self` to other code, which may set anything."""
        if owner not in self._handed_on:
            around = (owner.node, *self._values.self_parameters.functions_of(owner.node))
            names = (name for node in around for name in self._tree.inside(node, cst.Name))
            found = any(self._values.self_class(name) is owner.node and self._leaves(name) for name in names)
            self._handed_on[owner] = found
        return self._handed_on[owner]

    def _leaves(self, name: cst.Name) -> bool:
        parent = self._tree.parents[name]
        if isinstance(parent, (cst.Attribute, cst.Subscript, cst.Param, cst.Return)):
            return False
        call = self._tree.parents[parent] if isinstance(parent, cst.Arg) else None
        if not isinstance(call, cst.Call):
            return True
        if (
            is_super(call)
            or self._names.qualified(call.func) in _LOOKS
            or self._values.self_parameters.given_itself(call)
        ):
            return False
        return not (isinstance(call.func, cst.Attribute) and call.func.attr.value == "__init__")

    def of_class(self, owner: ClassFacts) -> frozenset[str]:
        """The attributes that the class and its bases of this file bind in their bodies: methods, constants."""
        return frozenset(name for holder in owner.lineage for name in self._names.inner_scope(holder.node).bindings)

    def lost_with(self, owner: ClassFacts, skipped: ClassFacts) -> tuple[str, ...]:
        """What batches surely read and nothing sets but the `__init__` of a base, and of those before it, that never runs."""
        lineage = owner.lineage
        if not self.is_seen(owner) or any(len(holder.bases) != 1 for holder in lineage):
            return ()
        unrun = {each.methods.get("__init__") for each in lineage[1 : lineage.index(skipped) + 1]}
        stores = [node for node in self._tree.all(cst.Attribute) if self._values.stored(node) is not None]
        elsewhere = {node.attr.value for node in stores if self._tree.function(node) not in unrun}
        lost = {node.attr.value for node in stores} - elsewhere - self.of_class(owner)
        reads = (e for name in ("__len__", "__getitem__") for e in self.run(owner, name) if e.needs and e.sure)
        return tuple(dict.fromkeys(event.touch.name for event in reads if event.touch.name in lost))

    # -- what happens in which order --------------------------------------------------------------------------------

    def run(self, owner: ClassFacts, name: str) -> tuple[Event, ...]:
        """What a call of a method of an instance does to its attributes, in order; loops run once."""
        if (owner, name) not in self._runs:
            start = owner.method(name)
            events = self._run(owner, start[0], start[1], (), ()) if start is not None else ()
            self._runs[owner, name] = tuple(events)
        return self._runs[owner, name]

    def asks(self, owner: ClassFacts, method: str, name: str) -> bool:
        """Whether a call of a method surely reads an attribute, also through `len(self)` and `self[0]`."""
        runs = (self.run(owner, each) for each in (method, *self._asked_of_itself(owner, method)))
        return any(event.touch.name == name and event.needs and event.sure for events in runs for event in events)

    def _asked_of_itself(self, owner: ClassFacts, method: str) -> Iterator[str]:
        """The special methods that a method surely runs: `__len__` by `len(self)`, `__getitem__` by `self[0]`."""
        start = owner.method(method)
        function = start[1] if start is not None else None
        for node in self._tree.inside(function.body, cst.Name) if function is not None else ():
            parent = self._tree.parents[node]
            call = self._tree.parents.get(parent)
            if self._values.self_class(node) is None or function is None or not self._is_sure(owner, node, function):
                continue
            if isinstance(parent, cst.Subscript) and parent.value is node:
                yield "__getitem__"
            elif isinstance(call, cst.Call) and self._names.qualified(call.func) == "builtins.len":
                yield "__len__"

    def _run(
        self,
        owner: ClassFacts,
        holder: ClassFacts | None,
        function: cst.FunctionDef,
        calls: tuple[cst.CSTNode, ...],
        entered: tuple[cst.FunctionDef, ...],
        *,
        doubt: int = -1,
        asked: frozenset[str] = frozenset(),
    ) -> Iterator[Event]:
        touches: dict[cst.CSTNode, Touch] = {touch.node: touch for touch in self._attributes.of(function)}
        for node in self._tree.inside_any(function.body, _TOUCHING):
            found = self._led_to(owner, holder, node)
            if found is None and node not in touches:
                continue
            if self._tree.enclosing(node, cst.FunctionDef, cst.Lambda) is not function:
                continue
            doubted = doubt if self._is_sure(owner, node, function, asked) else len(calls)
            if node in touches:
                yield Event(touches[node], doubted, calls, entered)
            if found is None or found[1] in (function, *entered) or len(calls) == _MAX_CALLS:
                continue
            call = self._tree.parents[node]
            is_called = isinstance(call, cst.Call) and call.func is node
            if is_called or found[1] in self._attributes.properties(owner).values():
                place = call if is_called else node
                inner = (owner, found[0], found[1], (*calls, place), (*entered, found[1]))
                yield from self._run(*inner, doubt=doubted, asked=asked | self._asked_before(place, function))

    def _led_to(
        self, owner: ClassFacts, holder: ClassFacts | None, node: cst.CSTNode
    ) -> tuple[ClassFacts | None, cst.FunctionDef] | None:
        """The method that an attribute names, or the function that a name calls with the instance."""
        if isinstance(node, cst.Attribute):
            return owner.member(node, holder)
        call = self._tree.parents[node] if isinstance(node, cst.Name) else None
        given = (
            self._values.self_parameters.given_itself(call)
            if isinstance(call, cst.Call) and call.func is node
            else None
        )
        return (None, given) if given is not None else None

    def _is_sure(
        self, owner: ClassFacts, node: cst.CSTNode, function: cst.FunctionDef, asked: frozenset[str] = frozenset()
    ) -> bool:
        """Whether code of a function runs whenever the function does: no branch around it, no way out before it.

        Args:
            asked: the switches on which the call of the function hangs: nothing is taken for granted of them.
        """
        for outer in self._tree.ancestors(node):
            if outer is function:
                break
            if isinstance(outer, _BRANCHES) and not self._is_taken(owner, outer, node, asked):
                return False
        return not ways_out(self._tree, function, node)

    def _asked_before(self, node: cst.CSTNode, function: cst.FunctionDef) -> frozenset[str]:
        """What the conditions ask that decide whether a call runs, but those that are plain switches and on: `if self.shuffle:`."""
        tests = [
            o
            for o in self._tree.ancestors(node)
            if isinstance(o, (cst.If, cst.IfExp)) and self._tree.holds(function, o)
        ]
        plain = (cst.Name, cst.Attribute)
        asked = [o.test for o in tests if not (isinstance(o.test, plain) and self._tree.holds(o.body, node))]
        ends = ways_out(self._tree, function, node)
        asked += [
            o.test for o in self._tree.inside(function.body, cst.If) if any(self._tree.holds(o, end) for end in ends)
        ]
        return frozenset(name.value for test in asked for name in self._tree.inside(test, cst.Name))

    def _is_taken(self, owner: ClassFacts, outer: cst.CSTNode, node: cst.CSTNode, asked: frozenset[str]) -> bool:
        """Whether the part of a branching that holds a node surely runs."""
        if isinstance(outer, (cst.If, cst.IfExp)):
            if self._tree.holds(outer.test, node):
                return True
            return self._tree.holds(outer.body, node) and self._is_on(owner, outer.test, asked)
        if isinstance(outer, cst.While):
            return self._tree.holds(outer.test, node)
        if isinstance(outer, cst.BooleanOperation):
            return self._tree.holds(outer.left, node)
        if isinstance(outer, cst.Match):
            return self._tree.holds(outer.subject, node)
        assert isinstance(outer, (cst.Try, cst.TryStar))
        return outer.finalbody is not None and self._tree.holds(outer.finalbody, node)

    def _is_on(self, owner: ClassFacts, test: cst.BaseExpression, asked: frozenset[str]) -> bool:
        """Whether a test is a switch of the constructor that is on unless somebody turns it off: `shuffle=True`."""
        if not isinstance(test, cst.Attribute) or self._values.self_class(test.value) is None:
            return False
        init = owner.method("__init__")
        values = [v for holder in owner.lineage for v in self._values.attribute_values(holder.node, test.attr.value, 0)]
        if init is None or len(set(values)) != 1 or not isinstance(values[0], cst.Name):
            return False
        if not asked.isdisjoint((test.attr.value, values[0].value)):
            return False
        bindings = self._names.bindings(values[0])
        param = bindings[0].node if len(bindings) == 1 and bindings[0].kind == "parameter" else None
        default = param.default if isinstance(param, cst.Param) else None
        return self._tree.function(values[0]) is init[1] and isinstance(default, cst.Name) and default.value == "True"
