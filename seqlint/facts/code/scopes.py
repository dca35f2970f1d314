"""Which names a scope binds, where, and to what: Python's own rules, for every node of a file in one walk."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import libcst as cst

from seqlint.trees import children

if TYPE_CHECKING:
    from collections.abc import Callable

    from seqlint.facts.code.tree import Tree

ScopeKind = Literal["module", "function", "class", "lambda", "comprehension"]
BindingKind = Literal[
    "import", "star", "assign", "unpack", "augment", "parameter", "for", "with", "function", "class", "except", "delete"
]

COMPREHENSIONS = (cst.ListComp, cst.SetComp, cst.DictComp, cst.GeneratorExp)


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
        """The scope in which Python looks up a name that is used here; None for builtins, star imports and what nothing here binds."""
        if name in self.globals:
            return self.module if name in self.module.bindings else None
        if name in self.bindings and name not in self.nonlocals:
            return self
        here = self.parent
        while here is not None:
            if name in here.globals:
                return here.module if name in here.module.bindings else None
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
        self._numbered: dict[int, Scope] = {}
        self._declares_elsewhere = bool(tree.all(cst.Global) or tree.all(cst.Nonlocal))
        self._walk()

    def _walk(self) -> None:
        """Look at what opens a scope or binds a name, in reading order: a scope is open before what stands in it is met."""
        self._numbered[self.tree.places[self.tree.module]] = self.module
        for node in self.tree.in_order(_VISITS.keys()):
            _VISITS[type(node)](self, node, self.at(node))

    @property
    def all(self) -> tuple[Scope, ...]:
        """Every scope of the file."""
        return tuple(dict.fromkeys(self._numbered.values()))

    def end(self) -> None:
        """Let go of all scopes: each holds its bindings, which hold it."""
        for scope in (self.module, *self._numbered.values()):
            scope.bindings.clear()
            scope.stars.clear()

    def opened_by(self, body: cst.CSTNode) -> Scope:
        """The scope of what stands in the body of a definition."""
        return self._numbered[self.tree.places[body]]

    def at(self, node: cst.CSTNode) -> Scope:
        """The scope in which the names of a node are looked up."""
        here, above, numbered = self.tree.places.get(node, 0), self.tree.above, self._numbered
        while here not in numbered:
            here = above[here]
        return numbered[here]

    def _function(self, node: cst.FunctionDef, scope: Scope) -> None:
        scope.declare(Binding(node.name.value, "function", node, scope))
        inner = Scope("function", node, scope)
        if self._declares_elsewhere:
            _declared_elsewhere(node.body, inner)
        _parameters(node.params, inner)
        for param in parameters(node.params):
            self._numbered[self.tree.places[param.name]] = inner
        self._numbered[self.tree.places[node.body]] = inner

    def _lambda(self, node: cst.Lambda, scope: Scope) -> None:
        inner = Scope("lambda", node, scope)
        _parameters(node.params, inner)
        self._numbered[self.tree.places[node.body]] = inner

    def _class(self, node: cst.ClassDef, scope: Scope) -> None:
        scope.declare(Binding(node.name.value, "class", node, scope))
        self._numbered[self.tree.places[node.body]] = Scope("class", node, scope)

    def _comprehension(self, node: cst.ListComp | cst.SetComp | cst.DictComp | cst.GeneratorExp, scope: Scope) -> None:
        inner = Scope("comprehension", node, scope)
        loop: cst.CompFor | None = node.for_in
        while loop is not None:
            _targets(loop.target, inner, "for", loop.iter)
            self._numbered[self.tree.places[loop]] = inner
            loop = loop.inner_for_in
        self._numbered[self.tree.places[node.for_in.iter]] = scope  # the first is worked out outside
        for item in (node.key, node.value) if isinstance(node, cst.DictComp) else (node.elt,):
            self._numbered[self.tree.places[item]] = inner

    def _assign(self, node: cst.Assign, scope: Scope) -> None:
        for target in node.targets:
            _targets(target.target, scope, "assign", node.value)

    def _annotated(self, node: cst.AnnAssign, scope: Scope) -> None:
        if node.value is not None:
            _targets(node.target, scope, "assign", node.value)

    def _augmented(self, node: cst.AugAssign, scope: Scope) -> None:
        _targets(node.target, scope, "augment", node.value)

    def _named(self, node: cst.NamedExpr, scope: Scope) -> None:
        while scope.kind == "comprehension" and scope.parent is not None:
            scope = scope.parent
        _targets(node.target, scope, "assign", node.value)

    def _for(self, node: cst.For, scope: Scope) -> None:
        _targets(node.target, scope, "for", node.iter)

    def _with_item(self, node: cst.WithItem, scope: Scope) -> None:
        if node.asname is not None:
            _targets(node.asname.name, scope, "with", node.item)

    def _handler(self, node: cst.ExceptHandler | cst.ExceptStarHandler, scope: Scope) -> None:
        if node.name is not None:
            _targets(node.name.name, scope, "except", None)

    def _delete(self, node: cst.Del, scope: Scope) -> None:
        _targets(node.target, scope, "delete", None)

    def _match(self, node: cst.MatchAs | cst.MatchStar, scope: Scope) -> None:
        if node.name is not None:
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


_VISITS: dict[type[cst.CSTNode], Callable[[Scopes, Any, Scope], None]] = {
    cst.FunctionDef: Scopes._function, cst.Lambda: Scopes._lambda, cst.ClassDef: Scopes._class,
    **dict.fromkeys(COMPREHENSIONS, Scopes._comprehension), cst.Assign: Scopes._assign, cst.AnnAssign: Scopes._annotated,
    cst.AugAssign: Scopes._augmented, cst.NamedExpr: Scopes._named, cst.For: Scopes._for, cst.WithItem: Scopes._with_item,
    cst.ExceptHandler: Scopes._handler, cst.ExceptStarHandler: Scopes._handler, cst.Del: Scopes._delete,
    cst.Import: Scopes._import, cst.ImportFrom: Scopes._import_from, cst.MatchAs: Scopes._match, cst.MatchStar: Scopes._match,
}  # fmt: skip
"""What opens a scope or binds a name, and what is done about it."""


def dotted(node: cst.BaseExpression) -> str:
    """A chain of names as text: "a.b.c"; empty for anything else."""
    parts: list[str] = []
    while type(node) is cst.Attribute:
        parts.append(node.attr.value)
        node = node.value
    if type(node) is not cst.Name:
        return ""
    return ".".join([node.value, *reversed(parts)])


def _targets(target: cst.CSTNode, scope: Scope, kind: BindingKind, value: cst.BaseExpression | None) -> None:
    if type(target) is cst.Name:
        scope.declare(Binding(target.value, kind, target, scope, value))
    elif type(target) is cst.Tuple or type(target) is cst.List:
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


def positional(params: cst.Parameters) -> tuple[cst.Param, ...]:
    """The parameters that take arguments without a name, but for *args; those before a `/` are among them."""
    return (*params.posonly_params, *params.params)


def receiver(method: cst.FunctionDef) -> str | None:
    """The name of the instance in a method, mostly `self`; None where it has no parameter for it."""
    taken = positional(method.params)
    return taken[0].name.value if taken else None


def _parameters(params: cst.Parameters, scope: Scope) -> None:
    for param in parameters(params):
        scope.declare(Binding(param.name.value, "parameter", param, scope, param.default))


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
