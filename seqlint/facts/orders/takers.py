"""The code that uses the None that a shuffle in place returns."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

if TYPE_CHECKING:
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.flow.call_graph import CallGraph
    from seqlint.facts.values.values import Values

_SAYS = ("builtins.print", "builtins.str", "builtins.repr")


class Takers:
    """The code that uses the result of a call that returns None."""

    def __init__(self, tree: Tree, names: Names, values: Values, calls: CallGraph) -> None:
        self._tree = tree
        self._names = names
        self._values = values
        self._calls = calls

    def of(self, call: cst.Call) -> cst.CSTNode | None:
        """What uses the result of a call and is used itself: an assignment, a `return`, a loop, another call."""
        parent = self._tree.parents[call]
        if isinstance(parent, (cst.Assign, cst.AnnAssign)):
            return parent if self._is_read(parent) else None
        if isinstance(parent, cst.Element):
            return self._of_element(parent)
        if isinstance(parent, cst.Return):
            return parent if self._is_wanted(parent) else None
        if isinstance(parent, (cst.For, cst.CompFor)):
            return parent if parent.iter is call else None
        if isinstance(parent, cst.Subscript):
            return parent if parent.value is call else None
        if isinstance(parent, cst.Arg):
            around = self._tree.parents[parent]
            says = isinstance(around, cst.Call) and self._names.qualified(around.func) in _SAYS
            return None if says or not isinstance(around, cst.Call) else around
        return None

    def _of_element(self, element: cst.Element) -> cst.CSTNode | None:
        """`x, y = np.random.shuffle(x), np.random.shuffle(y)`."""
        holder = self._tree.parents[element]
        assign = self._tree.parents[holder]
        if not isinstance(assign, cst.Assign) or not isinstance(holder, (cst.Tuple, cst.List)):
            return None
        target = assign.targets[0].target
        if not isinstance(target, (cst.Tuple, cst.List)) or len(target.elements) != len(holder.elements):
            return None
        mine = target.elements[list(holder.elements).index(element)].value
        return assign if self._is_target_read(mine, assign) else None

    def _is_read(self, assign: cst.Assign | cst.AnnAssign) -> bool:
        targets = [t.target for t in assign.targets] if isinstance(assign, cst.Assign) else [assign.target]
        return any(self._is_target_read(target, assign) for target in targets)

    def _is_target_read(self, target: cst.BaseExpression, assign: cst.CSTNode) -> bool:
        if isinstance(target, cst.Name):
            names = (node for node in self._tree.all(cst.Name) if node.value == target.value)
            reads = (node for node in names if not self._tree.is_label(node) and not self._tree.holds(assign, node))
            return any(binding.node is target for read in reads for binding in self._names.reaching(read))
        if isinstance(target, cst.Attribute):
            others = self._tree.attributes(target.attr.value)
            outside = (node for node in others if not self._tree.holds(assign, node))
            return any(self._values.stored(node) is None for node in outside)
        return False

    def _is_wanted(self, statement: cst.Return) -> bool:
        """Whether a caller of the function uses what it returns."""
        function = self._tree.function(statement)
        calls = self._calls.callers(function) if function is not None else ()
        return any(not isinstance(self._tree.parents[call], cst.Expr) for call in calls)
