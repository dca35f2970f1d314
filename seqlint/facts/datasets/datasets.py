"""tf.data datasets as chains of calls: through names, attributes, functions of this file, and up to the model."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.datasets.chains import UNKNOWN, Chain, Link, State, joined, merged
from seqlint.facts.datasets.operations import Operations
from seqlint.facts.datasets.sure_datasets import sure_datasets
from seqlint.facts.flow.call_frames import Traced
from seqlint.knowledge.tf_data import DISTRIBUTE, METHODS

if TYPE_CHECKING:
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.flow.allocation_sites import AllocationSites
    from seqlint.facts.flow.call_frames import Frame
    from seqlint.facts.training.training import Role, TrainerCall, Training
    from seqlint.facts.values.values import Values

Ends = tuple[Link | None, ...]
Output = cst.Name | cst.Subscript | None


@dataclass(frozen=True, eq=False)
class FedDataset:
    """A dataset that reaches a trainer call.

    Attributes:
        data: the argument.
    """

    call: TrainerCall
    role: Role
    data: cst.BaseExpression
    chain: Chain


class Datasets:
    """The datasets of a file."""

    def __init__(
        self, tree: Tree, names: Names, values: Values, allocation_sites: AllocationSites, training: Training
    ) -> None:
        self._tree = tree
        self._names = names
        self._allocation_sites = allocation_sites
        self._training = training
        self._operations = Operations(tree, names, values)
        self._links: dict[tuple[cst.Call, Frame, Output], Link | None] = {}

    # -- questions --------------------------------------------------------------------------------------------------

    @cached_property
    def links(self) -> tuple[Link, ...]:
        """Every call of the file that surely makes or changes a dataset, in reading order.

        A link of a function that is called from several places has one input for each of them.
        """
        return tuple(link for link in self._possible if link.node in self._sure)

    @cached_property
    def fed(self) -> tuple[FedDataset, ...]:
        """The datasets that reach trainer calls, in reading order; followed through the calls that lead there."""
        found: list[FedDataset] = []
        for call in self._training.calls if self._possible else ():
            for role, data in call.feeds:
                chain = self.chain(data)
                if chain is not None:
                    found.append(FedDataset(call, role, data, chain))
        return tuple(found)

    def chain(self, node: cst.BaseExpression) -> Chain | None:
        """The dataset that an expression gives; None where nothing says that it is one."""
        ends = self._ends(Traced(node, self._allocation_sites.frame(node)))
        return Chain.ending(ends) if any(self._is_sure(link) for link in ends) else None

    def link(self, call: cst.Call) -> Link | None:
        """The link that a call is, whoever calls the function that it stands in."""
        found = self._link(call, self._allocation_sites.frame(call), None)
        return found if found is not None and self._is_sure(found) else None

    # -- what is surely a dataset -----------------------------------------------------------------------------------

    @cached_property
    def _possible(self) -> tuple[Link, ...]:
        found: list[Link] = []
        for call in self._tree.all(cst.Call):
            link = self._link(call, self._allocation_sites.frame(call), None) if self._may_be_link(call) else None
            found += [link] if link is not None else []
        return self._tree.order.sorted(found, lambda link: _word(link.node))

    def _may_be_link(self, call: cst.Call) -> bool:
        func = call.func
        if isinstance(func, cst.Attribute) and (func.attr.value in METHODS or func.attr.value == DISTRIBUTE):
            return True
        return self._operations.join(call) is not None or self._operations.source(call) is not None

    @cached_property
    def _sure(self) -> frozenset[cst.Call]:
        return sure_datasets(self._names, self._possible)

    def _is_sure(self, link: Link | None) -> bool:
        return link is not None and link.node in self._sure

    # -- ends of chains ---------------------------------------------------------------------------------------------

    def _ends(self, traced: Traced) -> Ends:
        """The links that an expression can be the dataset of; None among them for anything else."""
        found = (
            self._ends_of_leaf(leaf) if leaf is not None else (None,) for leaf in self._allocation_sites.sites(traced)
        )
        return tuple(dict.fromkeys(end for ends in found for end in ends)) or (None,)

    def _ends_of_leaf(self, leaf: Traced) -> Ends:
        node = leaf.node
        if isinstance(node, cst.Call):
            return (self._link(node, leaf.frame, None),)
        if isinstance(node, cst.Subscript):  # `splits["train"]`, `splits[0]`
            return self._of_several(node.value, node, leaf.frame)
        found: list[Link | None] = []
        for binding in self._allocation_sites.reaching(leaf):
            if binding.kind == "unpack" and binding.value is not None and isinstance(binding.node, cst.Name):
                found += self._of_several(binding.value, binding.node, leaf.frame)
        return tuple(found) or (None,)

    def _of_several(self, value: cst.BaseExpression, output: cst.Name | cst.Subscript, frame: Frame) -> Ends:
        """`train, val = keras.utils.split_dataset(...)`."""
        found: list[Link | None] = []
        for leaf in self._allocation_sites.sites(Traced(value, frame)):
            node = leaf.node if leaf is not None else None
            if leaf is not None and isinstance(node, cst.Call) and self._operations.gives_several(node):
                found.append(self._link(node, leaf.frame, output))
            elif not isinstance(node, (cst.Tuple, cst.List)):  # those are followed already
                found.append(None)
        return tuple(found)

    # -- links ------------------------------------------------------------------------------------------------------

    def _link(self, call: cst.Call, frame: Frame, output: Output) -> Link | None:
        key = (call, frame, output)
        if key not in self._links:
            self._links[key] = None  # a loop leads back to itself
            self._links[key] = self._made(call, frame, output)
        return self._links[key]

    def _made(self, call: cst.Call, frame: Frame, output: Output) -> Link | None:
        operations = self._operations
        name = operations.source(call)
        if name is not None:
            given = operations.arguments(call, name)
            return Link(name, call, (name,), given, (), (), operations.made(name, given, output), frame, output)
        name = operations.join(call)
        if name is not None:
            return self._joined(call, name, frame)
        func = call.func
        if not isinstance(func, cst.Attribute):
            return None
        if func.attr.value == DISTRIBUTE and call.args and not call.args[0].star:
            return self._distributed(call, frame)
        if func.attr.value not in METHODS or self._names.qualified(func) is not None:
            return None
        return self._changed(call, func, frame)

    def _joined(self, call: cst.Call, name: str, frame: Frame) -> Link:
        parts = tuple(Chain.ending(self._ends(Traced(part, frame))) for part in self._operations.joins(call, name))
        state = joined(name, tuple(part.state for part in parts))
        return Link(name, call, (name,), self._operations.arguments(call, name), (), parts, state, frame)

    def _distributed(self, call: cst.Call, frame: Frame) -> Link:
        """`strategy.experimental_distribute_dataset(ds)`."""
        ends = self._ends(Traced(call.args[0].value, frame))
        return Link(DISTRIBUTE, call, (DISTRIBUTE,), {"dataset": call.args[0]}, ends, (), _state(ends), frame)

    def _changed(self, call: cst.Call, func: cst.Attribute, frame: Frame) -> Link:
        name = func.attr.value
        given = self._operations.arguments(call, name)
        ends = self._ends(Traced(func.value, frame))
        does: tuple[str, ...] = (name,)
        asked = given
        parts: tuple[Chain, ...] = ()
        if name == "apply":
            does, asked = self._operations.applied(given)
        state = self._operations.effect(_state(ends), does, asked)
        if name == "concatenate" and "dataset" in given:
            other = Chain.ending(self._ends(Traced(given["dataset"].value, frame)))
            parts, state = (other,), joined(name, (state, other.state))
        return Link(name, call, does, given, ends, parts, state, frame)


def _word(call: cst.Call) -> cst.CSTNode:
    """What a call is read by: the name behind the last dot."""
    return call.func.attr if isinstance(call.func, cst.Attribute) else call.func


def _state(ends: Ends) -> State:
    return merged([end.state if end is not None else UNKNOWN for end in ends])
