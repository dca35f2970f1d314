"""Code that an instance never runs, or always, as a switch of the constructor says: `if self.train`, made with `train=False`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.flow.branch_feasibility import BranchFeasibility
from seqlint.facts.flow.call_frames import Frame, Traced

if TYPE_CHECKING:
    from seqlint.facts.classes.classes import ClassFacts
    from seqlint.facts.flow.call_frames import Flow
    from seqlint.facts.training.fit_bindings import FitBindings
    from seqlint.facts.training.loading import Loading
    from seqlint.facts.training.training import Training
    from seqlint.facts.values.values import Constant


class Switches:
    """What the instances of one file run."""

    def __init__(self, flow: Flow, training: Training, fit_bindings: FitBindings, loading: Loading) -> None:
        self._flow = flow
        self._tree = flow.tree
        self._values = flow.values
        self._training = training
        self._fit_bindings = fit_bindings
        self._loading = loading

    def in_processes(self, node: cst.CSTNode, frame: Frame, owner: ClassFacts) -> bool:
        """Whether code on the way to a batch can run for an instance that makes its batches in processes."""
        made = self._loading.made_for_processes(owner)
        return made is None or any(self._runs(node, frame, call) for call in made)

    def in_all(self, node: cst.CSTNode, function: cst.FunctionDef, owner: ClassFacts) -> bool:
        """Whether code of a method runs for every instance of a class that this file makes, and there is one."""
        made = self._training.instances(owner)
        return bool(made) and all(self._branches(call).runs(node, Frame(function, owner, owner, call)) for call in made)

    def _branches(self, made: cst.Call) -> BranchFeasibility:
        return BranchFeasibility(self._tree, lambda test, where: self._constants(test, where, made))

    def _runs(self, node: cst.CSTNode, frame: Frame, made: cst.Call) -> bool:
        """Whether code can run for the instance that a call makes."""
        branches = self._branches(made)
        here: cst.CSTNode | None = node
        around: Frame | None = frame
        while here is not None and around is not None and around.function is not None:
            run = around if around.caller is not None else replace(around, call=made)
            ends = (end for end in self._values.own(around.function, cst.Return) if not self._tree.holds(end, here))
            if branches.leaves_out(here, run) or here not in branches.live((here, *ends), lambda each: each, run, None):
                return False
            here, around = around.call or around.handed, around.caller
        return True

    def _constants(self, test: cst.BaseExpression, frame: Frame, made: cst.Call) -> frozenset[Constant | None]:
        """The literals that an expression can be for the instance."""
        found = (leaf.node for leaf in self._flow.trace(Traced(test, frame)))
        return frozenset(self._constant(node, made) if node is not None else None for node in found)

    def _constant(self, node: cst.BaseExpression, made: cst.Call) -> Constant | None:
        if isinstance(node, cst.Attribute) and self._values.self_class(node.value) is not None:
            name = node.attr.value
            given = self._fit_bindings.given(made, name)
            return self._values.constant(given) if given is not None and not self._is_set_later(name) else None
        return self._values.constant(node)

    def _is_set_later(self, name: str) -> bool:
        """`feed.train = True`."""
        stores = (node for node in self._tree.attributes(name) if self._values.self_class(node.value) is None)
        return any(self._values.stored(node) is not None for node in stores)
