"""What one batch, one fit or one dataset takes row by row: inputs and targets, and what the program calls them."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from seqlint.domains.rows.rows import RowOrders
from seqlint.domains.rows.steps import Moment
from seqlint.domains.rows.terms import identity
from seqlint.run import Class, Container, Instance, Result, Tuple, Value
from seqlint.run.attributes import lineage
from seqlint.run.types import type_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Batch, Call, Context, Object, Run

_TARGET = re.compile(
    r"(?i)^(?:y|ys)$|^y_|_y$|label|target|mask|truth|annot|(?:^|_)(?:classes|ages|heights|answers|scores|outputs)$"
)
_FITS = frozenset({"fit", "evaluate", "train_on_batch", "test_on_batch"})
_HELD = frozenset({
    "tensorflow.data.Dataset.from_tensor_slices", "tensorflow.data.Dataset.from_tensors", "builtins.zip", "torch.utils.data.TensorDataset",
    "sklearn.model_selection.train_test_split",
})  # fmt: skip


@dataclass(frozen=True, eq=False)
class Pair:
    """Two values that Keras takes row by row.

    Attributes:
        names: what the program calls them; empty where it does not.
        surely: whether something says that one is the target of the other; otherwise their names have to.
        alone: whether it counts that only one of them is moved.
        fit: the call that takes both.
        source: the Sequence that a batch is from.
        start: when the making of the batch began.
        several: whether the batch has more parts than these two.
    """

    inputs: Value
    targets: Value
    context: Context
    names: tuple[str, str]
    surely: bool
    alone: bool
    fit: Call | None = None
    source: Instance | None = None
    start: int | None = None
    several: bool = False

    @property
    def named(self) -> bool:
        """Whether one of the two is named like a target, and the other is not."""
        return is_target(self.names[0]) is not is_target(self.names[1])


class Pairs:
    """The pairs of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._rows = run.domain(RowOrders)

    def all(self) -> Iterator[Pair]:
        """Batches first, then what calls get, then what functions return."""
        for batch in self._run.batches:
            yield from self._of_batch(batch)
        for call in self._run.calls:
            if call.result.method in _FITS:
                yield from self._fitted(call)
            elif call.name in _HELD:
                yield from self._held(call.result.args, call.context)
        for read in self._run.reads:
            if read.kind == "give" and isinstance(read.node, ast.Return):
                yield from self._held((read.value,), read.context)

    def _of_batch(self, batch: Batch) -> Iterator[Pair]:
        owner = batch.context.phases[-1].owner
        surely = owner is not None and self._trains_on_pairs(owner)
        for option in batch.value.options:
            parts = _parts(option.object)
            if len(parts) < 2:
                continue
            context = replace(batch.context, guards=batch.context.guards | option.guards)
            left, right = list(leaves(self._run, parts[0])), list(leaves(self._run, parts[1]))
            many = len(left) + len(right) > 2
            for one in left:
                for other in right:
                    names = (self._name(one, context, batch.source), self._name(other, context, batch.source))
                    own = batch.source is not None
                    yield Pair(one, other, context, names, surely, own, None, batch.source, batch.start, many)

    def _trains_on_pairs(self, fit: Result) -> bool:
        """Whether a call fits a model as Keras makes it, with a loss of inputs and targets."""
        model = fit.receiver
        if model is None or type_of(model) != "keras.Model":
            return False
        return any(
            call.result.receiver is model
            and call.result.method == "compile"
            and call.result.keyword("loss") is not None
            for call in self._run.calls
        )

    def _fitted(self, call: Call) -> Iterator[Pair]:
        given = call.result
        inputs = given.argument("x", 0)
        targets = given.argument("y", 1)
        if inputs is not None and targets is not None:
            yield from self._of_two(inputs, targets, call)
        checked = given.keyword("validation_data")
        for each in checked or ():
            parts = _parts(each)
            if len(parts) > 1:
                yield from self._of_two(parts[0], parts[1], call)

    def _of_two(self, inputs: Value, targets: Value, call: Call) -> Iterator[Pair]:
        for one in leaves(self._run, inputs):
            for other in leaves(self._run, targets):
                names = (self._name(one, call.context, None), self._name(other, call.context, None))
                yield Pair(one, other, call.context, names, surely=True, alone=True, fit=call)

    def _held(self, values: tuple[Value, ...], context: Context) -> Iterator[Pair]:
        """`return x, y`, `from_tensor_slices((x, y))`, `zip(x, y)`: their names say whether they belong together."""
        parts = list(values)
        if len(parts) == 1:
            only = parts[0].only
            parts = list(only.items) if isinstance(only, Tuple) else []
        for number, one in enumerate(parts):
            for other in parts[number + 1 :]:
                names = (self._name(one, context, None), self._name(other, context, None))
                yield Pair(one, other, context, names, surely=False, alone=False)

    def may_be_aligned(self, pair: Pair) -> bool:
        """Whether a base in another file has a method that nobody calls here, and that sets one of the two."""
        line = lineage(pair.source.cls) if pair.source is not None else []
        methods = [
            each
            for cls in line
            if isinstance(cls, Class) and cls.frame.module is not self._run.machine.main
            for each in cls.node.body
            if isinstance(each, ast.FunctionDef) and each not in self._run.machine.ran
        ]
        stores = (part for each in methods for part in ast.walk(each) if isinstance(part, ast.Attribute))
        return any(f"self.{part.attr}" in pair.names and isinstance(part.ctx, ast.Store) for part in stores)

    # -- names ------------------------------------------------------------------------------------------------------

    def _name(self, value: Value, context: Context, source: Instance | None) -> str:
        """What the program calls the collection that a value is of: an attribute, a variable, a parameter."""
        rows = self._rows.of(value, Moment(context.clock, context.guards))
        if rows is None:
            return ""
        held = [place for key in reversed(rows.holders) for place in self.places.get(key, ())]
        own = [f"self.{name}" for owner, name in held if source is not None and owner == source.serial]
        return own[0] if own else held[0][1] if held else ""

    def named(self, found: Result | Container) -> str:
        """What holds a collection: "self.order", a variable; empty for nothing."""
        held = [place for place in self.places.get(identity(found), ()) if place[0] is not None]
        own = [f"self.{name}" for owner, name in held if owner in self._run.machine.started]
        return own[0] if own else held[0][1] if held else ""

    @cached_property
    def places(self) -> dict[tuple[object, ...], list[tuple[object, str]]]:
        """The names that hold each collection."""
        found: dict[tuple[object, ...], list[tuple[object, str]]] = {}
        for (owner, name), log in self._run.machine.heap.log.items():
            for put in log:
                for each in put.value or ():
                    if isinstance(each, (Result, Container)):
                        places = found.setdefault(identity(each), [])
                        if (owner, name) not in places:
                            places.append((owner, name))
                        if isinstance(each, Result) and each.op in ("attribute", "parameter"):
                            places.append((None, each.name.rpartition(".")[2]))
        return found


def is_target(name: str) -> bool:
    """Whether a name is one that programs give to targets."""
    return bool(_TARGET.search(name.rpartition(".")[2]))


def _parts(found: Object) -> list[Value]:
    return list(found.items) if isinstance(found, Tuple) else []


def leaves(run: Run, value: Value, depth: int = 2) -> Iterator[Value]:
    """The arrays of `[left, right]` and `{"a": left}`."""
    only = value.only
    if depth and isinstance(only, (Tuple, Container)):
        items = run.items(only)
        if isinstance(only, Container) and only.kind == "dict" and items:
            items = [found for key in items if (found := run.at_key(only, key.constant)) is not None]
        if items:
            for each in items:
                yield from leaves(run, each, depth - 1)
            return
    yield value
