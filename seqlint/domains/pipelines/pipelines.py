"""Pipelines of tf.data: the steps of a dataset back to its sources, what each does, and who reads it in which role.

A dataset is a recipe. Each reading of it (a `for`, a fit, one branch of a zip) runs the recipe anew.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from seqlint.knowledge.tf_data import JOINS, LOADERS, METHODS, SOURCES
from seqlint.knowledge.types import DATASET
from seqlint.run import Container, Result, Tuple, Value
from seqlint.run.objects import constant
from seqlint.run.types import gives_datasets, type_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Call, Object, Run
    from seqlint.run.trace import Context

Role = Literal[
    "trained", "validated", "evaluated", "predicted", "adapted", "looped", "listed", "looked at", "given", "scored"
]
"""Who reads: `fit` (*trained*), its `validation_data` (*validated*), `evaluate`, `predict`, `adapt`, a `for` (*looped*), `list(...)` (*listed*),
something that takes one item or a part (*looked at*: `next`, `take(1)` in a loop), or code that is not seen (*given*)."""

_TRAINERS: dict[str, tuple[tuple[str, int, Role], ...]] = {
    "fit": (("x", 0, "trained"), ("validation_data", -1, "validated")),
    "fit_generator": (("generator", 0, "trained"), ("validation_data", -1, "validated")),
    "evaluate": (("x", 0, "evaluated"),),
    "evaluate_generator": (("generator", 0, "evaluated"),),
    "predict": (("x", 0, "predicted"),),
    "predict_generator": (("generator", 0, "predicted"),),
    "adapt": (("data", 0, "adapted"),),
}
_EVIDENT = frozenset(
    {"batch", "prefetch", "padded_batch", "interleave", "with_options", "rebatch", "bucket_by_sequence_length"}
)
"""Methods that show that what they are asked of is a dataset, in a file that imports TensorFlow."""
_EVIDENT_KEYWORDS = frozenset(
    {"num_parallel_calls", "reshuffle_each_iteration", "drop_remainder", "cycle_length", "padded_shapes"}
)
_MOST_WAYS, _LONGEST_WAY = 24, 100
_WRAPS = frozenset(
    {
        "experimental_distribute_dataset",
        "iter",
        "enumerate",
        "as_numpy_iterator",
        "make_one_shot_iterator",
        "tqdm",
        "zip",
    }
)


@dataclass(frozen=True, eq=False)
class Reading:
    """One reader of a dataset.

    Attributes:
        dataset: what is read, the last step of its chain.
        role: for what.
        node: the call or statement that reads.
        trainer: the call of fit, evaluate or predict; None for other readers.
    """

    dataset: Result
    role: Role
    node: ast.AST
    context: Context
    trainer: Call | None = None


class Pipelines:
    """The datasets of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run

    @cached_property
    def steps(self) -> tuple[Result, ...]:
        """Every call that gives a dataset, or several, in running order."""
        return tuple(call.result for call in self._run.calls if self.is_step(call.result))

    def named(self, *methods: str) -> Iterator[Result]:
        """The steps of one of these names, such as "shuffle"."""
        return (step for step in self.steps if step.method in methods)

    # -- what is a dataset ------------------------------------------------------------------------------------------

    def is_step(self, result: Result) -> bool:
        """Whether a call surely gives a dataset."""
        if result.op != "call":
            return False
        return type_of(result) == DATASET or gives_datasets(result) or result in self._evident

    def is_dataset(self, found: Object) -> bool:
        """Whether an object surely is a dataset."""
        if not isinstance(found, Result):
            return False
        return type_of(found) == DATASET or found in self._evident or found in self._origins

    @cached_property
    def _evident(self) -> frozenset[Result]:
        """Calls on things of unknown type that only a dataset takes: every step of a chain that has one such step."""
        if not self.imports_tensorflow:
            return frozenset()
        chained = [call.result for call in self._run.calls if call.result.name.startswith(".")]
        chained = [result for result in chained if result.method in METHODS and isinstance(result.receiver, Result)]
        chained = [result for result in chained if _may_be_dataset(result.receiver)]
        found: set[Result] = set()
        for result in chained:
            if result.method in _EVIDENT or any(name in _EVIDENT_KEYWORDS for name, _ in result.keywords):
                here: Object | None = result
                while isinstance(here, Result) and here.op == "call" and here.method in METHODS:
                    found.add(here)
                    here = here.receiver
        cut: dict[Result, set[str]] = defaultdict(set)
        for result in chained:
            if isinstance(result.receiver, Result):
                cut[result.receiver].add(result.method)
        found |= {here for here, methods in cut.items() if here.method == "shuffle" and {"take", "skip"} <= methods}
        for result in chained:  # in running order: what comes after a known step is one
            if result.receiver in found:
                found.add(result)
        return frozenset(found)

    @cached_property
    def _origins(self) -> frozenset[Object]:
        """The unknown things that these chains begin with."""
        return frozenset(
            step.receiver
            for step in self._evident
            if step.receiver not in self._evident and step.receiver and _may_be_dataset(step.receiver)
        )

    @cached_property
    def imports_tensorflow(self) -> bool:
        """Whether the file imports TensorFlow or a Keras."""
        tree = self._run.machine.main.tree
        for node in ast.walk(tree):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            if any(name.partition(".")[0] in ("tensorflow", "keras", "tf_keras") for name in names):
                return True
        return False

    # -- chains -----------------------------------------------------------------------------------------------------

    def parents(self, step: Result) -> tuple[Result, ...]:
        """The datasets that a step is made from: what it is a method of, the parts of a zip, both sides of `concatenate`."""
        found: list[Object] = []
        if step.receiver is not None:
            found.append(step.receiver)
        elif step.op == "item":
            return ()
        if step.op == "call" and (step.method in JOINS or step.method in ("split_dataset", "concatenate", "zip")):
            for value in (*step.args, *(value for _, value in step.keywords)):
                found += self._inside(value)
        return tuple(
            each for each in found if isinstance(each, Result) and (self.is_dataset(each) or gives_datasets(each))
        )

    def _inside(self, value: Value) -> list[Object]:
        """The objects of a value, those in tuples, lists and dicts included."""
        found: list[Object] = []
        for each in value:
            if isinstance(each, Container) and each.kind == "dict":
                inner = [self._run.at_key(each, constant(key)) for key in self._run.items(each) or ()]
            elif isinstance(each, (Tuple, Container)):
                inner = list(self._run.items(each) or ())
            else:
                found.append(each)
                continue
            found += [part for item in inner if item is not None for part in self._inside(item)]
        return found

    def line(self, step: Result) -> tuple[Result, ...]:
        """A dataset and what it is made from, back along the first parent; the source is the last."""
        found = [step]
        while (above := self.parents(found[-1])) and len(found) < 200:
            found.append(above[0])
        return tuple(found)

    def ancestors(self, step: Result) -> tuple[Result, ...]:
        """All datasets that a step is made from, the nearest first, itself left out."""
        found: dict[Result, None] = {}
        waiting = [*self.parents(step)]
        while waiting:
            here = waiting.pop(0)
            if here not in found:
                found[here] = None
                waiting += self.parents(here)
        return tuple(found)

    def ways(self, step: Result, dataset: Result) -> list[tuple[Result, ...]]:
        """The ways from a step to a dataset that is made from it, the step itself left out; there are several after a `concatenate`."""
        found: list[tuple[Result, ...]] = []
        waiting: list[tuple[Result, ...]] = [(dataset,)]
        while waiting and len(found) < _MOST_WAYS:
            way = waiting.pop()
            if way[0] is step:
                found.append(way[1:])
            elif len(way) < _LONGEST_WAY:
                waiting += [(parent, *way) for parent in self.parents(way[0])]
        return found

    @cached_property
    def _children(self) -> dict[Result, list[Result]]:
        found: dict[Result, list[Result]] = defaultdict(list)
        for step in self.steps:
            for parent in self.parents(step):
                found[parent].append(step)
                if parent.op == "item" and isinstance(parent.receiver, Result):
                    found[parent.receiver].append(parent)
        return found

    def children(self, step: Result) -> tuple[Result, ...]:
        """The datasets that are made from a step directly."""
        return tuple(dict.fromkeys(self._children.get(step, ())))

    def descendants(self, step: Result) -> tuple[Result, ...]:
        """All datasets that are made from a step, itself left out."""
        found: dict[Result, None] = {}
        waiting = [*self.children(step)]
        while waiting:
            here = waiting.pop(0)
            if here not in found:
                found[here] = None
                waiting += self.children(here)
        return tuple(found)

    def is_source(self, step: Result) -> bool:
        """Whether a step begins a chain: nothing that is known comes before it."""
        return not self.parents(step)

    # -- arguments --------------------------------------------------------------------------------------------------

    def argument(self, step: Result, name: str) -> Value | None:
        """An argument of a step by the name of its parameter, however it is given; None where it is left out."""
        given = step.keyword(name)
        if given is not None:
            return given
        names = parameters(step)
        place = names.index(name) if name in names else -1
        return step.args[place] if 0 <= place < len(step.args) else None

    def hides_arguments(self, step: Result) -> bool:
        """Whether stars hide some of the arguments."""
        return any(name in ("*", "**") for name, _ in step.keywords)

    # -- readers ----------------------------------------------------------------------------------------------------

    @cached_property
    def readings(self) -> tuple[Reading, ...]:
        """Every reader of a dataset, in running order."""
        found = [*self._by_trainers(), *self._by_calls(), *self._by_code()]
        return tuple(sorted(found, key=lambda reading: reading.context.clock))

    def readings_of(self, step: Result) -> tuple[Reading, ...]:
        """The readers of a dataset itself, those of what is made from it left out."""
        return tuple(reading for reading in self.readings if reading.dataset is step)

    def reached(self, step: Result) -> tuple[Reading, ...]:
        """The readers of a dataset and of all that is made from it."""
        down = {step, *self.descendants(step)}
        return tuple(reading for reading in self.readings if reading.dataset in down)

    def roles(self, step: Result) -> frozenset[Role]:
        """What a dataset, or something that is made from it, is used for."""
        return frozenset(reading.role for reading in self.reached(step))

    def _by_trainers(self) -> Iterator[Reading]:
        for call in self._run.calls:
            for name, place, role in _TRAINERS.get(call.result.method, ()):
                value = call.result.keyword(name)
                if value is None and 0 <= place < len(call.result.args):
                    value = call.result.args[place]
                for each in self._inside(value) if value is not None else ():
                    found = self._unwrapped(each)
                    if found is not None:
                        yield Reading(found, role, call.node, call.context, call)

    def _by_calls(self) -> Iterator[Reading]:
        for call in self._run.calls:
            method, result = call.result.method, call.result
            if method in _TRAINERS or self.is_step(result):
                continue
            if method in ("next", "get_single_element"):
                yield from self._one(result.args[:1], "looked at", call)
            elif (
                method in ("save", "reduce", "cardinality")
                and result.receiver is not None
                and self.is_dataset(result.receiver)
            ):
                role: Role = "listed" if method != "cardinality" else "looked at"
                yield Reading(result.receiver, role, call.node, call.context)  # type: ignore[arg-type]

    def _one(self, values: tuple[Value, ...], role: Role, call: Call) -> Iterator[Reading]:
        for value in values:
            for each in value:
                found = self._unwrapped(each)
                if found is not None:
                    yield Reading(found, role, call.node, call.context)

    def _by_code(self) -> Iterator[Reading]:
        roles: dict[str, Role] = {"loop": "looped", "list": "listed", "unpack": "looked at", "give": "given"}
        for read in self._run.reads:
            for each in self._inside(read.value) if read.kind == "give" else read.value.objects:
                found = self._unwrapped(each)
                if found is not None and read.kind in roles:
                    yield Reading(found, roles[read.kind], read.node, read.context)

    def _unwrapped(self, found: Object) -> Result | None:
        """The dataset that an object shows: itself, or what an iterator or a distributed dataset goes through."""
        for _ in range(6):
            if not isinstance(found, Result):
                return None
            if self.is_dataset(found):
                return found
            if found.op != "call" or found.method not in _WRAPS:
                return None
            inner = found.args[0].only if found.args else found.receiver
            if inner is None:
                return None
            found = inner
        return None


def parameters(step: Result) -> tuple[str, ...]:
    """The names of the parameters of a step, in order; empty for what is not known."""
    method = step.method
    if method in METHODS and (step.receiver is not None):
        return METHODS[method][0]
    return SOURCES.get(method) or LOADERS.get(method) or JOINS.get(method) or ()


def _may_be_dataset(found: Object | None) -> bool:
    """Whether a step may be called on a thing: `rows.repeat` without its parentheses is a method, and has no steps."""
    return not (isinstance(found, Result) and found.op == "attribute" and found.method in METHODS)
