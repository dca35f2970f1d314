"""Whose rows a number of steps counts, and which rows a reader gets."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from seqlint.domains.parts.fed import is_of_keras, moment
from seqlint.domains.parts.part import Part, relation
from seqlint.domains.parts.parts import Parts
from seqlint.domains.pipelines.pipelines import Pipelines
from seqlint.run import Container, Generator, Instance, Result, Tuple, Value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.domains.rows.steps import Moment
    from seqlint.run import Call, Object, Run

Role = str
_READERS: dict[str, tuple[tuple[Role, str, int, str], ...]] = {
    "fit": (("train", "x", 0, "steps_per_epoch"), ("validation", "validation_data", 7, "validation_steps")),
    "fit_generator": (
        ("train", "generator", 0, "steps_per_epoch"),
        ("validation", "validation_data", -1, "validation_steps"),
    ),
    "evaluate": (("evaluate", "x", 0, "steps"),),
    "evaluate_generator": (("evaluate", "generator", 0, "steps"),),
    "predict": (("predict", "x", 0, "steps"),),
    "predict_generator": (("predict", "generator", 0, "steps"),),
}
_STEPS_PLACE = {"fit_generator": 1, "evaluate_generator": 1, "predict_generator": 1}
_COUNTS = frozenset({"n", "samples", "size", "shape"})
_MOST = 12
_HELD_OUT = re.compile(r"test|(?<![a-z])val|hold_?out|held", re.IGNORECASE)
_WORDS = {
    "train": re.compile(r"(?<![a-z])(?:train(?:ing)?|trn)(?![a-z])", re.IGNORECASE),
    "validation": re.compile(r"(?<![a-z])(?:val(?:id(?:ation)?)?|dev|test(?:ing)?)(?![a-z])", re.IGNORECASE),
}


@dataclass(frozen=True, eq=False)
class Reader:
    """Data that a trainer call reads, with the number of steps that it is given for them.

    Attributes:
        role: "train", "validation", "evaluate" or "predict".
        data: what it reads.
        argument: the name of the steps, such as "steps_per_epoch".
        own: the parts that the data are read from.
        counted: the parts whose rows the steps count.
    """

    call: Call
    role: Role
    data: Value
    argument: str
    steps: Value | None
    own: tuple[Part, ...]
    counted: tuple[Part, ...]


@dataclass(frozen=True, eq=False)
class OtherSplit:
    """Steps that count other rows than those that are read.

    Attributes:
        role: what the counted rows are read for.
    """

    reader: Reader
    role: Role


class Counted:
    """The steps of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._parts = run.domain(Parts)

    @cached_property
    def readers(self) -> tuple[Reader, ...]:
        """All data that trainer calls read."""
        return tuple(self._readers())

    @cached_property
    def wrong(self) -> tuple[OtherSplit, ...]:
        """Steps that count the rows of another reader."""
        found = (self._wrong(reader) for reader in self.readers if reader.steps is not None)
        return tuple(each for each in found if each is not None)

    def _readers(self) -> Iterator[Reader]:
        for call in self._run.methods(*_READERS):
            if call.result.op != "call" or call.result.receiver is None or not is_of_keras(self._run, call):
                continue
            for role, name, place, argument in _READERS[call.result.method]:
                data = _argument(call.result, name, place)
                steps = _argument(
                    call.result, argument, _STEPS_PLACE.get(call.result.method, -1) if role != "validation" else -1
                )
                if data is not None:
                    own = tuple(self._sources(data, moment(call), 6))
                    counted = tuple(self._counts(steps, moment(call))) if steps is not None else ()
                    yield Reader(call, role, data, argument, steps, own, counted)

    def _wrong(self, reader: Reader) -> OtherSplit | None:
        if not reader.counted or not reader.own or any(_is_related(a, b) for a in reader.counted for b in reader.own):
            return None
        for other in self.readers:
            if other.role != reader.role and all(any(a == b for b in other.own) for a in reader.counted):
                return OtherSplit(reader, other.role)
        return None

    # -- what is counted --------------------------------------------------------------------------------------------

    def _counts(self, value: Value, at: Moment, depth: int = 8) -> Iterator[Part]:
        only = value.only
        if not isinstance(only, Result) or depth == 0:
            return
        counted = self._measured(only)
        if counted is not None:
            part = self._parts.of(counted, at)
            if part is not None:
                yield part
            return
        for each in (*only.args, *((Value.of(only.receiver),) if only.op == "item" and only.receiver else ())):
            yield from self._counts(each, at, depth - 1)

    def _measured(self, found: Result) -> Value | None:
        """What a number is the length of."""
        if found.op == "call" and found.method in ("len", "cardinality") and (found.args or found.receiver):
            return found.args[0] if found.args else Value.of(found.receiver)  # type: ignore[arg-type]
        if found.op == "item" and isinstance(found.receiver, Result) and found.args[0].constant == 0:
            found = found.receiver
            if found.method != "shape":
                return None
        if (
            found.op == "attribute"
            and found.method in _COUNTS
            and isinstance(found.receiver, (Result, Instance, Container))
        ):
            return Value.of(found.receiver)
        return None

    # -- what is read -----------------------------------------------------------------------------------------------

    def _sources(self, value: Value, at: Moment, depth: int) -> Iterator[Part]:
        """All parts that data are made of: what a generator, a Sequence or a function that is not seen gets."""
        part = self._parts.of(value, at)
        if part is not None:
            yield part
        for each in value:
            for inner in inside(self._run, each) if depth else ():
                yield from self._sources(inner, at, depth - 1)

    # -- tests that share rows with the training --------------------------------------------------------------------

    @cached_property
    def shared_tests(self) -> tuple[Reader, ...]:
        """Readers of rows that are called a test, and overlap with what the model was trained on."""
        return tuple(
            reader
            for reader in self.readers
            if reader.role in ("evaluate", "predict") and reader.own and self._is_called_test(reader)
            for train in self.readers
            if train.role == "train"
            and train.own
            and train.call.result.receiver is reader.call.result.receiver
            and train.call.context.clock < reader.call.context.clock
            and _overlap(train.own[0], reader.own[0])
        )

    def _is_called_test(self, reader: Reader) -> bool:
        given = [
            *getattr(reader.call.node, "args", [])[:1],
            *(each.value for each in getattr(reader.call.node, "keywords", []) if each.arg == "x"),
        ]
        names = (getattr(each, "id", "") or getattr(each, "attr", "") for node in given for each in ast.walk(node))
        return any(_HELD_OUT.search(name) for name in names)

    # -- by their names ---------------------------------------------------------------------------------------------

    @cached_property
    def named(self) -> tuple[tuple[ast.expr, str, str], ...]:
        """Steps of validation that are spelled as those of training, with the name in them and the one of the validation rows."""
        return tuple(self._named())

    def _named(self) -> Iterator[tuple[ast.expr, str, str]]:
        names = {
            node.id
            for node in ast.walk(self._run.tree)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        }
        if not self._run.domain(Pipelines).imports_tensorflow:
            return
        for call in self._run.methods("fit", "fit_generator"):
            steps, held = (self._run.written(call, name) for name in ("steps_per_epoch", "validation_steps"))
            if steps is None or held is None or ast.dump(steps) != ast.dump(held):
                continue
            for node in ast.walk(held):
                twin = _twin(node.id, names) if isinstance(node, ast.Name) else None
                if twin is not None:
                    yield held, node.id, twin  # type: ignore[attr-defined]


def _twin(name: str, names: set[str]) -> str | None:
    """The name that says of validation what another says of training."""
    if not _WORDS["train"].search(name.replace("_", " ")):
        return None
    word = re.compile(r"train(?:ing)?|trn", re.IGNORECASE)
    wanted = {word.sub(part, name) for part in ("val", "valid", "validation")}
    return next(iter(sorted(names & wanted)), None)


def _argument(result: Result, name: str, place: int) -> Value | None:
    given = result.keyword(name)
    if given is None and 0 <= place < len(result.args):
        given = result.args[place]
    return None if given is None or given.constant is None else given


def _is_related(one: Part, other: Part) -> bool:
    return one.base == other.base and relation(one, other) not in ("disjoint", "unknown")


def _overlap(train: Part, test: Part) -> bool:
    """Whether a test has rows of the training; windows may reach back into it."""
    return train.windows is None and test.windows is None and relation(train, test) == "overlap"


def inside(run: Run, found: Object) -> list[Value]:
    """What a tuple, a list, a generator, an object or a call is made of."""
    if isinstance(found, Tuple):
        return list(found.items[:_MOST])
    if isinstance(found, Container):
        return list(run.items(found) or ())[:_MOST]
    if isinstance(found, Generator):
        own, given = found.function.node.args, dict(found.given)
        # Without `self`, that may hold all splits.
        names = own.args[1:] if found.function.owner is not None else own.args
        return [given[each.arg] for each in (*names, *own.kwonlyargs) if each.arg in given]
    if isinstance(found, Instance):
        return [store.value for store in run.stores if store.owner is found][:_MOST]
    if isinstance(found, Result) and found.op == "call":
        above = [Value.of(found.receiver)] if isinstance(found.receiver, (Result, Container, Instance)) else []
        return [*above, *found.args, *(value for _, value in found.keywords)]
    return []
