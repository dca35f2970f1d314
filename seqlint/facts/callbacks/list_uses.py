"""Places that treat a value of `logs` as a list: loops, comprehensions, indices, `len`, `sum`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import libcst as cst

from seqlint.facts.code.tree import last_word

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.callbacks.logs import LogRead, Logs
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.flow.call_graph import CallGraph

Needs = Literal["iteration", "index", "length"]

_ITERATES = frozenset({
    "builtins.all", "builtins.any", "builtins.enumerate", "builtins.iter", "builtins.list", "builtins.map",
    "builtins.set", "builtins.sorted", "builtins.sum", "builtins.tuple", "builtins.zip", "statistics.fmean",
    "statistics.mean", "statistics.median",
})  # fmt: skip
_EXTREMES = frozenset({"builtins.max", "builtins.min"})  # with one argument
_LISTS = frozenset({
    "builtins.list", "builtins.sorted", "builtins.tuple", "keras.ops.array", "keras.ops.convert_to_tensor",
    "keras.ops.stack", "numpy.array", "numpy.asarray", "numpy.stack", "tensorflow.constant",
    "tensorflow.convert_to_tensor", "tensorflow.stack",
})  # fmt: skip
_MEANS = frozenset({
    "keras.backend.mean", "keras.ops.mean", "numpy.average", "numpy.mean", "numpy.median", "numpy.nanmean",
    "statistics.fmean", "statistics.mean", "statistics.median", "tensorflow.math.reduce_mean",
    "tensorflow.reduce_mean",
})  # fmt: skip
_LOOKS = frozenset({"callable", "hasattr", "isinstance", "isscalar", "iterable", "ndim", "shape", "type"})
_TO_FLOAT = ("item", "numpy")


@dataclass(frozen=True, eq=False)
class ListUse:
    """One place that needs a list where `logs` has a number.

    Attributes:
        node: the loop, comprehension, index or call.
        needs: what a float can't do there.
        read: where the value comes from.
        source: the expression that is used as a list.
        whole: the largest expression around it that would be the value itself: `mean([v for v in logs["loss"]])`; None
            where there is none.
        separate: the separate statement that only makes the list for `whole`: `values = list(...)`.
    """

    node: cst.CSTNode
    needs: Needs
    read: LogRead
    source: cst.BaseExpression
    whole: cst.BaseExpression | None
    separate: cst.Assign | None = None


class ListUses:
    """The values of `logs` that a file uses as lists."""

    def __init__(self, tree: Tree, names: Names, calls: CallGraph, logs: Logs) -> None:
        self._tree = tree
        self._names = names
        self._calls = calls
        self._logs = logs

    @cached_property
    def all(self) -> tuple[ListUse, ...]:
        """In reading order, one for each read, without code that first checks what the value is."""
        if not self._logs.reads:
            return ()
        uses = [
            use for use in self._uses() if not self._looks_first(use.node) and not self._is_called_by_hand(use.node)
        ]
        taken: dict[cst.CSTNode, ListUse] = {}
        for use in self._tree.order.sorted(uses, lambda use: use.whole or use.node):
            taken.setdefault(use.read.node, use)
        found = tuple(taken.values())
        return tuple(use for use in found if not any(self._covers(other, use) for other in found))

    def _covers(self, other: ListUse, use: ListUse) -> bool:
        """Whether one use is a part of another: the `len` in `sum(values) / len(values)`."""
        if other is use or other.whole is None or not self._tree.holds(other.whole, use.node):
            return False
        return use.whole is not other.whole or self._tree.order.precedes(other.node, use.node)

    def _uses(self) -> Iterator[ListUse]:
        for loop in self._tree.all(cst.For):
            yield from self._use(loop, loop.iter, "iteration")
        for part in self._tree.all(cst.CompFor):
            yield from self._use(part, part.iter, "iteration")
        for index in self._tree.all(cst.Subscript):
            yield from self._use(index, index.value, "index")
        for element in self._tree.all(cst.StarredElement):
            yield from self._use(element, element.value, "iteration")
        for argument in self._tree.all(cst.Arg):
            if argument.star == "*":
                yield from self._use(argument, argument.value, "iteration")
        for assign in self._tree.all(cst.Assign):
            if any(isinstance(target.target, (cst.Tuple, cst.List)) for target in assign.targets):
                yield from self._use(assign, assign.value, "iteration")
        for call in self._tree.all(cst.Call):
            yield from self._by_call(call)

    def _by_call(self, call: cst.Call) -> Iterator[ListUse]:
        if not call.args or any(argument.star for argument in call.args):
            return
        name = self._names.qualified(call.func)
        plain = [argument.value for argument in call.args if argument.keyword is None]
        if name == "builtins.len" and plain:
            yield from self._use(call, plain[0], "length")
        elif isinstance(call.func, cst.Attribute) and call.func.attr.value == "extend" and len(plain) == 1:
            yield from self._use(call, plain[0], "iteration")
        elif name in _ITERATES or (name in _EXTREMES and len(plain) == 1):
            for value in plain:
                yield from self._use(call, value, "iteration")

    def _use(self, node: cst.CSTNode, source: cst.BaseExpression, needs: Needs) -> Iterator[ListUse]:
        read = self._logs.read(source)
        if read is not None:
            whole = self._whole(node)
            separate = self._made_separately(node, source) if whole is None else None
            yield ListUse(node, needs, read, source, *(separate or (whole,)))
        elif (handed := self._logs.handed(source)) is not None and not self._looks_first(handed.node):
            yield ListUse(node, needs, handed, source, None)

    # -- code that checks first -------------------------------------------------------------------------------------

    def _looks_first(self, node: cst.CSTNode) -> bool:
        """Whether the function checks the type of the value, or catches the error."""
        for outer in self._tree.ancestors(node):
            if isinstance(outer, cst.Try) and self._tree.holds(outer.body, node) and outer.handlers:
                return True
            if isinstance(outer, (cst.FunctionDef, cst.Lambda)):
                return any(last_word(call.func) in _LOOKS for call in self._tree.inside(outer.body, cst.Call))
        return False

    def _is_called_by_hand(self, node: cst.CSTNode) -> bool:
        """Whether this file calls the hook itself: then it decides what `logs` is."""
        function = self._tree.function(node)
        params = self._logs.parameters
        while function is not None:
            calls = self._calls.callers(function)
            if calls and any(self._tree.function(param) is function for param in params):
                return True
            function = self._tree.function(function)
        return False

    # -- the value itself -------------------------------------------------------------------------------------------

    def _whole(self, node: cst.CSTNode) -> cst.BaseExpression | None:
        if isinstance(node, cst.Subscript):
            index = node.slice[0].slice
            return self._climbed(node) if isinstance(index, cst.Index) and len(node.slice) == 1 else None
        if isinstance(node, cst.CompFor):
            made = self._comprehension(node)
            return self._reduced(made) if made is not None else None
        if not isinstance(node, cst.Call) or len(node.args) != 1:
            return None
        name = self._names.qualified(node.func)
        if name in _EXTREMES or name in _MEANS:
            return self._climbed(node)
        if name == "builtins.sum":
            return self._divided(node)
        return self._reduced(node) if name in _LISTS else None

    def _made_separately(
        self, node: cst.CSTNode, source: cst.BaseExpression
    ) -> tuple[cst.BaseExpression | None, cst.Assign] | None:
        """`values = [v for v in logs["loss"]]`, where only one mean reads it, a few lines below."""
        made = self._comprehension(node) if isinstance(node, cst.CompFor) else node
        assign = self._tree.parents.get(made) if isinstance(made, (cst.ListComp, cst.Call)) else None
        is_list = isinstance(made, cst.ListComp) or (
            isinstance(made, cst.Call) and self._names.qualified(made.func) in _LISTS
        )
        if not is_list or not isinstance(assign, cst.Assign) or len(assign.targets) != 1:
            return None
        name = assign.targets[0].target
        function = self._tree.function(assign)
        if not isinstance(name, cst.Name) or function is None:
            return None
        same = [one for one in self._tree.inside(function, cst.Name) if one.value == name.value and one is not name]
        uses = [one for one in same if not self._tree.is_label(one)]
        wholes = {self._reduced(one, same=name.value) for one in uses[:1]}
        whole = wholes.pop() if wholes else None
        if whole is None or not all(self._tree.holds(whole, one) for one in uses):
            return None
        read = [one for one in self._tree.inside(source, cst.Name) if not self._tree.is_label(one)]
        kept = all(set(self._names.reaching(one)) == set(self._names.reaching(one, whole)) for one in read)
        return (whole, assign) if kept and self._tree.block(assign) is self._tree.block(uses[0]) else None

    def _comprehension(self, loop: cst.CompFor) -> cst.BaseExpression | None:
        """The comprehension that yields the items unchanged, or as floats."""
        made = self._tree.parents[loop]
        if not isinstance(made, (cst.ListComp, cst.GeneratorExp)) or loop.ifs or loop.inner_for_in is not None:
            return None
        item = made.elt
        if isinstance(item, cst.Call) and self._names.qualified(item.func) == "builtins.float" and len(item.args) == 1:
            item = item.args[0].value
        same = isinstance(item, cst.Name) and isinstance(loop.target, cst.Name) and item.value == loop.target.value
        return made if same else None

    def _reduced(self, made: cst.BaseExpression, same: str = "") -> cst.BaseExpression | None:
        """The expression that reduces a list of one to a number.

        Args:
            same: the variable that holds the list, where there is one.
        """
        argument = self._tree.parents[made]
        call = self._tree.parents[argument]
        if isinstance(argument, cst.Subscript) and argument.value is made:
            return self._climbed(argument) if isinstance(argument.slice[0].slice, cst.Index) else None
        if isinstance(argument, cst.Attribute) and argument.attr.value == "mean" and isinstance(call, cst.Call):
            return self._climbed(call) if not call.args else None
        if not isinstance(argument, cst.Arg) or not isinstance(call, cst.Call) or len(call.args) != 1:
            return None
        name = self._names.qualified(call.func)
        if name in _MEANS or name in _EXTREMES:
            return self._climbed(call)
        if name == "builtins.sum":
            return self._divided(call, same)
        return self._reduced(call, same) if name in _LISTS else None

    def _divided(self, total: cst.Call, same: str = "") -> cst.BaseExpression | None:
        """`sum(values) / len(values)`."""
        division = self._tree.parents[total]
        if not isinstance(division, cst.BinaryOperation) or not isinstance(division.operator, cst.Divide):
            return None
        right = division.right
        if division.left is not total or not isinstance(right, cst.Call) or len(right.args) != 1:
            return None
        counted = right.args[0].value
        is_it = isinstance(counted, cst.Name) and counted.value == same
        known = self._names.qualified(right.func) == "builtins.len" and (is_it or self._logs.read(counted) is not None)
        return division if known else None

    def _climbed(self, node: cst.BaseExpression) -> cst.BaseExpression:
        """The expression together with what only turns a tensor into a float: a mean of one number, `.numpy()`, `.item()`."""
        parent = self._tree.parents[node]
        call = self._tree.parents.get(parent)
        if isinstance(parent, cst.Attribute) and parent.attr.value in _TO_FLOAT and isinstance(call, cst.Call):
            return self._climbed(call)
        if isinstance(parent, cst.Arg) and isinstance(call, cst.Call) and len(call.args) == 1:
            return self._climbed(call) if self._names.qualified(call.func) in _MEANS else node
        return node
