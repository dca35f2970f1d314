"""Local names on the way to a batch that are read where they can't have a value yet."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.batches.batches import Batches, Maker
    from seqlint.facts.code.scopes import Binding

_LEAVES = (cst.Return, cst.Raise, cst.Continue, cst.Break)
_CAUGHT = frozenset({"Exception", "BaseException", "NameError", "UnboundLocalError"})


@dataclass(frozen=True, eq=False)
class Unbound:
    """The first read of a name that has no value there, on any path."""

    maker: Maker
    node: cst.Name
    function: cst.FunctionDef


class UnboundNames:
    """Those of one file."""

    def __init__(self, batches: Batches) -> None:
        self._batches = batches
        self._tree = batches.flow.tree
        self._names = batches.flow.names

    @cached_property
    def all(self) -> tuple[Unbound, ...]:
        """The first place of each name of a function, in reading order."""
        found: dict[tuple[cst.FunctionDef, str], Unbound] = {}
        for maker in self._batches.makers:
            for function in dict.fromkeys(frame.function for frame in self._batches.frames(maker)):
                for name in self._reads(function) if function is not None else ():
                    assert function is not None
                    if (function, name.value) not in found and self._is_unbound(name, function):
                        found[function, name.value] = Unbound(maker, name, function)
        return self._tree.order.sorted(found.values(), lambda unbound: unbound.node)

    def _reads(self, function: cst.FunctionDef) -> Iterator[cst.Name]:
        """The names that the code of a function itself reads, `x` in `x += 1` among them."""
        scope = self._names.inner_scope(function)
        binding = {each.node for found in scope.bindings.values() for each in found}
        for name in self._tree.inside(function.body, cst.Name):
            bound = scope.bindings.get(name.value)
            if not bound or self._tree.is_label(name) or self._is_declared(name):
                continue
            if self._names.scope(name).home(name.value) is not scope:
                continue
            updates = isinstance(self._tree.parents[name], cst.AugAssign)
            if self._names.same_frame(name, scope) and (updates or name not in binding):
                yield name

    def _is_declared(self, name: cst.Name) -> bool:
        """The `rows` of `rows: list`, which is not read."""
        parent = self._tree.parents[name]
        return isinstance(parent, cst.AnnAssign) and parent.target is name

    def _is_unbound(self, name: cst.Name, function: cst.FunctionDef) -> bool:
        bindings = self._names.inner_scope(function).bindings[name.value]
        if any(self._may_come_before(binding, name) for binding in bindings):
            return False
        return self._is_read(name) and not self._is_looked_after(name, function) and self._is_reached(name, function)

    def _may_come_before(self, binding: Binding, name: cst.Name) -> bool:
        """Whether a binding can have been made when a name is read; only `if` and `else` outside of loops exclude each other."""
        if binding.kind in ("parameter", "delete"):
            return True
        if self._shares_loop(binding.node, name):
            return True
        if self._tree.order.precedes(binding.node, name) and not self._takes(binding, name):
            return not self._names.exclusive(binding.node, name)
        return False

    def _takes(self, binding: Binding, name: cst.Name) -> bool:
        """Whether the value of the binding reads the name: `x` in `x = x + 1` is read first."""
        holder = self._tree.enclosing(binding.node, cst.Assign, cst.AnnAssign, cst.AugAssign, cst.NamedExpr, cst.For)
        if isinstance(holder, cst.For):
            return self._tree.holds(holder.iter, name)
        if isinstance(holder, cst.AugAssign):
            return self._tree.holds(holder, name)
        value = holder.value if isinstance(holder, (cst.Assign, cst.AnnAssign, cst.NamedExpr)) else None
        return value is not None and self._tree.holds(value, name)

    def _shares_loop(self, one: cst.CSTNode, other: cst.CSTNode) -> bool:
        """Whether a loop around both can run the first before the second."""
        for found in self._tree.ancestors(one):
            if isinstance(found, cst.FunctionDef):
                return False
            if isinstance(found, cst.While) and self._tree.holds(found, other):
                return True
            # What a `for` iterates over is evaluated once, before its first iteration.
            if (
                isinstance(found, cst.For)
                and self._tree.holds(found, other)
                and not self._tree.holds(found.iter, other)
            ):
                return True
        return False

    # -- doubts -----------------------------------------------------------------------------------------------------

    def _is_read(self, name: cst.Name) -> bool:
        """False for the name of `del x`, of `global x`, or one in a pattern."""
        holders = (cst.Del, cst.Global, cst.Nonlocal, cst.MatchCase, cst.Annotation, cst.ImportAlias)
        statement = self._tree.statement(name)
        inside = (found for found in self._tree.ancestors(name) if self._tree.holds(statement, found))
        return not any(isinstance(found, holders) for found in inside)

    def _is_looked_after(self, name: cst.Name, function: cst.FunctionDef) -> bool:
        """Whether a `try` of the function catches what the read raises."""
        for found in self._tree.ancestors(name):
            if found is function:
                return False
            if isinstance(found, (cst.Try, cst.TryStar)) and found.handlers and self._tree.holds(found.body, name):
                caught = (node.value for h in found.handlers if h.type for node in self._tree.inside(h.type, cst.Name))
                if any(h.type is None for h in found.handlers) or _CAUGHT & set(caught):
                    return True
        return False

    def _is_reached(self, name: cst.Name, function: cst.FunctionDef) -> bool:
        """False after a `raise` or `return` of the same block."""
        here: cst.CSTNode = name
        for found in self._tree.ancestors(name):
            if isinstance(found, cst.IndentedBlock):
                before = list(found.body)[: list(found.body).index(here)]  # type: ignore[arg-type]
                if any(isinstance(s, cst.SimpleStatementLine) and isinstance(s.body[-1], _LEAVES) for s in before):
                    return False
            if found is function:
                return True
            here = found
        return False
