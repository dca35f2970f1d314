"""Reads what a training was asked for, as plain values: a smoke run is too short to show it all.

Values have their normal form: a loss that is named and one that is made, a direction that is given and one that Keras infers are the same.
"""

from __future__ import annotations

import inspect
import os
from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np
import tensorflow as tf

from . import computing
from .hooks import own
from .leaves import leaves

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from .recording import Leaf
    from .tape import Tape

_MOST_FITS = 50
_MOST_LAYERS = 2_000
_NAMELESS = frozenset({"name", "module", "registered_name", "build_config", "shared_object_id", "fn"})
"""What a configuration says of where its object comes from, and nothing of what it does."""
_OF_LAYERS = _NAMELESS | {"batch_shape", "batch_input_shape", "function", "dtype"}
_NO_SETTING = frozenset({"self", "verbose", "mode", "args", "kwargs", "name", "model", "logs"})
_USUAL = frozenset({"sum_over_batch_size", "auto", None})
"""The reductions that are one: the mean over a batch."""
_OF_EVERY_FIT = frozenset({"History", "ProgbarLogger"})
_NOTHING = object()


def of_fit(tape: Tape, number: int, model: Any, arguments: Mapping[str, Any], keras: Any) -> None:
    """Note what a `fit` was asked for, before it is cut.

    Args:
        number: of the fit, from 0.
        arguments: as they were given, by name.
    """
    if number >= _MOST_FITS:
        return
    fit = f"fit {number + 1}"
    asked = {name: arguments[name] for name in ("epochs", "initial_epoch") if arguments.get(name) is not None}
    if arguments.get("validation_data") is not None or arguments.get("validation_split"):
        asked["validation_freq"] = arguments.get("validation_freq", 1)
    _note(tape, fit, {"epochs": 1, "initial_epoch": 0, **asked})
    with suppress(Exception):  # what can't be read does not count as an error of the program
        _of_optimizer(tape, f"the optimizer of {fit}", getattr(model, "optimizer", None))
    with suppress(Exception):
        _note(
            tape, f"the loss of {fit}", dict(_losses(computing.by_output(model, getattr(model, "loss", None)), keras))
        )
    with suppress(Exception):
        _note(tape, f"how {fit} computes", dict(computing.asked(model, arguments.get("class_weight"))))
    with suppress(Exception):
        if not any(known is model for known in tape.models):
            _note(tape, f"the layers of {fit}", dict(_layers(model)))


def of_loop(tape: Tape, optimizer: Any) -> None:
    """Note the optimizer of a loop of the program's own, when it takes its first step."""
    number = sum(entity.startswith("optimizer ") for entity in tape.settings) + 1
    with suppress(Exception), tf.init_scope():  # a graph that is traced knows no numbers
        _of_optimizer(tape, f"optimizer {number} outside of fit", optimizer)


def of_callbacks(tape: Tape, number: int, callbacks: list[Any]) -> None:
    """Note what the callbacks of a fit were made with, once an epoch is over: by then each knows what is better."""
    seen: Counter[str] = Counter()
    for callback in callbacks if number < _MOST_FITS else []:
        name = type(callback).__name__
        if name in _OF_EVERY_FIT:
            continue
        seen[name] += 1
        title = f"{name} {seen[name]}" if seen[name] > 1 else name
        with suppress(Exception):
            _note(tape, f"{title} of fit {number + 1}", dict(_of_callback(tape, callback)))


def of_metrics(tape: Tape, number: int, model: Any) -> None:
    """Note the metrics of a model after a fit: before its first batch Keras does not know which accuracy is meant."""
    if number < _MOST_FITS:
        with suppress(Exception):
            _note(tape, f"the metrics of fit {number + 1}", dict(_metrics(model)))


def _note(tape: Tape, entity: str, values: Mapping[str, Any]) -> None:
    found: dict[str, Leaf] = {}
    for name, value in values.items():
        found.update(leaves(name, _plain(value)))
    place = os.path.dirname(tape.job["folder"])
    tape.settings[entity] = {
        name: value.replace(place, "…") if isinstance(value, str) else value
        for name, value in found.items() if not name.startswith("len(")
    }  # fmt: skip


def _plain(value: Any, without: frozenset[str] = _NAMELESS) -> Any:
    """A value of a configuration: functions by name, objects of Keras by their own configuration, without names."""
    if isinstance(value, dict):
        inner = value.get("config") if "class_name" in value else None
        if isinstance(inner, dict):
            return {"kind": value["class_name"], **_plain(inner, without)}
        return {key: _plain(item, without) for key, item in value.items() if key not in without}
    if isinstance(value, (list, tuple)):
        return [_plain(item, without) for item in value]
    if isinstance(value, (str, int, float, bool, bytes, type(None), np.ndarray, np.generic)):
        return value
    if isinstance(value, (tf.Tensor, tf.Variable)):
        return value.numpy()
    if hasattr(value, "get_config"):
        return {"kind": type(value).__name__, **_plain(value.get_config(), without)}
    return _called(value)


def _called(value: Any) -> Any:
    """The name of a function or class of Keras; one of the program's own may have any name. Nothing of other objects."""
    if not callable(value) or not hasattr(value, "__name__"):
        return None
    library = str(getattr(value, "__module__", "")).partition(".")[0]
    return str(value.__name__) if library in ("keras", "tf_keras", "tensorflow", "numpy") else "a function"


def _of_optimizer(tape: Tape, entity: str, optimizer: Any) -> None:
    if optimizer is not None:
        config = {name: item for name, item in optimizer.get_config().items() if name != "is_legacy_optimizer"}
        _note(tape, entity, {"kind": type(optimizer).__name__, **_plain(config)})


def _losses(value: Any, keras: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _losses(item, keras, f"{place}{key}, ")
    elif isinstance(value, (list, tuple)):
        for number, item in enumerate(value, 1):
            yield from _losses(item, keras, f"{place}{number}, ")
    elif value is not None:
        found = keras.losses.get(value)
        yield from ((f"{place}{name}", item) for name, item in _function(found).items())
        reduction = getattr(found, "reduction", None)
        if reduction not in _USUAL:
            yield f"{place}reduction", str(reduction)


def _function(made: Any) -> dict[str, Any]:
    """What a loss or metric computes: the function and its arguments, with those that were left to their defaults."""
    inner = getattr(made, "fn", None) or getattr(made, "_fn", None)
    function = inner if callable(inner) else made if inspect.isfunction(made) else None
    if function is None:
        return {"kind": type(made).__name__, **_plain(made.get_config(), _NAMELESS | {"dtype", "reduction"})}
    given = getattr(made, "_fn_kwargs", None) or {}
    usual = {
        name: parameter.default for name, parameter in inspect.signature(function).parameters.items()
        if parameter.default is not inspect.Parameter.empty
    }  # fmt: skip
    return {"kind": _called(function), **{name: _plain(item) for name, item in {**usual, **given}.items()}}


def _metrics(model: Any) -> Iterator[tuple[str, Any]]:
    seen: Counter[str] = Counter()
    for metric in _flat(model.metrics):
        if type(metric).__name__ == "Mean":  # that of a loss
            continue
        values = _function(metric)
        seen[str(values["kind"])] += 1
        yield from ((f"{values['kind']} {seen[str(values['kind'])]}, {name}", item) for name, item in values.items())


def _flat(metrics: list[Any]) -> Iterator[Any]:
    for metric in metrics:
        inner = getattr(metric, "metrics", None)
        yield from _flat(inner) if inner else [metric]


def _layers(model: Any) -> Iterator[tuple[str, Any]]:
    seen: Counter[str] = Counter()
    for layer in _inner(model):
        kind = type(layer).__name__
        if kind == "InputLayer" or sum(seen.values()) >= _MOST_LAYERS:
            continue
        seen[kind] += 1
        with suppress(Exception):  # a layer of the program's own need not tell
            for name, value in _plain(layer.get_config(), _OF_LAYERS).items():
                yield f"{kind} {seen[kind]}, {name}", value


def _inner(model: Any) -> Iterator[Any]:
    for layer in model.layers:
        if getattr(layer, "layers", None) is not None:
            yield from _inner(layer)
        else:
            yield layer


def _of_callback(tape: Tape, callback: Any) -> Iterator[tuple[str, Any]]:
    for name in _parameters(tape, type(callback)):
        value = getattr(callback, name, getattr(callback, f"_{name}", _NOTHING))
        if value is not _NOTHING:
            yield name, abs(value) if name == "min_delta" and isinstance(value, (int, float)) else value
    better = getattr(callback, "monitor_op", None)
    if callable(better):
        yield "better", "lower" if better(0.0, 1e6) else "higher"


def _parameters(tape: Tape, cls: type) -> dict[str, None]:
    """The parameters of a constructor, and of those that it hands the rest to; names of Keras are attributes as well."""
    found: dict[str, None] = {}
    for owner in cls.__mro__:
        made: Callable[..., Any] | None = vars(owner).get("__init__")
        if made is not None and owner is not object and (own(tape, owner.__module__) or "keras" in owner.__module__):
            found.update(dict.fromkeys(inspect.signature(made).parameters))
    return {name: None for name in found if name not in _NO_SETTING}
