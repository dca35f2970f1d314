"""Data that a model scores, and that are not scaled as its training data are."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from seqlint.domains.parts.counted import Counted, Reader
from seqlint.domains.parts.fed import moment
from seqlint.domains.parts.part import Part, relation
from seqlint.domains.parts.scalings import Scale, Scalings, Unlike, twice, unlike
from seqlint.knowledge.rows_kept import PICTURES
from seqlint.run import Generator, Instance, Result

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Run

_RAW = ("folder",)


@dataclass(frozen=True, eq=False)
class Unscaled:
    """A reader whose data are scaled otherwise than those of the training, or twice.

    Attributes:
        train: the training.
        how: what differs; "twice" for a training that scales twice.
        scale: the operation that shows it.
    """

    reader: Reader
    train: Reader
    how: Unlike | str
    scale: Scale


class Preprocessed:
    """How the data of a run are scaled."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._counted = run.domain(Counted)
        self._scalings = run.domain(Scalings)

    @cached_property
    def unlike(self) -> tuple[Unscaled, ...]:
        """Each reader that gets data scaled otherwise than the training of its model, and each training on data scaled twice."""
        return tuple(self._unlike())

    def _unlike(self) -> Iterator[Unscaled]:
        trained: dict[object, Reader] = {}
        for reader in self._counted.readers:
            part = reader.own[0] if reader.own else None
            scales = self._scalings.of(part, moment(reader.call)) if part is not None and is_plain(reader) else None
            model = reader.call.result.receiver
            if part is None or scales is None or model is None:
                continue
            again = twice((*scales, *self._of_model(reader)))
            if again is not None and (again in scales or reader.role == "train"):
                yield Unscaled(reader, reader, "twice", again)
            if reader.role == "train":
                trained[model] = reader
                continue
            train = trained.get(model)
            found = self._against(train, part, scales) if train is not None else None
            if train is not None and found is not None:
                yield Unscaled(reader, train, *found)

    def _of_model(self, reader: Reader) -> list[Scale]:
        """The scale that a model begins with: a `Rescaling` among the layers of a `Sequential`."""
        model = reader.call.result.receiver
        if not isinstance(model, Result) or model.method != "Sequential":
            return []
        layers = list(self._run.items(model.args[0]) or ()) if model.args else []
        added = (call.result.args for call in self._run.methods("add") if call.result.receiver is model)
        layers += [args[0] for args in added if args]
        made = [value.only for value in layers if isinstance(value.only, Result) and value.only.method == "Rescaling"]
        return [
            scale
            for layer in made
            if isinstance(layer, Result) and (scale := self._scalings.of_layer(layer, layer)) is not None
        ]

    def _against(self, train: Reader, part: Part, scales: tuple[Scale, ...]) -> tuple[Unlike, Scale] | None:
        own = train.own[0]
        before = self._scalings.of(own, moment(train.call))
        return unlike(before, scales) if before is not None and _is_one_source(own, part) else None


def is_plain(reader: Reader) -> bool:
    """Whether no code of the program makes the batches: it may do anything to its rows."""
    return not any(isinstance(each, (Instance, Generator)) for each in reader.data)


def _is_one_source(one: Part, other: Part) -> bool:
    """Whether rows come from one place, so that they have one scale to begin with."""
    if one.made_up or other.made_up:
        return one.base == other.base
    if relation(one, other) != "unknown" or one.base == other.base:
        return True
    if all(part.base[:1] == _RAW or is_picture(part.source) for part in (one, other)):
        return True
    left, right = _loader(one.source), _loader(other.source)
    return left is not None and left == right


def is_picture(found: object) -> bool:
    """Whether rows are a picture as its file holds it."""
    return isinstance(found, Result) and found.op == "call" and found.name.endswith(PICTURES)


def _loader(found: object) -> int | None:
    """The call that gives several collections at once: `mnist.load_data()`."""
    for _ in range(4):
        if not isinstance(found, Result):
            return None
        if found.op == "call":
            return found.term if found.name.startswith("keras.datasets.") else None
        found = found.receiver
    return None
