"""Drives what the user's own factory gives.

A factory is a function without required parameters. It gives one of these:

- a `Sequence` or `PyDataset`, a `tf.data.Dataset`, a generator, or arrays `(x, y)` or `(x, y, sample_weight)`: they are
  trained on for two epochs, by a small model that takes any batch;
- a `Callback`: it takes part in the training of a tiny classifier;
- a dict of arguments of `fit`: `x`, `validation_data`, `callbacks`, …; with `model`, a compiled one of its own;
- a tuple `(model, data)`: the compiled model, and one of the first kinds;
- None, when it has trained by itself.

`module` alone, without a function, stands for all public functions of that module without required parameters, in the
order of their definition: so is `seqlint_smoke.py` used.
"""

from __future__ import annotations

import importlib
import inspect
from itertools import chain
from typing import TYPE_CHECKING, Any

import tensorflow as tf

from .small_model import small_model
from .tiny import fit_callback, line_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from ..tape import Tape

_EPOCHS = 2
_ENDLESS = 12
"""A generator that gives so many batches may have no end: three make an epoch then."""
_GIVES = "a Sequence, a tf.data.Dataset, a generator, arrays (x, y), a dict for fit, (model, data) or None"


class FactoryError(Exception):
    """A factory that can't be used, and why."""


def functions(name: str) -> list[tuple[str, Callable[[], Any]]]:
    """The factories that "module:function" or "module" names.

    Raises:
        FactoryError: there is no such module or function, or it has required parameters.
        Exception: what the module raises while it is imported.
    """
    place, _, wanted = name.partition(":")
    module = _module(place)
    if wanted:
        return [(name, _checked(name, getattr(module, wanted, None)))]
    found = [
        (f"{place}:{key}", value) for key, value in vars(module).items()
        if inspect.isfunction(value) and value.__module__ == module.__name__ and not key.startswith("_")
    ]  # fmt: skip
    plain: list[tuple[str, Callable[[], Any]]] = [(key, value) for key, value in found if not _required(value)]
    if not plain:
        raise FactoryError(f"{place} has no public function without required parameters")
    return plain


def _module(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name and (name == error.name or name.startswith(f"{error.name}.")):
            raise FactoryError(f"there is no module {name}, neither next to the file nor installed") from None
        raise


def _checked(name: str, value: Any) -> Callable[[], Any]:
    if value is None:
        raise FactoryError(f"{name}: the module has no such function")
    if not callable(value):
        raise FactoryError(f"{name} is {_kind(value)}, and no function")
    if missing := _required(value):
        raise FactoryError(f"{name} must be callable without arguments, and it needs {', '.join(missing)}")
    found: Callable[[], Any] = value
    return found


def _required(function: Any) -> list[str]:
    items = inspect.signature(function).parameters.values()
    return [
        item.name for item in items
        if item.default is item.empty and item.kind not in (item.VAR_POSITIONAL, item.VAR_KEYWORD)
    ]  # fmt: skip


def drive(tape: Tape, name: str, function: Callable[[], Any]) -> list[Any]:
    """Train on what one factory gives; returns what took part, so that it stays alive.

    Raises:
        FactoryError: it gives something else.
        Exception: what the factory or the training raises.
    """
    before = len(tape.calls)
    given = function()
    if given is None:
        if not tape.calls or (before and not tape.fits):
            raise FactoryError(f"{name} gave None, and trained nothing; it should give {_GIVES}")
        text = "it trained by itself"
        kept: list[Any] = []
    elif _is_callback(given):
        fit_callback(given)
        text, kept = f"{_kind(given)}, in the fit of a tiny classifier", [given]
    else:
        text, kept = _train(name, given)
    tape.notes[f"driven: {name}: {text}"] = None
    return kept


def _train(name: str, given: Any) -> tuple[str, list[Any]]:
    model, data = given if _is_model_and_data(given) else (None, given)
    arguments = dict(data) if isinstance(data, dict) else _arguments(name, data)
    if "x" not in arguments:
        raise FactoryError(f"{name} gave a dict for fit without x")
    model = arguments.pop("model", model)
    if model is None:
        model = small_model(line_of(*_things(arguments)))
    arguments = {"epochs": _EPOCHS, "verbose": 0, **arguments}
    if "steps_per_epoch" not in arguments and hasattr(arguments["x"], "__next__"):
        arguments.update(_bounded(arguments["x"], arguments["epochs"]))
    model.fit(**arguments)
    return f"{_kind(arguments['x'])}, {arguments['epochs']} epoch{'s' * (arguments['epochs'] != 1)}", [model, arguments]


def _arguments(name: str, data: Any) -> dict[str, Any]:
    if isinstance(data, tuple) and len(data) in (2, 3) and all(_is_array(item) for item in data):
        return dict(zip(("x", "y", "sample_weight"), data, strict=False))
    sized = hasattr(data, "__getitem__") and hasattr(data, "__len__") and not isinstance(data, (tuple, list, str))
    if isinstance(data, tf.data.Dataset) or hasattr(data, "__next__") or sized:
        return {"x": data}
    raise FactoryError(f"{name} gave {_kind(data)}; it should give {_GIVES}")


def _bounded(generator: Any, epochs: int) -> dict[str, Any]:
    """A generator as it was, and how it is cut into epochs: one where it ends soon."""
    first = [batch for _, batch in zip(range(_ENDLESS), generator, strict=False)]
    whole = chain(first, generator)
    source = (batch for batch in whole)
    if len(first) < _ENDLESS:
        return {"x": source, "epochs": 1}
    return {"x": source, "steps_per_epoch": 3, "epochs": epochs}


def _things(arguments: dict[str, Any]) -> list[Any]:
    callbacks = arguments.get("callbacks") or []
    return [arguments["x"], *(callbacks if isinstance(callbacks, (list, tuple)) else [callbacks])]


def _is_model_and_data(given: Any) -> bool:
    return isinstance(given, tuple) and len(given) == 2 and hasattr(given[0], "fit") and hasattr(given[0], "compile")


def _is_callback(given: Any) -> bool:
    return hasattr(given, "on_epoch_end") and hasattr(given, "set_model")


def _is_array(item: Any) -> bool:
    return hasattr(item, "shape") or isinstance(item, (list, dict))


def _kind(value: Any) -> str:
    return f"{type(value).__name__}"
