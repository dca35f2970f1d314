"""What hangs on the index of a batch in the methods of another file."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from seqlint.facts.project.bases import Method

_ROUNDS = 8


class IndexDependence:
    """The names that hang on the index on the way through one method.

    Args:
        start: the method that is given the index.
        calls: for each method on the way where it is spoken of, and in which method.
    """

    def __init__(self, start: Method, calls: Mapping[Method, Sequence[tuple[ast.Attribute, Method]]]) -> None:
        self._names: dict[Method, set[str]] = {start: {argument.arg for argument in _positional(start)[1:2]}}
        self._calls = calls
        self._by_func: dict[Method, dict[ast.expr, ast.Call]] = {}
        for _ in range(_ROUNDS):
            if not self._grow():
                break

    def of(self, places: Iterable[tuple[ast.Attribute, Method]]) -> frozenset[int]:
        """The places of the arguments that hang on the index in all of some calls, from 0."""
        found = [self._given(*place) for place in places]
        return frozenset(found[0].intersection(*found[1:])) if found else frozenset()

    def _given(self, node: ast.Attribute, method: Method) -> set[int]:
        if method not in self._by_func:
            self._by_func[method] = {each.func: each for each in ast.walk(method) if isinstance(each, ast.Call)}
        call = self._by_func[method].get(node)
        arguments = call.args if call is not None else []
        return {at for at, each in enumerate(arguments) if self._depends(each, method)}

    def _depends(self, node: ast.AST, method: Method) -> bool:
        names = self._names.get(method, set())
        return any(isinstance(each, ast.Name) and each.id in names for each in ast.walk(node))

    def _grow(self) -> bool:
        before = sum(map(len, self._names.values()))
        for method, names in list(self._names.items()):
            for target, value in _bindings(method):
                if self._depends(value, method):
                    names.update(each.id for each in ast.walk(target) if isinstance(each, ast.Name))
        for method, places in self._calls.items():
            taken = _positional(method)[1:]
            for node, by in places:
                given = self._given(node, by)
                self._names.setdefault(method, set()).update(taken[at].arg for at in given if at < len(taken))
        return sum(map(len, self._names.values())) > before


def _bindings(method: Method) -> Iterator[tuple[ast.AST, ast.AST]]:
    """What is bound in a method, and what it is bound to."""
    for node in ast.walk(method):
        if isinstance(node, ast.Assign):
            yield from ((target, node.value) for target in node.targets if not isinstance(target, ast.Attribute))
        elif isinstance(node, (ast.For, ast.comprehension)):
            yield node.target, node.iter


def _positional(method: Method) -> list[ast.arg]:
    return [*method.args.posonlyargs, *method.args.args]
