"""Makes the inputs: arrays, labels, image files, folders, data frames. The same orders give the same values."""

from __future__ import annotations

import importlib
import json
import pickle
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import tensorflow as tf

from . import formats

if TYPE_CHECKING:
    from collections.abc import Callable

Spec = dict[str, Any]
"""How one value is made: its kind under "make", and what that kind needs; plain values, so that it can be sent."""

COUNT = 10
"""Samples in each input: with batches of four, the last batch is short."""
FOLDER = "seqlint_inputs"
_PICTURES = (".png", ".jpg", ".jpeg", ".bmp", ".tif", ".tiff", ".gif")


def made(spec: Spec) -> Any:
    """The value; files are made in the working directory."""
    return _MAKERS[spec["make"]](spec)


def clean(files: dict[str, Spec]) -> None:
    """Remove all that was made, and these files."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    for name in files:
        Path(name).unlink(missing_ok=True)


def make_files(files: dict[str, Spec]) -> None:
    """Make files under the names that the program gives them itself."""
    for number, (name, spec) in enumerate(files.items()):
        _file(Path(name), number, spec)


def name_of(number: int) -> str:
    """What the n-th sample is called, in lists of names and on disk alike."""
    return f"sample-{number}"


def _literal(spec: Spec) -> Any:
    return tuple(spec["value"]) if isinstance(spec["value"], list) and spec.get("tuple") else spec["value"]


def _random(number: int = 0) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(number))


def _array(spec: Spec) -> Any:
    values = np.asarray(_random(1).random(spec["shape"], dtype=np.float32))
    return values.tolist() if spec.get("list") else values


def _ints(spec: Spec) -> Any:
    values = np.arange(int(np.prod(spec["shape"]))).reshape(spec["shape"]) % spec["classes"]
    if spec.get("onehot"):
        return np.eye(spec["classes"], dtype=np.float32)[values]
    return values.tolist() if spec.get("list") else values


def _texts(spec: Spec) -> list[str]:
    words = spec.get("words") or ["one", "two", "three", "four", "five"]
    if spec.get("classes"):
        return [f"class-{number % spec['classes']}" for number in range(spec.get("count", COUNT))]
    return [" ".join(words[(number + k) % len(words)] for k in range(4)) for number in range(COUNT)]


def _paths(spec: Spec) -> Any:
    """Names of files, which are made unless the names alone are asked for."""
    names = [name_of(number) + spec["suffix"] for number in range(COUNT)]
    if spec["folder"]:
        paths = [Path(FOLDER, spec["folder"], name) for name in names]
        for number, path in enumerate(paths):
            _file(path, number, spec)
        names = [str(path) for path in paths]
    return np.array(names) if spec.get("array") else names


def _folder(spec: Spec) -> str:
    place = Path(FOLDER, spec["folder"])
    for number in range(COUNT):
        for suffix in spec["suffixes"]:
            inner = place / f"class-{number % 2}" if spec.get("classes") else place
            _file(inner / (name_of(number) + suffix), number, spec)
    return str(place) + ("/" if spec.get("slash") else "")


def _one_file(spec: Spec) -> str:
    path = Path(FOLDER, spec["name"])
    if path.suffix == ".csv" and "columns" in spec:
        path.parent.mkdir(parents=True, exist_ok=True)
        _frame(spec).to_csv(path, index=False)
    else:
        _file(path, 0, spec)
    return str(path)


def _mapping(spec: Spec) -> dict[Any, Any]:
    keys, values = made(spec["keys"]), made(spec["values"])
    return dict(zip(np.asarray(keys).tolist(), values, strict=False))


def _frame(spec: Spec) -> Any:
    pandas = importlib.import_module("pandas")
    return pandas.DataFrame({name: list(made(column)) for name, column in spec["columns"].items()})


def _list(spec: Spec) -> Any:
    values = [made(item) for item in spec["items"]]
    return tuple(values) if spec.get("tuple") else values


def _pairs(spec: Spec) -> list[tuple[Any, ...]]:
    return list(zip(*(made(item) for item in spec["items"]), strict=False))


def _callable(spec: Spec) -> Callable[..., Any]:
    return _given


def _given(*args: Any, **kwargs: Any) -> Any:
    """Gives back what it is given, as a transform that changes nothing."""
    if kwargs and not args:
        return kwargs
    return args[0] if len(args) == 1 else args


_MAKERS: dict[str, Callable[[Spec], Any]] = {
    "literal": _literal, "array": _array, "ints": _ints, "texts": _texts, "paths": _paths, "folder": _folder,
    "file": _one_file, "mapping": _mapping, "frame": _frame, "list": _list, "pairs": _pairs, "callable": _callable,
}  # fmt: skip


def _file(path: Path, number: int, spec: Spec) -> None:
    """One file, whose content follows from its suffix."""
    path.parent.mkdir(parents=True, exist_ok=True)
    suffix = path.suffix.lower()
    if suffix in _PICTURES:
        path.write_bytes(_picture(suffix, number, spec))
    elif suffix in (".npy", ".npz"):
        values = _random(number).random(spec.get("item") or [32, 32, 3], dtype=np.float32)
        (np.save if suffix == ".npy" else np.savez)(path, values)
    elif suffix in formats.HDF5:
        formats.write_hdf5(path, COUNT, {"item": [8], **spec})
    elif suffix in formats.RECORDS:
        formats.write_records(path, COUNT, {"item": [8], **spec})
    elif suffix == formats.RAW:
        formats.write_raw(path, spec)
    elif suffix in (".pkl", ".pickle"):
        path.write_bytes(pickle.dumps(_random(number).random(spec.get("item") or [8], dtype=np.float32)))
    elif suffix == ".json":
        path.write_text(json.dumps({"label": number % 3}))
    elif suffix == ".csv":
        path.write_text("a,b,label\n" + "".join(f"{k / 10},{k % 4},{k % 3}\n" for k in range(COUNT)))
    else:
        path.write_text("one two three four\n")


def _picture(suffix: str, number: int, spec: Spec) -> bytes:
    height, width = spec.get("size") or [32, 32]
    channels = spec.get("channels") or 3
    high = spec.get("classes_of_pixels") or 256
    pixels = _random(number).integers(0, high, (height, width, channels)).astype(np.uint8)
    encode = tf.io.encode_jpeg if suffix in (".jpg", ".jpeg") and channels in (1, 3) else tf.io.encode_png
    return bytes(encode(tf.constant(pixels)).numpy())
