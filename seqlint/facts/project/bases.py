"""What the bases of a class do with its attributes that stand in other files, where all of it can be read."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from seqlint.knowledge.canonical_names import SEQUENCE, canonical
from seqlint.sources import surroundings
from seqlint.sources.syntax import neighbour

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from seqlint.facts.project.project import Project

_BIGGEST = 500_000  # bytes
_MOST = 6
_UNSEEN = frozenset(
    {"__dict__", "__getattr__", "__getattribute__", "__new__", "__setattr__", "exec", "setattr", "vars"}
)
_LOOKS = frozenset({"getattr", "hasattr", "id", "isinstance", "len", "print", "repr", "str", "super", "type"})
Method = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, eq=False)
class Bases:
    """Classes that are made from one another, down to Keras's own, the nearest first."""

    classes: tuple[ast.ClassDef, ...]

    @cached_property
    def _methods(self) -> tuple[tuple[ast.ClassDef, Method], ...]:
        inside = ((node, each) for node in self.classes for each in node.body)
        return tuple((node, each) for node, each in inside if isinstance(each, Method))

    def setting(self, name: str) -> frozenset[str]:
        """The methods that give an attribute a value, or may: "" stands for a class body, and for its name in a string."""
        return frozenset().union(*(_settings(node).get(name, ()) for node in self.classes))

    def sets_in(self, method: str) -> bool:
        """Whether a method gives an attribute a value."""
        return any(method in methods for node in self.classes for methods in _settings(node).values())

    def speaks_of(self, hook: str) -> bool:
        """Whether a method calls a hook, or hands it on; one of its own name may."""
        return any(hook in _attributes(method) for _, method in self._methods if method.name != hook)

    def has(self, name: str) -> bool:
        """Whether one of them has a method of the name."""
        return any(method.name == name for _, method in self._methods)

    def init_runs(self, hook: str, start: int = 0) -> bool:
        """Whether `__init__` surely calls the hook of the instance, or that of a base does which it surely calls."""
        for place, node in list(enumerate(self.classes))[start:]:
            init = next((each for each in node.body if isinstance(each, Method) and each.name == "__init__"), None)
            if init is not None:
                return self._runs(init, hook, place)
        return False

    def _runs(self, init: Method, hook: str, place: int) -> bool:
        for line in init.body:
            if any(isinstance(each, (ast.Return, ast.Raise)) for each in ast.walk(line)):
                return False
            call = line.value if isinstance(line, ast.Expr) else None
            func = call.func if isinstance(call, ast.Call) else None
            if not isinstance(func, ast.Attribute) or not isinstance(call, ast.Call):
                continue
            if func.attr == hook and isinstance(func.value, ast.Name) and func.value.id == first(init):
                return not call.args and not call.keywords
            if func.attr == "__init__" and is_super(func.value) and self.init_runs(hook, place + 1):
                return True
        return False


def bases_of(project: Project, name: str) -> Bases | None:
    """A class of the project with its bases, by its name; None where one of them can't be read, or sets what can't be seen."""
    found = down_to_keras(project, name, lambda node: not (node.decorator_list or node.keywords) and _is_plain(node))
    return Bases(tuple(node for node, _ in found)) if found else None


def down_to_keras(
    project: Project, name: str, is_clear: Callable[[ast.ClassDef], bool], passed: frozenset[str] = frozenset()
) -> tuple[tuple[ast.ClassDef, Path], ...]:
    """A class of the project and those that it is made from, down to Keras's own, with their files.

    None at all where one can't be read, is not clear, or is made from several.

    Args:
        passed: names of bases that do not count.
    """
    found: list[tuple[ast.ClassDef, Path]] = []
    while canonical(name) not in SEQUENCE:
        place = project.place(name)
        above = [base for base in project.bases(name) or () if base not in passed]
        node = _at(place) if place is not None and len(above) == 1 and len(found) < _MOST else None
        if place is None or node is None or not is_clear(node):
            return ()
        found.append((node, place[0]))
        name = above[0]
    return tuple(found)


def _at(place: tuple[Path, int]) -> ast.ClassDef | None:
    """The class at a line of a file; None where it can't be read."""
    data = surroundings.content(place[0], _BIGGEST)
    return _definition(data, place[1]) if data is not None else None


# An editor asks for the same classes at each key. Texts and trees are kept for as long as others are not asked for.
@lru_cache(maxsize=32)
def _definition(data: bytes, line: int) -> ast.ClassDef | None:
    tree = neighbour(data)
    if tree is None:
        return None
    return next((node for node in ast.walk(tree) if isinstance(node, ast.ClassDef) and node.lineno == line), None)


@lru_cache(maxsize=32)
def _settings(node: ast.ClassDef) -> dict[str, set[str]]:
    """For each attribute what may give it a value: names of methods, "" for the class body and for strings."""
    found: dict[str, set[str]] = {}
    for each in ast.walk(node):
        if isinstance(each, ast.Constant) and isinstance(each.value, str):
            found.setdefault(each.value, set()).add("")
    for statement in node.body:
        for bound in _bound(statement):
            found.setdefault(bound, set()).add("")
    for method in (each for each in node.body if isinstance(each, Method)):
        for each in ast.walk(method):
            if isinstance(each, ast.Attribute) and not isinstance(each.ctx, ast.Load):
                found.setdefault(each.attr, set()).add(method.name)
    return found


@lru_cache(maxsize=256)
def _attributes(method: Method) -> frozenset[str]:
    return frozenset(each.attr for each in ast.walk(method) if isinstance(each, ast.Attribute))


@lru_cache(maxsize=32)
def _is_plain(node: ast.ClassDef) -> bool:
    """Whether the methods of a class set attributes by writing them out, and give `self` to no other code."""
    words = {each.attr for each in ast.walk(node) if isinstance(each, ast.Attribute)}
    names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    methods = [each for each in node.body if isinstance(each, Method)]
    if not _UNSEEN.isdisjoint(words | names | {method.name for method in methods}):
        return False
    return not any(_hands_on(call, first(method)) for method in methods for call in _calls(method))


def _calls(method: Method) -> Iterator[ast.Call]:
    return (each for each in ast.walk(method) if isinstance(each, ast.Call))


def _hands_on(call: ast.Call, own: str) -> bool:
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    if not any(isinstance(each, ast.Name) and each.id == own for each in given):
        return False
    if isinstance(call.func, ast.Attribute):
        return call.func.attr not in ("__init__", "on_epoch_end")
    return not (isinstance(call.func, ast.Name) and call.func.id in _LOOKS)


def first(method: Method) -> str:
    """The name of the instance in a method."""
    arguments = [*method.args.posonlyargs, *method.args.args]
    return arguments[0].arg if arguments else ""


def is_super(node: ast.expr) -> bool:
    """Whether an expression is `super()`."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super"


def _bound(node: ast.stmt) -> Iterator[str]:
    """What a statement of a class body binds."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield node.name
        return
    yield from (each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store))
