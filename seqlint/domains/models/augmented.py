"""Augmentations that expect numbers from 0 to 255, and get small ones."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from seqlint.domains.models.layers import last_layers
from seqlint.domains.parts.counted import Counted, Reader
from seqlint.domains.parts.fed import moment
from seqlint.domains.parts.parts import Parts
from seqlint.domains.parts.preprocessed import is_plain
from seqlint.domains.parts.scalings import Scale, Scalings, total
from seqlint.domains.rows.steps import Moment
from seqlint.domains.sources.flows import Flows
from seqlint.run import Instance, Result

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Call, Context, Object, Run

Numbers = Literal["0 to 1", "-1 to 1"]
_CLOSE = 0.03
_NEUTRAL = ("Input", "InputLayer", "Resizing", "CenterCrop", "Identity", "Reshape", "ZeroPadding2D")
_MINDS: dict[str, tuple[Numbers, ...]] = {"RandomBrightness": ("0 to 1", "-1 to 1"), "RandomContrast": ("-1 to 1",)}
"""Layers whose `value_range` is 0 to 255 where it is left out, and which numbers they spoil then."""


@dataclass(frozen=True, eq=False)
class OutOfRange:
    """An augmentation that gets small numbers.

    Attributes:
        made: the call that makes the layer or the `ImageDataGenerator`.
        numbers: what it gets.
    """

    made: Result
    numbers: Numbers


class Augmented:
    """The augmentations of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._parts = run.domain(Parts)
        self._scalings = run.domain(Scalings)

    @cached_property
    def out_of_range(self) -> tuple[OutOfRange, ...]:
        """Each augmentation once."""
        found: dict[object, OutOfRange] = {}
        for each in (*self._of_flows(), *self._of_maps(), *self._of_models()):
            found.setdefault(each.made.node, each)
        return tuple(found.values())

    def _of_flows(self) -> Iterator[OutOfRange]:
        for flow in self._run.domain(Flows).all.values():
            rows = flow.argument("x") if flow.call.result.method == "flow" else None
            if rows is None or flow.is_hidden or not flow.draws("brightness_range"):
                continue
            part = self._parts.of(rows, moment(flow.call))
            scales = self._scalings.of(part, moment(flow.call)) if part is not None else None
            if scales is not None and _numbers(scales) == "0 to 1":
                yield OutOfRange(flow.generator, "0 to 1")

    # -- layers in the functions of `map` ---------------------------------------------------------------------------

    def _of_maps(self) -> Iterator[OutOfRange]:
        for call in self._run.calls:
            layer, phase = call.result.receiver, call.context.phases[-1]
            if phase.kind != "traced" or not isinstance(phase.owner, Result) or not call.result.args:
                continue
            if isinstance(layer, Result) and call.result.name.endswith("()"):
                before = self._before(call, phase.owner)
                layers = self._opened([layer], call.context) if before is not None else []
                yield from self._minding(layers, list(before or ()))

    def _before(self, call: Call, step: Result) -> tuple[Scale, ...] | None:
        """What scales the pictures that a layer gets in the function of a `map`."""
        at = Moment(call.context.clock, call.context.guards)
        here = self._scalings.since_element(call.result.args[0].only, at)
        part = self._parts.of(step.receiver, at) if here is not None else None
        above = self._scalings.of(part, at) if part is not None else None
        return (*above, *here) if above is not None and here is not None else None

    # -- layers of models -------------------------------------------------------------------------------------------

    def _of_models(self) -> Iterator[OutOfRange]:
        for reader in self._run.domain(Counted).readers:
            model = reader.call.result.receiver
            if reader.role == "train" and isinstance(model, (Result, Instance)):
                layers = [*last_layers(self._run, model, reader.call.context)][::-1]
                yield from self._minding(self._opened(layers, reader.call.context), self._fed(reader))

    def _fed(self, reader: Reader) -> list[Scale]:
        """What scales the pictures that a model is trained on; nothing where nobody knows."""
        if not reader.own or not is_plain(reader):
            return []
        return list(self._scalings.of(reader.own[0], moment(reader.call)) or ())

    def _opened(self, layers: list[Object], at: Context, depth: int = 4) -> list[Object]:
        """Layers in their order, with those of a Sequential among them in its place."""
        found: list[Object] = []
        for layer in layers:
            if isinstance(layer, Result) and layer.name == "keras.Sequential" and depth:
                found += self._opened([*last_layers(self._run, layer, at)][::-1], at, depth - 1)
            else:
                found.append(layer)
        return found

    def _minding(self, layers: list[Object], scales: list[Scale]) -> Iterator[OutOfRange]:
        """Layers that get small numbers, one after the other, up to the first that may give any numbers."""
        for layer in layers:
            if not isinstance(layer, Result):
                return
            numbers = _numbers(tuple(scales)) if scales else None
            if numbers is not None and numbers in _MINDS.get(layer.method, ()) and _by_default(layer):
                yield OutOfRange(layer, numbers)
            scale = self._scalings.of_layer(layer, layer)
            if scale is not None:
                scales.append(scale)
            elif not layer.method.startswith("Random") and layer.method not in _NEUTRAL:
                return


def _by_default(layer: Result) -> bool:
    """Whether a layer surely has no `value_range` of its own."""
    return (
        layer.name.startswith("keras.layers.")
        and len(layer.args) < 2
        and not any(name in ("value_range", "*", "**") for name, _ in layer.keywords)
    )


def _numbers(scales: tuple[Scale, ...]) -> Numbers | None:
    """What pictures from 0 to 255 are after some changes, where these are numbers up to 1."""
    if not scales or any(scale.kind != "times" for scale in scales):
        return None
    factor, shift = total(scales)
    if abs(factor * 255 - 1) < _CLOSE and abs(shift) < _CLOSE:
        return "0 to 1"
    return "-1 to 1" if abs(factor * 127.5 - 1) < _CLOSE and abs(shift + 1) < _CLOSE else None
