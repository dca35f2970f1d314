"""What `__getitem__` changes on its own instance, so that each call depends on earlier ones."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import libcst as cst

from seqlint.facts.code.control_flow import statements
from seqlint.facts.code.keys import key_of
from seqlint.facts.code.scopes import parameters
from seqlint.facts.state.remembered import is_set_right
from seqlint.facts.state.set_up import is_set_up

if TYPE_CHECKING:
    from seqlint.facts.batches.batches import Batches
    from seqlint.facts.classes.classes import ClassFacts, Reached
    from seqlint.facts.instances.attributes import Attributes, Touch
    from seqlint.facts.state.advances import Advances
    from seqlint.facts.training.training import Training
    from seqlint.facts.values.values import Values

GetitemMutationKind = Literal["cursor", "taken", "collected", "reordered"]
"""*cursor*: a number or slice that advances. *taken*: items are removed. *collected*: the results of all calls are kept, and
read elsewhere. *reordered*: what batches are picked from gets another order."""

HOOKS = ("on_epoch_end", "on_epoch_begin")
_TAKES = frozenset({"pop", "popleft", "popitem", "remove"})
_KEEPS = frozenset({"append", "extend", "appendleft", "insert", "add"})
_REORDERS = frozenset({"shuffle", "rotate", "reverse"})
_IDLE = ("builtins.print", "logging.", "gc.", "time.", "warnings.", "tqdm.")
_LOGS = frozenset({"debug", "info", "warning", "error", "log", "set_description", "set_postfix", "write"})
_STEPS = 6


@dataclass(frozen=True, eq=False)
class GetitemMutation:
    """One attribute that carries something from batch to batch.

    Attributes:
        owner: the Sequence.
        reached: the function that changes it.
        node: the statement or call that changes it.
    """

    kind: GetitemMutationKind
    owner: ClassFacts
    reached: Reached
    name: str
    node: cst.CSTNode


class GetitemMutations:
    """What the Sequences of one file carry from batch to batch."""

    def __init__(self, batches: Batches, attributes: Attributes, advances: Advances, training: Training) -> None:
        self._batches = batches
        self._training = training
        self._attributes = attributes
        self._advances = advances
        self._tree = batches.flow.tree
        self._names = batches.flow.names
        self._values: Values = batches.flow.values

    @cached_property
    def all(self) -> tuple[GetitemMutation, ...]:
        """Each attribute once for the class that changes it, in reading order."""
        found: dict[cst.CSTNode, GetitemMutation] = {}
        for owner in self._batches.sequences:
            for carried in self.of(owner):
                found.setdefault(carried.node, carried)
        return self._tree.order.sorted(found.values(), lambda carried: carried.node)

    def of(self, owner: ClassFacts) -> tuple[GetitemMutation, ...]:
        """What one Sequence carries."""
        touches: dict[str, list[tuple[Reached, Touch]]] = defaultdict(list)
        hooks = {reached.node for reached in owner.reachable(*HOOKS)}  # what is done for each epoch, started early
        for reached, touch in self._attributes.on(owner, "__getitem__"):
            if reached.node not in hooks and not owner.is_used_externally(touch.name):
                touches[touch.name].append((reached, touch))
        iterators = {advance.attribute for advance in self._advances.of(owner)}
        found = (self._carried(owner, name, mine) for name, mine in touches.items() if name not in iterators)
        return tuple(carried for carried in found if carried is not None)

    def _carried(self, owner: ClassFacts, name: str, mine: list[tuple[Reached, Touch]]) -> GetitemMutation | None:
        if any(self._is_begun_anew(touch, reached, name) for reached, touch in mine) or self._is_memo(mine):
            return None
        for reached, touch in mine:
            kind = self._kind(owner, touch)
            if kind is not None and self._counts(owner, name, kind, mine, touch):
                return GetitemMutation(kind, owner, reached, name, self._place(touch))
        return None

    # -- what is done -----------------------------------------------------------------------------------------------

    def _kind(self, owner: ClassFacts, touch: Touch) -> GetitemMutationKind | None:
        if touch.kind == "augment" or (touch.kind == "assign" and self._moves_on(owner, touch)):
            return "cursor"
        if touch.kind == "delete" or touch.kind != "change":
            return None
        if self._key(touch) and isinstance(self._tree.parents[self._outer(touch)], cst.AugAssign):
            return "cursor"
        if isinstance(self._tree.parents.get(self._outer(touch)), cst.Del):
            return "taken"
        word = self._method(touch)
        if self._takes_in_helper(touch):
            return "taken"
        if word == "update" and self._is_set(owner, touch.name):
            return "collected"
        if word in _REORDERS:
            # An order that is drawn while there is none is drawn once, or once after each hook that takes it away.
            return None if is_set_up(self._tree, touch) else "reordered"
        return "taken" if word in _TAKES else "collected" if word in _KEEPS else None

    def _moves_on(self, owner: ClassFacts, touch: Touch) -> bool:
        """`self.at = self.at + 4`, `self.rows = self.rows[4:]`, also through names of the function."""
        assign = self._tree.enclosing(touch.node, cst.Assign)
        return assign is not None and self._depends_on(assign.value, owner, touch.name, _STEPS)

    def _depends_on(self, value: cst.BaseExpression, owner: ClassFacts, name: str, steps: int) -> bool:
        """Whether a value is a number or slice computed from the attribute; a condition on it alone does not count."""
        for node in self._tree.walk(value):
            if (
                isinstance(node, cst.Attribute)
                and node.attr.value == name
                and self._values.self_class(node.value) is not None
            ):
                return not self._is_condition(node, value)
            if isinstance(node, cst.Name) and not self._tree.is_label(node) and steps:
                for binding in self._names.reaching(node):
                    inner = binding.value if binding.kind in ("assign", "augment") else None
                    local = self._tree.function(binding.node) is self._tree.function(node)
                    if inner is not None and local and self._depends_on(inner, owner, name, steps - 1):
                        return True
        return False

    def _is_condition(self, node: cst.CSTNode, value: cst.CSTNode) -> bool:
        for found in self._tree.ancestors(node):
            if isinstance(found, (cst.Comparison, cst.BooleanOperation)):
                return True
            if found is value:
                return isinstance(value, cst.IfExp) and self._tree.holds(value.test, node)
        return False

    def _outer(self, touch: Touch) -> cst.CSTNode:
        """The whole of `self.rows[2].pop`, which starts with the touch."""
        outer: cst.CSTNode = touch.node
        while isinstance(parent := self._tree.parents[outer], (cst.Attribute, cst.Subscript)) and parent.value is outer:
            outer = parent
        return outer

    def _key(self, touch: Touch) -> str:
        """The key under which a dict keeps a value, `'at'` for `self.state["at"]`; empty where there is none."""
        part = self._tree.parents[touch.node]
        return key_of(part) if isinstance(part, cst.Subscript) and part.value is touch.node else ""

    def _method(self, touch: Touch) -> str:
        """The method that changes it, or the function that it is passed to."""
        outer = self._outer(touch)
        parent = self._tree.parents[outer]
        if isinstance(parent, cst.Call) and isinstance(outer, cst.Attribute):
            return outer.attr.value if outer.value is touch.node else ""
        call = self._tree.parents[parent] if isinstance(parent, cst.Arg) and outer is touch.node else None
        if not isinstance(call, cst.Call):
            return ""
        return call.func.attr.value if isinstance(call.func, cst.Attribute) else ""

    def _is_set(self, owner: ClassFacts, name: str) -> bool:
        """Whether an attribute starts as `set()`."""
        given = [v for holder in owner.lineage for v in self._values.attribute_values(holder.node, name, 0)]
        made = [value for value in given if isinstance(value, cst.Call)]
        return bool(made) and all(self._names.qualified(value.func) == "builtins.set" for value in made)

    def _takes_in_helper(self, touch: Touch) -> bool:
        """`take(self.paths, 8)`, where `take` pops from its argument, and neither puts anything back nor stores by key."""
        words: set[str] = set()
        for use in self._attributes.handed_to(touch):
            parent = self._tree.parents[use]
            if isinstance(parent, cst.Subscript) and isinstance(self._tree.parents[parent], cst.AssignTarget):
                return False
            if isinstance(parent, cst.Attribute) and isinstance(self._tree.parents[parent], cst.Call):
                words.add(parent.attr.value)
        return not words.isdisjoint(_TAKES - {"popitem"}) and words.isdisjoint({*_KEEPS, "setdefault", "update"})

    def _place(self, touch: Touch) -> cst.CSTNode:
        for found in self._tree.ancestors(touch.node):
            if isinstance(found, (cst.Call, cst.BaseSmallStatement)):
                return found
        return touch.node

    # -- what is no state -------------------------------------------------------------------------------------------

    def _is_begun_anew(self, touch: Touch, reached: Reached, name: str) -> bool:
        """Whether each call of `__getitem__`, or of the helper, first resets the attribute."""
        if is_set_right(self._tree, touch):
            return True
        if touch.kind != "assign" or self._tree.parents[self._tree.statement(touch.node)] is not reached.node.body:
            return False
        assign = self._tree.enclosing(touch.node, cst.Assign)
        if assign is None or self._reads(assign, name):
            return False
        before = (t for t in self._attributes.of(reached.node) if t.name == name and t is not touch)
        return all(self._tree.order.precedes(touch.node, other.node) for other in before)

    def _is_memo(self, mine: list[tuple[Reached, Touch]]) -> bool:
        """Whether values are stored by key: a cache, with what it evicts."""
        return any(self._is_stored_item(touch) or self._method(touch) == "setdefault" for _, touch in mine)

    def _is_stored_item(self, touch: Touch) -> bool:
        outer = self._outer(touch)
        return isinstance(outer, cst.Subscript) and isinstance(self._tree.parents[outer], cst.AssignTarget)

    # -- whether a batch depends on it ------------------------------------------------------------------------------

    def _counts(
        self, owner: ClassFacts, name: str, kind: GetitemMutationKind, mine: list[tuple[Reached, Touch]], touch: Touch
    ) -> bool:
        reads = [
            t for _, t in mine if t is not touch and t.kind in ("read", "change") and not self._is_quiet(owner, t, name)
        ]
        reads = [t for t in reads if self._tree.statement(t.node) is not self._tree.statement(touch.node)]
        if kind == "cursor" and touch.kind == "change":
            return any(t.kind == "read" and self._key(t) == self._key(touch) for t in reads)
        if kind == "taken":
            words = {self._method(t) for _, t in mine}
            given = not isinstance(self._tree.parents.get(self._place(touch)), cst.Expr)
            return words.isdisjoint(_KEEPS) and (given or bool(reads)) and self._method(touch) != "popitem"
        if kind == "collected":
            picks = any(self._picks(read) or self._leaves_out(read) for read in reads)
            return self._keeps_part(touch) and (picks or self._is_asked_by_others(owner, name, touch))
        return bool(reads) or (kind == "cursor" and any(self._feeds(owner, t, name) for _, t in mine))

    def _is_quiet(self, owner: ClassFacts, touch: Touch, name: str) -> bool:
        """Whether a read only prints, decides when to print or to restart, or goes into a number that no batch reads."""
        if self._is_put_aside(owner, touch, name):
            return True
        for found in self._tree.ancestors(touch.node):
            if isinstance(found, cst.Call) and self._is_idle_call(found):
                return True
            if isinstance(found, cst.If) and self._tree.holds(found.test, touch.node):
                return found.orelse is None and all(self._is_idle(one, name) for one in statements(found.body))
            if isinstance(found, cst.FunctionDef):
                return False
        return False

    def _is_put_aside(self, owner: ClassFacts, touch: Touch, name: str) -> bool:
        """`self.mean = self.sum / self.seen`, where nothing on the way to a batch reads `self.mean`."""
        assign = self._tree.enclosing(touch.node, cst.Assign, cst.FunctionDef)
        targets = [target.target for target in assign.targets] if isinstance(assign, cst.Assign) else []
        target = targets[0] if len(targets) == 1 else None
        if not isinstance(target, cst.Attribute) or self._values.self_class(target.value) is None:
            return False
        others = [t for _, t in self._attributes.on(owner, "__getitem__") if t.name == target.attr.value]
        return target.attr.value != name and all(t.kind == "assign" for t in others)

    def _is_idle(self, node: cst.CSTNode, name: str) -> bool:
        if isinstance(node, cst.Expr) and isinstance(node.value, cst.Call):
            return self._is_idle_call(node.value)
        if isinstance(node, (cst.Assign, cst.AugAssign)):
            target = node.targets[0].target if isinstance(node, cst.Assign) else node.target
            return isinstance(target, cst.Attribute) and target.attr.value == name
        return isinstance(node, cst.Pass)

    def _is_idle_call(self, call: cst.Call) -> bool:
        name = self._names.qualified(call.func) or ""
        return name.startswith(_IDLE) or (isinstance(call.func, cst.Attribute) and call.func.attr.value in _LOGS)

    def _feeds(self, owner: ClassFacts, touch: Touch, name: str) -> bool:
        """`self.rows = self.rows[4:]`: what the statement that advances reads goes into a batch elsewhere."""
        return touch.kind == "read" and not self._is_quiet(owner, touch, name) and not self._is_own_update(touch, name)

    def _is_own_update(self, touch: Touch, name: str) -> bool:
        statement = self._tree.statement(touch.node)
        small = statement.body[0] if isinstance(statement, cst.SimpleStatementLine) else None
        if small is not None and self._is_idle(small, name):
            return True
        target = self._paired(small, touch) if isinstance(small, cst.Assign) else None
        own = isinstance(target, cst.Attribute) and self._values.self_class(target.value) is not None
        return own and isinstance(target, cst.Attribute) and target.attr.value == name

    def _paired(self, assign: cst.Assign, touch: Touch) -> cst.BaseExpression | None:
        """What an item of a tuple is assigned to: `self.calls` for the second of `self.last, self.calls = index, self.calls + 1`."""
        target, value = assign.targets[0].target, assign.value
        if not isinstance(target, cst.Tuple) or not isinstance(value, cst.Tuple):
            return None
        held = (t for t, v in zip(target.elements, value.elements, strict=False) if self._tree.holds(v, touch.node))
        part = next(held, None)
        return part.value if part is not None and len(target.elements) == len(value.elements) else None

    def _picks(self, touch: Touch) -> bool:
        parent = self._tree.parents[touch.node]
        return isinstance(parent, cst.Subscript) and parent.value is touch.node

    def _leaves_out(self, touch: Touch) -> bool:
        """`[path for path in self.paths if path not in self.used]`."""
        parent = self._tree.parents[touch.node]
        tests = isinstance(parent, cst.ComparisonTarget) and isinstance(parent.operator, (cst.In, cst.NotIn))
        return tests and self._tree.enclosing(touch.node, cst.CompIf, cst.FunctionDef).__class__ is cst.CompIf

    def _keeps_part(self, touch: Touch) -> bool:
        """Whether what is kept is made of data: more than a number, a time or a string."""
        call = self._tree.enclosing(touch.node, cst.Call)
        values = [argument.value for argument in call.args] if call is not None else []
        return any(isinstance(value, (cst.Name, cst.Subscript, cst.Attribute)) for value in values)

    def _is_asked_by_others(self, owner: ClassFacts, name: str, touch: Touch) -> bool:
        """Whether code outside the class reads the attribute of an instance, and what it reads changes where a batch is read twice."""
        others = self._tree.attributes(name)
        reads = [n for n in others if self._values.self_class(n.value) is None and self._values.stored(n) is None]
        reads = [node for node in reads if owner in self._training.classes_of(node.value)]
        if self._is_set(owner, name):  # what is read twice is in it already
            return False
        return bool(reads) and not (self._keeps_numbers(touch) and all(self._is_only_told(node) for node in reads))

    def _keeps_numbers(self, touch: Touch) -> bool:
        """Whether what is kept is the number of the batch alone: `self.seen.add(index)`."""
        call = self._tree.enclosing(touch.node, cst.Call)
        function = self._tree.function(touch.node)
        given = parameters(function.params)[1:] if function is not None and function.name.value == "__getitem__" else ()
        values = [argument.value for argument in call.args] if call is not None else []
        names = {param.name.value for param in given}
        return bool(values) and all(isinstance(value, cst.Name) and value.value in names for value in values)

    def _is_only_told(self, node: cst.CSTNode) -> bool:
        """Whether a read is only shown: in `print(...)`, a log, or a statement that a notebook displays."""
        around = (each for each in self._tree.ancestors(node) if isinstance(each, cst.Call))
        return isinstance(self._tree.parents[node], cst.Expr) or any(self._is_idle_call(call) for call in around)

    def _reads(self, node: cst.CSTNode, name: str) -> bool:
        found = [each for each in self._tree.inside(node, cst.Attribute) if each.attr.value == name]
        return any(
            self._values.stored(each) is None and self._values.self_class(each.value) is not None for each in found
        )
