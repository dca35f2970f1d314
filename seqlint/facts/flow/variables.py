"""How a variable is used wherever it is in sight: what a rewrite that changes its kind must know."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

if TYPE_CHECKING:
    from seqlint.facts.flow.call_frames import Flow, Traced

_TAKES_TUPLES = ("numpy.", "keras.", "tensorflow.", "builtins.")
_READS = (cst.Return, cst.Yield, cst.Element, cst.For, cst.CompFor, cst.AssignTarget, cst.StarredElement)


class Variables:
    """The uses of variables."""

    def __init__(self, flow: Flow) -> None:
        self._tree = flow.tree
        self._names = flow.names

    def uses(self, step: Traced) -> tuple[cst.Name, ...]:
        """Every use of the variable that an expression is; none for any other expression."""
        bindings = self._names.reaching(step.node) if isinstance(step.node, cst.Name) else ()
        if not bindings or not isinstance(step.node, cst.Name):
            return ()
        around = bindings[0].scope.node
        inside = around if isinstance(around, (cst.FunctionDef, cst.Module)) else self._tree.module
        names = (name for name in self._tree.inside(inside, cst.Name) if name.value == step.node.value)
        return tuple(name for name in names if not self._tree.is_label(name))

    def calls(self, step: Traced) -> tuple[cst.Call, ...]:
        """The calls of methods of the variable, such as `inputs.append(image)`."""
        found = (self._method(use) for use in self.uses(step))
        return tuple(call for call in found if call is not None)

    def _method(self, use: cst.Name) -> cst.Call | None:
        parent = self._tree.parents[use]
        call = self._tree.parents[parent] if isinstance(parent, cst.Attribute) and parent.value is use else None
        return call if isinstance(call, cst.Call) and call.func is parent else None

    def is_read(self, step: Traced) -> bool:
        """Whether a tuple would do where the list is: no item is added or replaced, and no unknown code gets it."""
        return all(self._is_read(use) for use in self.uses(step))

    def _is_read(self, use: cst.Name) -> bool:
        parent = self._tree.parents[use]
        if isinstance(parent, cst.Subscript):
            holder = self._tree.parents[parent]
            stored = isinstance(holder, cst.AugAssign) and holder.target is parent
            return not stored and not isinstance(holder, (cst.AssignTarget, cst.Del))
        if isinstance(parent, cst.Arg):
            call = self._tree.parents[parent]
            name = self._names.qualified(call.func) if isinstance(call, cst.Call) else None
            return name is not None and name.startswith(_TAKES_TUPLES) and name != "builtins.isinstance"
        if isinstance(parent, (cst.Assign, cst.AnnAssign)):
            return parent.value is use
        return isinstance(parent, _READS)
