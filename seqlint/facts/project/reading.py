"""From the bytes of a module to its summary, statement by statement, as Python would run it."""

from __future__ import annotations

import ast
import gc
import re
from typing import TYPE_CHECKING

from seqlint.facts.project.expressions import Lookup, Scope, merged, union
from seqlint.facts.project.functions import holds_class, parameters, rebound, returns_names, yields
from seqlint.facts.project.summary import GENERATOR, UNKNOWN, ClassSummary, ModuleSummary, Names
from seqlint.sources.syntax import parsed

if TYPE_CHECKING:
    from collections.abc import Callable

    from seqlint.facts.project.expressions import Environment

_ANYTHING: Names = (UNKNOWN,)
Function = ast.FunctionDef | ast.AsyncFunctionDef

# Bytes are searched where a walk through the tree would find nothing most of the time.
_INDENTED_CLASS = re.compile(rb"^[ \t\f]+class\b|[:;][ \t]*class\b", re.MULTILINE)


def summarise(data: bytes | str, name: str, package: bool) -> ModuleSummary | None:
    """Read a module; None if it is no Python.

    Args:
        data: the file, or its text.
        name: the import name of the module.
        package: whether it is an `__init__.py`.
    """
    text = data if isinstance(data, bytes) else data.encode()
    # A tree of some ten thousand nodes is made and dropped at once; a collection in between would find nothing.
    collects = gc.isenabled()
    gc.disable()
    try:
        return _Reader(name, package, text).read(parsed(text))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    finally:
        if collects:
            gc.enable()


def imported_from(node: ast.ImportFrom, module: str, *, package: bool) -> str:
    """The absolute name of the module that a module imports from; "" beyond the top."""
    if not node.level:
        return node.module or ""
    parts = module.split(".")
    up = node.level - 1 if package else node.level
    if up > len(parts):
        return ""
    return ".".join(filter(None, (*parts[: len(parts) - up], node.module)))


class _Reader:
    def __init__(self, name: str, package: bool, text: bytes) -> None:
        self.name = name
        self.package = package
        self.lines = text.splitlines()
        self.nests = _INDENTED_CLASS.search(text) is not None
        self.lookup = Lookup(name, rebound(text))
        self.classes: dict[str, tuple[ClassSummary, ...]] = {}
        self.returns: dict[str, Names] = {}
        self.exports: list[str] | None = None
        self.pending: list[tuple[Function, Scope]] = []

    def read(self, tree: ast.Module) -> ModuleSummary:
        module = Scope()
        self.block(tree.body, module)
        # A function runs when the names around it have their last values.
        while self.pending:
            self.function_body(*self.pending.pop())
        bindings = {name: self.lookup.settled(name, names) for name, names in module.names.items()}
        exports = tuple(self.exports) if self.exports is not None else None
        stars = tuple(self.lookup.stars)
        return ModuleSummary(self.name, self.package, bindings, stars, exports, self.classes, self.returns)

    def block(self, body: list[ast.stmt], scope: Scope) -> bool:
        """Run statements; true if they never reach their end."""
        for node in body:
            handler = _HANDLERS.get(type(node))
            if handler is not None and handler(self, node, scope):
                return True
        return False

    # -- bindings ---------------------------------------------------------------------------------------------------

    def import_(self, node: ast.Import, scope: Scope) -> None:
        for alias in node.names:
            top = alias.name.partition(".")[0]
            scope.names[alias.asname or top] = (alias.name if alias.asname else top,)

    def import_from(self, node: ast.ImportFrom, scope: Scope) -> None:
        home = imported_from(node, self.name, package=self.package)
        for alias in node.names:
            if alias.name != "*":
                scope.names[alias.asname or alias.name] = (f"{home}.{alias.name}",) if home else _ANYTHING
            elif home:
                self.lookup.stars.append(home)

    def assign(self, node: ast.Assign, scope: Scope) -> None:
        for target in node.targets:
            self._bind(target, node.value, scope)

    def annotated(self, node: ast.AnnAssign, scope: Scope) -> None:
        if node.value is not None:
            self._bind(node.target, node.value, scope)

    def augmented(self, node: ast.AugAssign, scope: Scope) -> None:
        if isinstance(node.target, ast.Name):
            if node.target.id == "__all__":
                self._export(node.value, self.exports)
            scope.names[node.target.id] = _ANYTHING

    def _bind(self, target: ast.expr, value: ast.expr | None, scope: Scope) -> None:
        if isinstance(target, ast.Name):
            if target.id == "__all__":
                self._export(value, [])
            scope.names[target.id] = self.lookup.names(value, scope) if value is not None else _ANYTHING
        elif isinstance(target, (ast.Tuple, ast.List)):
            paired = isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(target.elts)
            values = value.elts if paired and isinstance(value, (ast.Tuple, ast.List)) else [None] * len(target.elts)
            for inner, part in zip(target.elts, values, strict=True):
                self._bind(inner, part, scope)

    def _export(self, value: ast.expr | None, before: list[str] | None) -> None:
        names = (
            [getattr(item, "value", None) for item in value.elts]
            if isinstance(value, (ast.List, ast.Tuple))
            else [None]
        )
        known = [name for name in names if isinstance(name, str)]
        self.exports = [*before, *known] if before is not None and len(known) == len(names) else None

    def delete(self, node: ast.Delete, scope: Scope) -> None:
        for target in node.targets:
            if isinstance(target, ast.Name):
                scope.names.pop(target.id, None)

    # -- definitions ------------------------------------------------------------------------------------------------

    def class_(self, node: ast.ClassDef, scope: Scope) -> None:
        path = scope.path + node.name
        bases = tuple(self.lookup.base(base, scope) for base in node.bases)
        inner = Scope(f"{path}.", scope, is_class=True)
        self.block(node.body, inner)
        init = inner.methods.get("__init__")
        found = ClassSummary(
            name=f"{self.name}.{path}",
            bases=bases,
            methods=tuple(inner.methods),
            init=parameters(init) if init is not None else None,
            line=node.lineno,
        )
        self.classes[path] = (*self.classes.get(path, ()), found) if scope.branches else (found,)
        scope.names[node.name] = (found.name,)

    def function(self, node: Function, scope: Scope) -> None:
        scope.methods[node.name] = node
        scope.names[node.name] = (f"{self.name}.{scope.path}{node.name}",)
        if not scope.is_class and self._has(node, b"yield") and yields(node):
            self.returns[scope.path + node.name] = (f"{GENERATOR}()",)
        elif (self.nests and holds_class(node.body)) or (not scope.is_class and returns_names(node)):
            self.pending.append((node, scope))

    def _has(self, node: Function, word: bytes) -> bool:
        return any(word in line for line in self.lines[node.lineno - 1 : node.end_lineno])

    def function_body(self, node: Function, around: Scope) -> None:
        path = around.path + node.name
        scope = Scope(f"{path}.", around)
        arguments = node.args
        for argument in (
            *arguments.posonlyargs,
            *arguments.args,
            *arguments.kwonlyargs,
            arguments.vararg,
            arguments.kwarg,
        ):
            if argument is not None:
                scope.names[argument.arg] = _ANYTHING
        self.block(node.body, scope)
        if scope.returned and not node.decorator_list:
            self.returns[path] = union((name,) for name in scope.returned)

    def return_(self, node: ast.Return, scope: Scope) -> bool:
        if node.value is not None:
            scope.returned.extend(self.lookup.names(node.value, scope))
        return True

    def leave(self, node: ast.stmt, scope: Scope) -> bool:
        return True

    # -- branches ---------------------------------------------------------------------------------------------------

    def if_(self, node: ast.If, scope: Scope) -> bool:
        return self._branches([node.body, node.orelse], scope)

    def match(self, node: ast.Match, scope: Scope) -> bool:
        return self._branches([*(case.body for case in node.cases), []], scope)

    def loop(self, node: ast.For | ast.AsyncFor | ast.While, scope: Scope) -> None:
        if not isinstance(node, ast.While):
            self._bind(node.target, None, scope)
        self._branches([node.body, []], scope)
        self._branches([node.orelse, []], scope)

    def with_(self, node: ast.With | ast.AsyncWith, scope: Scope) -> bool:
        for item in node.items:
            if item.optional_vars is not None:
                self._bind(item.optional_vars, None, scope)
        return self.block(node.body, scope)

    def _branches(self, bodies: list[list[ast.stmt]], scope: Scope) -> bool:
        ends = [self._branch(body, dict(scope.names), scope) for body in bodies]
        reached = [names for names, left in ends if not left]
        if reached:
            scope.names = merged(reached)
        return not reached

    def _branch(self, body: list[ast.stmt], names: Environment, scope: Scope) -> tuple[Environment, bool]:
        """The names after a branch that starts with some names, and whether it never reaches its end."""
        before, scope.names = scope.names, names
        scope.branches += 1
        left = self.block(body, scope)
        scope.branches -= 1
        scope.names, after = before, scope.names
        return after, left

    def try_(self, node: ast.Try, scope: Scope) -> bool:
        before = scope.names
        after, left = self._branch(node.body, dict(before), scope)
        # An exception can come before, between and after the bindings of the body.
        start = merged([before, after])
        ends = [self._branch(handler.body, dict(start), scope) for handler in node.handlers]
        ends.insert(0, (after, True) if left else self._branch(node.orelse, after, scope))
        reached = [names for names, leaves in ends if not leaves]
        if reached:
            scope.names = merged(reached)
        return self.block(node.finalbody, scope) or not reached


# Every statement that binds a name or leaves; expressions are not looked at.
_HANDLERS: dict[type[ast.stmt], Callable[..., bool | None]] = {
    ast.AnnAssign: _Reader.annotated,
    ast.Assign: _Reader.assign,
    ast.AsyncFor: _Reader.loop,
    ast.AsyncFunctionDef: _Reader.function,
    ast.AsyncWith: _Reader.with_,
    ast.AugAssign: _Reader.augmented,
    ast.ClassDef: _Reader.class_,
    ast.Delete: _Reader.delete,
    ast.For: _Reader.loop,
    ast.FunctionDef: _Reader.function,
    ast.If: _Reader.if_,
    ast.Import: _Reader.import_,
    ast.ImportFrom: _Reader.import_from,
    ast.Match: _Reader.match,
    ast.Raise: _Reader.leave,
    ast.Return: _Reader.return_,
    ast.Try: _Reader.try_,
    ast.While: _Reader.loop,
    ast.With: _Reader.with_,
}
if hasattr(ast, "TryStar"):  # Python 3.11
    _HANDLERS[ast.TryStar] = _Reader.try_
