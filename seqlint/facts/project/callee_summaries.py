"""What functions of other files surely call when they are called: the names of libraries that they reach."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from seqlint.facts.project.project import BIGGEST
from seqlint.knowledge.canonical_names import canonical
from seqlint.sources import surroundings
from seqlint.sources.syntax import neighbour

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from seqlint.facts.project.project import Project

_DEEP = 3
_BROAD = re.compile(r"\b(?:Base)?Exception\b")
_ENDS = (ast.Return, ast.Raise, ast.Continue, ast.Break)
_MAY_NOT_RUN = (ast.Lambda, ast.IfExp, ast.BoolOp, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclass(frozen=True, eq=False)
class ExternalCall:
    """A call of a library that a function of another file makes.

    Attributes:
        name: the canonical name of what is called, such as "numpy.random.seed".
        node: the call.
        function: the function that makes it.
        direct: whether that is the one which this file calls, and none that it calls in turn.
    """

    name: str
    node: ast.Call
    function: ast.FunctionDef
    direct: bool


class CalleeSummaries:
    """The functions of other files, as one file calls them."""

    def __init__(self, project: Project | None) -> None:
        self._project = project
        self._known: dict[tuple[str, bytes], tuple[ExternalCall, ...]] = {}

    def calls(self, name: str | None, word: bytes) -> tuple[ExternalCall, ...]:
        """What a function of another file calls whenever it is called, conditions left out.

        Args:
            name: the function, by its canonical name; None gives none, as does what is of a library.
            word: what each file on the way must hold: others are not read.
        """
        if self._project is None or name is None or name.startswith(("builtins.", "keras.", "numpy.", "tensorflow.")):
            return ()
        if (name, word) not in self._known:
            self._known[name, word] = tuple(_reached(self._project, name, word, _DEEP))
        return self._known[name, word]

    def may_hide(self, name: str | None) -> bool:
        """Whether a function of another file has a broad `except`."""
        found = _found(self._project, name, b"except") if self._project is not None and name is not None else None
        function = found[1] if found is not None else None
        handlers = (each for each in ast.walk(function) if isinstance(each, ast.ExceptHandler)) if function else ()
        return any(each.type is None or _BROAD.search(ast.unparse(each.type)) for each in handlers)


def _reached(project: Project, name: str, word: bytes, deep: int) -> Iterator[ExternalCall]:
    found = _found(project, name, word) if deep else None
    if found is None:
        return
    path, function = found
    view = project.at(path)
    module, local = view.module_name(path), _local(function)
    for call in _sure(function.body):
        root, _, dotted = _dotted(call.func).partition(".")
        if not root or root in local:
            continue
        for origin in view.origins(".".join(filter(None, (module, root, dotted)))):
            if view.file(origin) is None:
                yield ExternalCall(canonical(origin), call, function, deep == _DEEP)
            else:
                yield from _reached(view, origin, word, deep - 1)


def _found(project: Project, name: str, word: bytes) -> tuple[Path, ast.FunctionDef] | None:
    """The file and the function that a name leads to: one of the module itself, of a file that holds a word."""
    path = project.file(name)
    data = surroundings.content(path, BIGGEST) if path is not None else None
    if path is None or data is None or word not in data:
        return None
    module, _, last = project.resolve(name).rpartition(".")
    function = _functions(data).get(last) if module == project.module_name(path) else None
    return (path, function) if function is not None else None


# An editor asks for the same functions at each key.
@lru_cache(maxsize=32)
def _functions(data: bytes) -> dict[str, ast.FunctionDef | None]:
    """The functions of a module by name; None for what is more than a plain one, or bound twice."""
    tree = neighbour(data)
    if tree is None:
        return {}
    found: dict[str, ast.FunctionDef | None] = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yields = any(isinstance(each, (ast.Yield, ast.YieldFrom)) for each in ast.walk(node))
            found[node.name] = None if node.name in found or node.decorator_list or yields else node
    return found


def _local(function: ast.FunctionDef) -> frozenset[str]:
    """The names that a function binds."""
    nodes = list(ast.walk(function))
    names = {each.id for each in nodes if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
    arguments = {each.arg for each in nodes if isinstance(each, ast.arg)}
    imported = {
        (alias.asname or alias.name).partition(".")[0]
        for each in nodes
        if isinstance(each, (ast.Import, ast.ImportFrom))
        for alias in each.names
    }
    return frozenset(names | arguments | imported)


def _sure(body: list[ast.stmt]) -> Iterator[ast.Call]:
    """The calls that run whenever a block does, up to where some way may leave it."""
    for line in body:
        if isinstance(line, ast.If):
            yield from _in(line.test)
        elif isinstance(line, (ast.For, ast.With)):
            heads = [line.iter] if isinstance(line, ast.For) else [item.context_expr for item in line.items]
            for head in heads:
                yield from _in(head)
            yield from _sure(line.body)
        elif isinstance(line, ast.Try):
            yield from _sure(line.body)
        elif not isinstance(line, (*_MAY_NOT_RUN, ast.While, ast.Match)):
            yield from _in(line)
        if any(isinstance(each, _ENDS) for each in ast.walk(line)):
            return


def _in(node: ast.AST) -> Iterator[ast.Call]:
    if isinstance(node, _MAY_NOT_RUN):
        return
    for inner in ast.iter_child_nodes(node):
        yield from _in(inner)
    if isinstance(node, ast.Call):
        yield node


def _dotted(node: ast.expr) -> str:
    """`np.random.seed`; empty for all else."""
    if isinstance(node, ast.Name):
        return node.id
    above = _dotted(node.value) if isinstance(node, ast.Attribute) else ""
    return f"{above}.{node.attr}" if above and isinstance(node, ast.Attribute) else ""
