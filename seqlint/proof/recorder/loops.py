"""Cuts the loops of a program around its training: fits that repeat, steps that it compiles itself, and loops in its graphs."""

from __future__ import annotations

import functools
import sys
from typing import TYPE_CHECKING, Any

import tensorflow as tf

from . import outside, rounds

if TYPE_CHECKING:
    from collections.abc import Callable

    from .tape import Tape

_FEWEST = 10
"""Calls of fit in one place, on one model, that are run in any case: a cross-validation has no more folds."""


def instrument(tape: Tape) -> None:
    """Patch what runs graphs, and what makes loops of them, for the rest of this process."""
    cls: Any = type(tf.function(lambda: None))
    called = _called(tape, cls.__call__)
    called.autograph_info__ = {}  # type: ignore[attr-defined]  # AutoGraph leaves such functions alone
    cls.__call__ = called
    from tensorflow.python.autograph.operators import control_flow

    registry = control_flow.for_loop_registry
    known = registry.lookup

    def lookup(data: Any) -> Any:
        return _looping(tape, known(data))

    registry.lookup = lookup
    rounds.instrument(tape)


def repeats(tape: Tape, model: Any, planned: Any) -> Any:
    """What the last fit of a model in this place of the program gave, once it was called there often enough; else None."""
    if tape.running or not isinstance(planned, int):
        return None
    frame = sys._getframe(1)
    while frame.f_back is not None and not _is_own(tape, frame.f_code.co_filename):
        frame = frame.f_back
    place = (id(model), frame.f_code.co_filename, frame.f_lineno)
    tape.repeated[place] = tape.repeated.get(place, 0) + 1
    tape.place_of_fit = place
    if tape.repeated[place] <= max(_FEWEST, tape.job["epochs"]) or place not in tape.given:
        return None
    history, number = tape.given[place]
    left = tape.repeated[place] - max(_FEWEST, tape.job["epochs"])
    tape.notes[
        f"of the calls of fit in line {frame.f_lineno}, only the first {tape.repeated[place] - left} were run"
    ] = None
    # How many there were is compared: a loop that goes on for longer is another program.
    record = tape.fits[number]
    record["cut"] = f"{left} more calls in this place were not run"
    record["why"] = f"{record['why'].partition('; ')[0]}; {record['cut']}"
    return history


def is_late(tape: Tape) -> bool:
    """Whether a fit is one of a loop that makes a new model in each round, and the first rounds were run."""
    if tape.running:
        return False
    frame, way = sys._getframe(1), list[tuple[str, int]]()
    while frame.f_back is not None:
        frame = frame.f_back
        if _is_own(tape, frame.f_code.co_filename):
            way.append((frame.f_code.co_filename, frame.f_lineno))
    tape.rounds[tuple(way)] += 1
    late = tape.rounds[tuple(way)] > max(_FEWEST, tape.job["epochs"])
    if late and way:
        tape.notes[
            f"of the fits in line {way[0][1]}, each of a new model, those after the first {max(_FEWEST, tape.job['epochs'])} took one step"
        ] = None
    return late


def _is_own(tape: Tape, file: str) -> bool:
    return file == tape.job["script"] or file.startswith((tape.job["folder"], "<cell "))


def _called(tape: Tape, original: Callable[..., Any]) -> Callable[..., Any]:
    """A call of a graph, which is a step of an own loop where an optimizer was applied when it was traced."""

    @functools.wraps(original)
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        if tape.running:
            return original(self, *args, **kwargs)
        tape.graphs.append(id(self))
        try:
            with tape.once(outside.OWN_STEP) as outermost:
                result = original(self, *args, **kwargs)
        finally:
            tape.graphs.remove(id(self))
        if outermost and id(self) in tape.stepping and tf.executing_eagerly():
            taken = tape.count.taken()
            outside.count(tape, taken if taken >= tape.job["steps"] else 1)
        return result

    return call


def _looping(tape: Tape, original: Callable[..., Any]) -> Callable[..., Any]:
    """A loop over a dataset in a graph, which ends with the steps of a smoke run."""

    @functools.wraps(original)
    def loop(data: Any, *args: Any, **kwargs: Any) -> Any:
        steps = tape.job["steps"]
        if tape.running or not isinstance(data, tf.data.Dataset):
            return original(data, *args, **kwargs)
        count = tf.get_static_value(data.cardinality())  # a graph knows it later
        if count is not None and 0 <= int(count) <= steps:
            return original(data, *args, **kwargs)
        tape.notes[f"a loop over a dataset inside a tf.function was cut to {steps} steps, if it has more"] = None
        return original(data.take(steps), *args, **kwargs)

    return loop
