"""Steps of pipelines that draw random numbers for each row, and what of a row depends on them."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from seqlint.domains.values.reached import reached
from seqlint.knowledge.randomness import RANDOM_LAYERS, RANDOM_TRANSFORMS, TRAINING_LAYERS, drawn_by
from seqlint.run import Bound, Container, Function, Instance, Result, Tuple, Value
from seqlint.run.objects import constant

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

    from seqlint.knowledge.randomness import DrawKind
    from seqlint.run import Call, Object, Run


@dataclass(frozen=True, eq=False)
class Draw:
    """A call that draws in the function of a step.

    Attributes:
        visible: what of it can be part of a row: the call itself, or the `py_function` around it.
    """

    call: Call
    kind: DrawKind
    visible: Result


class Draws:
    """What the functions of a run's pipelines draw."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def of(self, step: Result) -> tuple[Draw, ...]:
        """The draws in the function of a `map`, `interleave` and the like, those in functions that it calls included."""
        return tuple(self._by_step.get(step, ()))

    def varies(self, step: Result) -> bool:
        """Whether rows are random after a step: something is drawn, and made part of what a row was before."""
        drawn = self.of(step)
        if not drawn:
            return self._is_random_layer(step)
        seen: set[Object] = set()
        for value in self._run.returned(step):
            for part in self._parts(value):
                inside = set(contents(self._run, part))
                met = {draw.visible for draw in drawn} & inside
                if met and any(_is_of_row(each) for each in inside):
                    return True
                seen |= met
        return any(draw.visible not in seen for draw in drawn)

    def reads_files(self, step: Result) -> bool:
        """Whether the function of a step reads or decodes files, too."""
        inside = (call for call in self._run.calls if any(phase.owner is step for phase in call.context.phases))
        return any(
            call.name.startswith(("tensorflow.io.", "tensorflow.audio.", "tensorflow.image.decode")) for call in inside
        )

    def _is_random_layer(self, step: Result) -> bool:
        """`map(layer)`."""
        given = step.args[0] if step.args else step.keyword("map_func")
        return given is not None and any(self._draws_as_layer(each, training=False) for each in given)

    @cached_property
    def _by_step(self) -> dict[Result, list[Draw]]:
        found: dict[Result, list[Draw]] = defaultdict(list)
        for call in self._run.calls:
            owners = [phase for phase in call.context.phases if phase.owner is not None]
            kind = self._kind(call) if owners else None
            if kind is None or (kind == "python" and owners[-1].kind != "python"):
                continue
            python = next((phase.owner for phase in owners if phase.kind == "python"), None)
            for phase in owners:
                if phase.owner is not None and phase.kind == "traced":
                    found[phase.owner].append(Draw(call, kind, python or call.result))
        return found

    def _kind(self, call: Call) -> DrawKind | None:
        result = call.result
        kind = drawn_by(result.name)
        if kind == "layer":
            seed = constant(result.keyword("seed"))
            return None if isinstance(seed, int) else kind
        if kind is not None or not result.name.endswith("()") or result.receiver is None:
            return kind
        if constant(result.keyword("training")) is False:
            return None
        if self.draws_as_layer(result):
            return "layer"
        return "python" if self._made_of(result.receiver, RANDOM_TRANSFORMS) else None

    def draws_as_layer(self, called: Result) -> bool:
        """Whether a call is one of a layer that draws, or of a model with such a layer."""
        training = constant(called.keyword("training"))
        if called.receiver is None or training is False:
            return False
        return self._draws_as_layer(called.receiver, training=training is True)

    def _draws_as_layer(self, found: Object, *, training: bool) -> bool:
        """Whether a layer, or a model of layers, draws."""
        return self._made_of(found, RANDOM_LAYERS) or (training and self._made_of(found, TRAINING_LAYERS))

    def _made_of(self, found: Object, names: re.Pattern[str]) -> bool:
        if not isinstance(found, Result) or not found.name.startswith(("keras.", "albumentations.")):
            return False
        added = (call for call in self._run.methods("add") if call.result.receiver is found)
        parts = [Value.of(found), *(value for call in added for value in call.result.args)]
        return any(
            isinstance(each, Result) and each.op == "call" and names.match(each.name)
            for part in parts
            for each in contents(self._run, part)
        )

    def _parts(self, value: Value) -> Iterator[Value]:
        """The components of a row: the items of tuples and dicts."""
        for each in value:
            if isinstance(each, Container) and each.kind == "dict":
                keys = self._run.items(each)
                inner = [self._run.at_key(each, constant(key)) for key in keys] if keys is not None else None
            else:
                inner = list(self._run.items(each) or ()) if isinstance(each, (Tuple, Container)) else None
            if inner:
                for item in inner:
                    yield from self._parts(item) if item is not None else ()
            else:
                yield Value.of(each)


def contents(run: Run, value: Value, *, filled: bool = False, sources: bool = False) -> Iterator[Object]:
    """Every object that a value is made of.

    Args:
        filled: also with what loops fill lists.
        sources: also what the rows are of that a function gets.
    """

    def below(each: Object) -> list[Value]:
        if isinstance(each, Result):
            has_source = each.receiver is not None and (sources or each.op != "element")
            own = [Value.of(each.receiver)] if has_source and each.receiver is not None else []
            return [*each.args, *(part for _, part in each.keywords), *own]
        pieces = run.pieces(each) if filled and isinstance(each, Container) else ()
        items = run.items(each) if isinstance(each, (Tuple, Container)) else None
        return [*(piece.value for piece in pieces), *(items or [])]

    return reached(value, below)


def _is_of_row(found: Object) -> bool:
    """Whether an object holds something of the row that a function gets, or may: a function sees its variables."""
    return isinstance(found, (Function, Bound, Instance)) or (isinstance(found, Result) and found.op == "element")
