"""Callbacks that decide something by a logged value: when training ends, what is kept, the learning rate."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.callbacks.logs import HOOKS
from seqlint.facts.values.values import Constant, bound

if TYPE_CHECKING:
    from seqlint.facts.callbacks.logs import Logs
    from seqlint.facts.classes.classes import ClassFacts
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.flow.backward_slice import BackwardSlice
    from seqlint.facts.training.callback_lists import Listed
    from seqlint.facts.values.values import Values

CHECKPOINT = "keras.callbacks.ModelCheckpoint"
_ALWAYS = frozenset({"keras.callbacks.EarlyStopping", "keras.callbacks.ReduceLROnPlateau"})
_CHECKPOINT_PARAMETERS = ("filepath", "monitor", "verbose", "save_best_only")
_EXCHANGES = frozenset({
    "allgather", "allreduce", "all_gather", "all_reduce", "alltoall", "bcast", "broadcast", "broadcast_object",
    "gather",
    "reduce",
})  # fmt: skip
_LOCAL_METHODS = frozenset({"predict", "predict_on_batch", "predict_generator"})
_LOCAL_LIBRARIES = ("sklearn.", "time.")


@dataclass(frozen=True, eq=False)
class Stop:
    """A place where a callback of this file ends the training.

    Attributes:
        node: the assignment to `stop_training`.
        hooks: the hooks that lead there.
        depends_on: every node that the decision depends on.
    """

    node: cst.Assign
    hooks: frozenset[str]
    depends_on: tuple[cst.CSTNode, ...]


class Deciders:
    """What the callbacks of a file decide, and by which values."""

    def __init__(self, tree: Tree, names: Names, values: Values, backward_slice: BackwardSlice, logs: Logs) -> None:
        self._tree = tree
        self._names = names
        self._values = values
        self._backward_slice = backward_slice
        self._logs = logs
        self._stops: dict[cst.ClassDef, tuple[Stop, ...]] = {}

    def decides(self, member: Listed) -> bool:
        """Whether a callback surely acts on a logged value at the end of an epoch, as it was logged.

        EarlyStopping, ReduceLROnPlateau, ModelCheckpoint that saves the best only, subclasses of them, and a
        callback of this file that ends the training by what it reads from `logs`. One that exchanges values with other
        processes itself does not count.
        """
        if member.owner is not None and self.exchanges(member.owner):
            return False
        if member.bases & _ALWAYS:
            return True
        if CHECKPOINT in member.bases:
            return self._saves_best(member)
        stops = self.stops(member.owner) if member.owner is not None else ()
        return any("on_epoch_end" in stop.hooks and self.reads_logs(stop) for stop in stops)

    def _saves_best(self, member: Listed) -> bool:
        if member.made is None or (member.owner is not None and member.owner.method("__init__") is not None):
            return False
        argument = bound(member.made, _CHECKPOINT_PARAMETERS).get("save_best_only")
        return argument is not None and self._values.constant(argument.value) == Constant(True)

    def exchanges(self, owner: ClassFacts) -> bool:
        """Whether a hook of the class exchanges values with other processes or replicas."""
        for reached in owner.reachable(*HOOKS, "__init__", "get_monitor_value"):
            for call in self._tree.inside(reached.node.body, cst.Call):
                word = (
                    call.func.attr.value
                    if isinstance(call.func, cst.Attribute)
                    else (self._names.qualified(call.func) or "")
                )
                if word.rpartition(".")[2] in _EXCHANGES:
                    return True
        return False

    # -- callbacks that stop ----------------------------------------------------------------------------------------

    def stops(self, owner: ClassFacts) -> tuple[Stop, ...]:
        """The places where a class sets `stop_training`, in reading order."""
        if owner.node not in self._stops:
            self._stops[owner.node] = tuple(self._stop(node, hooks) for node, hooks in self._assignments(owner).items())
        return self._stops[owner.node]

    def _stop(self, node: cst.Assign, hooks: set[str]) -> Stop:
        return Stop(node, frozenset(hooks), self._backward_slice.deciding(node))

    def _assignments(self, owner: ClassFacts) -> dict[cst.Assign, set[str]]:
        found: dict[cst.Assign, set[str]] = {}
        if not self._mentions_stop:
            return found
        for hook in HOOKS:
            for reached in owner.reachable(hook):
                for node in self._tree.inside(reached.node.body, cst.Assign):
                    if self._ends_training(node):
                        found.setdefault(node, set()).add(hook)
        return found

    @cached_property
    def _mentions_stop(self) -> bool:
        return bool(self._tree.attributes("stop_training"))

    def _ends_training(self, node: cst.Assign) -> bool:
        targets = (target.target for target in node.targets)
        named = any(isinstance(target, cst.Attribute) and target.attr.value == "stop_training" for target in targets)
        return named and self._values.constant(node.value) != Constant(False)

    def reads_logs(self, stop: Stop) -> bool:
        """Whether the decision depends on anything in `logs`."""
        return any(isinstance(node, cst.Param) and node in self._logs.parameters for node in stop.depends_on)

    def evaluates(self, stop: Stop) -> bool:
        """Whether the decision depends on a result of `evaluate`, which is reduced across replicas."""
        return any(_method(node) in ("evaluate", "evaluate_generator", "test_on_batch") for node in stop.depends_on)

    def local_source(self, stop: Stop) -> cst.Call | None:
        """A value in the decision that each process computes for itself: predictions, scores, the clock."""
        calls = [node for node in stop.depends_on if isinstance(node, cst.Call) and self._is_local(node)]
        return self._tree.order.first(calls)

    def _is_local(self, call: cst.Call) -> bool:
        name = self._names.qualified(call.func) or ""
        if name.startswith(_LOCAL_LIBRARIES):
            return True
        func = call.func
        if isinstance(func, cst.Attribute) and func.attr.value == "model":  # self.model(x)
            return self._values.self_class(func.value) is not None
        return _method(call) in _LOCAL_METHODS


def _method(node: cst.CSTNode) -> str:
    return node.func.attr.value if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) else ""
