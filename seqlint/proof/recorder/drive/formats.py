"""Files that hold many samples: HDF5, records of TensorFlow, and plain numbers for memory maps; and what code expects in them."""

from __future__ import annotations

import ast
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np
import tensorflow as tf

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from .made import Spec

HDF5 = (".h5", ".hdf5")
RECORDS = (".tfrecord", ".tfrecords")
RAW = ".dat"
FEW, MANY = 80, 2_000_000
"""Numbers in a file for a memory map: all that code of unknown shape takes, or enough for any shape."""
_LABELS = ("label", "target", "class", "mask")
_SHORT = frozenset({"y", "ys"})
_FEATURES = frozenset({"FixedLenFeature", "VarLenFeature", "FixedLenSequenceFeature"})


def keys(tree: ast.AST) -> list[str]:
    """The names by which code takes parts of something: `file["images"]`."""
    found = (
        node.slice.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant)
    )
    return list(dict.fromkeys(key for key in found if isinstance(key, str)))


def features(tree: ast.AST) -> dict[str, list[Any]]:
    """The features of records as code declares them: of each name the shape, the type, and how its bytes are read."""
    text = ast.unparse(tree)
    decoder = next((name for name in ("decode_raw", "parse_tensor") if name in text), "image")
    return {
        name: [*declared, decoder]
        for node in ast.walk(tree)
        if isinstance(node, ast.Dict)
        for name, declared in _declared(node)
    }


def _declared(node: ast.Dict) -> Iterator[tuple[str, list[Any]]]:
    for key, value in zip(node.keys, node.values, strict=True):
        called = isinstance(value, ast.Call) and ast.unparse(value.func).rpartition(".")[2] in _FEATURES
        if not called or not isinstance(value, ast.Call) or not isinstance(key, ast.Constant):
            continue
        given = [*value.args, *(item.value for item in value.keywords)]
        types = [ast.unparse(item).rpartition(".")[2] for item in given]
        kind = next((name for name in types if name in ("string", "int64", "float32")), "float32")
        yield str(key.value), [_shape(given), kind]


def _shape(given: list[ast.expr]) -> list[int]:
    for item in given:
        sides = getattr(item, "elts", None)
        if sides is not None:
            return [side.value for side in sides if isinstance(side, ast.Constant) and isinstance(side.value, int)]
    return []


def write_hdf5(path: Path, count: int, spec: Spec) -> None:
    """One dataset for each name that code takes of it."""
    with import_module("h5py").File(path, "w") as file:
        for name in spec.get("keys") or ["x", "y"]:
            file[name] = _values(name, count, spec["item"])


def _values(name: str, count: int, item: list[int]) -> Any:
    if name.lower() in _SHORT or any(word in name.lower() for word in _LABELS):
        return np.arange(count) % 3
    return _random().random((count, *item), dtype=np.float32)


def write_records(path: Path, count: int, spec: Spec) -> None:
    """One record for each sample, with the features that code declares."""
    with tf.io.TFRecordWriter(str(path)) as writer:
        for number in range(count):
            made = {name: _feature(number, declared, spec) for name, declared in (spec.get("features") or {}).items()}
            writer.write(tf.train.Example(features=tf.train.Features(feature=made)).SerializeToString())


def _feature(number: int, declared: list[Any], spec: Spec) -> Any:
    shape, kind, decoder = declared
    size = int(np.prod(shape)) if shape else 1
    if kind == "int64":
        return tf.train.Feature(int64_list=tf.train.Int64List(value=[number % 3] * size))
    if kind == "float32":
        return tf.train.Feature(float_list=tf.train.FloatList(value=_random(number).random(size).tolist()))
    return tf.train.Feature(bytes_list=tf.train.BytesList(value=[_encoded(number, decoder, spec)] * size))


def _encoded(number: int, decoder: str, spec: Spec) -> bytes:
    values: np.ndarray[Any, Any] = np.asarray(_random(number).random(spec["item"], dtype=np.float32))
    if decoder == "decode_raw":
        return values.tobytes()
    if decoder == "parse_tensor":
        return bytes(tf.io.serialize_tensor(values).numpy())
    pixels = _random(number).integers(0, 256, (*(spec.get("size") or [32, 32]), spec.get("channels") or 3))
    return bytes(tf.io.encode_png(pixels.astype(np.uint8)).numpy())


def write_raw(path: Path, spec: Spec) -> None:
    """Numbers of 32 bits, one after the other."""
    _random().random(spec.get("numbers") or FEW, dtype=np.float32).tofile(path)


def _random(number: int = 0) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(number))
