"""Datasets that are distributed by hand before a model gets them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.knowledge.tf_data import DISTRIBUTE

if TYPE_CHECKING:
    from seqlint.facts.classes.kinds import Answer
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.datasets.chains import Link
    from seqlint.facts.datasets.datasets import Datasets, FedDataset
    from seqlint.facts.training.strategies import Strategies
    from seqlint.facts.training.training import Role, TrainerCall, Training
    from seqlint.facts.values.values import Values

_BY_FUNCTION = ("distribute_datasets_from_function", "experimental_distribute_datasets_from_function")


@dataclass(frozen=True, eq=False)
class Distributed:
    """A call of `strategy.experimental_distribute_dataset` whose result trainer calls get.

    Attributes:
        link: the call.
        feds: where it goes, in reading order.
        by_strategy: whether what it is called on is a strategy; the default one, which changes nothing, is none.
        only_fed: whether nothing but trainer calls gets it: no loop, no `strategy.run`.
        same: whether every model that gets it is surely made in the scope of some strategy.
    """

    link: Link
    feds: tuple[FedDataset, ...]
    by_strategy: Answer
    only_fed: bool
    same: bool


@dataclass(frozen=True, eq=False)
class ByFunction:
    """A call of `strategy.distribute_datasets_from_function` whose result a trainer call gets.

    Attributes:
        node: the call.
        fed: the trainer call.
        data: what that is given.
    """

    node: cst.Call
    fed: TrainerCall
    role: Role
    data: cst.BaseExpression


class DistributedDatasets:
    """The datasets of a file that are distributed by hand."""

    def __init__(
        self, tree: Tree, names: Names, values: Values, datasets: Datasets, strategies: Strategies, training: Training
    ) -> None:
        self._tree = tree
        self._values = values
        self._names = names
        self._datasets = datasets
        self._strategies = strategies
        self._training = training

    @cached_property
    def all(self) -> tuple[Distributed, ...]:
        """Every such call that reaches a trainer call, in reading order."""
        found: dict[cst.Call, list[tuple[Link, FedDataset]]] = {}
        for fed in self._datasets.fed:
            link = fed.chain.links[-1] if fed.chain.links else None
            if link is not None and link.name == DISTRIBUTE:
                found.setdefault(link.node, []).append((link, fed))
        calls = self._tree.order.sorted(found)
        return tuple(self._distributed(found[call][0][0], tuple(fed for _, fed in found[call])) for call in calls)

    @cached_property
    def by_function(self) -> tuple[ByFunction, ...]:
        """What a function makes for each worker, of a strategy of this file; each call once, in reading order."""
        found: dict[cst.Call, ByFunction] = {}
        for call in self._training.calls:
            for role, data in call.feeds:
                for value in self._values.of(data):
                    if isinstance(value, cst.Call) and self._is_by_function(value):
                        found.setdefault(value, ByFunction(value, call, role, data))
        return self._tree.order.sorted(found.values(), lambda each: each.node)

    def _is_by_function(self, call: cst.Call) -> bool:
        func = call.func
        if not isinstance(func, cst.Attribute) or func.attr.value not in _BY_FUNCTION:
            return False
        return not self._strategies.is_default(func.value) and any(self._strategies.of(func.value))

    def _distributed(self, link: Link, feds: tuple[FedDataset, ...]) -> Distributed:
        held = [self._strategies.of_model(fed.call.receiver) for fed in feds]
        same = all(each and None not in each for each in held)
        return Distributed(link, feds, self._by_strategy(link), self._only_fed(link.node), same)

    def _by_strategy(self, link: Link) -> Answer:
        assert isinstance(link.node.func, cst.Attribute)
        receiver = link.node.func.value
        if self._strategies.is_default(receiver):
            return "no"
        return "yes" if any(self._strategies.of(receiver)) else "unknown"

    def _only_fed(self, call: cst.Call) -> bool:
        if call in self._data:
            return True
        assign = self._tree.parents[call]
        if not isinstance(assign, cst.Assign) or len(assign.targets) != 1:
            return False
        target = assign.targets[0].target
        if isinstance(target, cst.Name):
            return all(use in self._data for use in self._uses(target, call))
        return isinstance(target, cst.Attribute) and all(
            use in self._data or self._is_stored(use) for use in self._attributes(target.attr.value)
        )

    @cached_property
    def _data(self) -> frozenset[cst.CSTNode]:
        """What trainer calls get as data."""
        return frozenset(data for call in self._training.calls for _, data in call.feeds)

    def _uses(self, target: cst.Name, value: cst.Call) -> list[cst.Name]:
        """Every place where a variable can have the value."""
        spelled = [name for name in self._tree.all(cst.Name) if name.value == target.value]
        read = [name for name in spelled if not self._tree.is_label(name) and not self._is_stored(name)]
        return [name for name in read if any(found.value is value for found in self._names.reaching(name))]

    def _attributes(self, name: str) -> list[cst.Attribute]:
        return list(self._tree.attributes(name))

    def _is_stored(self, node: cst.CSTNode) -> bool:
        return isinstance(self._tree.parents[node], cst.AssignTarget)
