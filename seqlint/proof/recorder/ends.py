"""Reads what is there when the program has ended: weights, state, memory."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np
import tensorflow as tf

from . import outside, places
from .arrays import MOST_VALUES, record
from .hooks import own
from .leaves import leaves
from .names import of_own_code
from .places import LOOP, weights_of
from .recording import DATA, VARIABLES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from types import ModuleType

    from .recording import Devices, Leaf, WeightRecord
    from .tape import Tape

_KERAS = ("keras", "tf_keras")
_LIBRARIES = frozenset({"keras", "tf_keras", "tensorflow"})


def weights(model: Any) -> list[WeightRecord]:
    """Every weight of a model, in the order that Keras gives."""
    made = weights_of(model)
    arrays = [np.asarray(array) for array in model.get_weights()] if made else []
    keep = sum(array.size for array in arrays) <= MOST_VALUES
    names = [str(getattr(weight, "path", weight.name)) for weight in made]
    return [record(name, array, keep) for name, array in zip(names, arrays, strict=False)]


def all_weights(tape: Tape) -> list[list[WeightRecord]]:
    """The weights of every model that was trained, and last what the program's own loops train in addition."""
    loose = outside.variables(tape)
    return [*map(weights, tape.models), *([loose] if loose else [])]


def devices(tape: Tape) -> list[Devices]:
    """Where each model lay and ran that was trained, then those that only computed, then what own loops train."""
    found = [(places.of_variables(model), tape.places.of_steps.get(k, set())) for k, model in enumerate(tape.models)]
    others = tape.places.of_others
    for model, steps in others.values():
        if model is not None and not any(model is known for known in tape.models):
            found.append((places.of_variables(model), steps))
    loose = outside.loose(tape)
    if loose:
        found.append((places.of_tensors(loose), others.get(LOOP, (None, set()))[1]))
    return [{"variables": sorted(variables), "steps": sorted(steps)} for variables, steps in found]


def state(tape: Tape, main: ModuleType, environment: Mapping[str, str]) -> dict[str, Leaf]:
    """Simple values of module globals and their objects, class attributes, the last fit's own callbacks, the environment.

    Args:
        main: the script, as the module `__main__`.
        environment: what the environment was before the program started.
    """
    found: dict[str, Leaf] = {}
    for prefix, module in _modules(tape, main):
        for name, value in list(vars(module).items()):
            if not name.startswith("__"):
                _add(found, prefix, name, value, module.__name__)
                with suppress(Exception):  # what can't be read does not count as an error of the program
                    for number, variable in enumerate(_variables(value), 1):
                        found.update(leaves(f"{prefix}{name}{VARIABLES}{number}", np.asarray(variable)))
                if _is_plain(tape, value):
                    _add_attributes(found, prefix + name, value, None)
    for callback in tape.callbacks:
        if own(tape, type(callback).__module__):
            _add_attributes(
                found, f"the callback {type(callback).__name__}", callback, of_own_code(tape, type(callback))
            )
    if own(tape, type(tape.feed).__module__):
        _add_attributes(
            found, f"{DATA}{type(tape.feed).__name__}", tape.feed, of_own_code(tape, type(tape.feed)), of_keras=True
        )
    for name, value in os.environ.items():
        if environment.get(name) != value:
            found[f"environ[{name}]"] = value
    place = os.path.dirname(tape.job["folder"])
    return {name.replace(place, "…"): _elsewhere(value, place) for name, value in found.items()}


def _elsewhere(value: Leaf, place: str) -> Leaf:
    """The value without the folder that this run alone has."""
    return value.replace(place, "…") if isinstance(value, str) else value


def _modules(tape: Tape, main: ModuleType) -> Iterator[tuple[str, ModuleType]]:
    yield "", main
    for name, module in sorted(sys.modules.items()):
        if module is not main and name != "__main__" and own(tape, name):
            yield f"{name}.", module


def _variables(value: Any) -> list[Any]:
    """The variables of a metric, of a module of TensorFlow, or of an average, which an own loop fills and prints only at its end."""
    kind = type(value)
    library = kind.__module__.partition(".")[0]
    if kind.__name__ == "ExponentialMovingAverage" and library == "tensorflow":
        return list(getattr(value, "_averages", {}).values())
    is_module = isinstance(value, tf.Module) and not any(cls.__module__.startswith(_KERAS) for cls in kind.__mro__)
    is_metric = library in _KERAS and callable(getattr(value, "update_state", None))
    return list(value.variables) if is_module or is_metric else []


def _is_plain(tape: Tape, value: object) -> bool:
    """Whether a value is an object of a class of the program's own that has nothing of Keras."""
    kinds = {kind.__module__ for kind in type(value).__mro__}
    return own(tape, type(value).__module__) and not any(name.partition(".")[0] in _LIBRARIES for name in kinds)


def _add(found: dict[str, Leaf], prefix: str, name: str, value: object, module: str) -> None:
    if not isinstance(value, type):
        found.update(leaves(prefix + name, value))
        return
    if value.__module__ == module:
        for attribute, content in list(vars(value).items()):
            if not attribute.startswith("__"):
                found.update(leaves(f"{prefix}{value.__qualname__}.{attribute}", content))


def _add_attributes(
    found: dict[str, Leaf], name: str, value: object, mentioned: frozenset[str] | None, *, of_keras: bool = False
) -> None:
    """What an object of the program's own holds.

    Args:
        mentioned: private attributes that are the program's; None where all are. Keras keeps what is its own in others.
        of_keras: whether it has public ones, too.
    """
    for attribute, content in list(getattr(value, "__dict__", {}).items()):
        private = of_keras or attribute.startswith("_")
        if not private or ((mentioned is None or attribute in mentioned) and not attribute.startswith("__")):
            found.update(leaves(f"{name}.{attribute}", content))


def bound(tape: Tape, main: ModuleType) -> list[str]:
    """The names of globals, and of attributes of plain objects in them, whatever they hold."""
    found: list[str] = []
    for prefix, module in _modules(tape, main):
        for name, value in list(vars(module).items()):
            found.append(prefix + name)
            if _is_plain(tape, value):
                found += [f"{prefix}{name}.{attribute}" for attribute in getattr(value, "__dict__", {})]
    return found


def memory() -> float:
    """Peak memory of this process, in MiB; 0 where the system does not tell."""
    try:
        import resource
    except ImportError:
        return 0.0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)
