"""Whether what a hook writes can change the training: who reads it, and who calls the hook by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import libcst as cst

from seqlint.facts.code.scopes import dotted
from seqlint.facts.code.statements import references
from seqlint.knowledge.signatures import WORKER_ARGUMENTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from seqlint.facts.classes.classes import Classes, ClassFacts
    from seqlint.facts.classes.hook import Hook
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.instances.cut import Cut
    from seqlint.facts.instances.writes import Write
    from seqlint.facts.training.training import Training

Reach = Literal["nothing", "training", "batches"]
"""Who reads a written value while a fit runs: nobody, some code, or code on the way to a batch."""

_DEPTH = 3


class Effects:
    """The effects of the hooks of one file."""

    def __init__(self, tree: Tree, names: Names, classes: Classes, training: Training) -> None:
        self._tree = tree
        self._names = names
        self._classes = classes
        self._training = training

    def reach(self, hook: Hook, cut: Cut, writes: Iterable[Write]) -> Reach:
        """How far what a cut writes reaches into the training."""
        owners = [o for o in self._classes.all if o.is_a("sequence") == "yes" or o in hook.owner.lineage]
        batch = {r.node for owner in owners for r in owner.reachable("__getitem__", "__len__")}
        found: Reach = "nothing"
        for write in writes:
            if write.kind == "module":
                found = "training"  # other files may read it
            for node in self._reads(cut, write):
                function = self._tree.function(node)
                if function in batch or any(self._tree.holds(step, node) for step in cut.rest):
                    return "batches"
                if not self._is_outer(node, _DEPTH):
                    found = "training"
        return found

    def _reads(self, cut: Cut, write: Write) -> Iterator[cst.CSTNode]:
        """The code elsewhere in the file that speaks of what is written."""
        for node in self._spoken(write):
            if not any(self._tree.holds(outer, node) for outer in (*cut.nodes, write.node)):
                yield node

    def _spoken(self, write: Write) -> Iterator[cst.CSTNode]:
        if write.kind == "environment":
            yield from (node for node in self._tree.all(cst.Attribute) if node.attr.value in ("environ", "getenv"))
        elif write.attribute is not None:
            yield from (node for node in self._tree.all(cst.Attribute) if node.attr.value == write.attribute)
        elif write.root is not None:
            home = self._names.scope(write.root).home(write.root.value)
            for name in references(self._tree, self._tree.module):
                if name.value == write.root.value and self._names.scope(name).home(name.value) is home:
                    yield name

    def _is_outer(self, node: cst.CSTNode, depth: int) -> bool:
        """Whether code runs before or after the fits, never in one: at the top level, or in functions called from there."""
        function = self._tree.enclosing(node, cst.FunctionDef, cst.Lambda)
        if function is None or self._trains(function):
            return True
        if not isinstance(function, cst.FunctionDef) or depth == 0:
            return False
        if self._tree.enclosing(function, cst.ClassDef, cst.FunctionDef) is not None:
            return False
        uses = [n for n in references(self._tree, self._tree.module) if n.value == function.name.value]
        return all(self._is_callee(use) and self._is_outer(use, depth - 1) for use in uses)

    def _trains(self, function: cst.CSTNode) -> bool:
        return any(
            call.method in ("fit", "fit_generator") and self._tree.holds(function, call.node)
            for call in self._training.calls
        )

    def _is_callee(self, name: cst.Name) -> bool:
        call = self._tree.parents[name]
        return isinstance(call, cst.Call) and call.func is name

    # -- calls by hand ----------------------------------------------------------------------------------------------

    def by_hand(self, hook: Hook) -> Literal["never", "constructor", "elsewhere"]:
        """Whether code of the file calls the hook itself, other than a class that forwards it or goes on to its base."""
        found: Literal["never", "constructor", "elsewhere"] = "never"
        for func in self._tree.attributes(hook.name):
            call = self._tree.parents[func]
            if not isinstance(call, cst.Call) or call.func is not func:
                continue
            function = self._tree.function(call)
            around = self._class_around(call)
            if around is None or function is None:
                if self._may_be(func.value, hook):
                    return "elsewhere"
                continue
            if function.name.value == hook.name or (
                around.is_a("sequence") == "no" and hook.owner not in around.lineage
            ):
                continue
            if function.name.value != "__init__":
                return "elsewhere"
            found = "constructor"
        return found

    def _class_around(self, node: cst.CSTNode) -> ClassFacts | None:
        found = self._tree.enclosing(node, cst.ClassDef)
        return self._classes.of(found) if found is not None else None

    def _may_be(self, receiver: cst.BaseExpression, hook: Hook) -> bool:
        classes = self._training.classes_of(receiver)
        return any(made is None or hook.owner in made.lineage for made in classes)

    # -- workers ----------------------------------------------------------------------------------------------------

    def has_workers(self) -> bool:
        """Whether the file speaks of workers anywhere: batches may then be made ahead of the end of an epoch."""
        arguments = (argument.keyword.value for argument in self._tree.all(cst.Arg) if argument.keyword is not None)
        attributes = (node.attr.value for node in self._tree.all(cst.Attribute) if dotted(node))
        return any(name in WORKER_ARGUMENTS for name in (*arguments, *attributes))
