"""Has libraries that open files in C or C++ work on the copies: SQLite, HDF5 and TensorFlow."""

from __future__ import annotations

import functools
import inspect
import os
import sqlite3
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from .copies import Copies

_PATHS = frozenset(
    {"checkpoint_prefixes", "destination_prefix", "directory", "export_dir", "file_prefix", "filename", "filenames", "logdir",
     "new_path", "path", "pattern", "prefix", "save_path"}
)  # fmt: skip
"""Parameters of TensorFlow that are paths, or what several paths begin with."""
_GENERATED = "tensorflow.python.ops."
_READS = {
    "tensorflow.python.lib.io._pywrap_file_io":
        "FileExists ReadFileToString IsDirectory Stat HasAtomicMove GetChildren GetMatchingFiles BufferedInputStream",
    f"{_GENERATED}gen_io_ops": "read_file matching_files",
    f"{_GENERATED}gen_experimental_dataset_ops": "load_dataset",
    "tensorflow.python.data.ops.readers": "_create_or_validate_filenames_dataset",
    "tensorflow.python.saved_model.load": "load",
}  # fmt: skip
_WRITES = {
    "tensorflow.python.lib.io._pywrap_file_io": "WriteStringToFile CreateDir RecursivelyCreateDir",
    f"{_GENERATED}gen_io_ops": "write_file save_v2 merge_v2_checkpoints",
    f"{_GENERATED}gen_summary_ops": "create_summary_file_writer",
    f"{_GENERATED}gen_dataset_ops": "cache_dataset cache_dataset_v2",
    f"{_GENERATED}gen_experimental_dataset_ops": "save_dataset save_dataset_v2 dataset_to_tf_record snapshot_dataset_v2",
    "tensorflow.python.saved_model.save": "save save_and_return_nodes",
}
"""Functions of TensorFlow that read and that write files, by their modules."""
_SHOWN_BY = tuple(
    f"tensorflow._api.v2.{name}" for name in ("io", "saved_model", "compat.v1.io", "compat.v1", "compat.v2.io")
)
"""Modules that hold functions of others under the same names."""


def install(copies: Copies) -> None:
    """Patch the libraries that are there for the rest of this process."""
    sqlite3.connect = sqlite3.dbapi2.connect = _connecting(copies, sqlite3.connect)
    if "h5py" in sys.modules:
        _patch_hdf5(copies, sys.modules["h5py"])
    if "tensorflow" in sys.modules:
        _patch_tensorflow(copies)


def _connecting(copies: Copies, call: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(call)
    def connect(database: Any, *args: Any, **kwargs: Any) -> Any:
        text = database if isinstance(database, (str, bytes)) else str(database)
        with copies.own_calls():
            if text in (":memory:", b":memory:", "", b""):
                return call(database, *args, **kwargs)
            if isinstance(text, str) and text.startswith("file:") and kwargs.get("uri"):
                path, mark, rest = text[5:].partition("?")
                return call(f"file:{copies.writes(path) or path}{mark}{rest}", *args, **kwargs)
            return call(copies.writes(database) or database, *args, **kwargs)

    return connect


def _patch_hdf5(copies: Copies, h5py: Any) -> None:
    original = h5py.File.__init__

    @functools.wraps(original)
    def opened(self: Any, name: Any, mode: str = "r", *args: Any, **kwargs: Any) -> None:
        if not _is_path(name):
            original(self, name, mode, *args, **kwargs)
            return
        with copies.own_calls():
            found = copies.reads(name) if mode == "r" else copies.writes(name, keep=mode in ("r+", "a"))
            original(self, found or name, mode, *args, **kwargs)

    h5py.File.__init__ = opened


def _patch_tensorflow(copies: Copies) -> None:
    from tensorflow.python.checkpoint import checkpoint, checkpoint_management
    from tensorflow.python.lib.io import _pywrap_file_io, tf_record

    for table, writes in ((_READS, False), (_WRITES, True)):
        for module, names in table.items():
            for name in names.split():
                _replace(import_module(module), name, functools.partial(_turned, copies, writes))
    for name in ("DeleteFile", "DeleteRecursively"):
        _replace(_pywrap_file_io, name, functools.partial(_deleting, copies))
    for name, moves in (("CopyFile", False), ("RenameFile", True)):
        _replace(_pywrap_file_io, name, functools.partial(_two, copies, moves))
    _replace(_pywrap_file_io, "WritableFile", functools.partial(_writable, copies))
    saver, manager = checkpoint.TrackableSaver, checkpoint_management.CheckpointManager
    for cls, name, writes in (
        (tf_record.TFRecordWriter, "__init__", True), (manager, "__init__", True), (saver, "save", True),
        (saver, "restore", False),
    ):  # fmt: skip
        setattr(cls, name, _turned(copies, writes, getattr(cls, name)))


def _replace(module: ModuleType, name: str, make: Callable[[Callable[..., Any]], Callable[..., Any]]) -> None:
    """Put what is made of a function in its place, and where others show it under the same name."""
    original = getattr(module, name, None)
    if original is None:
        return
    made = make(original)
    for place in (module, *(sys.modules[shown] for shown in _SHOWN_BY if shown in sys.modules)):
        if getattr(place, name, None) is original:
            setattr(place, name, made)


def _turned(copies: Copies, writes: bool, call: Callable[..., Any]) -> Callable[..., Any]:
    """A function whose paths lead to the copies. Of one that does not tell its parameters the first is a path."""
    try:
        signature = inspect.signature(call)
    except (TypeError, ValueError):
        return _first(copies, writes, call)
    named = [name for name in signature.parameters if name in _PATHS]
    if not named:
        return _first(copies, writes, call)

    @functools.wraps(call)
    def turned(*args: Any, **kwargs: Any) -> Any:
        try:
            given = signature.bind(*args, **kwargs)
        except TypeError:
            return call(*args, **kwargs)  # raises what the program would have seen
        for name in named:
            if name in given.arguments:
                given.arguments[name] = _in_tensor(copies, given.arguments[name], writes)
        return call(*given.args, **given.kwargs)

    return turned


def _first(copies: Copies, writes: bool, call: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(call)
    def turned(path: Any, *args: Any, **kwargs: Any) -> Any:
        return call(_now(copies, path, writes), *args, **kwargs)

    return turned


def _writable(copies: Copies, call: Callable[..., Any]) -> Callable[..., Any]:
    def writable(path: Any, mode: Any) -> Any:
        return call(_now(copies, path, True, keep=not str(mode).startswith("w")), mode)

    return writable


def _deleting(copies: Copies, call: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(call)
    def delete(path: Any, *args: Any, **kwargs: Any) -> Any:
        with copies.own_calls():
            real, copy = copies.removes(path)
            if not real:
                return call(path, *args, **kwargs)
            there = copies.is_there(real)
            if os.path.lexists(copy) or not there:  # of what is nowhere, the call says so
                call(copy.encode() if isinstance(path, bytes) else copy, *args, **kwargs)
            copies.remove(real)
            return None

    return delete


def _two(copies: Copies, moves: bool, call: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(call)
    def put(source: Any, target: Any, *args: Any, **kwargs: Any) -> Any:
        with copies.own_calls():
            real = copies.real(source) if moves else ""
        result = call(_now(copies, source, writes=moves), _now(copies, target, True, keep=False), *args, **kwargs)
        if real:
            copies.remove(real)
        return result

    return put


def _is_path(value: Any) -> bool:
    return isinstance(value, (str, bytes)) or hasattr(value, "__fspath__")


def _now(copies: Copies, path: Any, writes: bool, keep: bool = False) -> Any:
    """Where a file is written or read, of the same type as the path. What several files begin with is read where one of them was written."""
    if not _is_path(path) or not os.fspath(path):
        return path
    with copies.own_calls():
        found = copies.writes(path, keep=keep) if writes else copies.reads(path) or _begun(copies, path)
    if not found:
        return path
    return found.encode() if isinstance(path, bytes) else found


def _begun(copies: Copies, path: Any) -> str:
    real = copies.real(path)
    copy = copies.copy_of(real) if real else ""
    return copy if copy and os.path.exists(f"{copy}.index") else ""


def _in_tensor(copies: Copies, value: Any, writes: bool) -> Any:
    """Paths in a tensor of known texts, or in plain ones; what only the graph knows is left as it is."""
    import tensorflow as tf

    known = tf.get_static_value(value) if tf.is_tensor(value) else value
    if _is_path(known):
        return _now(copies, known, writes)
    if isinstance(known, (np.ndarray, list, tuple)) and all(_is_path(one) for one in known):
        texts = list(known)
        found = [_now(copies, text, writes) for text in texts]
        return found if found != texts else value
    return value
