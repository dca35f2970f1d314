"""Variables that any call brings into another order."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.aliases import unaliased

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.flow.call_graph import CallGraph
    from seqlint.facts.orders.shuffles import Shuffle, Shuffles
    from seqlint.facts.values.values import Values


Variable = tuple[object, str]
"""Where a variable lives, its scope or `SELF`, and its name."""
SELF = "self"


@dataclass(frozen=True, eq=False)
class RowPermutation:
    """A variable that is brought into its own order.

    Attributes:
        node: what is shuffled, as it is written in the call.
        statement: the whole statement: the call, or the assignment of its result.
        drawn: what draws the order: the shuffle itself, or the one that makes the permutation; its node is the call of the
            helper, where a helper draws.
        by_helper: whether a function of the file gets the variable and shuffles it.
    """

    variable: Variable
    node: cst.BaseExpression
    statement: cst.CSTNode
    drawn: Shuffle
    by_helper: bool = False


class RowPermutations:
    """The shuffled variables of one file."""

    def __init__(self, tree: Tree, names: Names, values: Values, shuffles: Shuffles, calls: CallGraph) -> None:
        self._tree = tree
        self._names = names
        self._values = values
        self._shuffles = shuffles
        self._calls = calls

    @cached_property
    def all(self) -> tuple[RowPermutation, ...]:
        """In reading order."""
        found = (mixed for shuffle in self._shuffles.all for mixed in self._of_shuffle(shuffle))
        return self._tree.order.sorted(found, lambda mixed: mixed.statement)

    def _of_shuffle(self, shuffle: Shuffle) -> Iterator[RowPermutation]:
        if shuffle.way == "in place":
            for subject in (
                self._each(shuffle) if len(shuffle.node.args) == 1 else ()
            ):  # `random.shuffle(x, draw)`: unknown
                variable = self.variable(subject)
                if variable is not None:
                    yield RowPermutation(variable, subject, shuffle.node, replace(shuffle))
        elif len(shuffle.subjects) == 1:
            yield from self._taken_back(shuffle, shuffle.node, shuffle.subjects[0])
        elif shuffle.way == "numbers":
            yield from self._through(shuffle)
        elif shuffle.way == "copy":
            yield from self._taken_back_together(shuffle)
        yield from self._by_helper(shuffle)

    def _each(self, shuffle: Shuffle) -> tuple[cst.BaseExpression, ...]:
        """What is shuffled: one variable, or each of those in a loop, `for part in (x, y)`, in its own order."""
        subject = shuffle.subjects[0]
        bindings = self._names.reaching(subject) if isinstance(subject, cst.Name) else ()
        loop = self._tree.parents.get(bindings[0].node) if len(bindings) == 1 and bindings[0].kind == "for" else None
        if not isinstance(loop, (cst.For, cst.CompFor)) or not isinstance(loop.iter, (cst.Tuple, cst.List)):
            return (subject,)
        body = loop.body if isinstance(loop, cst.For) else self._tree.parents[loop]
        calls = self._tree.inside(body, cst.Call)
        # A seed or a generator that each iteration sets up anew draws the same order for all.
        anew = any(self._shuffles.resets(call) for call in calls) or self._is_made_in(body, shuffle.generator)
        return () if anew else tuple(element.value for element in loop.iter.elements)

    def _is_made_in(self, body: cst.CSTNode, generator: cst.BaseExpression | None) -> bool:
        values = self._values.of(generator) if generator is not None else ()
        return any(value is None or self._tree.holds(body, value) for value in values)

    def _taken_back(
        self, shuffle: Shuffle, value: cst.CSTNode, subject: cst.BaseExpression
    ) -> Iterator[RowPermutation]:
        """`x = np.random.permutation(x)`."""
        assign = self._tree.parents[value]
        variable = self.variable(subject)
        if not isinstance(assign, cst.Assign) or len(assign.targets) != 1 or variable is None:
            return
        if self.variable(assign.targets[0].target) == variable:
            yield RowPermutation(variable, subject, assign, shuffle)

    def _taken_back_together(self, shuffle: Shuffle) -> Iterator[RowPermutation]:
        """`x, y = shuffle(x, y)`: one order for several."""
        assign = self._tree.parents[shuffle.node]
        target = assign.targets[0].target if isinstance(assign, cst.Assign) and len(assign.targets) == 1 else None
        elements = target.elements if isinstance(target, (cst.Tuple, cst.List)) else ()
        taken = [self.variable(element.value) for element in elements]
        given = [self.variable(subject) for subject in shuffle.subjects]
        if taken == given:
            for variable, subject in zip(given, shuffle.subjects, strict=True):
                if variable is not None:
                    yield RowPermutation(variable, subject, assign, shuffle)

    def _through(self, shuffle: Shuffle) -> Iterator[RowPermutation]:
        """`x = x[order]` for a permutation."""
        for part in self._tree.all(cst.Subscript):
            index = part.slice[0].slice
            if len(part.slice) != 1 or not isinstance(index, cst.Index):
                continue
            if self._values.only(index.value) is shuffle.node:
                yield from self._taken_back(shuffle, part, part.value)

    # -- helpers ----------------------------------------------------------------------------------------------------

    def _by_helper(self, shuffle: Shuffle) -> Iterator[RowPermutation]:
        """`self._mix(self.x)`, and `self.x = self._mixed(self.x)`: a function that only shuffles its argument."""
        function = self._tree.function(shuffle.node)
        if function is None or len(shuffle.node.args) != 1 or self._resets_or_more(function):
            return  # `shuffle(x, random_state=3)`
        subject = shuffle.subjects[0] if shuffle.way == "in place" else self._given_back(function, shuffle)
        name = self._parameter(subject, function)
        for call in self._calls.callers(function) if name else ():
            given = self._calls.passed(call, function, name)
            variable = self.variable(given) if given is not None else None
            drawn = replace(shuffle, node=call)
            if given is None or variable is None:
                continue
            if shuffle.way == "in place":
                yield RowPermutation(variable, given, call, drawn, by_helper=True)
            else:
                yield from (replace(m, by_helper=True) for m in self._taken_back(drawn, call, given))

    def _resets_or_more(self, function: cst.FunctionDef) -> bool:
        calls = self._tree.inside(function.body, cst.Call)
        return len(self._shuffles.inside(function)) != 1 or any(self._shuffles.resets(call) for call in calls)

    def _given_back(self, function: cst.FunctionDef, shuffle: Shuffle) -> cst.BaseExpression | None:
        """The x of `return shuffle(x)` and `return x[order]`, where nothing else is returned."""
        given = [
            self._values.only(r.value) if r.value is not None else None for r in self._values.own(function, cst.Return)
        ]
        value = given[0] if len(given) == 1 else None
        if value is shuffle.node:
            return shuffle.subjects[0] if len(shuffle.subjects) == 1 else None
        index = value.slice[0].slice if isinstance(value, cst.Subscript) and len(value.slice) == 1 else None
        through = isinstance(index, cst.Index) and self._values.only(index.value) is shuffle.node
        return value.value if isinstance(value, cst.Subscript) and through else None

    def _parameter(self, node: cst.BaseExpression | None, function: cst.FunctionDef) -> str:
        """The name of the parameter that an expression surely still holds; empty for anything else."""
        if not isinstance(node, cst.Name) or self._values.self_class(node) is not None:
            return ""
        bindings = self._names.bindings(node)
        only = len(bindings) == 1 and bindings[0].kind == "parameter"
        return node.value if only and self._tree.function(bindings[0].node) is function else ""

    def taken_by_helpers(self, function: cst.FunctionDef) -> Iterator[tuple[tuple[object, str], Variable]]:
        """The attributes that a function passes to others, which take rows of them, each with what the two calls have in common."""
        for call in self._tree.inside(function.body, cst.Call):
            helper = self._calls.called(call)
            for argument in call.args if helper is not None else ():
                variable = self.attribute(argument.value)
                if helper is not None and variable is not None and self._takes_rows(call, helper, argument):
                    rest = [self._tree.text(each) for each in call.args if each is not argument]
                    yield (helper, ", ".join(rest)), variable

    def _takes_rows(self, call: cst.Call, helper: cst.FunctionDef, argument: cst.Arg) -> bool:
        for part in self._tree.inside(helper.body, cst.Subscript):
            name = self._parameter(part.value, helper)
            if name and self._calls.passed(call, helper, name) is argument.value:
                return bool(self._tree.inside(part.slice[0], cst.Name))
        return False

    def variable(self, node: cst.BaseExpression) -> Variable | None:
        """The variable that an expression names: a name in its scope, or an attribute of `self`."""
        own = self.attribute(node)
        if own is not None or not isinstance(node, cst.Name):
            return own
        home = self._names.scope(node).home(node.value)
        return (home, node.value) if home is not None else None

    def attribute(self, node: cst.BaseExpression) -> Variable | None:
        """The same for an attribute of `self` only, also under a local alias."""
        node = unaliased(self._names, node)
        owner = self._values.self_class(node.value) if isinstance(node, cst.Attribute) else None
        return (SELF, node.attr.value) if owner is not None and isinstance(node, cst.Attribute) else None
