"""Trainings under Horovod whose ranks start from weights of their own."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.tree import last_word
from seqlint.facts.training.callback_lists import FITS

if TYPE_CHECKING:
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.flow.call_graph import CallGraph
    from seqlint.facts.replicas.rank_collectives import RankCollectives
    from seqlint.facts.training.callback_lists import CallbackList, CallbackLists
    from seqlint.facts.training.training import TrainerCall, Training
    from seqlint.facts.training.workers import Workers
    from seqlint.facts.values.values import Values

_LOADS = frozenset({"load_model", "load_weights", "load_state", "restore", "set_weights"})
_SEEDS = frozenset({"seed", "seed_everything", "set_global_seed", "set_random_seed", "set_seed", "set_seeds"})
_OF_ROWS = frozenset({
    "flow", "flow_from_dataframe", "flow_from_directory", "image_dataset_from_directory", "list_files", "shuffle",
})  # fmt: skip
_TAPE = "horovod.tensorflow.DistributedGradientTape"


@dataclass(frozen=True, eq=False)
class UnevenStart:
    """A training to which nobody sends the weights of rank 0.

    Attributes:
        node: the fit, or the tape that adds up the gradients of all ranks in a loop of one's own.
        fit: the fit, where it is one.
        callbacks: what it gets; None where it gets none.
        sure: whether the optimizer surely is one of Horovod.
    """

    node: cst.Call
    fit: TrainerCall | None = None
    callbacks: CallbackList | None = None
    sure: bool = True


class UnevenStarts:
    """The trainings of one file under Horovod."""

    def __init__(
        self, tree: Tree, names: Names, values: Values, calls: CallGraph, workers: Workers, training: Training, lists: CallbackLists,
        collectives: RankCollectives,
    ) -> None:  # fmt: skip
        self._tree = tree
        self._names = names
        self._values = values
        self._calls = calls
        self._workers = workers
        self._training = training
        self._lists = lists
        self._collectives = collectives

    @cached_property
    def all(self) -> tuple[UnevenStart, ...]:
        """In reading order; none where anything of the file may make the ranks equal."""
        if not self._workers.starts_horovod or self._speaks_of_broadcasts or self._may_be_equal:
            return ()
        fits = [self._of_fit(call) for call in self._training.calls if call.method in FITS]
        found = [fit for fit in fits if fit is not None]
        tapes = [call for call in self._tree.all(cst.Call) if self._names.qualified(call.func) == _TAPE]
        return tuple(found) or tuple(UnevenStart(call) for call in tapes[:1])

    @cached_property
    def _speaks_of_broadcasts(self) -> bool:
        names = (node.value for node in self._tree.all(cst.Name))
        return any("broadcast" in name.lower() for name in names)

    @cached_property
    def _may_be_equal(self) -> bool:
        """Whether every rank may load the same weights, or draw the same numbers."""
        return any(self._makes_equal(call) for call in self._tree.all(cst.Call))

    def _makes_equal(self, call: cst.Call) -> bool:
        word = last_word(call.func)
        if word in _LOADS:
            return self._workers.part(call, self._calls.callers) is None
        named = [argument for argument in call.args if argument.keyword is not None]
        seeds = [each.value for each in named if each.keyword and each.keyword.value == "seed" and word not in _OF_ROWS]
        seeds += [argument.value for argument in call.args if argument.keyword is None] if word in _SEEDS else []
        return any(self._is_of_all(seed) for seed in seeds)

    def _is_of_all(self, seed: cst.BaseExpression) -> bool:
        """Whether a seed may be the same on every rank."""
        return not any("rank" in name.value for name in self._tree.inside(seed, cst.Name))

    def _of_fit(self, call: TrainerCall) -> UnevenStart | None:
        distributed = self._collectives.distributed(call)
        if distributed is False or self._workers.part(call.node, self._calls.callers) is not None:
            return None
        if distributed is None and not self._workers.wraps_optimizer:
            return None
        if self._lists.argument(call) is None:
            plain = not any(argument.star for argument in call.node.args)
            return UnevenStart(call.node, call, None, distributed is True) if plain else None
        callbacks = next((found for found in self._lists.all if found.fit is call), None)
        if callbacks is None or callbacks.complete is False or not all(member.known for member in callbacks.members):
            return None
        return UnevenStart(call.node, call, callbacks, distributed is True) if self._are_of_keras(callbacks) else None

    def _are_of_keras(self, callbacks: CallbackList) -> bool:
        """Whether no callback is of another library, which might send weights."""
        names = (member.name for member in callbacks.members if member.owner is None)
        return all((name or "").startswith(("keras.", "horovod.")) for name in names)
