"""tf.data datasets as chains of calls: through names, attributes, functions of this file, and up to the model."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.chains import UNKNOWN, Chain, Link, State, joined, merged
from seqlint.facts.frames import Frame, Traced
from seqlint.facts.operations import Operations
from seqlint.facts.sure_datasets import sure_datasets
from seqlint.facts.tfdata import DISTRIBUTE, METHODS

if TYPE_CHECKING:
    from seqlint.facts.calls import Calls
    from seqlint.facts.classes import Classes
    from seqlint.facts.frames import Flow
    from seqlint.facts.training import Role, TrainerCall, Training

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

    def __init__(self, flow: Flow, calls: Calls, classes: Classes, training: Training) -> None:
        self._flow = flow
        self._tree = flow.tree
        self._names = flow.names
        self._values = flow.values
        self._calls = calls
        self._classes = classes
        self._training = training
        self._operations = Operations(flow.tree, flow.names, flow.values)
        self._links: dict[tuple[cst.Call, Frame, Output], Link | None] = {}
        self._frames: dict[cst.FunctionDef | None, Frame] = {}
        self._open: set[tuple[cst.CSTNode, Frame]] = set()

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

    @cached_property
    def discarded(self) -> tuple[Link, ...]:
        """The links whose dataset nobody takes: `ds.shuffle(8)` as a statement of its own."""
        return tuple(link for link in self.links if isinstance(self._tree.parents[link.node], cst.Expr))

    def named(self, *names: str) -> tuple[Link, ...]:
        """The links that do something: `named("shuffle")`, `named("take", "skip")`."""
        return tuple(link for link in self.links if not set(names).isdisjoint(link.does))

    def chain(self, node: cst.BaseExpression) -> Chain | None:
        """The dataset that an expression gives; None where nothing says that it is one."""
        ends = self._ends(Traced(node, self._frame(node)))
        return Chain.ending(ends) if any(self._is_sure(link) for link in ends) else None

    def link(self, call: cst.Call) -> Link | None:
        """The link that a call is, whoever calls the function that it stands in."""
        found = self._link(call, self._frame(call), None)
        return found if found is not None and self._is_sure(found) else None

    # -- what is surely a dataset -----------------------------------------------------------------------------------

    @cached_property
    def _possible(self) -> tuple[Link, ...]:
        found: list[Link] = []
        for call in self._tree.all(cst.Call):
            link = self._link(call, self._frame(call), None) if self._may_be_link(call) else None
            found += [link] if link is not None else []
        return tuple(found)

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

    def _frame(self, node: cst.CSTNode) -> Frame:
        """The run of the function in which a node stands, whoever calls it."""
        function = self._tree.function(node)
        if function not in self._frames:
            inside = self._tree.enclosing(function, cst.ClassDef, cst.FunctionDef) if function is not None else None
            owner = self._classes.of(inside) if isinstance(inside, cst.ClassDef) else None
            self._frames[function] = Frame(function, owner, owner)
        return self._frames[function]

    def _home(self, traced: Traced) -> Frame:
        """The frame in which an expression is computed: a name of the module that a function reads is the module's."""
        assert traced.node is not None
        function = self._tree.function(traced.node)
        return traced.frame.around(function) or self._frame(traced.node)

    def _ends(self, traced: Traced) -> Ends:
        """The links that an expression can be the dataset of; None among them for anything else."""
        found: list[Link | None] = []
        for leaf in self._flow.trace(traced):
            found += self._ends_of_leaf(leaf)
        return tuple(dict.fromkeys(found))

    def _ends_of_leaf(self, leaf: Traced) -> Ends:
        node = leaf.node
        if node is None:
            return (None,)
        if isinstance(node, cst.Call):
            return (self._link(node, self._home(leaf), None),)
        if isinstance(node, cst.Subscript):  # `splits["train"]`, `splits[0]`
            return self._of_several(node.value, node, leaf.frame)
        if (node, leaf.frame) in self._open or not isinstance(node, (cst.Name, cst.Attribute)):
            return (None,)
        self._open.add((node, leaf.frame))
        found = self._of_name(node, leaf) if isinstance(node, cst.Name) else self._of_attribute(node)
        self._open.discard((node, leaf.frame))
        return found

    def _of_name(self, name: cst.Name, leaf: Traced) -> Ends:
        """A parameter whose function is called from several places; a name that takes one of several datasets."""
        found: list[Link | None] = []
        for binding in self._names.reaching(name):
            if isinstance(binding.node, cst.Param) and leaf.frame.caller is None:
                found += self._of_parameter(binding.node)
            elif binding.kind == "unpack" and binding.value is not None and isinstance(binding.node, cst.Name):
                found += self._of_several(binding.value, binding.node, leaf.frame)
            elif binding.kind != "assign":  # those are followed already
                found.append(None)
        return tuple(found) or (None,)

    def _of_parameter(self, param: cst.Param) -> Ends:
        function = self._tree.enclosing(param, cst.FunctionDef, cst.Lambda)
        if not isinstance(function, cst.FunctionDef) or not (calls := self._calls.callers(function)):
            return (None,)
        given = [(call, self._calls.passed(call, function, param.name.value)) for call in calls]
        ends = (self._ends(Traced(v, self._frame(call))) if v is not None else (None,) for call, v in given)
        return tuple(end for each in ends for end in each)

    def _of_several(self, value: cst.BaseExpression, output: cst.Name | cst.Subscript, frame: Frame) -> Ends:
        """`train, val = keras.utils.split_dataset(...)`."""
        found: list[Link | None] = []
        for leaf in self._flow.trace(Traced(value, frame)):
            if isinstance(leaf.node, cst.Call) and self._operations.gives_several(leaf.node):
                found.append(self._link(leaf.node, self._home(leaf), output))
            elif not isinstance(leaf.node, (cst.Tuple, cst.List)):  # those are followed already
                found.append(None)
        return tuple(found)

    def _of_attribute(self, node: cst.Attribute) -> Ends:
        owner = self._values.self_class(node.value) or self._class_of(node.value)
        stored = self._values.attribute_values(owner, node.attr.value) if owner is not None else ()
        ends = (self._ends(Traced(value, self._frame(value))) if value is not None else (None,) for value in stored)
        return tuple(end for each in ends for end in each) or (None,)

    def _class_of(self, node: cst.BaseExpression) -> cst.ClassDef | None:
        found = self._training.class_of(node)
        return found.node if found is not None else None

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


def _state(ends: Ends) -> State:
    return merged([end.state if end is not None else UNKNOWN for end in ends])
