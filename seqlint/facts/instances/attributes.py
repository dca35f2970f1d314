"""What methods do to the attributes of `self`: read them, give them a value, change what they hold."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, Literal

import libcst as cst

from seqlint.facts.code.scopes import parameters
from seqlint.facts.instances.writes import MUTATORS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.classes.classes import Classes, ClassFacts, Reached
    from seqlint.facts.classes.kinds import Answer
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.flow.call_graph import CallGraph
    from seqlint.facts.values.values import Values

TouchKind = Literal["read", "assign", "augment", "change", "advance", "delete"]
"""*assign*: the attribute gets a value. *augment*: `self.n += 1`, which reads it too. *change*: what it holds is changed in
place. *advance*: an iterator that it holds gives its next item."""

_IN_PLACE = frozenset({"shuffle", "heappush", "heappop", "heapify", "heapreplace", "heappushpop"})
_FILLS = frozenset({
    "numpy.copyto", "numpy.place", "numpy.put", "numpy.putmask", "numpy.fill_diagonal", "numpy.random.shuffle",
    "random.shuffle", "operator.setitem", "operator.delitem", "builtins.setattr", "builtins.delattr",
})  # fmt: skip
_MOST_FUNCTIONS = 60  # through which something is followed; nobody hands it on further
_ADVANCES = frozenset({"__next__", "get_next"})
_MORE_MUTATORS = frozenset({"partition", "resize", "byteswap", "rotate", "move_to_end", "intersection_update"})
_PROPERTIES = frozenset({"builtins.property", "functools.cached_property", "abc.abstractproperty"})


@dataclass(frozen=True, eq=False)
class Touch:
    """One place where a method touches an attribute of `self`.

    Attributes:
        name: the attribute.
        node: the place: `self.rows`, the local name behind which it stands, the call of `setattr`.
        alias: whether it is reached through a local name: `rows = self.rows; rows.append(row)`.
    """

    name: str
    kind: TouchKind
    node: cst.BaseExpression
    function: cst.FunctionDef
    alias: bool = False


class Attributes:
    """The attributes of the instances of one file."""

    def __init__(self, tree: Tree, names: Names, values: Values, classes: Classes, calls: CallGraph) -> None:
        self._tree = tree
        self._names = names
        self._values = values
        self._classes = classes
        self._calls = calls
        self._known: dict[cst.FunctionDef, tuple[Touch, ...]] = {}
        self._given: dict[ClassFacts, frozenset[str]] = {}
        self._by_name: dict[ClassFacts, bool] = {}

    # -- methods ----------------------------------------------------------------------------------------------------

    def of(self, function: cst.FunctionDef) -> tuple[Touch, ...]:
        """What a method does to attributes of its own instance, in reading order; calls of methods are left out."""
        if function not in self._known:
            self._known[function] = tuple(self._touches(function))
        return self._known[function]

    def on(self, owner: ClassFacts, *methods: str) -> tuple[tuple[Reached, Touch], ...]:
        """What happens to the attributes of an instance when one of its methods is called, helpers included."""
        return tuple((r, touch) for r in owner.reachable(*methods) for touch in self.of(r.node))

    def read(self, owner: ClassFacts, *methods: str) -> frozenset[str]:
        """The attributes that methods read, themselves or through helpers."""
        return frozenset(t.name for _, t in self.on(owner, *methods) if t.kind not in ("assign", "delete"))

    def assigned(self, owner: ClassFacts, *methods: str) -> frozenset[str]:
        """The attributes that methods give a value, themselves or through helpers."""
        return frozenset(t.name for _, t in self.on(owner, *methods) if t.kind in ("assign", "augment"))

    def mutated(self, owner: ClassFacts, *methods: str) -> frozenset[str]:
        """The attributes whose objects methods change in place, themselves or through helpers."""
        return frozenset(t.name for _, t in self.on(owner, *methods) if t.kind in ("change", "advance"))

    # -- classes ----------------------------------------------------------------------------------------------------

    def properties(self, owner: ClassFacts) -> dict[str, cst.FunctionDef]:
        """The properties of a class and its bases of this file."""
        found: dict[str, cst.FunctionDef] = {}
        for holder in owner.lineage:
            for name, method in holder.methods.items():
                if name not in found and self._is_property(method):
                    found[name] = method
        return found

    def _is_property(self, method: cst.FunctionDef) -> bool:
        for item in method.decorators:
            name = item.decorator
            if self._names.qualified(name) in _PROPERTIES:
                return True
            if isinstance(name, cst.Attribute) and name.attr.value in ("setter", "getter", "deleter"):
                return True
        return False

    def has(self, owner: ClassFacts, name: str, inside: ClassFacts | None = None) -> Answer:
        """Whether an instance can have an attribute: a class body or any method gives it one; "unknown" if others may.

        Args:
            inside: the class that asks for it: `self.__rows` means what that very class calls so.
        """
        private = is_private(name) and inside is not None
        for holder in (inside,) if private and inside is not None else owner.lineage:
            if name in self._names.inner_scope(holder.node).bindings:
                return "yes"
            if name in self._given_in(holder):
                return "yes"
        if private and inside is not None:
            return "unknown" if self._gets_privately(owner, name, inside) else "no"
        return "unknown" if self._may_get_more(owner, name) else "no"

    def _given_in(self, holder: ClassFacts) -> frozenset[str]:
        """The attributes that the methods of one class give a value, those of its bases left out."""
        if holder not in self._given:
            functions = (*holder.methods.values(), *self._values.self_parameters.functions_of(holder.node))
            touches = (touch for function in functions for touch in self.of(function))
            self._given[holder] = frozenset(touch.name for touch in touches if touch.kind == "assign")
        return self._given[holder]

    def _gets_privately(self, owner: ClassFacts, name: str, inside: ClassFacts) -> bool:
        """Whether a private attribute may be set by its long name, or in ways that can't be seen."""
        stores = (node for node in self._tree.attributes(name) if self._tree.holds(inside.node, node))
        long_name = f"_{inside.name.lstrip('_')}{name}"
        return self._may_get_more(owner, long_name) or any(self._values.stored(node) for node in stores)

    def nearest(self, owner: ClassFacts, name: str) -> str:
        """The attribute set in `__init__` that a name is nearly spelled like; empty if none is."""
        found = get_close_matches(name, sorted(self.assigned(owner, "__init__")), 1, 0.75)
        return found[0] if found else ""

    def _may_get_more(self, owner: ClassFacts, name: str) -> bool:
        """Whether attributes are set in ways that can't be seen: by bases elsewhere, `setattr`, from outside."""
        if not owner.lineage_is_known or any(owner.method(hook) for hook in ("__getattr__", "__getattribute__")):
            return True
        if self._sets_by_name(owner):
            return True
        stores = (*self._tree.attributes(name), *self._tree.attributes("__dict__"))
        return any(node.attr.value == "__dict__" or self._values.stored(node) for node in stores)

    def sets_unseen(self, owner: ClassFacts) -> bool:
        """Whether a class sets attributes by names that can't be read: `setattr(self, name, value)`, `self.__dict__.update(...)`."""
        nodes = (node for holder in owner.lineage for node in self._tree.inside(holder.node, cst.Attribute))
        return self._sets_by_name(owner) or any(node.attr.value == "__dict__" for node in nodes)

    def _sets_by_name(self, owner: ClassFacts) -> bool:
        for holder in owner.lineage:
            if holder not in self._by_name:
                bodies = (holder.node, *self._values.self_parameters.functions_of(holder.node))
                calls = (call for body in bodies for call in self._tree.inside(body, cst.Call))
                self._by_name[holder] = any(map(self._sets_any, calls))
            if self._by_name[holder]:
                return True
        return False

    def _sets_any(self, call: cst.Call) -> bool:
        """`setattr(self, name, value)` and `vars(self)`."""
        name = self._names.qualified(call.func)
        if name not in ("builtins.setattr", "builtins.vars") or not call.args:
            return False
        return name == "builtins.vars" or (self._is_self(call.args[0].value) and self._attribute_set(call) is None)

    # -- one method -------------------------------------------------------------------------------------------------

    def _touches(self, function: cst.FunctionDef) -> Iterator[Touch]:
        owner = self._tree.enclosing(function, cst.ClassDef, cst.FunctionDef) or self._values.handed_to(function)
        if not isinstance(owner, cst.ClassDef):
            return
        facts = self._classes.of(owner)
        known = self.properties(facts)
        for node in self._tree.inside_any(function.body, (cst.Attribute, cst.Name, cst.Call)):
            if isinstance(node, cst.Attribute) and self._values.self_class(node.value) is owner:
                name = node.attr.value
                if name in known or facts.method(name) is None:
                    yield Touch(name, self._kind(node), node, function)
            elif isinstance(node, cst.Name) and not self._tree.is_label(node):
                yield from self._through(node, owner, function)
            elif isinstance(node, cst.Call) and (found := self._set(node, owner)) is not None:
                yield Touch(found, "assign", node, function)

    def _set(self, call: cst.Call, owner: cst.ClassDef) -> str | None:
        """The attribute that `setattr(self, "rows", rows)` sets."""
        if self._names.qualified(call.func) != "builtins.setattr" or not call.args:
            return None
        return self._attribute_set(call) if self._values.self_class(call.args[0].value) is owner else None

    def _attribute_set(self, call: cst.Call) -> str | None:
        constant = self._values.constant(call.args[1].value) if len(call.args) > 1 else None
        return constant.value if constant is not None and isinstance(constant.value, str) else None

    def _is_self(self, node: cst.BaseExpression) -> bool:
        return self._values.self_class(node) is not None

    def _through(self, name: cst.Name, owner: cst.ClassDef, function: cst.FunctionDef) -> Iterator[Touch]:
        """What happens to an attribute through a local name, one step away."""
        kind = self._kind(name)
        if kind not in ("change", "advance"):
            return
        for binding in self._names.reaching(name):
            value = binding.value
            if binding.kind != "assign" or self._tree.function(binding.node) is not function:
                continue
            while isinstance(value, cst.Subscript):  # a slice of an array shows the array itself
                value = value.value
            if isinstance(value, cst.Attribute) and self._values.self_class(value.value) is owner:
                yield Touch(value.attr.value, kind, name, function, alias=True)

    # -- what one mention does --------------------------------------------------------------------------------------

    def _kind(self, node: cst.Attribute | cst.Name) -> TouchKind:
        found = self._kind_here(node)
        return found if isinstance(found, str) else self._by_functions(found)

    def _kind_here(self, node: cst.Attribute | cst.Name) -> TouchKind | cst.Arg:
        """What is done here, or the argument with which it is handed on."""
        if isinstance(node, cst.Attribute) and (stored := self._stored(node)) is not None:
            return stored
        outer: cst.CSTNode = node
        while isinstance(parent := self._tree.parents[outer], (cst.Attribute, cst.Subscript)) and parent.value is outer:
            outer = parent
        if outer is not node and isinstance(parent, (cst.AssignTarget, cst.AugAssign, cst.Del, cst.AnnAssign)):
            return "change" if getattr(parent, "target", None) is outer else "read"
        if outer is not node and isinstance(parent, cst.Element) and self._is_target(parent):
            return "change"
        if isinstance(parent, cst.Call) and parent.func is outer and isinstance(outer, cst.Attribute):
            return self._by_method(outer.attr.value)
        return self._by_argument(parent) if isinstance(parent, cst.Arg) and parent.value is outer else "read"

    def _stored(self, node: cst.Attribute) -> TouchKind | None:
        if self._values.stored(node) is None:
            return None
        parent = self._tree.parents[node]
        return "augment" if isinstance(parent, cst.AugAssign) else "delete" if isinstance(parent, cst.Del) else "assign"

    def _is_target(self, element: cst.Element) -> bool:
        """Whether an element stands in a tuple that is assigned to."""
        holder = self._tree.parents[self._tree.parents[element]]
        return isinstance(holder, (cst.AssignTarget, cst.For))

    def _by_method(self, method: str) -> TouchKind:
        if method in MUTATORS or method in _MORE_MUTATORS:
            return "change"
        return "advance" if method in _ADVANCES else "read"

    def _by_argument(self, argument: cst.Arg) -> TouchKind | cst.Arg:
        call = self._tree.parents[argument]
        if not isinstance(call, cst.Call) or argument.star:
            return "read"
        if argument.keyword is not None and argument.keyword.value == "out":
            return "change"
        name = self._names.qualified(call.func)
        if name == "builtins.next":
            return "advance"
        word = call.func.attr.value if isinstance(call.func, cst.Attribute) else (name or "").rpartition(".")[2]
        if call.args[0] is argument and (word in _IN_PLACE or name in _FILLS):
            return "change"
        return argument

    def _by_functions(self, argument: cst.Arg) -> TouchKind:
        """What functions of this file do to what one of them is given, and hands on."""
        kinds: set[TouchKind] = set()
        seen: set[cst.Param] = set()
        waiting = [argument]
        while waiting and len(seen) < _MOST_FUNCTIONS:
            uses = self._uses_of(waiting.pop(), seen)
            for found in map(self._kind_here, uses):
                if isinstance(found, str):
                    kinds.add(found)
                else:
                    waiting.append(found)
        return "change" if "change" in kinds else "advance" if "advance" in kinds else "read"

    def _uses_of(self, argument: cst.Arg, seen: set[cst.Param]) -> tuple[cst.Name, ...]:
        """The uses of the parameter that an argument is given to, the first time; which is noted."""
        call = self._tree.parents[argument]
        function = self._calls.called(call) if isinstance(call, cst.Call) else None
        if function is None or not isinstance(call, cst.Call):
            return ()
        given = (
            p for p in parameters(function.params) if self._calls.passed(call, function, p.name.value) is argument.value
        )
        param = next(given, None)
        if param is None or param in seen:
            return ()
        seen.add(param)
        return self._uses(function, param)

    def handed_to(self, touch: Touch) -> tuple[cst.Name, ...]:
        """What a function of this file does with the attribute that it is given: its uses of the parameter, none in most cases."""
        argument = self._tree.parents[touch.node]
        call = self._tree.parents[argument] if isinstance(argument, cst.Arg) else None
        function = self._calls.called(call) if isinstance(call, cst.Call) else None
        if not isinstance(call, cst.Call) or function is None:
            return ()
        given = (
            p for p in parameters(function.params) if self._calls.passed(call, function, p.name.value) is touch.node
        )
        param = next(given, None)
        return self._uses(function, param) if param is not None else ()

    def _uses(self, function: cst.FunctionDef, param: cst.Param) -> tuple[cst.Name, ...]:
        """The uses of a parameter that can only be what was given."""
        wanted = param.name.value
        if len(self._names.inner_scope(function).bindings.get(wanted, ())) != 1:
            return ()
        names = self._tree.inside(function.body, cst.Name)
        return tuple(name for name in names if name.value == wanted and not self._tree.is_label(name))


def is_private(name: str) -> bool:
    """Whether Python puts the name of the class before an attribute of this name: `__rows`."""
    return name.startswith("__") and not name.endswith("__")
