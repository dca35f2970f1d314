"""Carries the initial weights of the models of one run over into those of another, so that what both compute can be compared.

Two libraries draw other initial weights from one seed. Each model is handled once, when it first computes and has its weights: one run keeps
what they are, the other takes that, by order and shape. What the program has set itself, or loaded, is neither kept nor taken.
"""

from __future__ import annotations

import functools
import json
import sys
from contextlib import suppress
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any

import numpy as np
import tensorflow as tf

from . import alike
from .arrays import record
from .outside import replace_method
from .places import weights_of
from .recording import UNCARRIED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from types import ModuleType

    from .recording import InitialRecord, SaveRecord
    from .tape import Tape

_USED = ("fit", "evaluate", "predict", "train_on_batch", "test_on_batch", "predict_on_batch")
_RANDOM_LAYERS = (
    "Dropout", "SpatialDropout1D", "SpatialDropout2D", "SpatialDropout3D", "AlphaDropout", "GaussianDropout", "GaussianNoise",
    "RandomBrightness", "RandomContrast", "RandomCrop", "RandomFlip", "RandomHeight", "RandomRotation", "RandomTranslation",
    "RandomWidth", "RandomZoom",
)  # fmt: skip
_SAVES = {"save": "save", "save_weights": "save weights"}
_MOST_SAVES = 200
_NUDGE = 1e-6


class Carry:
    """The models of a run, in the order in which they first computed."""

    def __init__(self, tape: Tape) -> None:
        self._tape = tape
        self._models: list[Any] = []
        self._set: set[int] = set()
        self._kept: list[list[dict[str, Any]]] = []
        self._given = _read(tape) if tape.job["carry"] == "take" else []
        self.initial: list[list[InitialRecord]] = []
        self.saves: list[SaveRecord] = []

    def settle(self, model: Any) -> None:
        """Keep or take the initial weights of a model, if it has got any and was not seen before."""
        if self.knows(model):
            return
        weights = weights_of(model)
        if not weights:
            return
        self._models.append(model)
        try:
            self._settle(model, weights)
        except Exception as error:  # what the recorder can't do does not count as an error of the program
            self._tape.notes[f"{UNCARRIED}: {type(error).__name__}"] = None

    def knows(self, model: Any) -> bool:
        """Whether a model was seen before."""
        return any(known is model for known in self._models)

    def _settle(self, model: Any, weights: list[Any]) -> None:
        with tf.init_scope():
            arrays = [_array(weight) for weight in weights]
            layers = _layers(model, weights)
            taken = self._take(weights, arrays) if self._tape.job["carry"] == "take" else [True] * len(weights)
        self._kept.append(
            [
                {"array": array, "layer": layer, "set": id(weight) in self._set}
                for weight, array, layer in zip(weights, arrays, layers, strict=True)
            ]
        )
        self.initial.append(
            [
                _initial(*each)
                for each in zip(weights, layers, arrays, taken, (id(w) in self._set for w in weights), strict=True)
            ]
        )

    def set_by_program(self, weights: Iterable[Any]) -> None:
        """Note weights that the program has set itself."""
        self._set.update(map(id, weights))

    def _take(self, weights: list[Any], arrays: list[Any]) -> list[bool]:
        """Whether each weight has a partner in the other run; those that nobody has set get its value."""
        number = len(self._models) - 1
        given = self._given[number] if number < len(self._given) else []
        matcher = SequenceMatcher(
            None, [str(one["array"].shape) for one in given], [str(array.shape) for array in arrays], False
        )
        found = [False] * len(weights)
        for old, new, size in matcher.get_matching_blocks():
            for place in range(size):
                found[new + place] = True
                known = given[old + place]
                if not known["set"] and id(weights[new + place]) not in self._set:
                    weights[new + place].assign(self._nudged(known["array"], new + place))
        return found

    def _nudged(self, array: Any, number: int) -> Any:
        """A value as it is taken: in runs that measure noise a millionth off, which shows how much of a rounding a program makes."""
        if not self._tape.job["stir"] or array.dtype.kind != "f":
            return array
        drawn = np.random.RandomState(number).uniform(-1, 1, array.shape)
        return (array * (1 + _NUDGE * drawn)).astype(array.dtype)

    def write(self) -> None:
        """Leave what the weights were for the other run."""
        if not self._kept:
            return
        arrays = {f"{k} {n}": one["array"] for k, model in enumerate(self._kept) for n, one in enumerate(model)}
        about = [[{"layer": one["layer"], "set": one["set"]} for one in model] for model in self._kept]
        with open(self._tape.job["initial"], "wb") as file:
            np.savez(file, about=np.frombuffer(json.dumps(about).encode(), np.uint8), **arrays)

    def saved(self, what: str, model: Any) -> None:
        """Note what was saved or loaded: the weights, whatever the format of the file."""
        if len(self.saves) < _MOST_SAVES:
            found = [record("", np.asarray(_array(weight))) for weight in weights_of(model)]
            self.saves.append({"what": what, "weights": found})


def _read(tape: Tape) -> list[list[dict[str, Any]]]:
    try:
        with np.load(tape.job["initial"]) as file:
            about = json.loads(file["about"].tobytes())
            return [
                [{**one, "array": file[f"{k} {n}"]} for n, one in enumerate(model)] for k, model in enumerate(about)
            ]
    except (OSError, ValueError, KeyError):
        return []


def _array(weight: Any) -> Any:
    return np.asarray(weight.numpy())


def _initial(weight: Any, layer: str, array: Any, taken: bool, is_set: bool) -> InitialRecord:
    """What a weight was by itself, before anything was carried over."""
    numbers = array.astype(np.float64) if array.dtype.kind in "fiub" else np.zeros(0)
    return {
        "layer": layer, "shape": list(array.shape), "set": is_set, "matched": taken, "size": int(numbers.size),
        "mean": float(np.mean(numbers)) if numbers.size else 0.0, "spread": float(np.std(numbers)) if numbers.size else 0.0,
        "trained": bool(getattr(weight, "trainable", True)),
    }  # fmt: skip


def _layers(model: Any, weights: list[Any]) -> list[str]:
    """For each weight the layer that it is in: its kind, and which of that kind."""
    found: dict[int, str] = {}
    for name, layer in _named(model):
        for weight in getattr(layer, "weights", ()):
            found.setdefault(id(weight), name)
    return [found.get(id(weight), type(model).__name__) for weight in weights]


def _named(model: Any) -> Iterator[tuple[str, Any]]:
    for number, layer in enumerate(getattr(model, "layers", ()), 1):
        if getattr(layer, "layers", None):
            yield from _named(layer)
        else:
            yield f"layer {number} ({type(layer).__name__})", layer


def instrument(tape: Tape, keras: ModuleType) -> None:
    """Patch what builds, uses, saves and loads models of one Keras, for the rest of this process."""
    for name in _USED:
        replace_method(keras.Model, name, functools.partial(_before, tape))
    replace_method(keras.callbacks.CallbackList, "on_train_begin", functools.partial(_built, tape))
    replace_method(keras.layers.Layer, "__call__", functools.partial(_computes, tape, keras))
    replace_method(keras.layers.Layer, "set_weights", functools.partial(_sets, tape))
    for name, what in _SAVES.items():
        replace_method(keras.Model, name, functools.partial(_saves, tape, what))
    replace_method(keras.Model, "load_weights", functools.partial(_loads_weights, tape))
    _replace_everywhere(keras, "load_model", functools.partial(_loads, tape))
    _hold_layers_still(keras)
    alike.instrument(tape)


def _before(tape: Tape, original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        if not tape.running:
            tape.carry.settle(self)
            if original.__name__ == "fit":
                alike.seed(tape)
        return original(self, *args, **kwargs)

    return call


def _built(tape: Tape, original: Callable[..., Any]) -> Callable[..., Any]:
    """Keras 3 has built the model by then, and not trained it."""

    @functools.wraps(original)
    def on_train_begin(self: Any, *args: Any, **kwargs: Any) -> Any:
        model = getattr(self, "model", None) or getattr(self, "_model", None)
        if model is not None:
            tape.carry.settle(model)
        return original(self, *args, **kwargs)

    return on_train_begin


def _computes(tape: Tape, keras: ModuleType, original: Callable[..., Any]) -> Callable[..., Any]:
    """A model that a loop of the program calls, or that tf-keras builds inside of its first step: it has not been trained after one call."""

    @functools.wraps(original)
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        if not isinstance(self, keras.Model) or _is_symbolic(args, kwargs):
            return original(self, *args, **kwargs)
        tape.carry.settle(self)
        result = original(self, *args, **kwargs)
        if weights_of(self) and tf.executing_eagerly() and not tape.carry.knows(self):
            tape.carry.settle(self)
            return original(self, *args, **kwargs)  # with the weights that it has now
        tape.carry.settle(self)
        return result

    call.autograph_info__ = {}  # type: ignore[attr-defined]  # AutoGraph leaves such functions alone
    return call


def _is_symbolic(args: Any, kwargs: Any) -> bool:
    if any("KerasTensor" in type(leaf).__name__ for leaf in tf.nest.flatten((args, kwargs))):
        return True
    with suppress(ImportError, AttributeError):
        from keras.src.backend.common.stateless_scope import in_stateless_scope

        return bool(in_stateless_scope())
    return False


def _sets(tape: Tape, original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def set_weights(self: Any, *args: Any, **kwargs: Any) -> Any:
        result = original(self, *args, **kwargs)
        tape.carry.set_by_program(weights_of(self))
        return result

    return set_weights


def _saves(tape: Tape, what: str, original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def save(self: Any, *args: Any, **kwargs: Any) -> Any:
        with tape.once("saving") as outermost:
            if outermost:
                tape.carry.settle(self)
                tape.carry.saved(what, self)
            return original(self, *args, **kwargs)

    return save


def _loads_weights(tape: Tape, original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def load_weights(self: Any, *args: Any, **kwargs: Any) -> Any:
        with tape.once("saving") as outermost:
            if outermost:
                tape.carry.settle(self)
            result = original(self, *args, **kwargs)
            if outermost:
                tape.carry.set_by_program(weights_of(self))
                tape.carry.saved("load weights", self)
            return result

    return load_weights


def _loads(tape: Tape, original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def load_model(*args: Any, **kwargs: Any) -> Any:
        with tape.once("saving") as outermost:
            model = original(*args, **kwargs)
            if outermost and hasattr(model, "weights"):
                tape.carry.set_by_program(weights_of(model))
                tape.carry.saved("load", model)
            return model

    return load_model


def _replace_everywhere(keras: ModuleType, name: str, make: Callable[[Any], Any]) -> None:
    """Put what is made of a function in its place in each module of Keras that hands it out."""
    original = getattr(keras.models, name)
    made = make(original)
    for key, module in list(sys.modules.items()):
        if key.partition(".")[0] in ("keras", "tf_keras", "tensorflow") and vars(module).get(name) is original:
            setattr(module, name, made)


def _hold_layers_still(keras: ModuleType) -> None:
    """Let no layer draw: the masks of two libraries are never the same."""
    for name in _RANDOM_LAYERS:
        cls = getattr(keras.layers, name, None)
        if cls is not None and "call" in dir(cls):
            with suppress(StopIteration):
                replace_method(cls, "call", _still)


def _still(original: Callable[..., Any]) -> Callable[..., Any]:
    if hasattr(original, "seqlint_still"):
        return original

    @functools.wraps(original)
    def call(self: Any, inputs: Any, training: Any = None, **kwargs: Any) -> Any:
        return original(self, inputs, training=False, **kwargs)

    call.seqlint_still = True  # type: ignore[attr-defined]
    call.autograph_info__ = {}  # type: ignore[attr-defined]
    return call
