"""Epoch hooks that shuffle what no batch uses."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.control_flow import statements
from seqlint.facts.values.values import Constant

if TYPE_CHECKING:
    from seqlint.facts.classes.classes import Classes, ClassFacts
    from seqlint.facts.classes.hook import Hook
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.hooks.hooks import EpochHooks
    from seqlint.facts.orders.shuffles import Shuffle, Shuffles
    from seqlint.facts.values.values import Values

# What reads a list once, and keeps a copy.
_READ_ONCE = frozenset({
    "itertools.cycle", "builtins.list", "builtins.tuple", "builtins.sorted", "builtins.set", "builtins.dict", "numpy.array",
    "numpy.stack", "numpy.concatenate",
})  # fmt: skip
_FRESH = frozenset({"numpy.arange", "builtins.list", "builtins.sorted", "numpy.array", "builtins.range"})
_SAME_ROWS = ("copy", "reset_index", "to_numpy", "tolist", "values")
_SIZES = ("shape", "size", "ndim", "dtype")
_ONLY_SAYS = frozenset({"builtins.len", "builtins.print"})
_ONLY_ASKS = frozenset(
    f"builtins.{name}"
    for name in ("getattr", "hasattr", "id", "isinstance", "len", "print", "repr", "str", "super", "type")
)
_DRAWS = frozenset({"choice", "choices", "randint", "randrange", "integers", "sample", "permutation", "shuffle"})


@dataclass(frozen=True, eq=False)
class Unread:
    """A shuffle of an epoch hook that changes no batch.

    Attributes:
        owner: the class that makes the batches.
        name: what is shuffled, such as "self.indexes".
        attribute: its name without `self`; None for a local variable of the hook.
        through_cycle: whether the batches come from an `itertools.cycle` over it.
        beside_others: whether another method shuffles something, so that batches may change all the same.
    """

    hook: Hook
    owner: ClassFacts
    shuffle: Shuffle
    name: str
    attribute: str | None
    through_cycle: bool
    beside_others: bool = False


class UnreadOrders:
    """The shuffles of one file that change no batch."""

    def __init__(
        self, tree: Tree, names: Names, values: Values, classes: Classes, hooks: EpochHooks, shuffles: Shuffles
    ) -> None:
        self._tree = tree
        self._names = names
        self._values = values
        self._classes = classes
        self._hooks = hooks
        self._shuffles = shuffles
        self._handed_on: dict[ClassFacts, bool] = {}

    @cached_property
    def all(self) -> tuple[Unread, ...]:
        """One for each hook whose shuffles all have no effect."""
        found = (self._of(hook) for hook in self._hooks.all)
        return tuple(each for each in found if each is not None)

    def _of(self, hook: Hook) -> Unread | None:
        functions = [reached.node for reached in hook.reached]
        shuffles = [s for s in self._shuffles.all if self._tree.function(s.node) in functions]
        owners = [o for o in self._classes.all if o.is_a("sequence") == "yes" and self._has(o, hook)]
        owners = [owner for owner in owners if self._makes_batches(owner)]
        if not shuffles or not owners or not all(self._is_visible(owner) for owner in owners):
            return None
        judged = [self._judged(hook, owner, shuffle) for owner in owners for shuffle in shuffles]
        first = judged[0] if all(each is not None for each in judged) else None
        return replace(first, beside_others=self._are_others(hook)) if first is not None else None

    def _are_others(self, hook: Hook) -> bool:
        """Whether a method that runs while the model is trained shuffles too."""
        own = {reached.node for reached in hook.reached}
        around = {self._tree.function(shuffle.node) for shuffle in self._shuffles.all}
        others = [f for f in around - own if f is not None and f.name.value != "__init__"]
        return any(isinstance(self._tree.enclosing(f, cst.ClassDef, cst.FunctionDef), cst.ClassDef) for f in others)

    def _has(self, owner: ClassFacts, hook: Hook) -> bool:
        found = owner.method(hook.name)
        return found is not None and found[1] is hook.node

    def _makes_batches(self, owner: ClassFacts) -> bool:
        """Whether the class has a known `__getitem__` that does something, and leaves nothing for a subclass to fill in."""
        ways = [reached.node for reached in owner.reachable("__getitem__")]
        return bool(ways) and all(map(_does_something, ways))

    def _is_visible(self, owner: ClassFacts) -> bool:
        """Whether all code that makes a batch is in this file, reads attributes by name, and draws no rows itself."""
        if any(self._is_handed_on(holder) for holder in owner.lineage):
            return False
        for reached in owner.reachable("__getitem__"):
            for node in self._tree.walk(reached.node.body):
                if isinstance(node, cst.Call) and not self._is_plain(node, owner, reached.owner):
                    return False
                if isinstance(node, cst.Attribute) and node.attr.value == "__dict__":
                    return False
        return True

    def _is_handed_on(self, owner: ClassFacts) -> bool:
        if owner not in self._handed_on:
            self._handed_on[owner] = self._hands_itself_on(owner)
        return self._handed_on[owner]

    def _hands_itself_on(self, owner: ClassFacts) -> bool:
        """Whether other code gets the instance, `Reader(self)`, and may read the order."""
        around = (owner.node, *self._values.self_parameters.functions_of(owner.node))
        for name in (each for node in around for each in self._tree.inside(node, cst.Name)):
            argument = self._tree.parents[name]
            call = self._tree.parents[argument] if isinstance(argument, cst.Arg) else None
            if not isinstance(call, cst.Call) or self._values.self_class(name) is not owner.node:
                continue
            of_base = isinstance(call.func, cst.Attribute) and call.func.attr.value in (
                "__init__",
                "on_epoch_end",
                "on_epoch_begin",
            )
            asks = (
                self._names.qualified(call.func) in _ONLY_ASKS
                or self._values.self_parameters.given_itself(call) is not None
            )
            if not of_base and not asks:
                return True
        return False

    def _is_plain(self, call: cst.Call, owner: ClassFacts, inside: ClassFacts | None) -> bool:
        func = call.func
        if any(isinstance(a.value, cst.Name) and self._values.self_class(a.value) is not None for a in call.args):
            return (
                self._names.qualified(func) == "builtins.super"
                or self._values.self_parameters.given_itself(call) is not None
            )
        if not isinstance(func, cst.Attribute):
            return (self._names.qualified(func) or "").rpartition(".")[2] not in _DRAWS
        if func.attr.value in _DRAWS:
            return False
        if self._values.self_class(func.value) is None:
            return True
        known = owner.member(func, inside) is not None or bool(
            self._values.attribute_values(owner.node, func.attr.value)
        )
        return known or owner.lineage_is_known

    # -- one shuffle ------------------------------------------------------------------------------------------------

    def _judged(self, hook: Hook, owner: ClassFacts, shuffle: Shuffle) -> Unread | None:
        target = self._target(shuffle)
        if isinstance(target, cst.Name):
            lost = self._is_lost(target, shuffle.node)
            return Unread(hook, owner, shuffle, target.value, None, False) if lost else None
        if isinstance(target, cst.Tuple):  # `x, y = shuffle(self.x, self.y)`
            names = [part.value for part in target.elements if isinstance(part.value, cst.Name)]
            lost = len(names) == len(target.elements) and all(self._is_lost(name, shuffle.node) for name in names)
            return Unread(hook, owner, shuffle, names[0].value, None, False) if lost else None
        if not isinstance(target, cst.Attribute) or self._values.self_class(target.value) is None:
            return None
        name = target.attr.value
        if owner.method(name) is not None or owner.is_used_externally(name):
            return None
        if not self._is_unread(owner, name, shuffle):
            return None
        cycled = any(self._wraps(node, "itertools.cycle") for node in self._uses(owner, name))
        return Unread(hook, owner, shuffle, f"self.{name}", name, cycled)

    def _target(self, shuffle: Shuffle) -> cst.BaseExpression | None:
        """What holds the new order: the subject of a shuffle in place, or what the copy is assigned to."""
        if shuffle.way == "in place":
            return self._held(shuffle.subjects[0])
        node: cst.CSTNode = shuffle.node
        parent = self._tree.parents[node]
        while (
            isinstance(parent, cst.Attribute) and parent.attr.value in _SAME_ROWS
        ):  # `.sample(frac=1).reset_index(drop=True)`
            call = self._tree.parents[parent]
            node = call if isinstance(call, cst.Call) and call.func is parent else parent
            parent = self._tree.parents[node]
        if isinstance(parent, (cst.Index, cst.SubscriptElement)):  # `self.rows = self.rows[permutation(n)]`
            while not isinstance(parent, cst.Subscript):
                parent = self._tree.parents[parent]
            node, parent = parent, self._tree.parents[parent]
        if not isinstance(parent, cst.Assign) or len(parent.targets) != 1:
            return None
        return parent.targets[0].target

    def _held(self, subject: cst.BaseExpression) -> cst.BaseExpression | None:
        """The attribute of a local alias; the name itself where it holds something created in the hook."""
        if not isinstance(subject, cst.Name):
            return subject
        bindings = self._names.reaching(subject)
        value = bindings[0].value if len(bindings) == 1 and bindings[0].kind == "assign" else None
        if isinstance(value, cst.Attribute):
            return value
        if isinstance(value, cst.Call):
            copied = isinstance(value.func, cst.Attribute) and value.func.attr.value in ("copy", "tolist")
            return subject if copied or self._names.qualified(value.func) in _FRESH else None
        return subject if isinstance(value, (cst.ListComp, cst.List)) else None

    def _is_lost(self, name: cst.Name, made: cst.CSTNode, steps: int = 3) -> bool:
        """Whether nothing reads a variable of the hook once it holds the new order, or only others that nothing reads do."""
        function = self._tree.function(made)
        home = self._names.scope(made).home(name.value)
        if function is None or home is None or home.node is not function:
            return False
        same = (n for n in self._tree.inside(function.body, cst.Name) if n.value == name.value)
        reads = [n for n in same if not self._tree.is_label(n) and not self._tree.holds(made, n)]
        bound = {binding.node for binding in home.bindings[name.value]}
        return all(n in bound or self._only_says(n) or (steps and self._is_lost_with(n, steps)) for n in reads)

    def _is_lost_with(self, order: cst.Name, steps: int) -> bool:
        """`x = self.x[order]`, where nothing reads `x`; also in `x, y = self.x[order], self.y[order]`."""
        node: cst.CSTNode = self._tree.parents[order]
        while isinstance(node, (cst.Index, cst.SubscriptElement)):
            node = self._tree.parents[node]
        if not isinstance(node, cst.Subscript) or self._tree.holds(node.value, order):
            return False
        place = self._tree.parents[node]
        pair = self._tree.parents[place] if isinstance(place, cst.Element) else None
        assign = self._tree.parents[pair] if isinstance(pair, cst.Tuple) else place
        if not isinstance(assign, cst.Assign) or len(assign.targets) != 1:
            return False
        target = assign.targets[0].target
        if isinstance(pair, cst.Tuple) and isinstance(place, cst.Element):
            if not isinstance(target, cst.Tuple) or len(target.elements) != len(pair.elements):
                return False
            part = target.elements[pair.elements.index(place)].value
            return isinstance(part, cst.Name) and self._is_lost(part, node, steps - 1)
        return isinstance(target, cst.Name) and self._is_lost(target, node, steps - 1)

    # -- attributes -------------------------------------------------------------------------------------------------

    def _uses(self, owner: ClassFacts, name: str) -> list[cst.Attribute]:
        """Every mention of an attribute in the file that may be that of the class."""
        related = {found.node for each in self._classes.all for found in each.lineage if owner in each.lineage}
        return [
            node
            for node in self._tree.attributes(name)
            if (of := self._values.self_class(node.value)) is None or of in related
        ]

    def _is_unread(self, owner: ClassFacts, name: str, shuffle: Shuffle) -> bool:
        if self._is_named(owner, name):
            return False
        starts = {r.node for r in owner.reachable("__init__")} - {
            r.node for r in owner.reachable("__getitem__", "__iter__")
        }
        return all(self._is_no_use(node, starts, shuffle) for node in self._uses(owner, name))

    def _is_named(self, owner: ClassFacts, name: str) -> bool:
        """`getattr(self, name)` and the like, with this name or one that is unknown."""
        calls = [c for holder in owner.lineage for c in self._tree.inside(holder.node, cst.Call)]
        asked = [c for c in calls if self._names.qualified(c.func) in ("builtins.getattr", "builtins.vars")]
        return any(len(c.args) < 2 or self._values.constant(c.args[1].value) in (None, Constant(name)) for c in asked)

    def _is_no_use(self, node: cst.Attribute, starts: set[cst.FunctionDef], shuffle: Shuffle) -> bool:
        """Whether a mention can't bring the new order into a batch."""
        if self._values.stored(node) is not None or self._only_says(node):
            return True
        if any(self._tree.holds(each.node, node) for each in self._shuffles.all):
            return True
        statement = self._tree.statement(node)
        for assign in self._tree.inside(statement, cst.Assign):  # `self.rows = self.rows[order]`
            target = assign.targets[0].target
            same = isinstance(target, cst.Attribute) and target.attr.value == node.attr.value
            if same and isinstance(statement, cst.SimpleStatementLine):
                return True
        if self._is_alias_of_shuffle(node, shuffle):
            return True
        return self._tree.function(node) in starts and self._is_read_once(node, shuffle)

    def _is_alias_of_shuffle(self, node: cst.Attribute, shuffle: Shuffle) -> bool:
        """`rows = self.rows` before `np.random.shuffle(rows)`."""
        subject = shuffle.subjects[0] if shuffle.subjects else None
        if not isinstance(subject, cst.Name):
            return False
        return any(binding.value is node for binding in self._names.reaching(subject)) and self._is_lost(
            subject, shuffle.node
        )

    def _only_says(self, node: cst.CSTNode) -> bool:
        """`len(self.rows)`, `self.rows.shape`, `print(self.rows)`."""
        parent = self._tree.parents[node]
        if isinstance(parent, cst.Attribute) and parent.value is node:
            return parent.attr.value in _SIZES
        call = self._tree.parents[parent] if isinstance(parent, cst.Arg) else None
        return isinstance(call, cst.Call) and self._names.qualified(call.func) in _ONLY_SAYS

    def _is_read_once(self, node: cst.Attribute, shuffle: Shuffle) -> bool:
        """Whether code of `__init__` copies the rows, so that a later shuffle does not reach the copy."""
        inner = self._tree.enclosing(node, cst.Lambda, cst.GeneratorExp, cst.FunctionDef)
        if not isinstance(inner, cst.FunctionDef):
            return False
        if shuffle.way != "in place":
            return True
        parent = self._tree.parents[node]
        if isinstance(parent, (cst.For, cst.CompFor)):
            return parent.iter is node
        return any(self._wraps(node, name) for name in _READ_ONCE)

    def _wraps(self, node: cst.CSTNode, name: str) -> bool:
        parent = self._tree.parents[node]
        call = self._tree.parents[parent] if isinstance(parent, cst.Arg) else None
        return isinstance(call, cst.Call) and self._names.qualified(call.func) == name


def _does_something(function: cst.FunctionDef) -> bool:
    body = statements(function.body)
    return any(not isinstance(statement, (cst.Raise, cst.Pass, cst.Expr)) for statement in body)
