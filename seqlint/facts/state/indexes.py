"""Whether a batch hangs on the index that it is asked for, and what it is made of where it does not."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.logging_statements import LoggingStatements
from seqlint.facts.code.scopes import parameters
from seqlint.facts.code.slices import first_index
from seqlint.facts.state.known_calls import DRAWS, NUMBERS, RANDOM, is_plain
from seqlint.facts.state.modes import Mode, Modes

if TYPE_CHECKING:
    from seqlint.facts.batches.batches import Batches, Maker
    from seqlint.facts.classes.classes import ClassFacts
    from seqlint.facts.classes.template_methods import TemplateMethod
    from seqlint.facts.flow.call_graph import CallGraph
    from seqlint.facts.numbers.counts import Counts
    from seqlint.facts.state.advances import Advances
    from seqlint.facts.state.getitem_mutations import GetitemMutations

_FRAMES = frozenset({"iloc", "loc", "values"})
_STEPS = 4


@dataclass(frozen=True, eq=False)
class Ignored:
    """A `__getitem__` whose index plays no part, or what it leaves all of the batch to in another file.

    Attributes:
        owner: the Sequence.
        index: the parameter.
        drawn: its rows are drawn at random, so that batches at least differ.
        template_method: who calls it, where a base in another file does.
        mode: where the index plays a part in one mode of the instance and none in the other.
    """

    owner: ClassFacts
    function: cst.FunctionDef
    index: cst.Param
    drawn: bool
    template_method: TemplateMethod | None = None
    mode: Mode | None = None


class Indexes:
    """The indexes of one file."""

    def __init__(
        self,
        batches: Batches,
        calls: CallGraph,
        counts: Counts,
        advances: Advances,
        getitem_mutations: GetitemMutations,
    ) -> None:
        self._batches = batches
        self._calls = calls
        self._counts = counts
        self._advances = advances
        self._getitem_mutations = getitem_mutations
        self._tree = batches.flow.tree
        self._names = batches.flow.names
        self._logging = LoggingStatements(self._tree, self._names)
        self._values = batches.flow.values
        self._modes = Modes(batches.flow.values, calls)

    @cached_property
    def ignored(self) -> tuple[Ignored, ...]:
        """Each method once, in reading order; where something else stands for the index it is left out."""
        found: dict[cst.FunctionDef, Ignored] = {}
        for maker in self._batches.makers:
            known = self._judged(maker) if maker.function not in found else None
            if known is not None:
                found[maker.function] = known
        return self._tree.order.sorted(found.values(), lambda one: one.function)

    def _judged(self, maker: Maker) -> Ignored | None:
        if maker.owner is None:
            return None
        if maker.template_method is not None:
            return self._judged_piece(maker, maker.owner, maker.template_method)
        return self._judged_whole(maker, maker.owner) if maker.kind == "sequence" else None

    def _judged_whole(self, maker: Maker, owner: ClassFacts) -> Ignored | None:
        function = maker.function
        taken = parameters(function.params)
        if len(taken) != 2 or taken[1].star or function.decorators or function.asynchronous:
            return None
        if not owner.lineage_is_known or self._advances.of(owner) or self._getitem_mutations.of(owner):
            return None
        if self._is_used(function, taken[1].name.value, _STEPS):
            mode = self._modes.of(owner, function, taken[1].name.value) if self._means_parts(owner) else None
            return Ignored(owner, function, taken[1], False, None, mode) if mode is not None else None
        drawn = self._draws(owner)
        if drawn is None or not self._means_parts(owner):
            return None
        return Ignored(owner, function, taken[1], drawn)

    def _judged_piece(self, maker: Maker, owner: ClassFacts, template_method: TemplateMethod) -> Ignored | None:
        """What a base in another file hands the index to, and makes nothing else of it."""
        function, asked = maker.function, template_method.asked
        if not template_method.is_all or not template_method.varying or function.decorators:
            return None
        if any(self._is_used(function, given.name.value, _STEPS) for given in template_method.varying):
            return None
        if not asked.words.isdisjoint(DRAWS) or not asked.sets.isdisjoint(self._read(owner)):
            return None
        if self._advances.of(owner) or self._getitem_mutations.of(owner):
            return None
        drawn = self._draws(owner)
        parts = self._means_parts(owner) if owner.method("__len__") is not None else asked.counts_parts
        takes = any(self._takes_data(reached.node) for reached in owner.reachable("__getitem__"))
        return (
            Ignored(owner, function, template_method.varying[0], drawn, template_method)
            if drawn is not None and parts and takes
            else None
        )

    def _read(self, owner: ClassFacts) -> frozenset[str]:
        bodies = (reached.node.body for reached in owner.reachable("__getitem__"))
        return frozenset(node.attr.value for body in bodies for node in self._tree.inside(body, cst.Attribute))

    # -- the index --------------------------------------------------------------------------------------------------

    def _is_used(self, function: cst.FunctionDef, name: str, steps: int) -> bool:
        """Whether anything but a message hangs on a parameter; a helper that is given it is asked in turn."""
        for use in self._tree.inside(function.body, cst.Name):
            if use.value != name or self._tree.is_label(use):
                continue
            bindings = self._names.reaching(use)
            if bindings and all(binding.kind != "parameter" for binding in bindings):
                continue
            if self._is_target(use) or self._is_said(use):
                continue
            argument = self._tree.parents[use]
            call = self._tree.parents[argument] if isinstance(argument, cst.Arg) else None
            if not isinstance(call, cst.Call) or not steps or self._helper_uses(call, use, steps):
                return True
        return False

    def _helper_uses(self, call: cst.Call, use: cst.Name, steps: int) -> bool:
        helper = self._calls.called(call)
        if helper is None or helper.decorators:
            return True
        taken = [
            p.name.value for p in parameters(helper.params) if self._calls.passed(call, helper, p.name.value) is use
        ]
        return not taken or any(self._is_used(helper, name, steps - 1) for name in taken)

    def _is_target(self, use: cst.Name) -> bool:
        return isinstance(self._tree.parents[use], (cst.AssignTarget, cst.Del)) or self._tree.is_target(use)

    def _is_said(self, use: cst.Name) -> bool:
        """Whether it only goes into a message."""
        calls = (found for found in self._tree.ancestors(use) if isinstance(found, cst.Call))
        return any(self._logging.says(call) for call in calls)

    # -- what batches are made of -----------------------------------------------------------------------------------

    def _draws(self, owner: ClassFacts) -> bool | None:
        """Whether rows are drawn; None where code out of sight may give something new each time."""
        drawn = False
        rows = not self._takes_first(owner)
        for reached in owner.reachable("__getitem__"):
            for call in self._tree.inside(reached.node.body, cst.Call):
                name = self._names.qualified(call.func) or ""
                word = call.func.attr.value if isinstance(call.func, cst.Attribute) else ""
                if name.startswith(RANDOM) or (not name and word in DRAWS):
                    drawn = drawn or rows or (word or name.rpartition(".")[2]) not in NUMBERS
                elif not self._logging.says(call) and not is_plain(self._calls, call, name, word):
                    return None
        return drawn

    def _takes_first(self, owner: ClassFacts) -> bool:
        """Whether all that is taken of the data are slices such as `self.paths[: self.size]`: numbers that are drawn pick no row."""
        taken = [
            first_index(self._names, part)
            for reached in owner.reachable("__getitem__")
            for part in self._tree.inside(reached.node.body, cst.Subscript)
            if isinstance(part.value, cst.Attribute) and self._values.self_class(part.value.value) is not None
        ]
        return bool(taken) and all(isinstance(each, cst.Slice) and not self._is_moved(each) for each in taken)

    def _is_moved(self, bounds: cst.Slice) -> bool:
        """Whether a name that may change has a part in a slice."""
        names = (n for n in self._tree.inside(bounds, cst.Name) if not self._tree.is_label(n))
        return any(self._values.self_class(name) is None for name in names)

    def _means_parts(self, owner: ClassFacts) -> bool:
        """Whether there are several batches, each to be a part of the data: `__len__` divides, and rows are picked."""
        length = owner.method("__len__")
        if length is None:
            return False
        counted = self._counts.returned(length[1])
        divides = bool(counted) and all(count is not None for count in counted)
        return divides and any(self._takes_data(reached.node) for reached in owner.reachable("__getitem__"))

    def _takes_data(self, function: cst.FunctionDef) -> bool:
        """Whether a function hands out or cuts what the instance holds."""
        for node in self._tree.inside(function.body, cst.Attribute):
            following = self._tree.parents[node]
            taken = following if isinstance(following, cst.Attribute) and following.attr.value in _FRAMES else node
            parent = self._tree.parents[taken]
            whole = (
                isinstance(parent, (cst.Element, cst.Return, cst.Subscript)) and getattr(parent, "value", None) is taken
            )
            if whole and self._values.self_class(node.value) is not None:
                return True
        return False
