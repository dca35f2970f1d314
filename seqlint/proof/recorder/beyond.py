"""What a training would do after the smoke run: the rates of its schedules, and what its callbacks decide by values that never came.

All of it happens once the program has ended and its recording is written, so that nothing of it is seen there.
"""

from __future__ import annotations

import os
import sys
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .hooks import own

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .recording import Leaf
    from .tape import Tape

_MOST_EPOCHS = 1_000
_MOST_STEPS = 100
_MOST_TRAININGS = 5
_LONGEST_S = 5.0
_IMPROVES, _RISES = 40, 20
_LEAST = 1e-3
_PATIENT = 60
_BATCHES = 50
"""Batches of a made-up epoch."""
_BY_BATCH = ("on_train_batch_begin", "on_train_batch_end", "on_batch_begin", "on_batch_end")
_SAVES = ("save", "save_weights", "export")


@dataclass(frozen=True, slots=True)
class Training:
    """A fit as it began.

    Attributes:
        number: of the fit, from 0.
        epochs: the first and the last that were asked for.
        steps: of an epoch; 0 where nobody knew.
        rate: the learning rate at its start; None where a schedule gives it.
    """

    number: int
    model: Any
    callbacks: tuple[Any, ...]
    epochs: tuple[int, int]
    steps: int
    rate: float | None


def begin(tape: Tape, number: int, callback_list: Any, first: int) -> None:
    """Remember a fit whose first epoch begins."""
    if len(tape.trainings) >= _MOST_TRAININGS:
        return
    model = getattr(callback_list, "_model", None) or getattr(callback_list, "model", None)
    params = getattr(callback_list, "params", None) or {}
    asked, steps = tape.fits[number]["asked"], params.get("steps")
    known = steps if isinstance(steps, int) else 0
    tape.trainings.append(Training(number, model, tuple(callback_list.callbacks), (first, asked), known, _rate(model)))


def look(tape: Tape) -> dict[str, dict[str, Leaf]]:
    """Rates of later epochs and decisions, by the thing that was asked for them."""
    found: dict[str, dict[str, Leaf]] = {}
    with _silent():
        for training in tape.trainings:
            fit = f"fit {training.number + 1}"
            start = time.monotonic()
            rates = dict(_rates(training, start + _LONGEST_S))
            # What was not looked at to its end would differ by the time that it took.
            found[f"the learning rate of {fit}"] = rates if time.monotonic() - start < _LONGEST_S else {}
            for callback in training.callbacks:
                if _is_own(tape, callback) and (told := _told(tape, training, callback)):
                    found[f"{type(callback).__name__} of {fit} by made-up values"] = told
    return {entity: values for entity, values in found.items() if values}


@contextmanager
def _silent() -> Iterator[None]:
    """What the program's own code prints now is no output of it."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    for number in (1, 2):
        os.dup2(nowhere, number)
    sys.stdout = sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    yield


def _rate(model: Any) -> float | None:
    """The learning rate of a model; None where a schedule gives it, or it has no optimizer."""
    optimizer = getattr(model, "optimizer", None)
    if optimizer is None or callable(getattr(optimizer, "_learning_rate", None)):
        return None
    with suppress(Exception):
        return float(optimizer.learning_rate)
    return None


# -- schedules -------------------------------------------------------------------------------------------------------


def _rates(training: Training, deadline: float) -> Iterator[tuple[str, Leaf]]:
    """The rates that schedules give: by the epoch, as far as it was asked for, and by the step."""
    first, last = training.epochs
    for callback in training.callbacks:
        schedule = getattr(callback, "schedule", None)
        if callable(schedule) and any(cls.__name__ == "LearningRateScheduler" for cls in type(callback).__mro__):
            yield from _by_epoch(
                schedule, range(first, min(last, first + _MOST_EPOCHS)), training.rate or 0.0, deadline
            )
    schedule = getattr(getattr(training.model, "optimizer", None), "_learning_rate", None)
    if callable(schedule):
        yield from _by_step(schedule, (training.steps or 1) * max(last - first, 1))


def _by_epoch(schedule: Callable[..., Any], epochs: range, rate: float, deadline: float) -> Iterator[tuple[str, Leaf]]:
    for epoch in epochs:
        if time.monotonic() > deadline:
            return
        try:
            rate = float(schedule(epoch, rate))
        except TypeError:
            with suppress(Exception):
                rate = float(schedule(epoch))
        except Exception:  # the program's own code, with arguments that it has not seen yet
            return
        yield f"epoch {epoch + 1}", rate


def _by_step(schedule: Callable[..., Any], last: int) -> Iterator[tuple[str, Leaf]]:
    for step in sorted({round(last * part / _MOST_STEPS) for part in range(_MOST_STEPS + 1)}):
        try:
            yield f"step {step}", float(schedule(step))
        except Exception:  # as above
            return


# -- callbacks -------------------------------------------------------------------------------------------------------


def _is_own(tape: Tape, callback: Any) -> bool:
    """Whether code of the program decides: that of Keras is known by its settings."""
    hooks = [getattr(callback, name, None) for name in ("on_epoch_end", "on_epoch_begin", *_BY_BATCH)]
    owners = {getattr(getattr(hook, "__wrapped__", hook), "__module__", "") for hook in hooks}
    return own(tape, type(callback).__module__) or any(own(tape, str(module)) for module in owners if module)


def _told(tape: Tape, training: Training, callback: Any) -> dict[str, Leaf]:
    """What a callback does while all values fall, stay and rise again, and while they rise, stay and fall; nothing where it fails."""
    names = tape.fits[training.number]["series"]
    found: dict[str, Leaf] = {}
    deadline = time.monotonic() + _LONGEST_S
    for how in ("fall", "rise"):
        path = [value if how == "fall" else 1.0 - value / 2.5 for value in _path(callback)]
        try:
            done = _decisions(training, callback, [dict.fromkeys(names, value) for value in path], deadline)
        except Exception:  # what was never trained so may not work
            return {}
        found.update({f"while they {how}, {name}": value for name, value in done.items()})
    return found if time.monotonic() < deadline else {}


def _path(callback: Any) -> list[float]:
    """Losses that improve, stay, and get worse."""
    patience = getattr(callback, "patience", 0)
    stay = 12 + min(patience, _PATIENT) if isinstance(patience, int) else 12
    ratio = (_LEAST / 2) ** (1 / _IMPROVES)
    down = [2 * ratio**number for number in range(_IMPROVES)]
    return [*down, *[_LEAST] * stay, *(_LEAST + number / 10 for number in range(1, _RISES + 1))]


def _decisions(training: Training, callback: Any, logs: list[dict[str, float]], deadline: float) -> dict[str, Leaf]:
    """What it does with the model, epoch by epoch."""
    model, saved, rates = training.model, [], []
    here = [0]
    for name in _SAVES:
        object.__setattr__(model, name, lambda *args, **kwargs: saved.append(here[0]))
    _set_rate(model, training.rate)
    model.stop_training = False
    callback.on_train_begin({})
    by_batch, stopped = _has_batch_hooks(callback), ""
    for epoch, values in enumerate(logs):
        here[0] = epoch + 1
        _mark(model, epoch + 1)
        callback.on_epoch_begin(epoch, {})
        for batch in range(_BATCHES if by_batch else 0):
            callback.on_train_batch_begin(batch, {})
            callback.on_train_batch_end(batch, dict(values))
            if model.stop_training:
                stopped = f", batch {batch + 1}"
                break
        callback.on_epoch_end(epoch, dict(values))
        rates.append(_rate(model))
        if model.stop_training or time.monotonic() > deadline:
            break
    ended = f"{here[0]}{stopped}"
    callback.on_train_end({})
    return {
        "the last epoch": ended, "the weights are those of epoch": _marked(model), "it saves after epochs": str(saved),
        "the learning rates": str(_runs(rates)),
    }  # fmt: skip


def _has_batch_hooks(callback: Any) -> bool:
    hooks = [getattr(type(callback), name, None) for name in _BY_BATCH]
    return any("keras" not in str(getattr(hook, "__module__", "keras")) for hook in hooks)


def _runs(rates: list[float | None]) -> list[tuple[int, float | None]]:
    """The epochs from which each rate holds."""
    return [(k, rate) for k, rate in enumerate(rates, 1) if k == 1 or rate != rates[k - 2]]


def _set_rate(model: Any, rate: float | None) -> None:
    if rate is not None:
        model.optimizer.learning_rate = rate


def _mark(model: Any, epoch: int) -> None:
    """Give the first weight the number of the epoch, so that it is seen which weights are put back."""
    weights = model.get_weights()
    weights[0] = weights[0] * 0 + epoch
    model.set_weights(weights)


def _marked(model: Any) -> int:
    return int(model.get_weights()[0].ravel()[0])
