"""What an epoch hook does to attributes on which `__len__` hangs, as far as it surely changes the length."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.slices import first_index

if TYPE_CHECKING:
    from seqlint.facts.classes.classes import Classes, ClassFacts
    from seqlint.facts.classes.hook import Hook
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.hooks.hook_counters import HookCounters
    from seqlint.facts.instances.attributes import Attributes, Touch
    from seqlint.facts.values.values import Values

_GROWS = frozenset({"add", "append", "appendleft", "extend", "extendleft", "insert"})
_SHRINKS = frozenset({"discard", "pop", "popitem", "popleft", "remove"})
_PICKS = frozenset({"numpy.flatnonzero", "numpy.where", "numpy.nonzero", "numpy.argwhere"})
_NUMBERS = frozenset(
    f"numpy.random.{name}" for name in (
        "binomial", "normal", "rand", "randint", "randn", "random", "random_sample", "standard_normal", "uniform",
    )
)  # fmt: skip
_COUNTS = frozenset({*_PICKS, "numpy.sum", "numpy.count_nonzero", "builtins.sum"})
_JOINS = frozenset({"numpy.append", "numpy.concatenate", "numpy.hstack", "numpy.vstack"})
_STEPS = 3
_DRAWS = frozenset({"sample", "choice", "choices", "permutation", "arange", "range"})


@dataclass(frozen=True, eq=False)
class LengthChange:
    """One change.

    Attributes:
        name: the attribute that `__len__` reads.
        node: where the hook changes it.
    """

    hook: Hook
    name: str
    node: cst.CSTNode


class LengthChanges:
    """The lengths of the Sequences of one file."""

    def __init__(
        self,
        tree: Tree,
        names: Names,
        values: Values,
        classes: Classes,
        attributes: Attributes,
        hook_counters: HookCounters,
    ) -> None:
        self._tree = tree
        self._names = names
        self._values = values
        self._classes = classes
        self._attributes = attributes
        self._hook_counters = hook_counters

    def changed(self, hook: Hook) -> tuple[LengthChange, ...]:
        """The attributes that `__len__` reads and a hook grows, shrinks, filters or steps, each once.

        One that it also sets anew, or that gets as much as it gives, may keep its length.
        """
        owners = [owner for owner in self._classes.all if hook.node in {r.node for r in owner.reachable(hook.name)}]
        read = frozenset().union(*(self._attributes.read(owner, "__len__") for owner in owners))
        stepped = {step.name: step for step in self._hook_counters.of(hook)}
        found = [LengthChange(hook, name, step.node) for name, step in stepped.items() if name in read]
        touches = [touch for reached in hook.reached for touch in self._attributes.of(reached.node)]
        for name in sorted(read - stepped.keys()):
            writes = [t for t in touches if t.name == name and t.kind in ("assign", "augment", "change")]
            ways = {way for touch in writes if (way := self._way(touch, frozenset(stepped)))}
            if writes and ways == {"same"} and self._is_mask_anew(owners, name, writes, frozenset(stepped)):
                ways = {"other"}
            if len(ways) == 1 and "same" not in ways:
                found.append(LengthChange(hook, name, self._place(writes[0])))
        return tuple(found)

    def _place(self, touch: Touch) -> cst.CSTNode:
        line = self._tree.statement(touch.node)
        return line.body[0] if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1 else touch.node

    def _way(self, touch: Touch, stepped: frozenset[str]) -> str:
        """What a write does to the length: "grows", "shrinks", "other", "same"; "" where it does not touch it."""
        if touch.kind == "change":
            return self._by_method(touch.node)
        parent = self._tree.parents[touch.node]
        if isinstance(parent, cst.AugAssign):
            return (
                "grows" if isinstance(parent.operator, cst.AddAssign) and isinstance(parent.value, cst.List) else "same"
            )
        stored = self._values.stored(touch.node) if isinstance(touch.node, cst.Attribute) else None
        value = stored[0] if stored is not None else None
        return self._by_value(value, touch.name, stepped) if value is not None else "same"

    def _is_mask_anew(self, owners: list[ClassFacts], name: str, writes: list[Touch], stepped: frozenset[str]) -> bool:
        """`self.keep = self.scores > self.threshold`, of which `__len__` counts those that are true."""
        stored = [self._values.stored(touch.node) for touch in writes if isinstance(touch.node, cst.Attribute)]
        values = [each[0] for each in stored if each is not None and each[0] is not None]
        if len(values) < len(writes) or not all(self._is_mask(value, stepped, _STEPS) for value in values):
            return False
        functions = {reached.node for owner in owners for reached in owner.reachable("__len__")}
        uses = (node for node in self._tree.attributes(name) if self._tree.function(node) in functions)
        return any(self._is_counted(node) for node in uses)

    def _is_counted(self, node: cst.Attribute) -> bool:
        """`self.keep.sum()`, `np.flatnonzero(self.keep)`."""
        parent = self._tree.parents[node]
        call = self._tree.parents[parent]
        if isinstance(parent, cst.Attribute):
            return parent.attr.value == "sum" and isinstance(call, cst.Call) and call.func is parent
        return isinstance(call, cst.Call) and self._names.qualified(call.func) in _COUNTS

    def _by_method(self, node: cst.BaseExpression) -> str:
        method = self._tree.parents[node]
        call = self._tree.parents[method]
        if isinstance(method, cst.Attribute) and isinstance(call, cst.Call) and call.func is method:
            word = method.attr.value
            return (
                "grows"
                if word in _GROWS
                else "shrinks"
                if word in _SHRINKS
                else "same"
                if word in ("clear", "update")
                else ""
            )
        return "shrinks" if isinstance(call, cst.Del) else ""

    def _by_value(self, value: cst.BaseExpression, name: str, stepped: frozenset[str]) -> str:
        if isinstance(value, cst.ListComp) and value.for_in.ifs:
            return "other"
        if self._is_picked(value, stepped, _STEPS):
            return "other"
        if self._is_longer(value, name):
            return "grows"
        if isinstance(value, cst.Subscript) and len(value.slice) == 1:
            part = first_index(self._names, value)
            if isinstance(part, cst.Slice) and self._cuts(value, part, name, stepped):
                return "other"
        word = value.func if isinstance(value, cst.Call) else None
        if isinstance(word, cst.Attribute) and word.attr.value in _DRAWS and self._reads(value, stepped):
            return "other"
        return "same"

    def _is_longer(self, value: cst.BaseExpression, name: str) -> bool:
        """`np.append(self.rows, more)`, `np.concatenate([self.rows, more])`, `self.rows + [row]`."""
        parts: list[cst.BaseExpression] = []
        if isinstance(value, cst.Call) and self._names.qualified(value.func) in _JOINS and value.args:
            first = value.args[0].value
            inner = first.elements if isinstance(first, (cst.List, cst.Tuple)) else value.args
            parts = [part.value for part in inner]
        elif isinstance(value, cst.BinaryOperation) and isinstance(value.operator, cst.Add):
            parts = [value.left, value.right]
            if not any(isinstance(part, (cst.List, cst.ListComp)) for part in parts):
                return False
        own = [part for part in parts if isinstance(part, cst.Attribute) and part.attr.value == name]
        return len(parts) > len(own) > 0 and all(self._values.self_class(part.value) is not None for part in own)

    def _is_picked(self, value: cst.BaseExpression, stepped: frozenset[str], steps: int) -> bool:
        """`self.all[mask]`, `np.flatnonzero(mask)`, `np.where(mask)[0]`, with a mask that is drawn, or hangs on what is stepped."""
        if isinstance(value, cst.Name):
            bindings = self._names.reaching(value)
            inner = bindings[0].value if len(bindings) == 1 and bindings[0].kind == "assign" else None
            return steps > 0 and inner is not None and self._is_picked(inner, stepped, steps - 1)
        if isinstance(value, cst.Call):
            picks = self._names.qualified(value.func) in _PICKS and len(value.args) == 1
            return picks and self._is_mask(value.args[0].value, stepped, _STEPS)
        index = value.slice[0].slice if isinstance(value, cst.Subscript) and len(value.slice) == 1 else None
        if not isinstance(value, cst.Subscript) or not isinstance(index, cst.Index) or steps == 0:
            return False
        if self._is_mask(index.value, stepped, _STEPS) or self._is_picked(index.value, stepped, steps - 1):
            return True
        return isinstance(index.value, cst.Integer) and self._is_picked(value.value, stepped, steps - 1)

    def _is_mask(self, node: cst.BaseExpression, stepped: frozenset[str], steps: int) -> bool:
        """Whether an expression tells row by row which ones to take, and others each time."""
        if isinstance(node, cst.Name):
            bindings = self._names.reaching(node)
            inner = bindings[0].value if len(bindings) == 1 and bindings[0].kind == "assign" else None
            return steps > 0 and inner is not None and self._is_mask(inner, stepped, steps - 1)
        if isinstance(node, cst.UnaryOperation):
            return isinstance(node.operator, cst.BitInvert) and self._is_mask(node.expression, stepped, steps)
        if isinstance(node, cst.BinaryOperation):
            both = isinstance(node.operator, (cst.BitAnd, cst.BitOr))
            return both and any(self._is_mask(side, stepped, steps) for side in (node.left, node.right))
        return isinstance(node, cst.Comparison) and (self._reads(node, stepped) or self._draws(node, _STEPS))

    def _draws(self, node: cst.CSTNode, steps: int) -> bool:
        """Whether numbers are drawn for an expression, from NumPy's generator that no line of the function seeds."""
        function = self._tree.function(node)
        for call in self._tree.inside(node, cst.Call):
            if self._names.qualified(call.func) in _NUMBERS:
                calls = self._tree.inside(function.body, cst.Call) if function is not None else ()
                return not any((self._names.qualified(each.func) or "").endswith("seed") for each in calls)
        for name in self._tree.inside(node, cst.Name) if steps else ():
            bindings = self._names.reaching(name) if not self._tree.is_label(name) else ()
            local = len(bindings) == 1 and bindings[0].kind == "assign" and bindings[0].value is not None
            if local and bindings[0].value is not None and self._draws(bindings[0].value, steps - 1):
                return True
        return False

    def _cuts(self, whole: cst.Subscript, part: cst.Slice, name: str, stepped: frozenset[str]) -> bool:
        """Whether a slice takes other many at each call: up to a number that is stepped, or a piece of what is left."""
        if self._reads(part, stepped):
            return True
        itself = isinstance(whole.value, cst.Attribute) and whole.value.attr.value == name
        literal = [bound for bound in (part.lower, part.upper) if bound is not None]
        return itself and part.step is None and any(isinstance(b, (cst.Integer, cst.UnaryOperation)) for b in literal)

    def _reads(self, node: cst.CSTNode, names: frozenset[str], steps: int = _STEPS) -> bool:
        """Whether an expression is worked out from attributes of the instance, through local names."""
        attributes = self._tree.inside(node, cst.Attribute)
        if any(each.attr.value in names and self._values.self_class(each.value) is not None for each in attributes):
            return True
        for name in self._tree.inside(node, cst.Name) if steps else ():
            bindings = self._names.reaching(name) if not self._tree.is_label(name) else ()
            value = bindings[0].value if len(bindings) == 1 and bindings[0].kind == "assign" else None
            if value is not None and self._reads(value, names, steps - 1):
                return True
        return False
