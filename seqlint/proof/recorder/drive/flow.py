"""Follows parameters through a class: attributes, slices, loops, helper methods. Order and branches don't matter here."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_ROUNDS = 5
_SAME = frozenset(
    {
        "array", "asarray", "list", "tuple", "sorted", "copy", "deepcopy", "str", "Path", "reset_index", "sample", "tolist",
        "to_list", "astype", "fillna", "dropna", "unique", "to_numpy", "stack", "shuffle", "permutation", "sort_values",
        "dirname", "abspath", "read_csv", "numpy", "decode", "concatenate", "iterrows", "items", "values", "set_index", "strip",
    }
)  # fmt: skip
"""Functions and methods whose result still stands for what they are given."""
_HOLDERS = frozenset({"values", "iloc", "loc", "at", "T", "index", "array", "str"})


@dataclass(frozen=True)
class Origin:
    """A parameter; level 1 is one of its items.

    Attributes:
        column: a part of a data frame, by its name; after "@" stands the parameter that holds the name.
    """

    name: str
    level: int = 0
    column: str = ""

    def item(self) -> Origin:
        """One of its items."""
        return Origin(self.name, 1, self.column)


@dataclass
class Origins:
    """Where the names of each function come from.

    Attributes:
        parameters: of the constructor, or of the function that is asked about.
        functions: by scope: "method" or "function()".
        zips: what names hold pairs, made by which `zip`.
    """

    parameters: list[str] = field(default_factory=list)
    functions: dict[str, ast.FunctionDef] = field(default_factory=dict)
    names: dict[tuple[str, str], set[Origin]] = field(default_factory=dict)
    attributes: dict[str, set[Origin]] = field(default_factory=dict)
    results: dict[str, set[Origin]] = field(default_factory=dict)
    zips: dict[tuple[str, str], ast.Call] = field(default_factory=dict)

    def of(self, node: ast.AST | None, scope: str) -> set[Origin]:
        """What an expression stands for."""
        if isinstance(node, ast.Name):
            return self.names.get((scope, node.id), set())
        if isinstance(node, ast.Attribute):
            if isinstance(node.value, ast.Name) and node.value.id == "self":
                return self.attributes.get(node.attr, set())
            found = self.of(node.value, scope)
            return found if node.attr in _HOLDERS else {_column(one, node.attr) for one in found}
        if isinstance(node, ast.Subscript):
            return self._subscript(node, scope)
        if isinstance(node, ast.Call):
            return self._call(node, scope)
        return set().union(*(self.of(part, scope) for part in _meant(node)))

    def items(self, node: ast.AST, scope: str) -> set[Origin]:
        """What the items of an expression stand for."""
        return {one.item() for one in self.of(node, scope)}

    def _subscript(self, node: ast.Subscript, scope: str) -> set[Origin]:
        found = self.of(node.value, scope)
        key = node.slice
        if isinstance(key, ast.Constant) and isinstance(key.value, str):
            return {_column(one, key.value) for one in found}
        if (
            isinstance(key, ast.Tuple)
            and isinstance(key.elts[-1], ast.Constant)
            and isinstance(key.elts[-1].value, str)
        ):
            return {_column(one, key.elts[-1].value) for one in found}
        if isinstance(key, ast.Slice):
            return found
        named = {one.name for one in self.of(key, scope) if one.level == 0 and not one.column}
        return {one.item() for one in found} | {_column(one, f"@{name}") for one in found for name in named}

    def _call(self, node: ast.Call, scope: str) -> set[Origin]:
        called = self.callee(node, scope)
        if called is not None:
            return self.results.get(called, set())
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name in ("join", "joinpath"):
            return set().union(*(self.of(argument, scope) for argument in node.args))
        if name not in _SAME:
            return set()
        found = set().union(*(self.of(argument, scope) for argument in node.args[:1]))
        receiver = self.of(node.func.value, scope) if isinstance(node.func, ast.Attribute) else set()
        return found or ({one.item() for one in receiver} if name == "iterrows" else receiver)

    def callee(self, node: ast.Call, scope: str) -> str | None:
        """The scope of the function that a call runs, where it is one of these."""
        function = node.func
        if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name) and function.value.id == "self":
            return function.attr if function.attr in self.functions else None
        if isinstance(function, ast.Attribute) and _is_super(function.value):
            return f"super.{function.attr}" if f"super.{function.attr}" in self.functions else None
        if isinstance(function, ast.Name):
            return f"{function.id}()" if f"{function.id}()" in self.functions else None
        return None


def follow(classes: list[ast.ClassDef], functions: list[ast.FunctionDef]) -> Origins:
    """Follow the parameters of a constructor, or of the first function where there is no class."""
    found = Origins(functions={f"{function.name}()": function for function in functions})
    for place, node in enumerate(classes):
        for function in node.body:
            if isinstance(function, ast.FunctionDef):
                name = function.name if function.name not in found.functions else f"super.{function.name}"
                found.functions.setdefault(name if place else function.name, function)
    start = "__init__" if classes else f"{functions[0].name}()" if functions else ""
    if start in found.functions:
        found.parameters = [name for name in parameters(found.functions[start]) if name != "self"]
        for name in found.parameters:
            found.names[(start, name)] = {Origin(name)}
    for _ in range(_ROUNDS):
        for scope, function in found.functions.items():
            for child in within(function):
                _bind(found, scope, child)
    return found


def within(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes below one, in the order of the source."""
    for child in ast.iter_child_nodes(node):
        yield child
        yield from within(child)


def parameters(function: ast.FunctionDef) -> list[str]:
    """Names of the parameters, without `*args` and `**kwargs`."""
    arguments = function.args
    return [item.arg for item in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]


def parts(node: ast.AST) -> list[ast.expr]:
    """The parts of a text that is put together, from left to right."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Div)):
        return [*parts(node.left), *parts(node.right)]
    if isinstance(node, ast.JoinedStr):
        return [part for value in node.values for part in parts(value)]
    if isinstance(node, ast.FormattedValue):
        return parts(node.value)
    return [node] if isinstance(node, ast.expr) else []


def _bind(found: Origins, scope: str, node: ast.AST) -> None:
    if isinstance(node, ast.Assign):
        for target in node.targets:
            _assign(found, scope, target, node.value)
    elif isinstance(node, ast.AnnAssign) and node.value is not None:
        _assign(found, scope, node.target, node.value)
    elif isinstance(node, (ast.For, ast.comprehension)):
        _loop(found, scope, node.target, node.iter)
    elif isinstance(node, ast.withitem) and node.optional_vars is not None:
        _set(found, scope, node.optional_vars, found.of(node.context_expr, scope))
    elif isinstance(node, ast.Return) and node.value is not None:
        found.results.setdefault(scope, set()).update(found.of(node.value, scope))
    elif isinstance(node, ast.Call):
        _pass(found, scope, node)


def _assign(found: Origins, scope: str, target: ast.AST, value: ast.AST) -> None:
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        for one, other in zip(target.elts, value.elts, strict=True):
            _assign(found, scope, one, other)
        return
    if isinstance(target, ast.Tuple):
        for one in target.elts:
            _set(found, scope, one, found.items(value, scope))
        return
    pairs = _zip(value)
    if pairs is not None:
        found.zips[scope, ast.unparse(target)] = pairs
    _set(found, scope, target, found.of(value, scope))


def _zip(node: ast.AST) -> ast.Call | None:
    """The call of `zip` in `list(zip(a, b))`."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args:
        if node.func.id == "zip":
            return node
        node = node.args[0]
    return None


def _held(found: Origins, scope: str, source: ast.AST) -> ast.AST:
    """What a loop goes over: for a name that holds pairs, the call that made them."""
    inner = source
    while isinstance(inner, ast.Subscript) and isinstance(inner.slice, ast.Slice):
        inner = inner.value
    name = ast.unparse(inner) if isinstance(inner, (ast.Name, ast.Attribute)) else ""
    if name.startswith("self."):
        return next((call for (where, key), call in found.zips.items() if key == name and where == scope), source)
    return found.zips.get((scope, name), source)


def _loop(found: Origins, scope: str, target: ast.AST, source: ast.AST) -> None:
    source = _held(found, scope, source)
    name = source.func.id if isinstance(source, ast.Call) and isinstance(source.func, ast.Name) else ""
    arguments = source.args if isinstance(source, ast.Call) else []
    if name == "enumerate" and arguments and isinstance(target, ast.Tuple) and len(target.elts) == 2:
        _loop(found, scope, target.elts[1], arguments[0])
    elif name == "zip" and isinstance(target, ast.Tuple) and len(target.elts) == len(arguments):
        for one, other in zip(target.elts, arguments, strict=True):
            _loop(found, scope, one, other)
    elif isinstance(target, ast.Tuple):
        for one in target.elts:
            _set(found, scope, one, found.items(source, scope))
    else:
        _set(found, scope, target, found.items(source, scope))


def _set(found: Origins, scope: str, target: ast.AST, origins: set[Origin]) -> None:
    if isinstance(target, ast.Name):
        found.names.setdefault((scope, target.id), set()).update(origins)
    elif isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == "self":
        found.attributes.setdefault(target.attr, set()).update(origins)


def _pass(found: Origins, scope: str, node: ast.Call) -> None:
    called = found.callee(node, scope)
    if called is None:
        _mapped(found, scope, node)
        return
    function = found.functions[called]
    names = [name for name in parameters(function) if name not in ("self", "cls")]
    for name, argument in zip(names, node.args, strict=False):
        found.names.setdefault((called, name), set()).update(found.of(argument, scope))
    for keyword in node.keywords:
        if keyword.arg in names:
            found.names.setdefault((called, str(keyword.arg)), set()).update(found.of(keyword.value, scope))


def _mapped(found: Origins, scope: str, node: ast.Call) -> None:
    """A function of the module that is mapped over what a parameter holds: `map(load, paths)`, `dataset.map(load)`."""
    for argument in node.args:
        called = found.callee(ast.Call(argument, [], []), scope)
        if called is not None:
            others = [other for other in node.args if other is not argument]
            names = [name for name in parameters(found.functions[called]) if name != "self"]
            for name, other in zip(names, others, strict=False):
                found.names.setdefault((called, name), set()).update(found.items(other, scope))


def _meant(node: ast.AST | None) -> list[ast.AST]:
    """The parts of an expression that it may stand for."""
    if isinstance(node, ast.IfExp):
        return [node.body, node.orelse]
    if isinstance(node, ast.BoolOp):
        return list(node.values)
    if isinstance(node, (ast.ListComp, ast.GeneratorExp)):
        return [node.elt]
    if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Div))):
        return list(parts(node))
    if isinstance(node, ast.BinOp):
        return [node.left]
    if isinstance(node, ast.Dict):
        return list(node.values)
    return [node.value] if isinstance(node, (ast.Starred, ast.FormattedValue)) else []


def _column(origin: Origin, name: str) -> Origin:
    return Origin(origin.name, origin.level, name)


def _is_super(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super"
