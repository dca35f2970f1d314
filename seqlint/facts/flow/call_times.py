"""When the code of a function reads a name of the module: where the module calls it, and not before."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    import libcst as cst

    from seqlint.facts.code.names import Names
    from seqlint.facts.code.scopes import Binding
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.flow.call_frames import Frame
    from seqlint.facts.flow.call_graph import CallGraph

_DEEPEST = 4


class CallTimes:
    """The moments at which the functions of one file run."""

    def __init__(self, tree: Tree, names: Names, calls: CallGraph) -> None:
        self._tree = tree
        self._names = names
        self._calls = calls

    def reaching(self, name: cst.Name, frame: Frame) -> tuple[Binding, ...]:
        """The bindings whose value a name can have in a run of a function.

        A function that reads a variable of the module finds what it holds when the module calls the function, directly or
        through others; where no such call is in sight it can be anything that the variable ever holds.
        """
        found = self._names.reaching(name)
        if len(found) < 2 or found[0].scope.kind != "module" or self._names.same_frame(name, found[0].scope):
            return found
        calls = tuple(self._from_module(frame, _DEEPEST))
        if not calls or None in calls:
            return found
        at_calls = (binding for call in calls for binding in self._names.reaching(name, call))
        return tuple(dict.fromkeys(at_calls)) or found

    def _from_module(self, frame: Frame, steps: int) -> Iterator[cst.Call | None]:
        """The calls in the code of the module that lead to a run; None where one is out of sight."""
        here = frame
        while here.caller is not None:
            call, here = here.call or here.handed, here.caller
            if here.function is None:
                yield call
                return
        if here.function is not None:
            yield from self._callers(here.function, steps)

    def _callers(self, function: cst.FunctionDef, steps: int) -> Iterator[cst.Call | None]:
        calls = self._calls.callers(function) if steps else ()
        if not calls:
            yield None
        for call in calls:
            around = self._tree.function(call)
            yield from (call,) if around is None else self._callers(around, steps - 1)
