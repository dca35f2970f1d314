"""What `Dataset.from_generator` gets: a function, something that can't be called, or a function that gives one object each time."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Literal

from seqlint.domains.pipelines.pipelines import Pipelines
from seqlint.run import Constant, Container, Generator, Instance, Result, Setting, Tuple
from seqlint.run.attributes import lineage, lookup
from seqlint.run.objects import Class, External
from seqlint.run.types import type_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.domains.pipelines.pipelines import Reading
    from seqlint.run import Object, Run, Value

Given = Literal["generator", "iterator", "list", "array", "Sequence", "object"]
_ITERATORS = frozenset({"iter", "zip", "map", "filter", "enumerate", "reversed"})
_NO_FUNCTIONS = frozenset(
    {"keras.utils.Sequence", "keras.utils.PyDataset", "builtins.object", "collections.abc.Sequence"}
)
_ENDLESS = ("itertools.cycle", "itertools.count", "itertools.repeat")


class GeneratorSources:
    """The calls of `from_generator` in a run."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._pipelines = run.domain(Pipelines)

    @property
    def calls(self) -> Iterator[Result]:
        """Each call of the file itself, once for each time that it runs."""
        for step in self._pipelines.named("from_generator"):
            call = self._run.call_of.get(step)
            if call is not None and self._run.is_here(call.context) and isinstance(step.node, ast.Call):
                yield step

    def argument(self, step: Result, name: str, place: int) -> ast.expr:
        """Where an argument of a call is written; the call where stars hide it."""
        assert isinstance(step.node, ast.Call)
        node = step.node
        named = next((keyword.value for keyword in node.keywords if keyword.arg == name), None)
        return named or (node.args[place] if place < len(node.args) else node)

    # -- what can't be called ---------------------------------------------------------------------------------------

    def uncallable(self, step: Result) -> Given | None:
        """What is given in place of a function, if it surely is something that can't be called."""
        value = self._pipelines.argument(step, "generator")
        kinds = [self._kind(each) for each in value] if value is not None else []
        return kinds[0] if kinds and None not in kinds else None

    def _kind(self, found: Object) -> Given | None:
        if isinstance(found, Generator) or (isinstance(found, Container) and isinstance(found.node, ast.GeneratorExp)):
            return "generator"
        if isinstance(found, (Container, Tuple)):
            return "list"
        if isinstance(found, Instance):
            return self._kind_of_instance(found)
        if not isinstance(found, Result) or found.op != "call":
            return None
        if found.receiver is None and found.name.startswith("builtins.") and found.method in _ITERATORS:
            return "iterator"
        return "array" if type_of(found) == "numpy.ndarray" else None

    def _kind_of_instance(self, found: Instance) -> Given | None:
        machine = self._run.machine
        member = lookup(machine, found.cls, "__call__")
        above = [each.name for each in lineage(found.cls) if isinstance(each, External)]
        known = all(isinstance(each, (Class, External)) for each in lineage(found.cls))
        if member.value is not None or member.unknown or not known or not _NO_FUNCTIONS.issuperset(above):
            return None
        return "Sequence" if any(name.startswith("keras.") for name in above) else "object"

    # -- what is used up --------------------------------------------------------------------------------------------

    def repeats_one(self, step: Result) -> bool:
        """Whether the function gives the same object each time, which is used up after the first."""
        if self.uncallable(step) is not None:
            return False
        given = [each for value in self._run.returned(step) for each in value]
        return bool(given) and all(self._is_used_up(each, step) for each in given)

    def _is_used_up(self, found: Object, step: Result) -> bool:
        if isinstance(found, Generator):
            return found.serial < step.serial and not _is_endless(found.function.node)
        if isinstance(found, Container):
            return isinstance(found.node, ast.GeneratorExp) and found.serial < step.serial
        if not isinstance(found, Result) or found.op != "call" or found.receiver is not None:
            return False
        used_up = (found.name.startswith("builtins.") and found.method in _ITERATORS) or found.name in (
            "csv.reader",
            "csv.DictReader",
        )
        return used_up and found.serial < step.serial and all(self._ends(value, step) for value in found.args)

    def _ends(self, value: Value, step: Result) -> bool:
        """Whether what is gone through surely ends, or is nothing that usually goes on for ever."""
        for each in value:
            if isinstance(each, Generator) and _is_endless(each.function.node):
                return False
            if isinstance(each, Result) and (each.name in _ENDLESS or self._pipelines.is_dataset(each)):
                return False
            if isinstance(each, Result) and type_of(each).startswith(("keras.", "tensorflow.")):
                return False
        return True

    def is_read_again(self, step: Result) -> bool:
        """Whether a dataset is read from its source more than once."""
        readings = [reading for reading in self._pipelines.reached(step) if reading.role not in ("given", "looked at")]
        whole = [reading for reading in readings if self._begins_anew(reading, step)]
        places = {id(reading.node) for reading in whole}
        return len(places) > 1 or any(_epochs(reading) > 1 for reading in whole)

    def _begins_anew(self, reading: Reading, step: Result) -> bool:
        """Whether each epoch of a reader goes to the source, with no cache or repetition between."""
        line = self._pipelines.line(reading.dataset)
        between = line[: line.index(step)] if step in line else line
        if any(each.method in ("cache", "snapshot", "repeat", "apply") for each in between) or step not in line:
            return False
        trainer = reading.trainer
        return trainer is None or all(
            trainer.result.keyword(name) is None for name in ("steps_per_epoch", "steps", "validation_steps")
        )


def _epochs(reading: Reading) -> int:
    if reading.trainer is None or reading.role not in ("trained", "validated"):
        return 1
    value = reading.trainer.result.keyword("epochs")
    only = value.only if value is not None else None
    found = value.constant if value is not None and isinstance(only, (Constant, Setting)) else 1
    return found if isinstance(found, int) else 1


def _is_endless(function: ast.AST) -> bool:
    """Whether a generator function may go on for ever: it has a loop without a condition, or goes through something endless."""
    for each in ast.walk(function):
        if isinstance(each, ast.While):
            return True
        name = each.attr if isinstance(each, ast.Attribute) else each.id if isinstance(each, ast.Name) else ""
        if name in ("cycle", "count", "repeat"):
            return True
        if isinstance(each, ast.YieldFrom) and isinstance(each.value, ast.Call):
            return True
    return False
