"""The layers of models whose weights have sizes that are written out, and weights that are loaded into a model of other sizes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from seqlint.domains.paths.saved_models import SavedModels
from seqlint.domains.paths.saves import Saves
from seqlint.run import Constant, Container, Result, Tuple, constant

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.domains.paths.saves import Saved
    from seqlint.run import Object, Run, Value

_SIZES: dict[str, tuple[str, ...]] = {
    "Dense": ("units",), "Embedding": ("input_dim", "output_dim"), "LSTM": ("units",), "GRU": ("units",), "SimpleRNN": ("units",),
    "Conv1D": ("filters", "kernel_size"), "Conv2D": ("filters", "kernel_size"), "Conv3D": ("filters", "kernel_size"),
    "Conv2DTranspose": ("filters", "kernel_size"),
}  # fmt: skip
"""Layers with weights, and the arguments that say how many, by their places."""
_WITHOUT = frozenset({
    "Input", "InputLayer", "Activation", "Dropout", "SpatialDropout1D", "SpatialDropout2D", "GaussianNoise", "Flatten", "Reshape", "Permute", "ReLU",
    "LeakyReLU", "Softmax", "ELU", "MaxPooling1D", "MaxPooling2D", "AveragePooling1D", "AveragePooling2D", "GlobalAveragePooling1D",
    "GlobalAveragePooling2D", "GlobalMaxPooling1D", "GlobalMaxPooling2D", "UpSampling2D", "ZeroPadding2D", "Rescaling", "RepeatVector", "Masking",
})  # fmt: skip
_TAKES_COLUMNS = frozenset({"Dense", "LSTM", "GRU", "SimpleRNN"})
"""Layers whose weights depend on the last axis of what they get."""
_KEEPS_COLUMNS = frozenset({
    "Input", "InputLayer", "Activation", "Dropout", "GaussianNoise", "ReLU", "LeakyReLU", "ELU", "Softmax", "Rescaling", "Masking",
    "GlobalAveragePooling1D", "GlobalAveragePooling2D", "GlobalMaxPooling1D", "GlobalMaxPooling2D",
})  # fmt: skip
"""Layers without weights that leave the last axis as long as it is."""
_DEEPEST = 100


@dataclass(frozen=True)
class Sized:
    """A layer with weights and the numbers that say how many.

    Attributes:
        kind: "Dense".
        sizes: "units=8", each argument with its value.
    """

    kind: str
    sizes: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class OtherSizes:
    """A load of weights into a model that has a layer of another size than the one that they are from.

    Attributes:
        saved: the layer whose weights were saved.
        loaded: the layer that they are loaded into.
    """

    load: Saved
    saved: Sized
    loaded: Sized


class Architectures:
    """What the models of a run are made of."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._models = run.domain(SavedModels)

    @property
    def other_sizes(self) -> Iterator[OtherSizes]:
        """The loads of weights that can't fit, whichever save of the path they read."""
        saves = self._run.domain(Saves)
        for load in saves.all:
            if load.kind != "load_weights" or any(name != "filepath" for name, _ in load.call.result.keywords):
                continue
            sources = [other for other in saves.of_same_path(load) if not other.is_load]
            found = [self._difference(load, source) for source in sources]
            if found and found[0] is not None and all(found):
                yield found[0]

    def _difference(self, load: Saved, save: Saved) -> OtherSizes | None:
        models = self._models.model(save), self._models.model(load)
        one, other = (self.layers(model) if model is not None else None for model in models)
        if one is None or other is None or [each.kind for each in one] != [each.kind for each in other]:
            return None
        found = next((OtherSizes(load, *pair) for pair in zip(one, other, strict=True) if pair[0] != pair[1]), None)
        if found is not None or not one or one[0].kind not in _TAKES_COLUMNS:
            return found
        inputs = [self._columns(model) for model in models if isinstance(model, Result)]
        differ = None not in inputs and len(set(inputs)) > 1
        return OtherSizes(load, *(Sized("Input", (f"{number},",)) for number in inputs)) if differ else None

    def _columns(self, model: Result) -> int | None:
        """How many columns the first layer with weights gets; None where that is not known, or a layer before it may change that."""
        chain = self._chain(model) or []
        if model.name == "keras.Model":
            start = self._start(model)
            chain = [start, *chain] if start is not None else []
        number: int | None = None
        for layer in chain:
            if not isinstance(layer, Result):
                return None
            number = number or self._given_columns(layer)
            if layer.method in _SIZES:
                return number
            if layer.method not in _KEEPS_COLUMNS:
                return None
        return None

    def _given_columns(self, layer: Result) -> int | None:
        """What a layer says of the last axis of its input: `Input((3,))`, `input_shape=(9, 3)`, `input_dim=3`."""
        given = layer.keyword("shape") or layer.keyword("input_shape")
        if given is None and layer.method == "Input" and layer.args:
            given = layer.args[0]
        items = (
            self._run.items(given.only) if given is not None and isinstance(given.only, (Tuple, Container)) else None
        )
        number = constant(items[-1]) if items else constant(layer.keyword("input_dim"))
        return number if isinstance(number, int) else None

    def _start(self, model: Result) -> Object | None:
        """The input of a functional model whose layers are in one row."""
        outputs = model.argument("outputs", 1)
        here = outputs.only if outputs is not None else None
        while isinstance(here, Result) and here.name.endswith("()") and here.args:
            here = here.args[0].only
        return here

    def layers(self, model: Object) -> tuple[Sized, ...] | None:
        """The layers of a model that have weights, from its first to its last; None where one of them is not known."""
        if not isinstance(model, Result) or model in self._changed:
            return None
        made = self._chain(model)
        found = [self._sized(layer) for layer in made] if made is not None else [None]
        return tuple(each for each in found if isinstance(each, Sized)) if None not in found else None

    def _chain(self, model: Result) -> list[Object] | None:
        if model.name == "keras.Sequential":
            listed = model.args[0] if model.args else model.keyword("layers")
            items = self._run.items(listed) if listed is not None else []
            return (
                None if items is None else [*(each for value in items for each in value), *self._added.get(model, ())]
            )
        outputs = model.argument("outputs", 1)
        return _above(outputs) if model.name == "keras.Model" and outputs is not None else None

    def _sized(self, layer: Object) -> Sized | bool | None:
        """The sizes of a layer; True where it has no weights."""
        if not isinstance(layer, Result) or not layer.name.startswith("keras.") or layer.op != "call":
            return None
        if layer.method in _WITHOUT:
            return True
        names = _SIZES.get(layer.method)
        if names is None:
            return None
        values = [
            layer.keyword(name) or (layer.args[place] if place < len(layer.args) else None)
            for place, name in enumerate(names)
        ]
        numbers = [_number(value) for value in values]
        return Sized(layer.method, tuple(map("{}={}".format, names, numbers))) if None not in numbers else None

    @cached_property
    def _added(self) -> dict[Object, list[Object]]:
        found: dict[Object, list[Object]] = {}
        for call in self._run.methods("add"):
            receiver = call.result.receiver
            if receiver is not None and call.result.args:
                # In a loop or a branch nobody knows how often.
                plain = not call.context.loops and not call.context.guards
                found.setdefault(receiver, []).extend(call.result.args[0] if plain else (Constant(None),))
        return found

    @cached_property
    def _changed(self) -> frozenset[Object]:
        """The models that lose layers."""
        return frozenset(call.result.receiver for call in self._run.methods("pop") if call.result.receiver is not None)


def _above(outputs: Value) -> list[Object] | None:
    """The layers of a functional model in one row, from the input on; None where they branch."""
    found: list[Object] = []
    here = outputs.only
    while isinstance(here, Result) and here.name.endswith("()") and len(found) < _DEEPEST:
        if here.receiver is None or len(here.args) != 1:
            return None
        found.append(here.receiver)
        here = here.args[0].only
    is_input = isinstance(here, Result) and here.name in ("keras.Input", "keras.layers.Input")
    return found[::-1] if is_input else None


def _number(value: Value | None) -> object:
    """The number that an argument surely is, or a tuple of such; None where it is none."""
    only = value.only if value is not None else None
    if isinstance(only, Constant) and isinstance(only.value, int):
        return only.value
    if isinstance(only, Tuple):
        numbers = [_number(each) for each in only.items]
        return None if None in numbers else f"({', '.join(map(str, numbers))})"
    return None
