"""What gives its own batches to a model: a generator, a Sequence, a dataset; or a function that would make one."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Literal

from seqlint.domains.pipelines.pipelines import Pipelines
from seqlint.domains.training.generator_ends import GeneratorEnds
from seqlint.run import Bound, Container, Function, Generator, Instance, Result
from seqlint.run.sequences import is_sequence
from seqlint.run.types import type_of

if TYPE_CHECKING:
    from seqlint.run import Object, Run, Value

SourceKind = Literal["generator", "Sequence", "dataset"]
_FLOWS = ("keras.preprocessing.image.Iterator", "keras.preprocessing.sequence.TimeseriesGenerator")


class Sources:
    """The sources of batches of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._pipelines = run.domain(Pipelines)

    def kind(self, value: Value) -> SourceKind | None:
        """What a value surely is; None where it may be anything else."""
        kinds = {self._kind(each) for each in value}
        return kinds.pop() if len(kinds) == 1 else None

    def _kind(self, found: Object) -> SourceKind | None:
        if isinstance(found, Generator) or (isinstance(found, Container) and isinstance(found.node, ast.GeneratorExp)):
            return "generator"
        if isinstance(found, Instance):
            return "Sequence" if is_sequence(found.cls) else None
        if not isinstance(found, Result):
            return None
        return "dataset" if self._pipelines.is_dataset(found) else "Sequence" if type_of(found) in _FLOWS else None

    # -- functions that are not called ------------------------------------------------------------------------------

    def functions(self, value: Value) -> tuple[Function | Bound, ...]:
        """The functions that a value surely is; empty where it may be anything else."""
        found = tuple(each for each in map(_filled, value) if isinstance(each, (Function, Bound)))
        return found if len(found) == len(value.options) else ()

    def is_ready(self, found: Function | Bound) -> bool:
        """Whether a function makes a generator, and needs no more than to be called for it."""
        function = found.function if isinstance(found, Bound) else found
        own, node = function.node.args, function.node
        filled = len(found.args) + (found.receiver is not None) + len(found.keywords) if isinstance(found, Bound) else 0
        least = len(own.posonlyargs) + len(own.args) - len(own.defaults)
        keywords = any(default is None for default in own.kw_defaults)
        makes = not isinstance(node, ast.Lambda) and self._run.machine.names(node, function.frame.module).generator
        return makes and not function.wrapped and least <= filled and not keywords

    def ends(self, found: Function | Bound) -> bool:
        """Whether the generator that a function makes surely ends."""
        return (
            self._run.domain(GeneratorEnds).of_function(found.function if isinstance(found, Bound) else found) == "yes"
        )


def _filled(found: Object) -> Object:
    """`functools.partial(function, ...)` as a function with arguments."""
    if not isinstance(found, Result) or found.name != "functools.partial" or not found.args:
        return found
    inner = found.args[0].only
    if isinstance(inner, Function):
        return Bound(inner, None, found.args[1:], found.keywords)
    return Bound(inner.function, inner.receiver, (*inner.args, *found.args[1:])) if isinstance(inner, Bound) else found
