"""Programs in which a name is taken already: by an import, a parameter, or something that nested code reads."""

from __future__ import annotations

import ast
import copy
import symtable
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

Path = tuple[str, ...]
_DEFINITIONS = (ast.FunctionDef, ast.ClassDef)


@dataclass(frozen=True, order=True)
class Bound:
    """A name that a function or the module binds; `path` names the definitions round the place."""

    path: Path
    name: str


# -- what a program binds and reads -----------------------------------------------------------------------------------


def bindings(text: str) -> Counter[Bound]:
    """How many places bind each name. What a class binds is an attribute, and left out."""
    return Counter(_bindings(ast.parse(text), (), in_class=False))


def _bindings(node: ast.AST, path: Path, *, in_class: bool) -> Iterator[Bound]:
    for child in ast.iter_child_nodes(node):
        if not in_class:
            yield from (Bound(path, name) for name in _bound_by(child))
        if isinstance(child, _DEFINITIONS):
            yield from _bindings(child, (*path, child.name), in_class=isinstance(child, ast.ClassDef))
        else:
            yield from _bindings(child, path, in_class=in_class)


def _bound_by(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        return [node.id]
    if isinstance(node, ast.arg):
        return [node.arg]
    if isinstance(node, ast.alias):
        return [(node.asname or node.name).partition(".")[0]]
    if isinstance(node, ast.ExceptHandler):
        return [node.name] if node.name else []
    return [node.name] if isinstance(node, _DEFINITIONS) else []


def reads(text: str, name: str) -> Counter[Bound]:
    """How often the module and each function read a name."""
    return Counter(_reads(ast.parse(text), (), name))


def _reads(node: ast.AST, path: Path, name: str) -> Iterator[Bound]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Name) and child.id == name and isinstance(child.ctx, ast.Load):
            yield Bound(path, name)
        yield from _reads(child, (*path, child.name) if isinstance(child, _DEFINITIONS) else path, name)


def meanings(text: str) -> dict[Path, dict[str, str]]:
    """Of each definition, and of the module, where Python looks each of its names up."""
    found: dict[Path, dict[str, str]] = {}
    _meanings(symtable.symtable(text, "example.py", "exec"), (), found)
    return found


def _meanings(table: symtable.SymbolTable, path: Path, found: dict[Path, dict[str, str]]) -> None:
    found.setdefault(path, {}).update({symbol.get_name(): _meaning(symbol) for symbol in table.get_symbols()})
    for child in table.get_children():
        if child.get_name().isidentifier() and child.get_name() not in ("lambda", "listcomp", "genexpr", "dictcomp"):
            _meanings(child, (*path, child.get_name()), found)


def _meaning(symbol: symtable.Symbol) -> str:
    if symbol.is_free():
        return "free"
    return "global" if symbol.is_global() else "local"


# -- programs in which a name is taken --------------------------------------------------------------------------------


def without_unused_imports(text: str) -> str:
    """The program without the imports at its top that nothing in it uses: a fix that needs one must add it."""
    tree = ast.parse(text)
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    tree.body = [
        each for each in tree.body if not isinstance(each, ast.Import) or not used.isdisjoint(_bound_by(each.names[0]))
    ]
    return ast.unparse(tree)


def taken(text: str, wanted: Bound) -> Iterator[tuple[str, str]]:
    """Programs in which the name has another meaning where a fix would like to bind it, each with what it is there."""
    yield from _as_import(text, wanted.name)
    yield from _as_parameter(text, wanted)
    yield from _as_global(text, wanted)


def _as_import(text: str, name: str) -> Iterator[tuple[str, str]]:
    """`import numpy as rng`, for each import at the top."""
    for number, statement in enumerate(ast.parse(text).body):
        if not isinstance(statement, ast.Import) or len(statement.names) > 1 or "." in statement.names[0].name:
            continue
        tree = ast.parse(text)
        alias = tree.body[number].names[0]  # type: ignore[attr-defined]
        if name != (old := alias.asname or alias.name):
            alias.asname = name
            _rename(tree, old, name)
            yield f"an import, of {alias.name}", ast.unparse(tree)


def _as_parameter(text: str, wanted: Bound) -> Iterator[tuple[str, str]]:
    """The last parameter of each function that the name could be bound in or read in."""
    keywords = {node.arg for node in ast.walk(ast.parse(text)) if isinstance(node, ast.keyword)}
    for number, function in enumerate(_functions(ast.parse(text))):
        plain = [each.arg for each in function.args.args if each.arg not in ("self", "cls")]
        if not plain or plain[-1] in keywords or (wanted.path and wanted.path[-1] != function.name):
            continue
        tree = ast.parse(text)
        own = _functions(tree)[number]
        own.args.args[-1].arg = wanted.name
        _rename(own, plain[-1], wanted.name)
        yield f"a parameter of {function.name}", ast.unparse(tree)


def _as_global(text: str, wanted: Bound) -> Iterator[tuple[str, str]]:
    """A variable of the module, which a lambda in the function reads, or which the function itself declares as global."""
    name = wanted.name
    reads, writes = f"assert (lambda: {name})() == 1", f"global {name}\n{name} = 1"
    for title, text_of in (("a global that a lambda reads", reads), ("a global that is written", writes)):
        tree = ast.parse(text)
        inside = [each for each in _functions(tree) if wanted.path and each.name == wanted.path[-1]]
        for function in inside:
            function.body[:0] = copy.deepcopy(ast.parse(text_of).body)
        place = max(number for number, each in enumerate(tree.body) if isinstance(each, (ast.Import, ast.ImportFrom)))
        tree.body.insert(place + 1, ast.parse(f"{name} = 1").body[0])
        if inside or text_of == reads:
            yield title, ast.unparse(tree)


def _functions(tree: ast.AST) -> list[ast.FunctionDef]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]


def _rename(tree: ast.AST, old: str, new: str) -> None:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id == old:
            node.id = new
