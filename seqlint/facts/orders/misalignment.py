"""Inputs and targets that belong together row by row, but are shuffled separately."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.scopes import dotted
from seqlint.facts.code.slices import span_of
from seqlint.facts.code.tree import is_keyword
from seqlint.facts.orders.along import Along
from seqlint.facts.orders.row_permutations import SELF, RowPermutations
from seqlint.facts.orders.together import Together, pairs_of, rows_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from seqlint.facts.classes.classes import Classes, ClassFacts
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.flow.call_graph import CallGraph
    from seqlint.facts.instances.attributes import Attributes
    from seqlint.facts.orders.row_permutations import RowPermutation, Variable
    from seqlint.facts.orders.shuffles import Shuffle, Shuffles
    from seqlint.facts.orders.together import Pair
    from seqlint.facts.training.training import TrainerCall, Training
    from seqlint.facts.values.values import Values


@dataclass(frozen=True, eq=False)
class Misaligned:
    """Two variables of which only one is shuffled, or each in its own order.

    Attributes:
        first: the shuffle.
        second: that of the other; None where the other keeps its order.
        other: the name of the other, as the code has it.
        fit: the call that takes both, where that is what makes them a pair.
        several: whether more than these two belong together.
    """

    first: RowPermutation
    second: RowPermutation | None
    other: str
    fit: TrainerCall | None
    several: bool = False


class Misalignments:
    """The shuffled pairs of one file."""

    def __init__(
        self, tree: Tree, names: Names, values: Values, classes: Classes, calls: CallGraph, attributes: Attributes,
        training: Training, shuffles: Shuffles,
    ) -> None:  # fmt: skip
        self._tree = tree
        self._names = names
        self._values = values
        self._classes = classes
        self._calls = calls
        self._attributes = attributes
        self._training = training
        self._shuffles = shuffles
        self._moved = RowPermutations(tree, names, values, shuffles, calls)
        self._together = Together(tree, names, classes, self._moved)
        self._along = Along(tree, names, values)

    @cached_property
    def all(self) -> tuple[Misaligned, ...]:
        """Each shuffle at most once, in reading order."""
        found: dict[cst.CSTNode, Misaligned] = {}
        for each in (*self._of_classes(), *self._of_functions()) if self._moved.all else ():
            at = each.second or each.first
            found.setdefault(at.statement, each)
        return self._tree.order.sorted(found.values(), lambda each: (each.second or each.first).statement)

    # -- Sequences --------------------------------------------------------------------------------------------------

    def _of_classes(self) -> Iterator[Misaligned]:
        for owner in self._classes.all:
            if owner.is_a("sequence") == "yes":
                pairs = self._sliced_alike(owner)
                for start in ("__init__", "on_epoch_end") if pairs else ():
                    functions = [reached.node for reached in owner.reachable(start)]
                    mixed = [m for m in self._moved.all if self._tree.function(m.node) in functions]
                    yield from self._separate(pairs, mixed, functions, None)
                    yield from self._alone_in(owner, pairs, mixed)

    def _sliced_alike(self, owner: ClassFacts) -> frozenset[Pair]:
        """The attributes that a batch slices in the same way, one of them named like a target."""
        by_slice: dict[tuple[object, str], set[Variable]] = {}
        for reached in owner.reachable("__getitem__"):
            for way, given in self._moved.taken_by_helpers(reached.node):
                if not owner.is_used_externally(given[1]):
                    by_slice.setdefault(way, set()).add(given)
            for node in self._tree.inside(reached.node.body, cst.Subscript):
                variable = self._moved.attribute(node.value)
                above = variable is not None and owner.is_used_externally(variable[1])
                if variable is not None and not above and self._tree.inside(node.slice[0], cst.Name):
                    by_slice.setdefault((reached.node, span_of(self._names, node)), set()).add(variable)
        return frozenset(pair for found in by_slice.values() for pair in pairs_of(found))

    def _alone_in(self, owner: ClassFacts, pairs: frozenset[Pair], mixed: list[RowPermutation]) -> Iterator[Misaligned]:
        for one in mixed:
            for other in _partners(pairs, one.variable):
                settled = not self._is_index(one.node) and not self._depends_on(one, other[1])
                stored = self._values.attribute_values(owner.node, other[1])
                along = self._along.are_alike(stored) or self._along.is_view_in_class(other[1], one)
                if settled and not along and self._keeps_order(owner, other[1], one):
                    yield Misaligned(one, None, f"self.{other[1]}", None)

    def _depends_on(self, mixed: RowPermutation, name: str) -> bool:
        """Whether a branch of the method depends on the other: `if self.y is None: np.random.shuffle(self.x)`."""
        function = self._tree.function(mixed.node)
        branches = self._tree.inside(function.body, cst.If) if function is not None else ()
        asked = (node for branch in branches for node in self._tree.inside(branch.test, cst.Attribute))
        return any(node.attr.value == name for node in asked)

    def _keeps_order(self, owner: ClassFacts, name: str, mixed: RowPermutation) -> bool:
        """Whether an attribute gets its rows once, in `__init__` before the shuffle, and nothing reorders them."""
        stores = 0
        for holder in owner.lineage:
            for method in (*holder.methods.values(), *self._values.self_parameters.functions_of(holder.node)):
                for touch in self._attributes.of(method):
                    if touch.name != name or touch.kind == "read":
                        continue
                    stores += 1
                    early = self._tree.function(mixed.node) is not method or self._before(touch.node, mixed.node)
                    if method.name.value != "__init__" or touch.kind != "assign" or not early:
                        return False
                    if self._goes_through(self._tree.statement(touch.node), mixed):
                        return False
        return stores == 1 and owner.lineage_is_known

    def _goes_through(self, statement: cst.CSTNode, mixed: RowPermutation) -> bool:
        """Whether a statement uses the order that a shuffle draws: `self.y = [y[row] for row in order]`."""
        nodes = (*self._tree.inside(statement, cst.Attribute), *self._tree.inside(statement, cst.Name))
        return any(
            not (isinstance(node, cst.Name) and self._tree.is_label(node))
            and self._values.only(node) is mixed.drawn.node
            for node in nodes
        )

    def _before(self, one: cst.CSTNode, other: cst.CSTNode) -> bool:
        return self._tree.order.precedes(one, other)

    def _is_index(self, node: cst.BaseExpression) -> bool:
        """Whether an attribute holds numbers of rows: those are for `x[self.rows]`."""
        made = [value for value in self._values.of(node) if isinstance(value, cst.Call)]
        known = ("numpy.arange", "builtins.range", "builtins.list", "builtins.len")
        return any(self._names.qualified(value.func) in known or self._shuffles.of(value) for value in made)

    # -- functions and scripts --------------------------------------------------------------------------------------

    def _of_functions(self) -> Iterator[Misaligned]:
        for scope in dict.fromkeys(mixed.variable[0] for mixed in self._moved.all if mixed.variable[0] is not SELF):
            mixed = [each for each in self._moved.all if each.variable[0] is scope]
            functions = [self._tree.function(mixed[0].node)] if mixed else []
            mixed = [each for each in mixed if self._tree.function(each.node) is functions[0]]
            fits = {pair: call for call in self._training.calls for pair in self._fitted(call) if pair[0][0] is scope}
            for pair, call in fits.items():
                yield from self._separate(frozenset({pair}), mixed, functions, call)
                yield from self._alone(pair, mixed, call)
            yield from self._separate(self._together.pairs(mixed), mixed, functions, None)

    def _fitted(self, call: TrainerCall) -> Iterator[Pair]:
        """`model.fit(x, y)`, and `validation_data=(x, y)`."""
        data, target = call.data, call.value("y")
        if data is not None and target is not None:
            yield from self._pair(data, target)
        checked = call.value("validation_data")
        if isinstance(checked, cst.Tuple) and len(checked.elements) > 1:
            yield from self._pair(checked.elements[0].value, checked.elements[1].value)

    def _pair(self, one: cst.BaseExpression, other: cst.BaseExpression) -> Iterator[Pair]:
        rows = [rows_of(self._tree, node) for node in (one, other)]
        first, second = (self._moved.variable(each.whole) for each in rows)
        if first is not None and second is not None and first != second and rows[0].index == rows[1].index:
            yield first, second

    def _alone(self, pair: Pair, mixed: list[RowPermutation], call: TrainerCall) -> Iterator[Misaligned]:
        """`np.random.shuffle(x)` and then `model.fit(x, y)`."""
        for one in mixed:
            other = pair[1] if one.variable == pair[0] else pair[0] if one.variable == pair[1] else None
            if other is None or any(each.variable == other for each in mixed):
                continue
            names = [n for n in self._tree.all(cst.Name) if n.value == other[1] and self._moved.variable(n) == other]
            settled = all(self._before(node, one.statement) for node in names if self._is_bound(node))
            moved = any(self._is_moved(node) for node in names) or self._goes_along(names, one, call)
            if settled and not moved and self._before(one.statement, call.node) and self._stays(one, call.node):
                yield Misaligned(one, None, other[1], call)

    def _goes_along(self, names: list[cst.Name], mixed: RowPermutation, call: TrainerCall) -> bool:
        """Whether other code reorders the rows of a partner with the shuffled ones, or they need no reordering."""
        if self._along.is_drawn_for_more(mixed):
            return True
        given = [name for name in names if self._tree.holds(call.node, name)]
        return any(self._along.has_like_rows(name) or self._along.is_view(name, mixed) for name in given)

    def _is_bound(self, node: cst.Name) -> bool:
        return any(binding.node is node for binding in self._names.bindings(node))

    def _is_moved(self, node: cst.Name) -> bool:
        """Whether a name is passed to something that may change the order of its rows."""
        parent = self._tree.parents[node]
        if isinstance(parent, cst.Attribute):
            return parent.value is node and parent.attr.value in ("sort", "reverse", "shuffle")
        call = self._tree.parents[parent] if isinstance(parent, cst.Arg) else None
        if not isinstance(call, cst.Call):
            return False
        return self._shuffles.of(call) is not None or self._names.definition(call.func) is not None

    # -- separate orders --------------------------------------------------------------------------------------------

    def _separate(
        self,
        pairs: frozenset[Pair],
        mixed: list[RowPermutation],
        functions: Iterable[cst.FunctionDef | None],
        call: TrainerCall | None,
    ) -> Iterator[Misaligned]:
        moved = {(each.statement, each.variable) for each in mixed}
        drawn = {each.variable: [m.drawn for m in mixed if m.variable == each.variable] for each in mixed}
        found = [
            (one, other)
            for one, other in combinations(mixed, 2)
            if _is_pair(pairs, one.variable, other.variable)
            and not _in_one(one, other, moved)
            and not _are_same(drawn[one.variable], drawn[other.variable])
            and self._differ(one, other, functions)
        ]
        separate = {each for pair in found for each in pair}
        belong = {name for each in separate for name in (each.variable, *_partners(pairs, each.variable))}
        several = len(separate) > 2 or len(belong) > 2
        for one, other in found:
            fits = call is None or (self._before(other.statement, call.node) and self._stays(other, call.node))
            if fits and self._stays(one, other.statement):
                yield Misaligned(one, other, self._tree.text(one.node), call, several)

    def _stays(self, mixed: RowPermutation, until: cst.CSTNode) -> bool:
        """Whether a name still holds the shuffled rows at a place."""
        if not isinstance(mixed.node, cst.Name):
            return True
        late = [b.node for b in self._names.bindings(mixed.node) if self._before(mixed.statement, b.node)]
        return not any(self._before(node, until) and not self._tree.holds(mixed.statement, node) for node in late)

    def _differ(self, one: RowPermutation, other: RowPermutation, functions: Iterable[cst.FunctionDef | None]) -> bool:
        """Whether two shuffles surely draw different orders: no permutation, seed or state in common."""
        if one.drawn is other.drawn or self._names.exclusive(one.statement, other.statement):
            return False
        nodes = (one.drawn.node, other.drawn.node)
        if any(self._is_seeded(node) for node in nodes):
            return False
        made = [
            self._values.of(each.drawn.generator) if each.drawn.generator is not None else () for each in (one, other)
        ]
        if made[0] != made[1] or any(
            self._tree.holds(each.statement, value) for each in (one, other) for value in made[0] if value
        ):
            return False
        here = self._tree.function(one.node)
        if here is not self._tree.function(other.node):
            return not any(self._resets_in(function) for function in functions if function is not None)
        between = (
            call for call in self._tree.all(cst.Call) if self._before(nodes[0], call) and self._before(call, nodes[1])
        )
        return not any(self._resets(call) for call in between if call not in nodes)

    def _is_seeded(self, node: cst.Call) -> bool:
        """Whether a call fixes the order that it draws: `shuffle(x, random_state=3)`, `keras.random.shuffle(x, 0, 3)`."""
        named = any(is_keyword(argument, word) for argument in node.args for word in ("random_state", "seed"))
        name = self._names.qualified(node.func) or ""
        return named or name.endswith("stateless_shuffle") or (name == "keras.random.shuffle" and len(node.args) > 2)

    def _resets(self, call: cst.Call) -> bool:
        if self._shuffles.resets(call) or "seed" in dotted(call.func).lower() or "state" in dotted(call.func).lower():
            return True
        function = self._calls.called(call)
        return function is not None and self._resets_in(function)

    def _resets_in(self, function: cst.FunctionDef) -> bool:
        return any(self._shuffles.resets(call) for call in self._tree.inside(function.body, cst.Call))


def _in_one(one: RowPermutation, other: RowPermutation, moved: set[tuple[cst.CSTNode, Variable]]) -> bool:
    """Whether one of two statements reorders both variables: `x, y = shuffle(x, y)`."""
    crossed = {(one.statement, other.variable), (other.statement, one.variable)}
    return one.statement is not other.statement and not moved.isdisjoint(crossed)


def _are_same(one: list[Shuffle], other: list[Shuffle]) -> bool:
    """Whether two variables are reordered by the same sequence of orders: `x[a]`, `y[a]`, `x[b]`, `y[b]`."""
    return len(one) == len(other) and all(mine is yours for mine, yours in zip(one, other, strict=True))


def _is_pair(pairs: frozenset[Pair], one: Variable, other: Variable) -> bool:
    return (one, other) in pairs or (other, one) in pairs


def _partners(pairs: frozenset[Pair], one: Variable) -> list[Variable]:
    return [other for pair in pairs if one in pair for other in pair if other != one]
