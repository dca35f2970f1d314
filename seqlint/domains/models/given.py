"""Models that code has got which is not seen: a helper of another package, or a call that is too long to be followed."""

from __future__ import annotations

import ast
from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING

from seqlint.run import Container, Instance, Result, Tuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Context, Object, Run, Value

_MOST_INSIDE = 2


class Given:
    """Who else may have given a model layers."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._times: dict[Object, list[Context]] = defaultdict(list)
        for read in run.reads:
            if read.kind == "give" and not isinstance(read.node, ast.Return):
                for each in read.value:
                    self._times[each].append(read.context)

    def before(self, model: Object, at: Context) -> bool:
        """Whether a stranger has got the model, or what holds it, before a moment."""
        got = (each for holder in (model, *self._holders.get(model, ())) for each in self._times[holder])
        return any(each.clock < at.clock and not each.excludes(at) for each in got)

    @cached_property
    def _holders(self) -> dict[Object, list[Object]]:
        """The objects that strangers have got in which a term is or was, directly or one object away."""
        found: dict[Object, list[Object]] = defaultdict(list)
        for holder in [*self._times]:
            for inner in self._inside(holder, _MOST_INSIDE):
                if inner is not holder:
                    found[inner].append(holder)
        return found

    def _inside(self, found: Object, depth: int) -> Iterator[Object]:
        """An object, and what it holds or has held."""
        if isinstance(found, (Result, Instance)):
            yield found
        if not depth:
            return
        for value in self._held(found):
            for each in value:
                yield from self._inside(each, depth - 1)

    def _held(self, found: Object) -> Iterator[Value]:
        heap = self._run.machine.heap
        if isinstance(found, Tuple):
            yield from found.items
        elif isinstance(found, (Container, Instance)):
            for name in heap.names.get(found.serial, ()):
                yield from (put.value for put in heap.log[found.serial, name] if put.value is not None)
