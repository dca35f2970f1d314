"""Values of a program as plain leaves: numbers and texts by their names, digests of arrays and of what is long."""

from __future__ import annotations

import hashlib
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from .recording import Leaf

_MOST_LEAVES = 2_000
_DEEPEST = 6
_LONG = 200
"""Items of a list of plain values above which only a digest of it is kept."""
_PLAIN = (bool, int, float, str, type(None))


def leaves(name: str, value: object) -> dict[str, Leaf]:
    """The leaves of a value. What has no simple form is left out, and so is the size of what holds it."""
    found: dict[str, Leaf] = {}
    _flatten(found, name, value, 0)
    return found


def _flatten(found: dict[str, Leaf], name: str, value: object, depth: int) -> bool:
    """Write a value as leaves; False when it is, or holds, something that has no simple form."""
    if depth > _DEEPEST or len(found) > _MOST_LEAVES:
        return False
    if isinstance(value, _PLAIN):
        found[name] = value if not isinstance(value, int) or abs(value) < 2**53 else str(value)
        return True
    if isinstance(value, (bytes, np.ndarray, np.generic)):
        return _array(found, name, value)
    if isinstance(value, dict):
        items = [(f"{name}[{key!r}]", content) for key, content in value.items()]
        return _parts(found, f"len({name})", items, depth)
    if isinstance(value, (set, frozenset)):
        return _set(found, name, value)
    if isinstance(value, (list, tuple, deque)):
        return _list(found, name, value, depth)
    return _foreign(found, name, value, depth)


def _parts(found: dict[str, Leaf], size: str, items: list[tuple[str, Any]], depth: int) -> bool:
    whole = [_flatten(found, name, item, depth + 1) for name, item in items]
    if all(whole):
        found[size] = len(items)
    return all(whole)


def _set(found: dict[str, Leaf], name: str, value: set[Any] | frozenset[Any]) -> bool:
    plain = all(isinstance(item, _PLAIN) for item in value)
    if plain:
        found[name] = repr(sorted(map(repr, value)))
    return plain


def _list(found: dict[str, Leaf], name: str, value: list[Any] | tuple[Any, ...] | deque[Any], depth: int) -> bool:
    if len(value) > _LONG and all(isinstance(item, _PLAIN) for item in value):
        found[name] = f"{len(value)} values {_digest(repr(list(value)).encode('utf-8', 'replace'))}"
        return True
    return _parts(found, f"len({name})", [(f"{name}[{k}]", item) for k, item in enumerate(value)], depth)


def _foreign(found: dict[str, Leaf], name: str, value: Any, depth: int) -> bool:
    """Tables of pandas, by their columns, and tensors and variables."""
    library = type(value).__module__.partition(".")[0]
    if library == "pandas":
        with suppress(AttributeError, TypeError, ValueError):
            columns = value.items() if value.ndim > 1 else [("values", value)]
            return _parts(found, f"len({name})", [(f"{name}[{key!r}]", one.to_numpy()) for key, one in columns], depth)
    if library in ("tensorflow", "keras", "tf_keras") and callable(getattr(value, "numpy", None)):
        with suppress(Exception):  # symbolic, on another device, of a type that NumPy lacks
            return _flatten(found, name, value.numpy(), depth + 1)
    return False


def _array(found: dict[str, Leaf], name: str, value: bytes | np.ndarray[Any, Any] | np.generic) -> bool:
    if isinstance(value, (np.generic, np.ndarray)) and not value.ndim and value.dtype.kind in "fiub":
        found[name] = float(value)
        return True
    if isinstance(value, bytes):
        found[name] = f"bytes {_digest(value)}"
        return True
    array = np.asarray(value)
    if array.dtype != object:
        data = np.ascontiguousarray(array).tobytes()
    elif all(isinstance(item, _PLAIN) for item in array.flat):
        data = repr(array.tolist()).encode("utf-8", "replace")
    else:
        return False
    found[name] = f"{array.dtype} {list(array.shape)} {_digest(data)}"
    return True


def _digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=8).hexdigest()
