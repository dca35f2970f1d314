"""Code that runs when a file is imported, and not only when it is started."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

if TYPE_CHECKING:
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.flow.call_graph import CallGraph

_DEEPEST = 4


class Main:
    """The entry of one file."""

    def __init__(self, tree: Tree, calls: CallGraph) -> None:
        self._tree = tree
        self._calls = calls

    def at_import(self, node: cst.CSTNode) -> cst.CSTNode | None:
        """The statement of the module that makes a node run when the file is imported: itself, or one that calls its function.

        None where `if __name__ == "__main__":` stands on each way to it, inside a function or outside, or nothing calls the function.
        """
        return self._at_import(node, _DEEPEST)

    def _at_import(self, node: cst.CSTNode, steps: int) -> cst.CSTNode | None:
        if self._is_guarded(node):
            return None
        function = self._tree.enclosing(node, cst.FunctionDef, cst.Lambda)
        if function is None:
            return self._top(node)
        calls = self._calls.callers(function) if steps and isinstance(function, cst.FunctionDef) else ()
        found = (self._at_import(call, steps - 1) for call in calls)
        return next((statement for statement in found if statement is not None), None)

    def _is_guarded(self, node: cst.CSTNode) -> bool:
        around = (outer for outer in self._tree.ancestors(node) if isinstance(outer, cst.If))
        return any("__name__" in self._tree.text(outer.test) for outer in around)

    def _top(self, node: cst.CSTNode) -> cst.CSTNode:
        above = (node, *self._tree.ancestors(node))
        return next(found for found in above if self._tree.parents.get(found) is self._tree.module)
