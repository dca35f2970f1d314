"""Shuffles that each process of a distributed training does for itself, where all of them need one order."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import libcst as cst

from seqlint.facts.code.slices import first_index
from seqlint.facts.code.tree import last_word

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.classes.classes import Classes, ClassFacts
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.flow.call_graph import CallGraph
    from seqlint.facts.orders.shuffles import Shuffle, Shuffles
    from seqlint.facts.training.strategies import Strategies
    from seqlint.facts.training.training import TrainerCall, Training
    from seqlint.facts.training.workers import Workers
    from seqlint.facts.values.values import Values

_HOOKS = ("__init__", "on_epoch_end", "on_epoch_begin")
_GLOBAL = ("numpy.random.", "random.", "sklearn.utils.")
_MAX_STEPS = 3


@dataclass(frozen=True, eq=False)
class WorkerOrder:
    """A shuffle without a seed.

    Attributes:
        rows: what is shuffled, as it is written.
        by: what shares the rows out by their place in the order: `fit` under a strategy, or a slice by the rank.
        fit: the fit.
    """

    node: cst.Call
    rows: str
    by: Literal["fit", "slice"]
    fit: TrainerCall | None = None


class WorkerOrders:
    """The orders that the processes of one file's training don't share."""

    def __init__(
        self, tree: Tree, names: Names, values: Values, classes: Classes, calls: CallGraph, shuffles: Shuffles, training: Training,
        strategies: Strategies, workers: Workers,
    ) -> None:  # fmt: skip
        self._tree = tree
        self._names = names
        self._values = values
        self._classes = classes
        self._calls = calls
        self._shuffles = shuffles
        self._training = training
        self._strategies = strategies
        self._workers = workers

    @cached_property
    def all(self) -> tuple[WorkerOrder, ...]:
        """In reading order; none where the file sets a seed that all processes may have."""
        if not self._shuffles.all or self._sets_seed:
            return ()
        found = {order.node: order for order in (*self._of_slices(), *self._of_fits())}
        return self._tree.order.sorted(found.values(), lambda order: order.node)

    @cached_property
    def _sets_seed(self) -> bool:
        calls = (call for call in self._tree.all(cst.Call) if "seed" in last_word(call.func).lower())
        return any(not self._speaks_of_rank(call) for call in calls)

    def _speaks_of_rank(self, node: cst.CSTNode) -> bool:
        return any("rank" in name.value or "worker" in name.value for name in self._tree.inside(node, cst.Name))

    def _is_free(self, shuffle: Shuffle) -> bool:
        """Whether each process draws an order of its own."""
        if shuffle.generator is None:
            seeded = any(a.keyword and a.keyword.value in ("random_state", "seed") for a in shuffle.node.args)
            return shuffle.name.startswith(_GLOBAL) and not seeded
        made = self._values.of(shuffle.generator)
        return bool(made) and all(isinstance(value, cst.Call) and not value.args for value in made)

    # -- a Sequence under a strategy --------------------------------------------------------------------------------

    def _of_fits(self) -> Iterator[WorkerOrder]:
        for owner in self._classes.all if self._strategies.is_used else ():
            fit = self._fit_of_several(owner) if owner.is_a("sequence") == "yes" else None
            for shuffle in self._in_hooks(owner) if fit is not None else ():
                if self._is_free(shuffle):
                    yield WorkerOrder(shuffle.node, self._rows(shuffle), "fit", fit)

    def _fit_of_several(self, owner: ClassFacts) -> TrainerCall | None:
        """A fit that gets the rows, where every one runs under a strategy of several processes."""
        fits = [call for call, role in self._training.fed(owner) if role == "train"]
        held = [self._strategies.of_fit(call) for call in fits]
        several = held and all(found and all(one and one.spans_workers for one in found) for found in held)
        return fits[0] if several else None

    def _in_hooks(self, owner: ClassFacts) -> Iterator[Shuffle]:
        """The shuffles in what Keras and the constructor run, in methods that these call, too."""
        waiting = [found[1] for found in (owner.method(name) for name in _HOOKS) if found is not None]
        seen: set[cst.FunctionDef] = set()
        while waiting:
            function = waiting.pop()
            if function in seen:
                continue
            seen.add(function)
            yield from self._shuffles.inside(function)
            called = (self._calls.called(call) for call in self._tree.inside(function, cst.Call))
            waiting += [each for each in called if each is not None and len(seen) < _MAX_STEPS * 4]

    def _rows(self, shuffle: Shuffle) -> str:
        return self._tree.text(shuffle.subjects[0]) if shuffle.subjects else self._tree.text(shuffle.node)

    # -- a slice by the rank ----------------------------------------------------------------------------------------

    def _of_slices(self) -> Iterator[WorkerOrder]:
        """`rows = np.random.permutation(n)[hvd.rank() :: hvd.size()]`, at once or from a name that is shuffled above."""
        for node in self._tree.all(cst.Subscript) if self._workers.horovod else ():
            part = first_index(self._names, node)
            if not isinstance(part, cst.Slice) or part.lower is None or not self._is_of_rank(part.lower):
                continue
            for shuffle in self._behind(node):
                if self._is_free(shuffle):
                    yield WorkerOrder(shuffle.node, self._rows(shuffle), "slice")

    def _is_of_rank(self, node: cst.BaseExpression) -> bool:
        """Whether the first row depends on the rank, be it by a product: `rank * count`."""
        if isinstance(node, cst.BinaryOperation):
            return self._is_of_rank(node.left) or self._is_of_rank(node.right)
        return self._workers.is_rank(node)

    def _behind(self, node: cst.Subscript) -> Iterator[Shuffle]:
        """The shuffles that give the order of what is sliced."""
        for value in self._values.of(node.value):
            shuffle = self._shuffles.of(value) if value is not None else None
            if shuffle is not None:
                yield shuffle
        for shuffle in self._shuffles.all:
            if shuffle.way == "in place" and self._is_same(shuffle.subjects[0], node):
                yield shuffle

    def _is_same(self, rows: cst.BaseExpression, node: cst.Subscript) -> bool:
        """Whether a shuffle in place is one of the rows that are sliced after it."""
        if isinstance(rows, cst.Name) and isinstance(node.value, cst.Name):
            above = self._tree.order.precedes(rows, node)
            return above and set(self._names.reaching(rows)) == set(self._names.reaching(node.value)) != set()
        one = self._values.self_class(rows.value) if isinstance(rows, cst.Attribute) else None
        return one is not None and self._tree.text(rows) == self._tree.text(node.value) and self._tree.holds(one, node)
