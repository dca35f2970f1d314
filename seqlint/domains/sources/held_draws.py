"""Pictures that a model is scored on, and that are changed at random on their way."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from seqlint.domains.pipelines.draws import Draws, contents
from seqlint.domains.pipelines.loops import Loops
from seqlint.domains.pipelines.pipelines import Pipelines
from seqlint.domains.sources.flows import Flows
from seqlint.knowledge.randomness import MOVES_PICTURES, RANDOM_PICTURES, TURNS_PICTURES, drawn_by
from seqlint.run import Generator, Instance, Result, Value

if TYPE_CHECKING:
    import ast
    from collections.abc import Iterable, Iterator

    from seqlint.run import Call, Object, Run
    from seqlint.run.objects import Guards

_ON_PURPOSE = re.compile(
    r"contrastive|simclr|byol|siamese|barlow|self.?superv|rotnet|test.?time|\btta\b", re.IGNORECASE
)
"""Words of programs that mean their pictures to be random wherever they are read."""


@dataclass(frozen=True, eq=False)
class HeldDraw:
    """Something that a model is scored on, and what changes its pictures at random.

    Attributes:
        place: where this file makes it: a Sequence, a generator, a flow, a step of a pipeline; or what leads to that.
        by: what changes a picture by chance: options of an `ImageDataGenerator`, or the name of a function.
        is_flow: whether it is a flow of an `ImageDataGenerator`.
    """

    place: ast.AST
    by: tuple[str, ...]
    is_flow: bool = False


class HeldDraws:
    """What the models of a run are validated on and scored by."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._draws = run.domain(Draws)

    def all(self) -> Iterator[HeldDraw]:
        """Each source once, in no order."""
        if _ON_PURPOSE.search(self._run.slice(0, self._run.size)):
            return
        seen: set[ast.AST] = set()
        for each in (*self._of_flows(), *self._of_readers(), *self._of_pipelines()):
            if each.place not in seen:
                seen.add(each.place)
                yield each

    # -- flows and what gives batches -------------------------------------------------------------------------------

    @cached_property
    def _held(self) -> tuple[tuple[Object, Call], ...]:
        """What models are validated on, or evaluated by without being trained on it, with the call that reads it."""
        trained: set[Object] = set()
        found: list[tuple[Object, Call]] = []
        for call in self._run.methods("fit", "fit_generator", "evaluate", "evaluate_generator"):
            result = call.result
            first = [*result.args[:1], *(value for name, value in result.keywords if name in ("x", "generator"))]
            is_fit = result.method.startswith("fit")
            held = result.keyword("validation_data") if is_fit else (first[0] if first else None)
            if is_fit:
                trained |= {each for value in first for each in value}
            found += [(each, call) for each in (held or ())]
        return tuple((each, call) for each, call in found if each not in trained)

    def _of_flows(self) -> Iterator[HeldDraw]:
        flows = self._run.domain(Flows)
        for found, _ in self._held:
            inner = found.args if isinstance(found, Result) and found.name == "builtins.zip" else (Value.of(found),)
            for each in (each for value in inner for each in value):
                flow = flows.all.get(each) if isinstance(each, Result) else None
                if flow is None or flow.is_hidden or flow.constant("class_mode", "") == "input":
                    continue
                place = self._run.place(flow.call)
                if flow.surely_draws and place is not None:
                    yield HeldDraw(place, flow.surely_draws, is_flow=True)

    def _of_readers(self) -> Iterator[HeldDraw]:
        """Sequences and generators of the program."""
        for found, call in self._held:
            if not isinstance(found, (Instance, Generator)):
                continue
            by = next(self._changes(found, call), None)
            place = found.node if self._run.is_own(found.node) else self._run.place(call)
            if by is not None and place is not None:
                yield HeldDraw(place, (by,))

    def _changes(self, found: Instance | Generator, reader: Call) -> Iterator[str]:
        phases = self._run.machine.phases_of.get(found.serial, ())
        for call in self._run.calls if phases else ():
            if not any(phase in phases for phase in call.context.phases):
                continue
            drawn = self._drawn_for(call, reader.context.guards)
            if drawn is not None and drawn.isdisjoint(self._labels(found)):
                yield call.result.method

    def _labels(self, found: Instance | Generator) -> set[Object]:
        """What the labels of a batch are made of: where a draw is one of them, the model shall tell how the picture was turned."""
        if isinstance(found, Generator):
            batches = [each.value for each in found.frame.yields]
        else:
            batches = [each.value for each in self._run.batches if each.source is found]
        parts = [self._run.items(batch.only) or [] for batch in batches if batch.only is not None]
        return {each for items in parts for item in items[1:] for each in self._inside(item)}

    # -- pipelines --------------------------------------------------------------------------------------------------

    def _of_pipelines(self) -> Iterator[HeldDraw]:
        for step in self._run.domain(Pipelines).named("map"):
            if not self._is_held(step):
                continue
            call = self._run.call_of[step]
            inside = self._called_by.get(step, ())
            by = [each.result.method for each in inside if self._drawn_for(each, call.context.guards) is not None]
            place = self._run.place(call) if by else None
            if place is not None:
                yield HeldDraw(place, (by[0],))

    @cached_property
    def _called_by(self) -> dict[object, list[Call]]:
        """What the functions call that a step of a pipeline has got."""
        found: dict[object, list[Call]] = defaultdict(list)
        for call in self._run.calls:
            for owner in {phase.owner for phase in call.context.phases}:
                found[owner].append(call)
        return found

    def _is_held(self, step: Result) -> bool:
        loops = self._run.domain(Loops)
        readings = self._run.domain(Pipelines).reached(step)
        if any(reading.role == "validated" for reading in readings):
            return True
        is_trained = any(loops.role(reading) == "trained" for reading in readings)
        return not is_trained and any(reading.role == "evaluated" or loops.measures(reading) for reading in readings)

    # -- changes by chance ------------------------------------------------------------------------------------------

    def _drawn_for(self, call: Call, around: Guards) -> frozenset[Object] | None:
        """The draws by which a call changes a picture; None where it does not, or where something else decides whether it does."""
        result = call.result
        conditions = [self._drawn_in(key) for key, _ in call.context.guards - around if key[0] != "round"]
        if not all(conditions):
            return None  # a switch
        drawn: frozenset[Object] = frozenset().union(*(each or frozenset() for each in conditions))
        if RANDOM_PICTURES.match(result.name) or self._is_layer(call):
            return frozenset({result})
        if TURNS_PICTURES.match(result.name) and drawn:
            return drawn
        if MOVES_PICTURES.match(result.name):
            drawn = self._draws_of(value for value in (*result.args[1:], *(value for _, value in result.keywords)))
            return drawn or None
        if result.method == "cond" and result.name.startswith("tensorflow.") and result.args:
            drawn = self._draws_of(result.args[:1])
            given = [each for value in self._run.returned(result) for each in self._inside(value)]
            turned = any(isinstance(each, Result) and TURNS_PICTURES.match(each.name) for each in given)
            return drawn if drawn and turned else None
        return None

    def _is_layer(self, call: Call) -> bool:
        """Whether a random layer, or a model with one, is called as it is in training."""
        result = call.result
        return result.name.endswith("()") and self._draws.draws_as_layer(result)

    def _drawn_in(self, key: tuple[object, ...]) -> frozenset[Object]:
        """The draws that a condition depends on."""
        found = self._tests.get(key[1]) if key[0] == "true" else None
        return self._draws_of([Value.of(found)]) if found is not None else frozenset()

    @cached_property
    def _tests(self) -> dict[object, Result]:
        return {each.term: each for each in self._run.results}

    def _draws_of(self, values: Iterable[Value]) -> frozenset[Object]:
        inside = (each for value in values for each in self._inside(value))
        return frozenset(each for each in inside if isinstance(each, Result) and drawn_by(each.name) is not None)

    def _inside(self, value: Value) -> Iterator[Object]:
        return contents(self._run, value, filled=True)
