"""Flags of the instance that an epoch hook turns, once and for good."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.hooks.hook_counters import HookCounter

if TYPE_CHECKING:
    from seqlint.facts.classes.classes import Classes, ClassFacts
    from seqlint.facts.classes.hook import Hook
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.hooks.hook_counters import HookCounters
    from seqlint.facts.instances.attributes import Attributes, Touch
    from seqlint.facts.values.values import Values

_WORDS = ("True", "False")
_BATCH = ("__getitem__",)


@dataclass(frozen=True, eq=False)
class Flag:
    """A flag that an object is made with in one state, and that the first call of a hook puts into the other: `self.warm = True`.

    Attributes:
        name: the attribute.
        node: the statement in the hook.
        before: the state that an object is made with, "True" or "False".
    """

    hook: Hook
    name: str
    node: cst.Assign
    before: str


class HookFlags:
    """The flags that the hooks of one file turn."""

    def __init__(
        self, tree: Tree, values: Values, classes: Classes, attributes: Attributes, hook_counters: HookCounters
    ) -> None:
        self._tree = tree
        self._values = values
        self._classes = classes
        self._attributes = attributes
        self._hook_counters = hook_counters

    def of(self, hook: Hook) -> tuple[Flag, ...]:
        """What every call of a hook sets to one state, nothing else sets but the constructor, and batches hang on."""
        found = (self._flag(hook, touch) for touch in self._attributes.of(hook.node))
        return tuple(flag for flag in found if flag is not None)

    def _flag(self, hook: Hook, touch: Touch) -> Flag | None:
        node = self._always(hook, touch)
        state = _state(node.value) if node is not None else ""
        if node is None or not state or self._is_read_in(hook, touch.name) or self._is_set_by_others(hook, touch):
            return None
        others = [v for v in self._hook_counters.starts(hook.owner, touch.name) if not self._tree.holds(node, v)]
        states = {_state(value) for value in others}
        if len(states) != 1 or not states <= {*_WORDS} - {state}:
            return None
        if self._hook_counters.use(HookCounter(hook, touch.name, node, ()), *_BATCH) is None:
            return None
        return Flag(hook, touch.name, node, states.pop())

    def _always(self, hook: Hook, touch: Touch) -> cst.Assign | None:
        """The statement that gives the attribute a value, where no call of the hook goes round it."""
        target = self._tree.parents[touch.node]
        node = self._tree.parents[target] if isinstance(target, cst.AssignTarget) else None
        if touch.kind != "assign" or not isinstance(node, cst.Assign):
            return None
        line = self._tree.parents[node]
        if self._tree.parents[line] is not hook.node.body or self._tree.inside(hook.node.body, cst.Return):
            return None
        return node

    def _is_read_in(self, hook: Hook, name: str) -> bool:
        """Whether the hook asks for the state itself: what it does in its first call may be told from the rest."""
        touches = (t for reached in hook.reached for t in self._attributes.of(reached.node) if t.name == name)
        return any(touch.kind != "assign" for touch in touches)

    def _is_set_by_others(self, hook: Hook, touch: Touch) -> bool:
        """Whether anything but the hook and constructors may give the attribute another value."""
        owners = {owner.node for owner in self._related(hook.owner)}
        for node in self._tree.attributes(touch.name):
            if node is touch.node or self._values.stored(node) is None:
                continue
            function = self._tree.enclosing(node, cst.FunctionDef)
            around = self._values.self_class(node.value)
            if around not in owners or not isinstance(function, cst.FunctionDef) or function.name.value != "__init__":
                return True
        return any(self._attributes.sets_unseen(owner) for owner in self._related(hook.owner))

    def _related(self, owner: ClassFacts) -> list[ClassFacts]:
        return [each for each in self._classes.all if owner in each.lineage or each in owner.lineage]


def _state(value: cst.BaseExpression) -> str:
    return value.value if isinstance(value, cst.Name) and value.value in _WORDS else ""
