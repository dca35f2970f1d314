"""Tries inputs until a class gives batches: the likeliest first, then others, one parameter at a time."""

from __future__ import annotations

import re
import signal
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np
import tensorflow as tf

from .choices import choices
from .made import COUNT, clean, made, make_files, name_of
from .parameters import ABSENT
from .tiny import fit_callback

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .made import Spec
    from .parameters import Sizes
    from .targets import Found

MOST, MOST_FITS = 60, 12
"""Trials for one class; those of a callback each take a fit."""
_SECONDS = 20
_PEEK = 12
_SHAPES = re.compile(r"from shape \(([\d, ]+)\) into shape \(([\d, ]+)\)")


@dataclass
class Trial:
    """One set of inputs and how far it came.

    Attributes:
        picked: for each parameter, which of its choices.
        stage: 0 the constructor, 1 its length, 2 the first batch, 3 the last, 4 what they hold, 5 all is well.
        files: files that the code opened under names of its own, and that were made for it.
        steps: of an epoch; 0 where the data has an end of its own.
    """

    picked: dict[str, int]
    arguments: dict[str, Spec]
    stage: int = 0
    error: str = ""
    files: dict[str, Spec] = field(default_factory=dict)
    steps: int = 0
    epochs: int = 2


class NoBatch(Exception):
    """What came is no batch that a model could train on."""


def search(found: Found) -> Trial:
    """The first inputs that work, or those that came furthest, with the error that ended them."""
    best, count = _climb(found, found.sizes, MOST_FITS if found.kind == "callback" else MOST)
    sizes = found.sizes
    while best.stage < 5 and count > 0 and (other := _resized(sizes, best.error)) is not None and other != sizes:
        sizes = other
        again, count = _climb(found, sizes, count)
        best = again if again.stage >= best.stage else best
    return best


def unknown(found: Found) -> list[str]:
    """The parameters that must be given, and of which nothing is known."""
    return [one.name for one in found.parameters if not one.optional and not choices(one, found.sizes)]


def known(found: Found) -> dict[str, Spec]:
    """The likeliest choice for each other parameter that must be given."""
    options = {one.name: choices(one, found.sizes) for one in found.parameters if not one.optional}
    return _resolved({name: specs[0] for name, specs in options.items() if specs})


def works(found: Found, trial: Trial) -> bool:
    """Whether all is well with inputs that are given."""
    make_files(trial.files)
    try:
        with _in_time():
            _run(found, trial)
    except BaseException:
        return False
    finally:
        clean(trial.files)
    return True


def _climb(found: Found, sizes: Sizes, left: int) -> tuple[Trial, int]:
    """Change one parameter at a time, and keep what brings it further."""
    options = {one.name: choices(one, sizes) for one in found.parameters}
    options = {name: specs for name, specs in options.items() if specs}
    best = _attempt(found, options, dict.fromkeys(options, 0), sizes)
    left -= 1
    improved = True
    while best.stage < 5 and improved and left > 0:
        improved = False
        for picked in islice(_neighbours(best.picked, options), left):
            trial = _attempt(found, options, picked, sizes)
            left -= 1
            if trial.stage > best.stage:
                best, improved = trial, True
                break
    return best, left


def _neighbours(picked: dict[str, int], options: dict[str, list[Spec]]) -> Iterator[dict[str, int]]:
    """What differs in one parameter; then in two, where both take the same step."""
    for name, specs in options.items():
        for other in range(len(specs)):
            if other != picked[name]:
                yield {**picked, name: other}
    names = [name for name, specs in options.items() if len(specs) > 1]
    for place, name in enumerate(names):
        for second in names[place + 1 :]:
            for step in range(1, min(len(options[name]), len(options[second]))):
                yield {**picked, name: step, second: step}


def _attempt(found: Found, options: dict[str, list[Spec]], picked: dict[str, int], sizes: Sizes) -> Trial:
    chosen = {name: options[name][number] for name, number in picked.items()}
    trial = Trial(picked, _resolved(chosen))
    try:
        return _tried(found, trial, sizes)
    finally:
        clean(trial.files)  # the next trial must not find them


def _tried(found: Found, trial: Trial, sizes: Sizes) -> Trial:
    for _ in range(3):
        trial.stage = 0
        try:
            with _in_time():
                _run(found, trial)
            trial.stage = 5
            return trial
        except FileNotFoundError as error:
            trial.error = _told(error)
            if not _make_missing(trial, str(error.filename), sizes):
                return trial
        except BaseException as error:
            trial.error = _told(error)
            return trial
    return trial


def _resolved(chosen: dict[str, Spec]) -> dict[str, Spec]:
    """What is given; a dict whose keys are the items of another parameter takes them from its choice."""
    given = {name: spec for name, spec in chosen.items() if spec is not ABSENT}
    for name, spec in given.items():
        if spec["make"] == "mapping" and spec["keys"]["make"] == "same":
            given[name] = {**spec, "keys": given.get(spec["keys"]["as"], {"make": "paths", "folder": "", "suffix": ""})}
    return given


def _run(found: Found, trial: Trial) -> None:
    arguments = {name: made(spec) for name, spec in trial.arguments.items()}
    thing = found.called(**arguments)
    trial.stage = 1
    if found.kind == "callback":
        fit_callback(thing, eagerly=True)
    elif found.kind == "data":
        _batches(thing, trial)
    else:
        _stream(thing, trial)


def _batches(thing: Any, trial: Trial) -> None:
    size = len(thing)
    if size < 1:
        raise NoBatch("it has no batches: its length is 0")
    trial.stage = 2
    first = thing[0]
    trial.stage = 3
    last = thing[size - 1]
    trial.stage = 4
    _check(first)
    _check(last)
    thing.on_epoch_end()


def _stream(thing: Any, trial: Trial) -> None:
    if isinstance(thing, (tuple, list)) and thing and isinstance(thing[0], tf.data.Dataset):
        raise NoBatch("it gives several datasets")
    if not isinstance(thing, tf.data.Dataset) and not hasattr(thing, "__next__"):
        raise NoBatch(f"it gives {type(thing).__name__}, which is no dataset and no generator")
    trial.stage = 2
    batches = list(islice(iter(thing), _PEEK))
    if not batches:
        raise NoBatch("it gives nothing")
    trial.stage = 4
    for batch in batches[:2]:
        _check(batch)
    endless = len(batches) == _PEEK
    trial.steps = 3 if endless else 0
    trial.epochs = 2 if endless or isinstance(thing, tf.data.Dataset) else 1


def _check(batch: Any) -> None:
    """Raise unless this can be a batch: numbers or texts, with rows."""
    parts = list(batch) if isinstance(batch, (tuple, list)) else [batch]
    leaves = [leaf for part in parts for leaf in _arrays(part)]
    if not leaves:
        raise NoBatch("it gives nothing")
    for leaf in leaves:
        if isinstance(leaf, (tf.RaggedTensor, tf.SparseTensor)):
            continue
        array = np.asarray(leaf)
        if array.dtype == object and not isinstance(leaf, tf.Tensor):
            raise NoBatch("a batch holds objects that are no numbers")
        if not array.ndim:
            raise NoBatch("it gives single values, and no batches")
        if not len(array):
            raise NoBatch("a batch is empty")


def _arrays(part: Any) -> list[Any]:
    """The tensors of one part of a batch; a list of numbers is one."""
    if part is None:
        return []
    if isinstance(part, dict):
        return [leaf for value in part.values() for leaf in _arrays(value)]
    if isinstance(part, (tuple, list)) and any(hasattr(item, "shape") or isinstance(item, dict) for item in part):
        return [leaf for item in part for leaf in _arrays(item)]
    return [part]


@contextmanager
def _in_time() -> Iterator[None]:
    """Raise TimeoutError when the block takes too long; not where the system lacks alarms."""

    def ring(*ignored: object) -> None:
        raise TimeoutError(f"it took more than {_SECONDS} s")

    alarm = getattr(signal, "SIGALRM", None)
    if alarm is None:
        yield
        return
    signal.signal(alarm, ring)
    signal.alarm(_SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)


def _make_missing(trial: Trial, name: str, sizes: Sizes) -> bool:
    """Make a file that the code opens under a name of its own, and those of the other samples."""
    if not name or name.startswith(("/", "..", "~")) or name in trial.files:
        return False
    spec: Spec = {"item": list(sizes.item), "size": list(sizes.size), "channels": sizes.channels}
    found = re.search(r"sample-\d+", name)
    names = [name.replace(found[0], name_of(number)) for number in range(COUNT)] if found else [name]
    trial.files.update(dict.fromkeys(names, spec))
    with suppress(OSError):
        make_files(trial.files)
        return True
    return False


def _resized(sizes: Sizes, error: str) -> Sizes | None:
    """Sizes that an error asks for: an image that must have another shape."""
    found = _SHAPES.search(error)
    if found is None:
        return None
    have, want = (tuple(int(side) for side in text.split(",") if side.strip()) for text in found.groups())
    if len(want) not in (2, 3, 4) or (len(have) == len(want) and have == want):
        return None
    size = (want[0], want[1])
    return replace(sizes, size=size, item=want, dimensions=want, channels=want[2] if len(want) == 3 else sizes.channels)


def _told(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__
