"""Sequences whose bases stand in other files: what is set when, over the border between the files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.tree import is_super
from seqlint.facts.project.bases import Bases, bases_of

if TYPE_CHECKING:
    from seqlint.facts.classes.classes import ClassFacts
    from seqlint.facts.code.names import Names
    from seqlint.facts.instances.called import Called
    from seqlint.facts.instances.setups import Setups
    from seqlint.facts.project import Project
    from seqlint.facts.values.values import Values

_HOOK = "on_epoch_end"


class ExternalBases:
    """The classes of one file that are made from those of others."""

    def __init__(self, names: Names, values: Values, setups: Setups, called: Called, project: Project | None) -> None:
        self._names = names
        self._tree = names.tree
        self._values = values
        self._setups = setups
        self._called = called
        self._project = project
        self._known: dict[str, Bases | None] = {}

    def of(self, owner: ClassFacts) -> Bases | None:
        """The bases in other files; None where there are none, several side by side, or where not all is in sight."""
        bases = self._above(owner)
        return bases if bases is not None and self._setups.names_all(owner) else None

    def _above(self, owner: ClassFacts) -> Bases | None:
        if self._project is None or any(len(holder.bases) != 1 for holder in owner.lineage):
            return None
        name = self._names.qualified(owner.lineage[-1].bases[0])
        if name is None or name.startswith("keras."):
            return None
        if name not in self._known:
            self._known[name] = bases_of(self._project, name)
        return self._known[name]

    def set_late(self, owner: ClassFacts) -> tuple[str, ...]:
        """What a batch surely reads and nothing sets but `on_epoch_end`, which Keras alone calls."""
        bases = self._above(owner) if owner.method("__getitem__") is not None else None
        reached = owner.reachable(_HOOK)
        inside = {found.node for found in reached}
        if bases is None or not (bases.sets_in(_HOOK) or any(map(self._sets, inside))):
            return ()
        helpers = {found.node.name.value for found in reached}
        if self.of(owner) is None or any(bases.speaks_of(name) for name in {_HOOK, *helpers}):
            return ()
        if not self._called.is_by_keras_alone(owner, _HOOK, reached):
            return ()
        known, found = set(self._setups.of_class(owner)), []
        for event in self._setups.run(owner, "__getitem__"):
            name = event.touch.name
            if (
                event.needs
                and event.sure
                and name not in known
                and self._is_set_by_hook_alone(owner, bases, name, inside)
            ):
                found.append(name)
            known |= {name} if event.sets or name in found else set()
        return tuple(found)

    def _sets(self, function: cst.FunctionDef) -> bool:
        """Whether a function gives an attribute a value."""
        return any(self._values.stored(node) is not None for node in self._tree.inside(function, cst.Attribute))

    def _is_set_by_hook_alone(self, owner: ClassFacts, bases: Bases, name: str, inside: set[cst.FunctionDef]) -> bool:
        there, here = bases.setting(name), self._stores(owner, name)
        if there - {_HOOK} or not (there or here) or not {self._tree.function(node) for node in here} <= inside:
            return False
        hook = owner.method(_HOOK)
        if not there or here or hook is None:
            return True
        # The hook of this file stands before that of the base.
        return any(is_super(node.value) for node in self._tree.inside(hook[1].body, cst.Attribute))

    def _stores(self, owner: ClassFacts, name: str) -> list[cst.Attribute]:
        stores = self._tree.attributes(name)
        return [n for n in stores if self._values.stored(n) is not None and not self._called.is_of_other(owner, n)]

    def called_early(self, owner: ClassFacts) -> tuple[cst.Call, tuple[str, ...]] | None:
        """The call of the base's `__init__` that runs the hook of this file, and what the hook surely reads and is set behind it."""
        init, bases = owner.methods.get("__init__"), self._above(owner)
        up = next(filter(self._leads_up, init.body.body), None) if init is not None and bases is not None else None
        if init is None or bases is None or up is None or not bases.init_runs(_HOOK) or self.of(owner) is None:
            return None
        call = self._tree.inside(up, cst.Call)[0]
        known, found = set(self._setups.of_class(owner)), []
        for event in self._setups.run(owner, _HOOK):
            name = event.touch.name
            if event.needs and event.sure and name not in known and not bases.setting(name):
                stores = self._stores(owner, name)
                functions = {self._tree.function(node) for node in stores}
                late = all(self._tree.order.precedes(up, node) for node in stores)
                found += [name] if functions == {init} and late else []
            known |= {name} if event.sets or name in found else set()
        return (call, tuple(found)) if found else None

    def _leads_up(self, line: cst.CSTNode) -> bool:
        """`super().__init__(...)`, as a line of its own."""
        small = line.body[0] if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1 else None
        call = small.value if isinstance(small, cst.Expr) else None
        func = call.func if isinstance(call, cst.Call) else None
        return isinstance(func, cst.Attribute) and func.attr.value == "__init__" and is_super(func.value)
