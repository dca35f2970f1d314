"""What the epoch hooks of a Sequence do, themselves and through helpers, beyond the data of the instance."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Generic, TypeVar

import libcst as cst

from seqlint.facts.classes.hook import HOOKS, Hook
from seqlint.facts.instances.writes import Write
from seqlint.facts.training.training import TrainerCall

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.classes.classes import Classes, ClassFacts, Reached
    from seqlint.facts.classes.kinds import Answer
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.instances.writes import Writes
    from seqlint.facts.training.training import Training

Done = TypeVar("Done", Write, TrainerCall)


@dataclass(frozen=True, eq=False)
class Deed(Generic[Done]):
    """Something that a hook does.

    Attributes:
        done: what it does.
        node: where the class does it: the place itself, or the call of the function outside the class that does it.
        step: the statement in the body of the hook that leads there.
        via: the helpers on the way, such as ("_count",).
    """

    hook: Hook
    done: Done
    node: cst.CSTNode
    step: cst.CSTNode
    via: tuple[str, ...]


class EpochHooks:
    """The epoch hooks of the Sequences of a file. A class that is a Callback too is left out: its hooks serve both."""

    def __init__(self, tree: Tree, classes: Classes, training: Training, writes: Writes) -> None:
        self._tree = tree
        self._classes = classes
        self._training = training
        self._writes = writes

    @cached_property
    def all(self) -> tuple[Hook, ...]:
        """Each hook once, however many classes inherit it, in reading order."""
        return self._defined(both=False)

    def of(self, owner: ClassFacts, name: str) -> Hook | None:
        """The hook of a name that a class has."""
        method = owner.method(name)
        return next((hook for hook in self.all if method is not None and hook.node is method[1]), None)

    @cached_property
    def shared(self) -> tuple[Hook, ...]:
        """The hooks that only classes have that surely are both, a Sequence and a Callback: Keras calls one method in two ways."""
        plain = {hook.node for hook in self.all}
        return tuple(hook for hook in self._defined(both=True) if hook.node not in plain)

    def _defined(self, *, both: bool) -> tuple[Hook, ...]:
        found: dict[tuple[str, cst.FunctionDef], Hook] = {}
        for owner in self._classes.all:
            if owner.is_a("sequence") != "yes" or (owner.is_a("callback") == "yes") is not both:
                continue
            for name in HOOKS:
                method = owner.method(name)
                replaced = name in owner.stores("__init__")  # `self.on_epoch_end = partial(self.mix, 3)`
                if method is not None and not replaced:
                    before = found.get((name, method[1]))
                    own = tuple(each for each in owner.reachable(name) if each.template_method is None)
                    reached = _joined(before.reached if before is not None else (), own)
                    answers = {owner.is_a("callback"), before.of_callback if before is not None else "no"}
                    of_callback: Answer = "no" if answers == {"no"} else "unknown"
                    found[name, method[1]] = Hook(name, method[0], method[1], reached, of_callback)
        return self._tree.order.sorted(found.values(), lambda hook: hook.node)

    @cached_property
    def filled(self) -> tuple[Hook, ...]:
        """The methods of this file that hooks of bases in other files call, each once for each hook, in reading order."""
        found: dict[tuple[str, cst.FunctionDef], Hook] = {}
        for owner in self._classes.all:
            if owner.is_a("sequence") != "yes" or owner.is_a("callback") == "yes":
                continue
            for name in HOOKS:
                for method in owner.template_methods(name):
                    reached = tuple(each for each in owner.reachable(name) if each.template_method is method)
                    hook = Hook(name, method.holder, method.node, reached, owner.is_a("callback"), method)
                    found.setdefault((name, method.node), hook)
        return self._tree.order.sorted(found.values(), lambda hook: hook.node)

    @cached_property
    def writes(self) -> tuple[Deed[Write], ...]:
        """What the hooks write outside the instance, each place once."""
        return self._nearest([deed for hook in (*self.all, *self.filled) for deed in self.written(hook)])

    def written(self, hook: Hook) -> Iterator[Deed[Write]]:
        """Every write of one hook."""
        for reached in hook.reached:
            for write in self._writes.of(reached):
                yield Deed(hook, write, *self._way(hook, reached, write.node))

    @cached_property
    def runs(self) -> tuple[Deed[TrainerCall], ...]:
        """The trainer calls that the hooks make, each once, from the hook that is nearest; several where one helper makes them."""
        found: dict[cst.CSTNode, list[Deed[TrainerCall]]] = {}
        for hook in (*self.all, *self.filled):
            for deed in self.ran(hook):
                found.setdefault(deed.done.node, []).append(deed)
        nearest = (deed for deeds in found.values() for deed in self._nearest(deeds))
        return self._tree.order.sorted(nearest, lambda deed: deed.node)

    def ran(self, hook: Hook) -> Iterator[Deed[TrainerCall]]:
        """Every trainer call of one hook."""
        calls = {call.node: call for call in self._training.calls}
        for reached in hook.reached:
            for node in self._tree.inside(reached.node.body, cst.Call):
                if node in calls:
                    yield Deed(hook, calls[node], *self._way(hook, reached, node))

    def leads(self, hook: Hook, reached: Reached) -> cst.CSTNode | None:
        """The statement of the hook that leads to a function; None for the hook itself."""
        return self._way(hook, reached, reached.node.body.body[0])[1] if reached.node is not hook.node else None

    def _way(self, hook: Hook, reached: Reached, node: cst.CSTNode) -> tuple[cst.CSTNode, cst.CSTNode, tuple[str, ...]]:
        """Where the class does what stands at `node`, the statement of the hook that leads there, and the names between."""
        by_function: dict[cst.CSTNode, Reached] = {found.node: found for found in hook.reached}
        here, place = reached, node
        while here.node is not hook.node and here.call is not None:
            if here.owner is None:
                place = here.call
            node = here.call
            here = next(by_function[found] for found in self._tree.ancestors(node) if found in by_function)
        return place, self.step(hook.node, node), reached.path[1 if hook.template_method is None else 2 :]

    def step(self, function: cst.FunctionDef, node: cst.CSTNode) -> cst.CSTNode:
        """The statement of the body of a function that holds a node."""
        here = node
        while self._tree.parents[here] is not function.body:
            here = self._tree.parents[here]
        return here

    def _nearest(self, found: list[Deed[Done]]) -> tuple[Deed[Done], ...]:
        """One deed for each place: that of the hook from which the way is shortest."""
        best: dict[cst.CSTNode, Deed[Done]] = {}
        for deed in found:
            known = best.get(deed.node)
            if known is None or len(deed.via) < len(known.via):
                best[deed.node] = deed
        return self._tree.order.sorted(best.values(), lambda deed: deed.node)


def _joined(one: tuple[Reached, ...], other: tuple[Reached, ...]) -> tuple[Reached, ...]:
    known = {reached.node for reached in one}
    return (*one, *(reached for reached in other if reached.node not in known))
