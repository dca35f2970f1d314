"""What a name means: the imports, definitions and assignments that can give it its value at one place.

An *origin* is the absolute dotted name of something imported, "builtins.NAME", or "@N" for a class or function of this file.
None stands for everything that can't be known. Decisions need all possible origins to agree.
"""

from __future__ import annotations

import builtins
from bisect import bisect_left
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.knowledge.canonical_names import STAR_EXPORTS, canonical

if TYPE_CHECKING:
    from seqlint.facts.code.scopes import Binding, Scope, Scopes
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.project import Project

Origin = str | None
Definition = cst.ClassDef | cst.FunctionDef
_BIND_UNSEEN = frozenset({"exec", "execfile", "get_ipython", "globals", "builtins"})
_BUILTINS = frozenset(dir(builtins))
MAX_STEPS = 100
_NAMING = frozenset({cst.Name, cst.IfExp, cst.NamedExpr})  # what a class or function of this file can be named by
_LEAVES = (cst.Return, cst.Raise, cst.Continue, cst.Break)


class Names:
    """Name resolution for one file."""

    def __init__(self, tree: Tree, scopes: Scopes, project: Project | None = None) -> None:
        self.tree = tree
        self.scopes = scopes
        self.project = project
        self._origins: dict[cst.CSTNode, frozenset[Origin]] = {}
        self._open: set[cst.CSTNode] = set()
        self._scopes: dict[cst.CSTNode, Scope] = {}
        self._ordered: dict[Binding, tuple[list[int], tuple[Binding, ...]]] = {}
        self._definitions: dict[str, Definition] = {}
        self._reached: dict[tuple[str, cst.CSTNode], tuple[Binding, ...]] = {}
        self._defined: dict[cst.CSTNode, tuple[Definition, ...] | None] = {}
        self._qualified: dict[cst.CSTNode, str | None] = {}
        self._canonical: dict[str, str] = {}

    def scope(self, node: cst.CSTNode) -> Scope:
        """The scope in which the names of a node are looked up."""
        if node not in self._scopes:
            self._scopes[node] = self.scopes.at(node)
        return self._scopes[node]

    def inner_scope(self, node: cst.FunctionDef | cst.ClassDef | cst.Lambda | cst.Module) -> Scope:
        """The scope that a definition opens."""
        return self.scopes.module if isinstance(node, cst.Module) else self.scopes.opened_by(node.body)

    # -- bindings ---------------------------------------------------------------------------------------------------

    def bindings(self, name: cst.Name, at: cst.CSTNode | None = None) -> tuple[Binding, ...]:
        """Every binding of the scope that owns the name where it stands, or at another place, in reading order."""
        home = self.scope(at or name).home(name.value)
        return tuple(home.bindings[name.value]) if home is not None else ()

    def reaching(self, name: cst.Name, at: cst.CSTNode | None = None) -> tuple[Binding, ...]:
        """The bindings whose value the name can have where it stands, or would have at another place.

        Straight-line code gives one; branches and loops give several. A name that is read in an inner function can have any of
        the values that the outer scope ever gives it.
        """
        place = at or name
        if (name.value, place) not in self._reached:
            found = self.bindings(name, at)
            open_ = len(found) > 1 and self.same_frame(place, found[0].scope)
            self._reached[name.value, place] = (self._reaching(place, found) or found) if open_ else found
        return self._reached[name.value, place]

    def same_frame(self, node: cst.CSTNode, home: Scope) -> bool:
        """Whether a node runs in the frame of a scope: in it, or in a comprehension in it."""
        here: Scope | None = self.scope(node)
        while here is not None and here is not home and here.kind == "comprehension":
            here = here.parent
        return here is home

    def _reaching(self, name: cst.CSTNode, bindings: tuple[Binding, ...]) -> tuple[Binding, ...]:
        use = self.tree.places[name]
        taken: list[Binding] = []
        killer: Binding | None = None
        orders, ordered = self._in_order(bindings)
        for binding in reversed(ordered[: bisect_left(orders, use)]):
            if self._is_for(binding, name) or self.exclusive(binding.node, name):
                continue
            taken.append(binding)
            if self._dominates(binding, name) or self._covered(taken, name):
                killer = binding
                break
        return (*taken, *self._carried(name, bindings, killer))

    def _in_order(self, bindings: tuple[Binding, ...]) -> tuple[list[int], tuple[Binding, ...]]:
        """The bindings of a name in reading order, and the numbers of their nodes; sorted once for all its mentions."""
        first = bindings[0]
        if first not in self._ordered:
            ordered = self.tree.order.sorted(bindings, lambda found: found.node)
            self._ordered[first] = [self.tree.places[found.node] for found in ordered], ordered
        return self._ordered[first]

    def _is_for(self, binding: Binding, name: cst.CSTNode) -> bool:
        """Whether the name is read for the value of the binding: `x` in `x -= mean(x)` and in `for x in x`."""
        return binding.value is not None and self.tree.holds(binding.value, name)

    def _dominates(self, binding: Binding, name: cst.CSTNode) -> bool:
        if binding.kind == "parameter":
            return True
        if binding.kind in ("for", "except"):
            owner = self.tree.enclosing(binding.node, cst.For, cst.ExceptHandler, cst.CompFor)
            return owner is not None and self.tree.holds(owner, name)
        return self.tree.holds(self.tree.block(binding.node), name)

    def exclusive(self, one: cst.CSTNode, other: cst.CSTNode) -> bool:
        """Whether the two stand in different branches of one `if`."""
        for found in self.tree.ancestors(one):
            if isinstance(found, cst.If) and found.orelse is not None and self.tree.holds(found, other):
                if self.tree.holds(found.test, one):  # `if (hit := find()) is None`: the test runs before either
                    continue
                in_body = self.tree.holds(found.body, one)
                if self.tree.holds(found.orelse if in_body else found.body, other):
                    return True
        return False

    def _covered(self, taken: list[Binding], name: cst.CSTNode) -> bool:
        """Whether the bindings taken so far fill every branch of an `if` or `try` above the name."""
        for found in self.tree.ancestors(taken[-1].node):
            if not isinstance(found, (cst.If, cst.Try)) or self.tree.holds(found, name):
                continue
            if self.tree.holds(self.tree.block(found), name):
                return all(self._fills(branch, taken) for branch in _branches(found))
        return False

    def _fills(self, branch: cst.CSTNode | None, taken: list[Binding]) -> bool:
        if branch is None:
            return False
        if any(self.tree.holds(branch, binding.node) for binding in taken):
            return True
        return _leaves(branch)

    def _carried(self, name: cst.CSTNode, bindings: tuple[Binding, ...], killer: Binding | None) -> tuple[Binding, ...]:
        """Bindings further down in a loop round the name: they hold from the second pass on."""
        loops = [found for found in self.tree.ancestors(name) if isinstance(found, (cst.For, cst.While))]
        loops = [
            loop for loop in loops if self.scope(loop) is bindings[0].scope and not _is_iterated(self.tree, loop, name)
        ]
        if killer is not None:
            loops = [loop for loop in loops if not self.tree.holds(loop, killer.node)]
        if not loops:
            return ()
        use = self.tree.places[name]
        late = (found for found in bindings if self.tree.places[found.node] > use or self._is_for(found, name))
        return tuple(found for found in late if any(self.tree.holds(loop, found.node) for loop in loops))

    # -- origins ----------------------------------------------------------------------------------------------------

    def origins(self, node: cst.CSTNode) -> frozenset[Origin]:
        """What an expression can name."""
        known = self._origins.get(node)
        if known is not None:
            return known
        if node in self._open or len(self._open) > MAX_STEPS:  # x = x, or a chain that nobody could follow
            return frozenset({None})
        self._open.add(node)
        found = self._origins_of(node)
        self._open.discard(node)
        self._origins[node] = found
        return found

    def _origins_of(self, node: cst.CSTNode) -> frozenset[Origin]:
        if isinstance(node, cst.Name):
            return self._origins_of_name(node)
        if isinstance(node, cst.Attribute):
            return frozenset(_member(origin, node.attr.value) for origin in self.origins(node.value))
        if isinstance(node, cst.IfExp):
            return self.origins(node.body) | self.origins(node.orelse)
        if isinstance(node, cst.NamedExpr):
            return self.origins(node.value)
        return frozenset({None})

    def _origins_of_name(self, name: cst.Name) -> frozenset[Origin]:
        bindings = self.reaching(name)
        if not bindings:
            return frozenset({self._unbound(name)})
        found: set[Origin] = set()
        for binding in bindings:
            found |= self._origins_of_binding(binding)
        return frozenset(found)

    def _origins_of_binding(self, binding: Binding) -> frozenset[Origin]:
        if binding.kind == "import":
            return frozenset({binding.origin})
        if binding.kind == "assign" and binding.value is not None:
            return self.origins(binding.value)
        if isinstance(binding.node, (cst.ClassDef, cst.FunctionDef)):
            return frozenset({self._label(binding.node)})
        return frozenset({None})

    def _label(self, node: Definition) -> str:
        label = f"@{self.tree.places[node]}"
        self._definitions[label] = node
        return label

    def _unbound(self, name: cst.Name) -> Origin:
        """A name that no scope binds: from a star import, or a builtin."""
        stars = self._stars(name)
        for star in reversed(stars):
            if name.value in STAR_EXPORTS.get(canonical(star.origin or ""), ()):
                return f"{star.origin}.{name.value}"
            if self.project is not None and star.origin and (found := self.project.star(star.origin, name.value)):
                return found
        if name.value in _BUILTINS:
            return f"builtins.{name.value}"
        return None

    def is_unbound(self, name: cst.Name) -> bool:
        """Whether nothing can have bound a name: no code of the file, no star import, no builtin, nothing that runs other code."""
        if self.scope(name).home(name.value) is not None or name.value in _BUILTINS or self._stars(name):
            return False
        return not any(node.value in _BIND_UNSEEN for node in self.tree.all(cst.Name))

    def _stars(self, name: cst.Name) -> list[Binding]:
        found: list[Binding] = []
        here: Scope | None = self.scope(name)
        while here is not None:
            found = [*here.stars, *found]
            here = here.parent
        return found

    # -- questions --------------------------------------------------------------------------------------------------

    def qualified(self, node: cst.CSTNode) -> str | None:
        """The canonical dotted name of an expression, such as "keras.callbacks.EarlyStopping"; None if unsure or local."""
        if node not in self._qualified:  # asked for every call of a file, many times
            found = self.canonicals(node)
            self._qualified[node] = next(iter(found)) if len(found) == 1 else None
        return self._qualified[node]

    def canonical_of(self, origin: Origin) -> str | None:
        """The canonical name of one origin; None for what is unknown or of this file."""
        if origin is None or origin.startswith("@"):
            return None
        if origin not in self._canonical:
            self._canonical[origin] = canonical(self.project.resolve(origin) if self.project is not None else origin)
        return self._canonical[origin]

    def canonicals(self, node: cst.CSTNode) -> frozenset[str | None]:
        """The canonical names of all origins; None among them for what is unknown or of this file."""
        return frozenset(self.canonical_of(origin) for origin in self.origins(node))

    def defined(self, origin: Origin) -> Definition | None:
        """The class or function of this file that an origin is."""
        return self._definitions.get(origin) if origin is not None else None

    def definitions(self, node: cst.CSTNode) -> tuple[Definition, ...] | None:
        """The classes and functions of this file that an expression names; None if it can name anything else."""
        if type(node) not in _NAMING or (isinstance(node, cst.Name) and node.value not in self._words):
            return None
        if node not in self._defined:  # asked for every call of a file, many times
            found = tuple(self._definitions.get(origin or "") for origin in sorted(self.origins(node), key=str))
            self._defined[node] = None if None in found else tuple(each for each in found if each is not None)
        return self._defined[node]

    @cached_property
    def _words(self) -> frozenset[str]:
        """The names that a class or function of this file can go by, whatever else some of them are."""
        bindings = (each for scope in self.scopes.all for found in scope.bindings.values() for each in found)
        return frozenset(
            each.name
            for each in bindings
            if each.kind in ("class", "function") or (each.kind == "assign" and type(each.value) in _NAMING)
        )

    def definition(self, node: cst.CSTNode) -> Definition | None:
        """The one class or function of this file that an expression names."""
        found = self.definitions(node)
        return found[0] if found is not None and len(found) == 1 else None

    def spellings(self, definition: Definition) -> frozenset[str]:
        """The names that a class or function of this file has: its own, and those that it is assigned to."""
        assigns = [node for node in self.tree.all(cst.Assign) if isinstance(node.value, cst.Name)]
        targets = [t.target for node in assigns if self.definition(node.value) is definition for t in node.targets]
        return frozenset({definition.name.value, *(t.value for t in targets if isinstance(t, cst.Name))})


def _is_iterated(tree: Tree, loop: cst.For | cst.While, name: cst.CSTNode) -> bool:
    """Whether a name stands in what a `for` goes over, which is worked out once, before the first round."""
    return isinstance(loop, cst.For) and tree.holds(loop.iter, name)


def _member(origin: Origin, attribute: str) -> Origin:
    if origin is None or origin.startswith("@"):
        return None
    return f"{origin}.{attribute}"


def _branches(node: cst.If | cst.Try) -> list[cst.CSTNode | None]:
    if isinstance(node, cst.Try):
        return [node.orelse or node.body, *(handler.body for handler in node.handlers)]
    branches: list[cst.CSTNode | None] = [node.body]
    orelse = node.orelse
    while isinstance(orelse, cst.If):
        branches.append(orelse.body)
        orelse = orelse.orelse
    return [*branches, orelse.body if orelse is not None else None]


def _leaves(branch: cst.CSTNode) -> bool:
    """Whether a block ends by leaving: what follows is not reached through it."""
    if not isinstance(branch, (cst.IndentedBlock, cst.SimpleStatementSuite)) or not branch.body:
        return False
    last = branch.body[-1]
    if isinstance(last, cst.SimpleStatementLine):
        return isinstance(last.body[-1], _LEAVES)
    return isinstance(last, _LEAVES)
