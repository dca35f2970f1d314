"""Functions that LambdaCallback calls as hooks."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from seqlint.run import Bound, Function
from seqlint.run.callbacks import HOOKS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Call, Object, Run

_MAKES = "keras.callbacks.LambdaCallback"


@dataclass(frozen=True, eq=False)
class WrongFunction:
    """A function that takes less than its hook passes, or requires more.

    Attributes:
        node: the function, where this file writes it.
        takes: how many arguments it takes, or has to get.
    """

    node: ast.AST
    hook: str
    takes: int

    @property
    def passed(self) -> tuple[str, ...]:
        """What Keras passes to the hook."""
        return HOOKS[self.hook]


class HookFunctions:
    """The functions of a run that LambdaCallback gets."""

    def __init__(self, run: Run) -> None:
        self._run = run

    @cached_property
    def wrong(self) -> tuple[WrongFunction, ...]:
        """Each that can't take what it gets, in running order, each function once."""
        found: dict[ast.AST, WrongFunction] = {}
        for call in self._run.called(_MAKES):
            for one in self._of(call) if self._run.is_here(call.context) else ():
                found.setdefault(one.node, one)
        return tuple(found.values())

    def _of(self, call: Call) -> Iterator[WrongFunction]:
        here = set(ast.walk(self._run.tree))
        for hook, passed in HOOKS.items():
            given = call.result.keyword(hook)
            takes = _arguments_of(given.only) if given is not None else None
            if takes is None or takes[0] <= len(passed) <= takes[1]:
                continue
            function = given.only if given is not None else None
            node = function.function.node if isinstance(function, Bound) else getattr(function, "node", None)
            number = takes[1] if takes[1] < len(passed) else takes[0]
            yield WrongFunction(node if node in here else call.node, hook, number)


def _arguments_of(found: Object | None) -> tuple[int, int] | None:
    """How many arguments a function has to get, and takes at most; None where that is not known."""
    if isinstance(found, Bound) and (found.receiver is None or found.args or found.keywords):  # of `functools.partial`
        return None
    function = found.function if isinstance(found, Bound) else found
    node = function.node if isinstance(function, Function) and not function.wrapped else None
    if not isinstance(node, (ast.Lambda, ast.FunctionDef)) or (
        isinstance(node, ast.FunctionDef) and node.decorator_list
    ):
        return None
    given = node.args
    if given.vararg is not None or any(default is None for default in given.kw_defaults):
        return None
    most = len(given.posonlyargs) + len(given.args) - isinstance(found, Bound)
    return most - len(given.defaults), most
