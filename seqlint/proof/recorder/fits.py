"""Records `fit`: its epochs, its history and its end; cuts it to a smoke run."""

from __future__ import annotations

import functools
import inspect
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from . import batches, beyond, cuts, loops, outside, progress, settings, tables
from .outside import replace_method

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType

    from .recording import FitRecord, Leaf
    from .tape import Tape


_OF_EVERY_FIT = frozenset({"History", "ProgbarLogger"})


def instrument(tape: Tape, keras: ModuleType) -> None:
    """Patch the training calls of one Keras (`keras` or `tf_keras`) for the rest of this process."""
    replace_method(keras.Model, "fit", lambda original: _fit(tape, keras, original))
    replace_method(keras.Model, "train_on_batch", lambda original: _train_on_batch(tape, original))
    for name in ("fit", *outside.RESULTS):
        replace_method(keras.Model, name, lambda original: _called(tape, keras, original))
    replace_method(keras.optimizers.Optimizer, "apply_gradients", lambda original: _called(tape, keras, original))
    replace_method(keras.callbacks.CallbackList, "on_epoch_begin", lambda original: _epoch_begin(tape, original))
    replace_method(keras.callbacks.CallbackList, "on_epoch_end", lambda original: _epoch_end(tape, original))
    replace_method(keras.callbacks.CallbackList, "on_train_batch_begin", lambda original: _batch_begin(tape, original))
    replace_method(keras.callbacks.CallbackList, "on_train_batch_end", lambda original: _batch_end(tape, original))
    progress.instrument(tape, keras)


def _called(tape: Tape, keras: ModuleType, original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        tape.calls[original.__name__] = None
        tape.kerases[keras.__name__] = None
        tape.files.begin()
        try:
            return original(self, *args, **kwargs)
        finally:
            if original.__name__ == "fit":
                tape.files.look()

    return call


def _train_on_batch(tape: Tape, original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def train_on_batch(self: Any, *args: Any, **kwargs: Any) -> Any:
        number = _prepare(tape, self)
        tape.places.begin(number)
        try:
            with tape.once(outside.OWN_STEP):
                result = original(self, *args, **kwargs)
        finally:
            tape.places.end(number, None)
        if not tape.running:
            outside.count(tape)
        return result

    return train_on_batch


def _prepare(tape: Tape, model: Any) -> int:
    batches.instrument(tape, type(model))
    return tape.train(model)


def _fit(tape: Tape, keras: ModuleType, original: Callable[..., Any]) -> Callable[..., Any]:
    signature = inspect.signature(original)

    @functools.wraps(original)
    def fit(self: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            given = signature.bind(self, *args, **kwargs)
        except TypeError:
            with _noted(tape, self, 0, 0):
                return original(self, *args, **kwargs)  # raises what the program would have seen
        if (known := loops.repeats(tape, self, given.arguments.get("epochs", 1))) is not None:
            return known
        start = int(given.arguments.get("initial_epoch") or 0)
        asked = given.arguments.get("epochs", 1)
        planned = min(asked, start + tape.job["epochs"]) if isinstance(asked, int) else asked
        number = len(tape.fits)
        if isinstance(planned, int) and loops.is_late(tape):
            tape.short.add(number)
            planned = min(planned, start + 1)
        settings.of_fit(tape, number, self, given.arguments, keras)
        given.arguments["epochs"] = planned
        tables.keep(tape, sys.modules["__main__"], given.arguments.get("x"))
        tape.data[number] = tape.feed = given.arguments.get("x")
        with _noted(tape, self, asked, planned) as record:
            history = original(*given.args, **given.kwargs)
            record["history"] = _series(getattr(history, "history", None))
            if not tape.running[:-1]:
                tape.given[tape.place_of_fit] = (history, number)
            settings.of_metrics(tape, number, self)
            return history

    return fit


@contextmanager
def _noted(tape: Tape, model: Any, asked: Any, planned: Any) -> Iterator[FitRecord]:
    number = len(tape.fits)
    record: FitRecord = {
        "depth": len(tape.running), "asked": _count(asked), "planned": _count(planned), "epochs": [], "history": {}, "series": [],
        "why": "", "cut": f"{planned} of {asked} epochs" if planned != asked else "", "seconds": 0.0,
    }  # fmt: skip
    tape.fits.append(record)
    tape.running.append(number)
    tape.training.append(_prepare(tape, model))
    start = time.perf_counter()
    try:
        yield record
        record["why"] = record["why"] or _why(tape, model, record)
    except BaseException as error:
        record["why"] = f"{type(error).__name__} was raised"
        raise
    finally:
        record["seconds"] = time.perf_counter() - start
        tape.running.remove(number)
        tape.data.pop(number, None)
        tape.training.pop()


def _count(epochs: Any) -> int:
    return int(epochs) if isinstance(epochs, (int, np.integer)) else 0


def _why(tape: Tape, model: Any, record: FitRecord) -> str:
    last = record["epochs"][-1] + 1 if record["epochs"] else 0
    if getattr(model, "stop_training", False):
        names = [type(item).__name__ for item in tape.callbacks if getattr(item, "stopped_epoch", 0)]
        return f"stop_training was set{' by ' if names else ''}{', '.join(names)}"
    return "all epochs were run" if last >= record["planned"] else "the data ran out"


def _epoch_begin(tape: Tape, original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def on_epoch_begin(self: Any, epoch: int, *args: Any, **kwargs: Any) -> Any:
        if tape.running:
            tape.fits[tape.fit]["epochs"].append(int(epoch))
            tape.callbacks = list(self.callbacks)
            if len(tape.fits[tape.fit]["epochs"]) == 1:
                _note_callbacks(tape)
                beyond.begin(tape, tape.fit, self, int(epoch))
        return original(self, epoch, *args, **kwargs)

    return on_epoch_begin


def _note_callbacks(tape: Tape) -> None:
    """Note which callbacks a fit has, once for each fit: those of Keras do their work without a hook of the program."""
    names = [type(item).__name__ for item in tape.callbacks if type(item).__name__ not in _OF_EVERY_FIT]
    if names:
        tape.hooks.append((f"the callbacks {', '.join(names)}", f"fit {tape.fit + 1}"))


def _epoch_end(tape: Tape, original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def on_epoch_end(self: Any, epoch: int, logs: Any = None) -> Any:
        if tape.running:
            record = tape.fits[tape.fit]
            _append(record["history"], logs)
            record["series"] = list(record["history"])
            cuts.epoch_ends(tape, self)
        result = original(self, epoch, logs)
        if tape.running and len(tape.fits[tape.fit]["epochs"]) == 1:
            settings.of_callbacks(tape, tape.fit, tape.callbacks)
        return result

    return on_epoch_end


def _batch_begin(tape: Tape, original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def on_train_batch_begin(self: Any, *args: Any, **kwargs: Any) -> Any:
        result = original(self, *args, **kwargs)
        if tape.running:
            tape.places.begin(tape.training[-1])
        return result

    return on_train_batch_begin


def _batch_end(tape: Tape, original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def on_train_batch_end(self: Any, batch: int, logs: Any = None) -> Any:
        if tape.running:
            tape.places.end(tape.training[-1], logs)
        result = original(self, batch, logs)
        if tape.running and tape.fit in tape.short:
            cuts.stop(tape, self)
        elif tape.running and tape.taken.get(tape.fit, 0) >= tape.job["steps"]:
            cuts.cut(tape, self, logs)
        return result

    return on_train_batch_end


def _series(history: Any) -> dict[str, list[Leaf]]:
    series: dict[str, list[Leaf]] = {}
    for name, values in history.items() if isinstance(history, dict) else ():
        series[str(name)] = [leaf for value in values for leaf in _leaves(value)]
    return series


def _append(history: dict[str, list[Leaf]], logs: Any) -> None:
    for name, value in logs.items() if isinstance(logs, dict) else ():
        history.setdefault(str(name), []).extend(_leaves(value))


def _leaves(value: Any) -> list[Leaf]:
    """A logged value as plain numbers: a vector of a metric is several."""
    try:
        return [float(number) for number in np.ravel(np.asarray(value, dtype=np.float64))]
    except (TypeError, ValueError):
        return [str(value)]
