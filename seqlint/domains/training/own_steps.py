"""Training steps that are written by hand: models that a tape records, without their training behaviour."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from seqlint.domains.pipelines.draws import contents
from seqlint.run import Bound, Container, Function, Instance, Result, Tuple, Value
from seqlint.run.attributes import lookup

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Call, Object, Run, Store
    from seqlint.run.machine import Piece

_BEHAVES = frozenset({
    "Dropout", "SpatialDropout1D", "SpatialDropout2D", "SpatialDropout3D", "GaussianNoise", "GaussianDropout", "AlphaDropout",
    "BatchNormalization", "RandomFlip", "RandomRotation", "RandomZoom", "RandomContrast", "RandomTranslation", "RandomCrop", "RandomBrightness",
})  # fmt: skip
"""Layers that do something else in training."""
_VARIABLES = frozenset({"trainable_variables", "trainable_weights"})
_MOST_NESTED = 4


@dataclass(frozen=True, eq=False)
class Unflagged:
    """A call of a model within a tape that trains it, without `training`.

    Attributes:
        layer: the class of a layer that is off: "Dropout".
        takes: whether the call surely takes `training=True`.
    """

    call: Call
    layer: str
    takes: bool


class OwnSteps:
    """The training steps of a run that are written by hand."""

    def __init__(self, run: Run) -> None:
        self._run = run

    @property
    def unflagged(self) -> Iterator[Unflagged]:
        """Every such call, in running order."""
        if any(self._run.methods("set_learning_phase")):
            return
        for call in self._run.calls:
            model, result = call.result.receiver, call.result
            if not result.name.endswith("()") or model is None or len(result.args) != 1 or result.keywords:
                continue
            tapes = [each for each in call.context.within if isinstance(each, Result) and each.method == "GradientTape"]
            if not any(self._trains(tape, model) for tape in tapes):
                continue
            layer = self._layer(model, 0)
            if layer and not _decides_itself(self._method(model)):
                yield Unflagged(call, layer, _takes_flag(self._method(model)) if isinstance(model, Instance) else True)

    def _trains(self, tape: Result, model: Object) -> bool:
        """Whether a tape gives the gradients of the weights of a model."""
        for gradient in self._gradients:
            if gradient.result.receiver is tape and len(gradient.result.args) > 1:
                parts = contents(self._run, gradient.result.args[1])
                of_model = (each for each in parts if isinstance(each, Result) and each.method in _VARIABLES)
                if any(each.receiver is not None and each.receiver.term == model.term for each in of_model):
                    return True
        return False

    @cached_property
    def _gradients(self) -> list[Call]:
        return [*self._run.methods("gradient")]

    def layer_of(self, model: Object) -> str:
        """The class of a layer of a model that behaves in another way in training; empty where none is seen."""
        return self._layer(model, 0)

    # -- models -----------------------------------------------------------------------------------------------------

    def _layer(self, model: Object, depth: int) -> str:
        """The class of a layer of a model that behaves in another way in training; empty where none is seen."""
        if depth > _MOST_NESTED:
            return ""
        if isinstance(model, Instance):
            held = [store.value for store in self._held.get(model, ())]
            return next((found for value in held for found in self._in_value(value, depth + 1) if found), "")
        if not isinstance(model, Result) or not model.name.startswith("keras."):
            return ""
        if model.name.startswith("keras.layers.") and model.op == "call" and not model.name.endswith("()"):
            return model.method if model.method in _BEHAVES else ""
        if model.name == "keras.Sequential":
            added = [
                each for call in self._run.methods("add") if call.result.receiver is model for each in call.result.args
            ]
            return next(
                (found for value in (*model.args, *added) for found in self._in_value(value, depth + 1) if found), ""
            )
        if model.name == "keras.Model":
            values = [*model.args, *(value for _, value in model.keywords)]
            inside = (part for value in values for part in contents(self._run, value))
            return next((found for part in inside if part is not model and (found := self._layer(part, depth + 1))), "")
        return ""

    def _in_value(self, value: Value, depth: int) -> Iterator[str]:
        for each in value:
            if isinstance(each, (Tuple, Container)):
                items = self._run.items(each) or [piece.value for piece in self._pieces(each)]
                for item in items:
                    yield from self._in_value(item, depth)
            else:
                yield self._layer(each, depth)

    def _pieces(self, found: Object) -> list[Piece]:
        return [*self._run.pieces(found)] if isinstance(found, Container) else []

    @cached_property
    def _held(self) -> dict[Object, list[Store]]:
        found: dict[Object, list[Store]] = {}
        for store in self._run.stores:
            if isinstance(store.owner, Instance):
                found.setdefault(store.owner, []).append(store)
        return found

    def _method(self, model: Object) -> Function | None:
        """The `call` of a model's class."""
        if not isinstance(model, Instance):
            return None
        value = lookup(self._run.machine, model.cls, "call").value
        only = value.only if value is not None else None
        only = only.function if isinstance(only, Bound) else only
        return only if isinstance(only, Function) else None


def _decides_itself(function: Function | None) -> bool:
    """Whether the `call` of a model says itself how its layers behave."""
    if function is None:
        return False
    own = function.node.args
    named = dict(zip([each.arg for each in own.args][::-1], own.defaults[::-1], strict=False))
    default = named.get("training")
    if isinstance(default, ast.Constant) and default.value is True:
        return True
    flags = (each for each in ast.walk(function.node) if isinstance(each, ast.keyword) and each.arg == "training")
    return any(isinstance(each.value, ast.Constant) for each in flags)


def _takes_flag(function: Function | None) -> bool:
    if function is None:
        return False
    own = function.node.args
    return own.kwarg is not None or any(each.arg == "training" for each in (*own.args, *own.kwonlyargs))
