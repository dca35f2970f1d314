"""Ends a `fit` that has taken the steps of a smoke run; of an epoch that it cuts, the rest is read, and not trained."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import tensorflow as tf

from . import batches
from .compiled import in_each_replica
from .recording import CUT_SHORT

if TYPE_CHECKING:
    from .recording import FitRecord
    from .tape import Tape

_FARTHEST = 5
"""How many times the steps of a smoke run are read at most; of arrays, that are at hand, more."""
_OF_ARRAYS = 20


def cut(tape: Tape, callbacks: Any, logs: Any) -> None:
    """End the running fit after the step: sized and endless sources alike, and without a change to the data pipeline.

    Where it is in its first epoch, the batches that are left of that are read first: what is wrong with the last of them shows.
    """
    model = getattr(callbacks, "_model", None) or getattr(callbacks, "model", None)
    if model is None or model.stop_training:
        return
    record, taken = tape.fits[tape.fit], tape.taken[tape.fit]
    if tape.fit in tape.reading:
        if taken >= _most(tape):
            _stop(record, model, f"{CUT_SHORT} after {tape.job['steps']} steps, and read {taken}")
        return
    steps = (getattr(callbacks, "params", None) or {}).get("steps")
    if isinstance(steps, int):
        tape.settings[f"an epoch of fit {tape.fit + 1}"] = {"steps": steps}
    if len(record["epochs"]) > 1 or (isinstance(steps, int) and steps <= taken) or _is_endless(tape.data.get(tape.fit)):
        _stop(record, model, f"{CUT_SHORT} after {taken} steps")
    elif isinstance(steps, int) and steps > _most(tape):
        _read_last(tape)
        _stop(record, model, f"{CUT_SHORT} after {taken} steps")
    else:
        _read_on(tape, model, logs)


def stop(tape: Tape, callbacks: Any) -> None:
    """End a fit after its first step."""
    model = getattr(callbacks, "_model", None) or getattr(callbacks, "model", None)
    if model is not None:
        _stop(tape.fits[tape.fit], model, f"{CUT_SHORT} after one step")


def epoch_ends(tape: Tape, callbacks: Any) -> None:
    """End a fit whose first epoch was read to its end."""
    model = getattr(callbacks, "_model", None) or getattr(callbacks, "model", None)
    if model is None or tape.fit not in tape.reading:
        return
    model.train_function = tape.reading[tape.fit]
    taken = tape.taken[tape.fit]
    if not model.stop_training:
        _stop(
            tape.fits[tape.fit],
            model,
            f"the smoke run trained {tape.job['steps']} of {taken} steps, and read the others",
        )


def _most(tape: Tape) -> int:
    """The batches that are read at most."""
    arrays = hasattr(tape.data.get(tape.fit), "shape")
    return int(tape.job["steps"]) * (_OF_ARRAYS if arrays else _FARTHEST)


def _is_endless(data: Any) -> bool:
    """Whether a dataset says that it has no end."""
    cardinality = getattr(data, "cardinality", None)
    return callable(cardinality) and int(cardinality()) == tf.data.INFINITE_CARDINALITY


def _stop(record: FitRecord, model: Any, why: str) -> None:
    record["cut"] = record["why"] = why
    model.stop_training = True


def _read_on(tape: Tape, model: Any, logs: Any) -> None:
    """Have the model read batches in place of training on them."""
    tape.reading[tape.fit] = model.train_function
    together = int(getattr(model, "steps_per_execution", 1) or 1)

    def read(iterator: Any) -> Any:
        for _ in range(together):
            in_each_replica(lambda data: batches.read_safely(tape, data), iterator.get_next())
        return logs

    model.train_function = read


def _read_last(tape: Tape) -> None:
    """Read the last batch of what gives batches by their number."""
    data: Any = tape.data.get(tape.fit)
    if not hasattr(data, "shape") and hasattr(data, "__getitem__") and hasattr(data, "__len__"):
        with suppress(Exception):  # the program never got there
            batches.read_safely(tape, data[len(data) - 1])
            tape.notes["of an epoch that is longer than a smoke run, the last batch was read too"] = None
