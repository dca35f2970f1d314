"""Where the values of a history are read: `history.history["loss"]`."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from seqlint.domains.callbacks.fit_logs import FitLogs
from seqlint.knowledge.metrics import are_the_same
from seqlint.run import Result, constant

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Call, Object, Run, Value
    from seqlint.run.trace import Taken

_FRAMES = frozenset({"pandas.DataFrame", "pandas.DataFrame.from_dict"})
_RENAMES = frozenset({"rename", "insert", "update", "setitem", "setdefault", "add_prefix"})
_CATCH = frozenset({"KeyError", "LookupError", "Exception", "BaseException"})


@dataclass(frozen=True, eq=False)
class HistoryRead:
    """A place of this file that reads one value of a history.

    Attributes:
        node: the key.
        key: what it says.
        fits: the fits that gave the history, one for each time that the place is reached and each way there; empty where one is not known.
    """

    node: ast.expr
    key: str
    fits: tuple[Call, ...]


class Histories:
    """The reads of histories in a file."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._fits = {call.result: call for call in run.domain(FitLogs).fits}

    @cached_property
    def reads(self) -> tuple[HistoryRead, ...]:
        """In running order; those that a test or a handler guards are left out."""
        fits: dict[tuple[ast.expr, str], list[Call]] = {}
        guarded: dict[ast.expr, ast.Subscript] = {}
        for taken in self._run.machine.trace.taken:
            calls = self._calls(taken.holder)
            for place, key in self._keys(taken) if calls else ():
                name = constant(key)
                if isinstance(name, str) and not any(self._is_added(each, name) for each in taken.holder):
                    fits.setdefault((place, name), []).extend(calls)
                    guarded[place] = taken.node
        return tuple(
            HistoryRead(place, name, tuple(dict.fromkeys(found)))
            for (place, name), found in fits.items()
            if isinstance(guarded[place].ctx, ast.Load) and not self._is_guarded(guarded[place], name)
        )

    def _keys(self, taken: Taken) -> Iterator[tuple[ast.expr, Value]]:
        """The keys of `history["acc"]`, `table[["acc", "loss"]]` and `table.loc[:, ["acc", "loss"]]`, each with its place."""
        node, value = taken.node.slice, taken.key
        if isinstance(node, ast.Tuple) and len(node.elts) == 2 and isinstance(node.elts[0], ast.Slice):
            parts = self._run.items(value)
            if parts is None or len(parts) != 2:
                return
            node, value = node.elts[1], parts[1]
        if not isinstance(node, ast.List):
            yield node, value
            return
        items = self._run.items(value)
        if items is not None and len(items) == len(node.elts):
            yield from zip(node.elts, items, strict=True)

    def _is_added(self, holder: Object, name: str) -> bool:
        """Whether the program puts a key into a history or a table of one, or renames its columns."""
        if f"k:{name!r}" in self._run.machine.heap.names.get(holder.term, ()):
            return True
        changed = any(call.result.receiver is holder and call.result.method in _RENAMES for call in self._run.calls)
        return changed or any(store.owner is holder for store in self._run.stores)

    def _calls(self, holder: Value) -> list[Call]:
        """The fits whose history a value is, whatever happens; none where it may be something else."""
        found = [self._call(each) for each in holder]
        return [] if None in found else [call for call in found if call is not None]

    def _call(self, found: Object) -> Call | None:
        if not isinstance(found, Result):
            return None
        if found.op == "call" and found.name in _FRAMES and found.args:
            only = found.args[0].only
            return self._call(only) if only is not None else None
        if found.op != "attribute" or not isinstance(found.receiver, Result):
            return None
        if found.method == "loc":
            return self._call(found.receiver)
        return self._of_fit(found.receiver) if found.method == "history" else None

    def _of_fit(self, found: Result) -> Call | None:
        """The fit that gave an object: its result, or `model.history` of a model that is trained once."""
        if found.op == "attribute" and found.method == "history":
            calls = [call for call in self._fits.values() if call.result.receiver is found.receiver]
            return calls[0] if len(calls) == 1 else None
        return self._fits.get(found)

    # -- guards -----------------------------------------------------------------------------------------------------

    def _is_guarded(self, node: ast.AST, key: str) -> bool:
        """Whether the code asks first if the key is there, or goes on without it."""
        here: ast.AST | None = node
        while here is not None:
            above = self._run.parents.get(here)
            if isinstance(above, (ast.If, ast.IfExp, ast.Try)) and _names_another(above, key):
                return True
            if isinstance(above, ast.Try) and here in above.body and any(_catches(each) for each in above.handlers):
                return True
            if isinstance(above, (ast.FunctionDef, ast.Lambda, ast.Module)):
                return any(_asks(each, key) for each in ast.walk(above))
            if isinstance(above, (ast.If, ast.IfExp)) and any(_asks(each, key) for each in ast.walk(above.test)):
                return True
            here = above
        return False


def _names_another(node: ast.AST, key: str) -> bool:
    """Whether a branch has another name for the same value: `history["acc"] if old else history["accuracy"]`."""
    texts = {each.value for each in ast.walk(node) if isinstance(each, ast.Constant) and isinstance(each.value, str)}
    return any(text != key and are_the_same(text.removeprefix("val_"), key.removeprefix("val_")) for text in texts)


def _asks(node: ast.AST, key: str) -> bool:
    """Whether an expression is a test such as `"acc" in history.history`."""
    if not isinstance(node, ast.Compare) or not any(isinstance(op, (ast.In, ast.NotIn)) for op in node.ops):
        return False
    left = node.left
    return (
        not isinstance(left, ast.Constant)
        or left.value == key
        or (isinstance(left.value, str) and key.startswith(left.value))
    )


def _catches(handler: ast.ExceptHandler) -> bool:
    if handler.type is None:
        return True
    names = [each for each in ast.walk(handler.type) if isinstance(each, (ast.Name, ast.Attribute))]
    return any((each.id if isinstance(each, ast.Name) else each.attr) in _CATCH for each in names)
