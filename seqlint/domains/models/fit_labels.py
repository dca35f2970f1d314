"""The labels that calls of `fit` and `evaluate` get, and losses that don't take them."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from seqlint.domains.models.objectives import Objective, Objectives
from seqlint.domains.models.target import Target
from seqlint.domains.models.targets import Targets
from seqlint.domains.models.unlike_losses import UnlikeLosses
from seqlint.domains.pipelines.pipelines import Pipelines
from seqlint.knowledge.losses import BINARY, CATEGORICAL, OF_NUMBERS, SPARSE
from seqlint.run import Container, Instance, Result, Tuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.domains.models.heads import Head
    from seqlint.run import Call, Run, Value

_KEEP = frozenset({
    "prefetch", "cache", "shuffle", "repeat", "take", "skip", "shard", "with_options", "ignore_errors", "snapshot", "filter", "batch",
})  # fmt: skip
"""Steps that leave labels as they are."""
_ANY = Target("")
Fault = Literal["one-hot", "numbers", "broadcast", "refused"]
"""*one-hot* under a sparse loss; *numbers* under a categorical one; another width than the output has, where one of the two is 1 (*broadcast*) and
where none is (*refused*)."""


@dataclass(frozen=True, eq=False)
class Mismatch:
    """Labels that the loss of a model does not take.

    Attributes:
        is_for_all_uses: whether all that is trained or scored with the loss has such labels.
    """

    compiled: Objective
    use: Call
    target: Target
    fault: Fault
    is_for_all_uses: bool = True


class FitLabels:
    """The labels of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._targets = run.domain(Targets)
        self._pipelines = run.domain(Pipelines)

    def of(self, call: Call) -> Target:
        """What the labels of a call of `fit` or its like are."""
        data, result = self.data(call), call.result
        only = data.only if data is not None else None
        if isinstance(only, Instance):
            found = [batch.value for batch in self._run.batches if batch.source is only]
            return self._of_rows(found)
        if isinstance(only, Result) and self._pipelines.is_dataset(only):
            return self._of_dataset(only)
        given = result.keyword("y") or (
            result.args[1] if len(result.args) > 1 and call.result.method != "fit_generator" else None
        )
        if given is not None:  # a list has the labels of several outputs
            several = any(isinstance(each, (Container, Tuple)) for each in given)
            return _ANY if several else self._targets.of(given)
        read = [
            batch.value for batch in self._run.batches if any(phase.owner is result for phase in batch.context.phases)
        ]
        return self._of_rows(read)

    def data(self, call: Call) -> Value | None:
        """What the call reads: inputs, or something that gives inputs with labels."""
        result = call.result
        return result.keyword("x") or result.argument("generator", 0)

    def is_its_own_input(self, call: Call) -> bool:
        """Whether the labels are the inputs, as an autoencoder has them."""
        data = self.data(call)
        given = call.result.argument("y", 1)
        return data is not None and given is not None and isinstance(given.only, Result) and data.term == given.term

    def _of_rows(self, rows: list[Value]) -> Target:
        labels = [items[1] for row in rows if (items := self._run.items(row)) is not None and len(items) in (2, 3)]
        if not labels or len(labels) != len(rows):
            return _ANY
        if any(isinstance(each, (Container, Tuple)) for label in labels for each in label):
            return _ANY
        found = [self._targets.of(label) for label in labels]
        first = found[0]
        same = all((each.kind, each.rank, each.width) == (first.kind, first.rank, first.width) for each in found)
        return first if same else _ANY

    def rank_of_part(self, dataset: Result, number: int) -> int | None:
        """How many axes the inputs (0) or labels (1) of each batch have; None where that is not known, or the dataset has no batches."""
        batches = [step for step in self._pipelines.line(dataset) if step.method == "batch"]
        return self._of_dataset(dataset, number).rank if len(batches) == 1 else None

    def _of_dataset(self, dataset: Result, number: int = 1) -> Target:
        *steps, source = self._pipelines.line(dataset)
        for step in steps:
            if step.op == "call" and step.method not in _KEEP:
                mapped = self._mapped(step, number)
                if mapped is not None:
                    return mapped
        if source.method != "from_tensor_slices":
            return _ANY
        given = self._pipelines.argument(source, "tensors")
        only = given.only if given is not None else None
        items = self._run.items(only) if isinstance(only, (Tuple, Container)) else None
        return self._targets.of(items[number]) if isinstance(only, Tuple) and items and len(items) in (2, 3) else _ANY

    def _mapped(self, step: Result, number: int) -> Target | None:
        """What a function of `map` makes of a part of a row; None where it leaves it as it is."""
        rows = [self._run.items(value.only) for value in self._run.returned(step)] if step.method == "map" else []
        if len(rows) != 1 or rows[0] is None or len(rows[0]) not in (2, 3):
            return _ANY
        only = rows[0][number].only
        if isinstance(only, Result) and only.op == "element":
            return None if only.name == str(number) else _ANY
        found = self._targets.of(rows[0][number])
        return Target(found.kind, None, None, found.made)


class Mismatches:
    """Labels of a run that the loss does not take."""

    def __init__(self, run: Run) -> None:
        self._compiles = run.domain(Objectives)
        self._labels = run.domain(FitLabels)
        self._unlike = run.domain(UnlikeLosses)
        self._targets = run.domain(Targets)

    @cached_property
    def all(self) -> tuple[Mismatch, ...]:
        """Each, in running order."""
        return tuple(self._all())

    def _all(self) -> Iterator[Mismatch]:
        for compiled in self._compiles.all:
            unlike = self._unlike.of(compiled.call)
            if compiled.loss is None or (unlike is not None and unlike.fault != "not exclusive"):
                continue
            targets = [(use, self._labels.of(use)) for use in compiled.uses]
            faults = [self._fault(compiled, target, use) for use, target in targets]
            for (use, target), fault in zip(targets, faults, strict=True):
                if fault is not None:
                    yield Mismatch(compiled, use, target, fault, all(each == fault for each in faults))

    def _fault(self, compiled: Objective, target: Target, use: Call) -> Fault | None:
        name = compiled.loss.name if compiled.loss is not None else ""
        is_column = target.rank == 1 or (target.rank == 2 and target.width == 1)
        head = compiled.head if compiled.head is not None and compiled.head.reshaped_by is None else None
        units = head.units if head is not None else None
        if name in SPARSE:
            return "one-hot" if target.kind == "one-hot" and target.width != 1 else None
        if name in CATEGORICAL:
            return "numbers" if is_column and target.kind != "one-hot" and units != 1 else None
        if name not in OF_NUMBERS | BINARY or head is None or units is None or not self._gives_a_table(head, use):
            return None
        width = 1 if target.rank == 1 else target.width if target.rank == 2 else None
        if width is None or width == units:
            return None
        return "broadcast" if name in OF_NUMBERS and 1 in (width, units) else "refused"

    def _gives_a_table(self, head: Head, use: Call) -> bool:
        if head.table == "inputs":
            return self._targets.of(self._labels.data(use)).rank == 2
        return head.table == "yes"


def labels_place(run: Run, use: Call) -> ast.AST | None:
    """What this file gives as labels; the name of what is called where they come with the inputs; None in another file."""
    node = use.node
    if not run.is_here(use.context) or not isinstance(node, ast.Call):
        return None
    named = next((keyword.value for keyword in node.keywords if keyword.arg == "y"), None)
    if (
        named is None
        and len(node.args) > 1
        and use.result.method != "fit_generator"
        and not isinstance(node.args[0], ast.Starred)
    ):
        named = node.args[1]
    return named or node.func
