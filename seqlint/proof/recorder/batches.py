"""Records every batch inside the train step: what is written down is what training saw, in the order it saw it.

The batch is read by an operation of the step's own graph, so the data pipeline, its shapes and its threads stay as they
are, custom train steps count, and one way serves Keras 3, tf-keras and replicas. Where XLA compiles the step, the
operation comes before it.
"""

from __future__ import annotations

import functools
import hashlib
from typing import TYPE_CHECKING, Any

import numpy as np
import tensorflow as tf

from . import compiled

if TYPE_CHECKING:
    from collections.abc import Callable

    from .tape import Tape

    Array = np.ndarray[Any, Any]

_EXACT = 2**24
"""Whole numbers below this are exact as float32."""
_SHOWN = 4
_SKETCHED = 8
MOST_SKETCHES = 2_000
UNREAD = "train steps ran in a function that XLA compiles, and there no batch can be read"


def prepare(tape: Tape) -> None:
    """Read the batches of compiled steps, for the rest of this process."""

    def read(data: Any) -> None:
        read_safely(tape, data)

    read.autograph_info__ = {}  # type: ignore[attr-defined]  # AutoGraph leaves such functions alone
    compiled.instrument(tape.outside, read)


def instrument(tape: Tape, model_class: type) -> None:
    """Wrap every `train_step` that instances of a class may run."""
    for owner in model_class.__mro__:
        step = vars(owner).get("train_step")
        if callable(step) and not hasattr(step, "seqlint_recorded"):
            owner.train_step = _recorded(tape, step)  # type: ignore[attr-defined]
        test = vars(owner).get("test_step")
        if tape.job["validated"] and callable(test) and not hasattr(test, "seqlint_recorded"):
            owner.test_step = _recorded(tape, test, _read_validated)  # type: ignore[attr-defined]


def _recorded(
    tape: Tape, original: Callable[..., Any], read: Callable[[Tape, Any], None] | None = None
) -> Callable[..., Any]:
    @functools.wraps(original)
    def train_step(self: Any, *args: Any, **kwargs: Any) -> Any:
        # AutoGraph converts custom train steps on tf-keras: pass its state on, or Python's `if` on a tensor fails.
        state = tf.__internal__.autograph.control_status_ctx()
        step = tf.__internal__.autograph.tf_convert(original.__get__(self), state)
        with tape.once(original.__name__) as outermost:
            if outermost and args:
                (read or _read_where_possible)(tape, args[0])
            return step(*args, **kwargs)

    train_step.seqlint_recorded = True  # type: ignore[attr-defined]
    train_step.autograph_info__ = {}  # type: ignore[attr-defined]  # AutoGraph leaves such functions alone
    return train_step


def _read_where_possible(tape: Tape, data: Any) -> None:
    if not compiled.inside():
        read_safely(tape, data)
    elif not tape.outside.depth:
        tape.notes[UNREAD] = None


def _read_validated(tape: Tape, data: Any) -> None:
    """Note which inputs a model is tested on."""
    if compiled.inside():
        tape.notes[UNREAD] = None
        return
    _, tensors = _layout(data)
    names = _names(data)

    def note(*arrays: Array) -> None:
        tape.validated.update(dict.fromkeys(x for x, _ in _parts(names, arrays)))

    tf.numpy_function(note, tensors, [])


def read_safely(tape: Tape, data: Any) -> None:
    """Read a batch; one that can't be read does not count as an error of the program."""
    try:
        _read(tape, data)
    except (TypeError, ValueError, AttributeError, tf.errors.OpError) as error:
        tape.notes[_failed(error)] = None


def _failed(error: Exception) -> str:
    return f"a batch could not be read: {type(error).__name__}"


def _read(tape: Tape, data: Any) -> None:
    layout, tensors = _layout(data)
    names = _names(data)

    def note(replica: Array, *arrays: Array) -> None:
        try:
            record(replica, arrays)
        except Exception as error:  # what the recorder can't do does not count as an error of the program
            tape.notes[_failed(error)] = None

    def record(replica: Array, arrays: tuple[Array, ...]) -> None:
        rows = digests(arrays)
        new = [number for number, digest in enumerate(rows) if digest not in tape.previews]
        parts = _parts(names, arrays) if new else []
        for number in new:
            tape.preview(rows[number], _preview(names, arrays, number), parts[number])
            if len(tape.sketches) < MOST_SKETCHES:
                tape.sketches[rows[number]] = _sketch(arrays, number)
        size = sum(array.nbytes for array in arrays)
        spec = layout.format(*_shapes(arrays))
        tape.step(
            {"fit": tape.fit, "epoch": tape.epoch, "replica": int(replica), "spec": spec, "rows": rows, "size": size}
        )

    replica = tf.distribute.get_replica_context().replica_id_in_sync_group
    tf.numpy_function(note, [tf.convert_to_tensor(replica), *tensors], [])


def _layout(data: Any) -> tuple[str, list[Any]]:
    """The structure as a format string with one field for each tensor, and the tensors. A list reads as a tuple."""
    if data is None:
        return "None", []
    if isinstance(data, dict):
        parts = {key: _layout(data[key]) for key in sorted(data)}
        text = ", ".join(f"{_escaped(key)}: {part}" for key, (part, _) in parts.items())
        return "{{" + text + "}}", [tensor for _, tensors in parts.values() for tensor in tensors]
    if isinstance(data, (tuple, list)):
        items = [_layout(item) for item in data]
        return f"({', '.join(text for text, _ in items)})", [tensor for _, tensors in items for tensor in tensors]
    flat = tf.nest.flatten(data, expand_composites=True)
    text = ", ".join("{}" for _ in flat)
    return (text if len(flat) == 1 else f"{type(data).__name__}({text})"), list(flat)


def _escaped(key: object) -> str:
    return str(key).replace("{", "{{").replace("}", "}}")


def _names(data: Any) -> list[str]:
    """What to call each tensor in a preview: x, y, or sample_weight."""
    items = list(data) if isinstance(data, (tuple, list)) else [data]
    titles = ("x", "y", "sample_weight")[: len(items)]
    return [title for title, item in zip(titles, items, strict=False) for _ in _layout(item)[1]]


def _shapes(arrays: tuple[Array, ...]) -> list[str]:
    rows = len(arrays[0]) if arrays and arrays[0].ndim else -1
    return [_shape(array, rows) for array in arrays]


def _shape(array: Array, rows: int) -> str:
    sizes = [str(size) for size in array.shape]
    if sizes and array.shape[0] == rows:
        sizes[0] = "n"
    return f"{array.dtype.name if array.dtype != object else 'string'}[{','.join(sizes)}]"


def _plain(array: Array) -> Array:
    """The values as a model computes with them: float32 where that is exact enough, so that a dtype is no value."""
    if array.dtype == object or array.dtype.kind in "SU":
        return array
    if array.dtype.kind in "iu" and not _is_exact(array):
        return np.ascontiguousarray(array)
    if array.dtype.kind == "c":
        return np.ascontiguousarray(array)
    with np.errstate(over="ignore"):
        return np.ascontiguousarray(array.astype(np.float32) + np.float32(0))  # -0.0 becomes 0.0


def _is_exact(array: Any) -> bool:
    """Whether whole numbers are the same as float32."""
    return bool(np.abs(np.asarray(array, dtype=np.float64)).max(initial=0) < _EXACT)


def digests(arrays: tuple[Array, ...]) -> list[str]:
    """One digest for each row; a row that some tensor lacks has one too, so that a dropped label shows."""
    plain = [_plain(array) for array in arrays]
    rows = max((len(array) for array in plain if array.ndim), default=0)
    return [_digest(plain, number) for number in range(rows)]


def _parts(names: list[str], arrays: tuple[Array, ...]) -> list[tuple[str, str]]:
    """For each row one digest of x and one of y; empty where there is none."""
    plain = [(name, _plain(array)) for name, array in zip(names, arrays, strict=False)]
    x, y = ([array for name, array in plain if name == title] for title in ("x", "y"))
    rows = max((len(array) for array in arrays if array.ndim), default=0)
    return [(_part(x, number), _part(y, number)) for number in range(rows)]


def _part(plain: list[Array], number: int) -> str:
    there = any(not array.ndim or number < len(array) for array in plain)
    return _digest(plain, number) if there else ""


def _digest(plain: list[Array], number: int) -> str:
    digest = hashlib.blake2b(digest_size=8)
    for array in plain:
        row = array if not array.ndim else array[number] if number < len(array) else None
        digest.update(b"|none" if row is None else b"|%d" % np.size(row))
        if row is not None:
            digest.update(_bytes(row))
    return digest.hexdigest()


def _bytes(row: Any) -> bytes:
    if getattr(row, "dtype", None) is not None and row.dtype.kind in "iu" and _is_exact(row):
        row = row.astype(np.float32)  # as it would be without large numbers in other rows of its batch
    if isinstance(row, np.ndarray) and row.dtype != object:
        return row.tobytes()
    if isinstance(row, np.generic):
        return row.tobytes()
    return repr(row.tolist() if isinstance(row, np.ndarray) else row).encode()


def _preview(names: list[str], arrays: tuple[Array, ...], number: int) -> str:
    parts = []
    for name, array in zip(names, arrays, strict=False):
        row = array if not array.ndim else array[number : number + 1]
        values = [_shown(value) for value in np.ravel(row)[:_SHOWN]]
        more = ", …" if np.size(row) > _SHOWN else ""
        parts.append(f"{name} [{', '.join(values)}{more}]")
    return " ".join(parts)


def _sketch(arrays: tuple[Array, ...], number: int) -> list[float]:
    """The first values of a row and the mean of each part, by which rows that are nearly equal are known."""
    found: list[float] = []
    for array in arrays:
        row = np.ravel(array if not array.ndim else array[number : number + 1])
        if row.size and row.dtype.kind in "fiub":
            found += [float(value) for value in row[:_SKETCHED]] + [float(np.mean(row, dtype=np.float64))]
    return found


def _shown(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, (float, np.floating)) else str(value)
