"""Reads what is there when the program has ended: weights, state, memory."""

from __future__ import annotations

import hashlib
import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from . import outside
from .arrays import MOST_VALUES, record
from .hooks import own

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from types import ModuleType

    from .recording import Leaf, WeightRecord
    from .tape import Tape

_MOST_LEAVES = 2_000
_DEEPEST = 6


def weights(model: Any) -> list[WeightRecord]:
    """Every weight of a model, in the order that Keras gives."""
    arrays = [np.asarray(array) for array in model.get_weights()]
    keep = sum(array.size for array in arrays) <= MOST_VALUES
    names = [str(getattr(weight, "path", weight.name)) for weight in model.weights]
    return [record(name, array, keep) for name, array in zip(names, arrays, strict=False)]


def all_weights(tape: Tape) -> list[list[WeightRecord]]:
    """The weights of every model that was trained, and last what the program's own loops train beside."""
    loose = outside.variables(tape)
    return [*map(weights, tape.models), *([loose] if loose else [])]


def files(folder: str) -> dict[str, tuple[int, int]]:
    """Every file of a folder, relative to it, with its size and the time of its last change."""
    found = {}
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != "__pycache__"]
        for name in names:
            path = os.path.join(place, name)
            with suppress(OSError):
                known = os.stat(path)
                found[os.path.relpath(path, folder)] = (known.st_size, known.st_mtime_ns)
    return found


def written(tape: Tape) -> list[str]:
    """The files that the program made or changed in its folder."""
    return sorted(name for name, known in files(tape.job["folder"]).items() if tape.folder.get(name) != known)


def state(tape: Tape, main: ModuleType, environment: Mapping[str, str]) -> dict[str, Leaf]:
    """Simple values of module globals, class attributes and the last fit's own callbacks, and the environment as written.

    Args:
        main: the script, as the module `__main__`.
        environment: what the environment was before the program started.
    """
    found: dict[str, Leaf] = {}
    for prefix, module in _modules(tape, main):
        for name, value in list(vars(module).items()):
            if not name.startswith("__"):
                _add(found, prefix, name, value, module.__name__)
    for callback in tape.callbacks:
        if own(tape, type(callback).__module__):
            _add_attributes(found, f"the callback {type(callback).__name__}", callback)
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


def _add(found: dict[str, Leaf], prefix: str, name: str, value: object, module: str) -> None:
    if not isinstance(value, type):
        found.update(_leaves(prefix + name, value))
        return
    if value.__module__ == module:
        for attribute, content in list(vars(value).items()):
            if not attribute.startswith("__"):
                found.update(_leaves(f"{prefix}{value.__qualname__}.{attribute}", content))


def _add_attributes(found: dict[str, Leaf], name: str, value: object) -> None:
    """What an object of the program's own holds; Keras keeps what is its own in private attributes."""
    for attribute, content in list(getattr(value, "__dict__", {}).items()):
        if not attribute.startswith("_"):
            found.update(_leaves(f"{name}.{attribute}", content))


def _leaves(name: str, value: object) -> dict[str, Leaf]:
    leaves: dict[str, Leaf] = {}
    whole = _flatten(leaves, name, value, 0)
    return leaves if whole else {}


def _flatten(leaves: dict[str, Leaf], name: str, value: object, depth: int) -> bool:
    """Write a value as leaves; False when it holds something that has no simple form."""
    if depth > _DEEPEST or len(leaves) > _MOST_LEAVES:
        return False
    if value is None or isinstance(value, (bool, int, float, str)):
        leaves[name] = value if not isinstance(value, int) or abs(value) < 2**53 else str(value)
        return True
    if isinstance(value, (bytes, np.ndarray, np.generic)):
        return _array(leaves, name, value)
    if isinstance(value, dict):
        items = [(f"{name}[{key!r}]", content) for key, content in value.items()]
        return _parts(leaves, f"len({name})", items, depth)
    if isinstance(value, (set, frozenset)):
        leaves[name] = repr(sorted(map(repr, value)))
        return all(isinstance(item, (bool, int, float, str)) for item in value)
    if isinstance(value, (list, tuple)):
        return _parts(leaves, f"len({name})", [(f"{name}[{k}]", item) for k, item in enumerate(value)], depth)
    return False


def _parts(leaves: dict[str, Leaf], size: str, items: list[tuple[str, Any]], depth: int) -> bool:
    leaves[size] = len(items)
    return all(_flatten(leaves, name, item, depth + 1) for name, item in items)


def _array(leaves: dict[str, Leaf], name: str, value: bytes | np.ndarray[Any, Any] | np.generic) -> bool:
    if isinstance(value, np.generic) and value.dtype.kind in "fiub":
        leaves[name] = float(value)
        return True
    data = value if isinstance(value, bytes) else np.ascontiguousarray(value).tobytes()
    kind = "bytes" if isinstance(value, bytes) else f"{value.dtype} {list(value.shape)}"
    leaves[name] = f"{kind} {hashlib.blake2b(data, digest_size=8).hexdigest()}"
    return isinstance(value, bytes) or value.dtype != object


def memory() -> float:
    """Peak memory of this process, in MiB; 0 where the system does not tell."""
    try:
        import resource
    except ImportError:
        return 0.0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)
