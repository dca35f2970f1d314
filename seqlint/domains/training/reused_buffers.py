"""Arrays that a generator fills again after it has yielded them."""

from __future__ import annotations

import ast
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from seqlint.domains.training.feeds import Feeds
from seqlint.domains.values.arrays import Arrays
from seqlint.run import Constant, Container, Result, Tuple, Value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Batch, Call, Object, Run

_MADE = frozenset({
    "numpy.zeros", "numpy.ones", "numpy.empty", "numpy.full", "numpy.zeros_like", "numpy.ones_like", "numpy.empty_like", "numpy.ndarray",
})  # fmt: skip
_FILLS = frozenset({"setitem", "fill", "put", "itemset"})
_Part = tuple[Result, ast.expr | None]
_Numbers = Literal["floats", "others", "unknown"]


@dataclass(frozen=True, eq=False)
class Reused:
    """A `yield` of arrays that are filled again.

    Attributes:
        node: the `yield`.
        written: the arrays, or views of them, as the `yield` writes them; None where one is put together elsewhere.
        numbers: what the arrays hold.
        reader: the call of the model that reads the generator.
    """

    node: ast.AST
    batch: Batch
    written: tuple[ast.expr, ...] | None
    numbers: _Numbers
    reader: Call


class ReusedBuffers:
    """Such arrays of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._readers = {call.result: call for call in run.domain(Feeds).calls}

    @property
    def all(self) -> Iterator[Reused]:
        """Every `yield` that gives a model an array which is filled again, once."""
        seen: set[ast.AST] = set()
        for batch in self._run.batches:
            owner = batch.context.phase.owner
            reader = self._readers.get(owner) if owner is not None else None
            if (
                batch.source is not None
                or reader is None
                or batch.node in seen
                or not isinstance(batch.node, ast.Yield)
            ):
                continue
            with self._run.machine.under(batch.context.guards):
                parts = [*self._parts(batch.value, batch.node.value)]
            found = [part for part in parts if self._is_filled_again(part, batch)]
            if found:
                seen.add(batch.node)
                written = tuple(expression for _, expression in found if expression is not None)
                whole = written if len(written) == len(found) else None
                yield Reused(batch.node, batch, whole, self._numbers([array for array, _ in found]), reader)

    def _parts(self, value: Value, written: ast.expr | None) -> Iterator[_Part]:
        """The arrays that a batch is made of, or has views of, each with what is written for it."""
        for each in value:
            if isinstance(each, Container) and each.kind == "dict":
                for number, key in enumerate(self._run.items(each) or ()):
                    node = (
                        written.values[number]
                        if isinstance(written, ast.Dict) and number < len(written.values)
                        else None
                    )
                    yield from self._parts(self._run.at_key(each, key.constant) or Value(()), node)
            elif isinstance(each, (Tuple, Container)):
                nodes = written.elts if isinstance(written, (ast.Tuple, ast.List)) else ()
                for number, item in enumerate(self._run.items(each) or ()):
                    yield from self._parts(item, nodes[number] if number < len(nodes) else None)
            elif (array := _viewed(each)) is not None and array.name in _MADE:
                yield array, written

    def _is_filled_again(self, part: _Part, batch: Batch) -> bool:
        array, written = part
        made, around = self._run.call_of.get(array), batch.context.loops
        if made is None or len(made.context.loops) >= len(around):
            return False
        if any(loop.node is not other.node for loop, other in zip(made.context.loops, around, strict=False)):
            return False
        inside = around[len(made.context.loops)].node
        filled = any(len(fill.context.loops) > len(made.context.loops) for fill in self._fills[array])
        return filled and written is not None and not _is_bound_in(written, inside)

    @cached_property
    def _fills(self) -> dict[Object, list[Call]]:
        found: dict[Object, list[Call]] = defaultdict(list)
        for call in self._run.calls:
            result = call.result
            filled: list[Object] = []
            if result.method in _FILLS and result.receiver is not None:
                filled.append(result.receiver)
            if result.name == "numpy.copyto":
                filled += [each for value in result.args[:1] for each in value]
            filled += [each for each in result.keyword("out") or () if result.name.startswith("numpy.")]
            for each in filled:
                array = _viewed(each)
                if array is not None:
                    found[array].append(call)
        return found

    def _numbers(self, arrays: list[Result]) -> _Numbers:
        known = [self._run.domain(Arrays).of(Value.of(array)) for array in arrays]
        kinds = {
            "unknown" if each is None else "floats" if each.dtype.startswith("float") else "others" for each in known
        }
        return "others" if "others" in kinds else "unknown" if "unknown" in kinds else "floats"


def _viewed(found: Object) -> Result | None:
    """The array that something is, or is cut out of by a slice, without a copy."""
    for _ in range(6):
        if not isinstance(found, Result):
            return None
        if found.op != "item" or not found.args or not _is_cut(found.args[0]):
            return found if found.op == "call" else None
        found = found.receiver  # type: ignore[assignment]
    return None


def _is_cut(index: Value) -> bool:
    """Whether an index gives a view: a slice, or several in a row."""
    only = index.only
    if isinstance(only, Tuple):
        return any(_is_cut(each) for each in only.items) and all(
            _is_cut(each) or _is_number(each) for each in only.items
        )
    return isinstance(only, Result) and only.op == "operator" and only.name == "slice"


def _is_number(index: Value) -> bool:
    only = index.only
    return isinstance(only, Constant) and (only.value is None or only.value is ... or isinstance(only.value, int))


def _is_bound_in(written: ast.expr, loop: ast.AST) -> bool:
    """Whether a loop gives the name of an array to something else, or that can't be told."""
    while isinstance(written, ast.Subscript):
        written = written.value
    name = _name(written)
    stores = (
        each
        for each in ast.walk(loop)
        if isinstance(each, (ast.Name, ast.Attribute)) and isinstance(each.ctx, ast.Store)
    )
    return not name or any(_name(each) == name for each in stores)


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
