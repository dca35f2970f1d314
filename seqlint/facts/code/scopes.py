"""Which names a scope binds, where, and to what: Python's own rules, for every node of a file in one walk."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import libcst as cst

from seqlint.facts.code.tree import Tree
from seqlint.trees import children

ScopeKind = Literal["module", "function", "class", "lambda", "comprehension"]
BindingKind = Literal[
    "import", "star", "assign", "unpack", "augment", "parameter", "for", "with", "function", "class", "except", "delete"
]

COMPREHENSIONS = (cst.ListComp, cst.SetComp, cst.DictComp, cst.GeneratorExp)
_OPENERS = frozenset({cst.FunctionDef, cst.Lambda, cst.ClassDef, *COMPREHENSIONS})
_BINDERS = frozenset({
    cst.Assign, cst.AnnAssign, cst.AugAssign, cst.NamedExpr, cst.For, cst.WithItem, cst.ExceptHandler,
    cst.ExceptStarHandler, cst.Del, cst.Import, cst.ImportFrom, cst.MatchAs, cst.MatchStar,
})  # fmt: skip


@dataclass(frozen=True, eq=False)
class Binding:
    """One place that gives a name its value.

    Attributes:
        name: the name as the scope knows it.
        kind: what binds it.
        node: the node that binds: the Name, the import alias, the definition, the parameter.
        value: the expression whose value the name takes, where it takes one whole; an iterated or unpacked expression for
            "for" and "unpack", a context manager for "with".
        origin: for imports, the absolute dotted name.
    """

    name: str
    kind: BindingKind
    node: cst.CSTNode
    scope: Scope
    value: cst.BaseExpression | None = None
    origin: str | None = None


@dataclass(eq=False)
class Scope:
    """A module, function, class, lambda or comprehension with the names that it binds."""

    kind: ScopeKind
    node: cst.CSTNode
    parent: Scope | None
    bindings: dict[str, list[Binding]] = field(default_factory=dict)
    stars: list[Binding] = field(default_factory=list)
    globals: set[str] = field(default_factory=set)
    nonlocals: set[str] = field(default_factory=set)

    @property
    def module(self) -> Scope:
        """The scope of the whole file."""
        return self if self.parent is None else self.parent.module

    def home(self, name: str) -> Scope | None:
        """The scope in which Python looks up a name that is used here; None for builtins and star imports."""
        if name in self.globals:
            return self.module
        if name in self.bindings and name not in self.nonlocals:
            return self
        here = self.parent
        while here is not None:
            if name in here.globals:
                return here.module
            if here.kind != "class" and name in here.bindings:
                return here
            here = here.parent
        return None

    def declare(self, binding: Binding) -> None:
        """Add a binding to the scope that owns the name."""
        owner = self.module if binding.name in self.globals else self
        if binding.name in self.nonlocals:
            owner = self.home(binding.name) or self
        owner.bindings.setdefault(binding.name, []).append(binding)


class Scopes:
    """The scopes of a file, and the one that each node is looked up in."""

    def __init__(self, tree: Tree, module_name: str = "") -> None:
        self.tree = tree
        self.package = module_name.rpartition(".")[0]
        self.is_package = tree.source.path.endswith("__init__.py")
        self.module_name = module_name
        self.module = Scope("module", tree.module, None)
        self.of: dict[cst.CSTNode, Scope] = {}
        self._declares_elsewhere = bool(tree.all(cst.Global) or tree.all(cst.Nonlocal))
        self._walk()

    def _walk(self) -> None:
        stack: list[tuple[cst.CSTNode, Scope]] = [
            (tree_child, self.module) for tree_child in reversed(children(self.tree.module))
        ]
        self.of[self.tree.module] = self.module
        while stack:
            node, scope = stack.pop()
            self.of[node] = scope
            stack.extend(reversed(self._enter(node, scope)))

    def _enter(self, node: cst.CSTNode, scope: Scope) -> list[tuple[cst.CSTNode, Scope]]:
        kind = type(node)  # a lookup is cheaper than `isinstance`, and there is a node for every third character
        if kind in _OPENERS:
            return self._opened(node, scope)
        if kind in _BINDERS:
            self._bind(node, scope)
        return [(child, scope) for child in children(node)]

    def _opened(self, node: cst.CSTNode, scope: Scope) -> list[tuple[cst.CSTNode, Scope]]:
        if isinstance(node, cst.FunctionDef):
            return self._function(node, scope)
        if isinstance(node, cst.Lambda):
            return self._lambda(node, scope)
        if isinstance(node, cst.ClassDef):
            return self._class(node, scope)
        assert isinstance(node, COMPREHENSIONS)
        return self._comprehension(node, scope)

    def _function(self, node: cst.FunctionDef, scope: Scope) -> list[tuple[cst.CSTNode, Scope]]:
        scope.declare(Binding(node.name.value, "function", node, scope))
        inner = Scope("function", node, scope)
        if self._declares_elsewhere:
            _declared_elsewhere(node.body, inner)
        _parameters(node.params, inner)
        outside = [*node.decorators, *_defaults(node.params), *([node.returns] if node.returns else [])]
        return [
            *((child, scope) for child in outside),
            *((child, inner) for child in _names(node.params)),
            (node.body, inner),
        ]

    def _lambda(self, node: cst.Lambda, scope: Scope) -> list[tuple[cst.CSTNode, Scope]]:
        inner = Scope("lambda", node, scope)
        _parameters(node.params, inner)
        return [*((child, scope) for child in _defaults(node.params)), (node.body, inner)]

    def _class(self, node: cst.ClassDef, scope: Scope) -> list[tuple[cst.CSTNode, Scope]]:
        scope.declare(Binding(node.name.value, "class", node, scope))
        inner = Scope("class", node, scope)
        outside = [*node.decorators, *node.bases, *node.keywords]
        return [*((child, scope) for child in outside), (node.body, inner)]

    def _comprehension(
        self, node: cst.ListComp | cst.SetComp | cst.DictComp | cst.GeneratorExp, scope: Scope
    ) -> list[tuple[cst.CSTNode, Scope]]:
        inner = Scope("comprehension", node, scope)
        found: list[tuple[cst.CSTNode, Scope]] = [(node.for_in.iter, scope)]
        loop: cst.CompFor | None = node.for_in
        while loop is not None:
            _targets(loop.target, inner, "for", loop.iter)
            self.of[loop] = inner
            found.append((loop.target, inner))
            found += [(condition, inner) for condition in loop.ifs]
            loop = loop.inner_for_in
            found += [(loop.iter, inner)] if loop is not None else []
        items = (node.key, node.value) if isinstance(node, cst.DictComp) else (node.elt,)
        return [*found, *((item, inner) for item in items)]

    def _bind(self, node: cst.CSTNode, scope: Scope) -> None:
        if isinstance(node, cst.Assign):
            for target in node.targets:
                _targets(target.target, scope, "assign", node.value)
        elif isinstance(node, cst.AnnAssign):
            if node.value is not None:
                _targets(node.target, scope, "assign", node.value)
        elif isinstance(node, cst.AugAssign):
            _targets(node.target, scope, "augment", node.value)
        elif isinstance(node, cst.NamedExpr):
            owner = scope
            while owner.kind == "comprehension" and owner.parent is not None:
                owner = owner.parent
            _targets(node.target, owner, "assign", node.value)
        elif isinstance(node, cst.For):
            _targets(node.target, scope, "for", node.iter)
        elif isinstance(node, cst.WithItem):
            if node.asname is not None:
                _targets(node.asname.name, scope, "with", node.item)
        elif isinstance(node, (cst.ExceptHandler, cst.ExceptStarHandler)):
            if node.name is not None:
                _targets(node.name.name, scope, "except", None)
        elif isinstance(node, cst.Del):
            _targets(node.target, scope, "delete", None)
        elif isinstance(node, cst.Import):
            self._import(node, scope)
        elif isinstance(node, cst.ImportFrom):
            self._import_from(node, scope)
        elif isinstance(node, (cst.MatchAs, cst.MatchStar)) and node.name is not None:
            scope.declare(Binding(node.name.value, "unpack", node, scope))

    def _import(self, node: cst.Import, scope: Scope) -> None:
        for alias in node.names:
            name = dotted(alias.name)
            bound = alias.evaluated_alias or name.partition(".")[0]
            origin = name if alias.evaluated_alias else bound
            scope.declare(Binding(bound, "import", alias, scope, origin=origin))

    def _import_from(self, node: cst.ImportFrom, scope: Scope) -> None:
        module = self._absolute(node)
        if isinstance(node.names, cst.ImportStar):
            scope.stars.append(Binding("*", "star", node, scope, origin=module))
            return
        for alias in node.names:
            name = dotted(alias.name)
            scope.declare(Binding(alias.evaluated_alias or name, "import", alias, scope, origin=f"{module}.{name}"))

    def _absolute(self, node: cst.ImportFrom) -> str:
        module = dotted(node.module) if node.module is not None else ""
        if not node.relative:
            return module
        up = len(node.relative) - (1 if self.is_package else 0)
        parts = self.module_name.split(".") if self.module_name else []
        base = parts[: len(parts) - up] if up else parts
        return ".".join([*base, *([module] if module else [])]) or "."


def dotted(node: cst.BaseExpression) -> str:
    """A chain of names as text: "a.b.c"; empty for anything else."""
    parts: list[str] = []
    while isinstance(node, cst.Attribute):
        parts.append(node.attr.value)
        node = node.value
    if not isinstance(node, cst.Name):
        return ""
    return ".".join([node.value, *reversed(parts)])


def _targets(target: cst.CSTNode, scope: Scope, kind: BindingKind, value: cst.BaseExpression | None) -> None:
    if isinstance(target, cst.Name):
        scope.declare(Binding(target.value, kind, target, scope, value))
        return
    if isinstance(target, (cst.Tuple, cst.List)):
        pairs = _paired(target, value) if kind == "assign" else None
        for position, element in enumerate(target.elements):
            inner = pairs[position] if pairs else value
            _targets(element.value, scope, kind if pairs or kind != "assign" else "unpack", inner)


def _paired(target: cst.Tuple | cst.List, value: cst.BaseExpression | None) -> list[cst.BaseExpression] | None:
    """The values of `a, b = x, y`, one for each target; None where they don't pair off."""
    if not isinstance(value, (cst.Tuple, cst.List)) or len(value.elements) != len(target.elements):
        return None
    if any(isinstance(element, cst.StarredElement) for element in (*target.elements, *value.elements)):
        return None
    return [element.value for element in value.elements]


def parameters(params: cst.Parameters) -> tuple[cst.Param, ...]:
    """All parameters of a function in the order that they are written, *args and **kwargs included."""
    star = (params.star_arg,) if isinstance(params.star_arg, cst.Param) else ()
    kwarg = (params.star_kwarg,) if params.star_kwarg is not None else ()
    return (*params.posonly_params, *params.params, *star, *params.kwonly_params, *kwarg)


def _parameters(params: cst.Parameters, scope: Scope) -> None:
    for param in parameters(params):
        scope.declare(Binding(param.name.value, "parameter", param, scope, param.default))


def _defaults(params: cst.Parameters) -> list[cst.CSTNode]:
    found: list[cst.CSTNode] = []
    for param in parameters(params):
        found += [part for part in (param.annotation, param.default) if part is not None]
    return found


def _names(params: cst.Parameters) -> list[cst.CSTNode]:
    return [param.name for param in parameters(params)]


def _declared_elsewhere(body: cst.CSTNode, scope: Scope) -> None:
    """Find `global` and `nonlocal` first: they hold for the whole function, also above their line."""
    stack = [body]
    while stack:
        node = stack.pop()
        if isinstance(node, cst.Global):
            scope.globals.update(item.name.value for item in node.names)
        elif isinstance(node, cst.Nonlocal):
            scope.nonlocals.update(item.name.value for item in node.names)
        elif not isinstance(node, (cst.FunctionDef, cst.ClassDef, cst.Lambda)):
            stack.extend(children(node))
