"""Records what a program gets of a model outside of `fit`: results of `evaluate`, `predict` and single batches, and its own training loops."""

from __future__ import annotations

import functools
import hashlib
import inspect
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
import tensorflow as tf

from . import settings
from .arrays import record
from .places import weights_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from types import ModuleType

    from .recording import WeightRecord
    from .tape import Tape

_MOST_RESULTS = 1_000
_INTERNAL = "_use_cached_eval_dataset"
"""An argument that Keras alone gives, where `fit` validates."""

RESULTS = ("evaluate", "predict", "test_on_batch", "predict_on_batch", "train_on_batch")
"""Methods of a model whose results are kept."""
OWN_STEP = "a step of the program's own loop"


class Enough(SystemExit):
    """Ends a program whose own training loop has run the steps of a smoke run."""


def instrument(tape: Tape, keras: ModuleType) -> None:
    """Patch the optimizers of one Keras, and what gives results outside of `fit`, for the rest of this process."""
    for name in RESULTS:
        replace_method(keras.Model, name, functools.partial(_result, tape))
    optimizer = keras.optimizers.Optimizer
    # Of Keras 3, `apply_gradients` calls `apply`.
    replace_method(
        optimizer, "apply" if hasattr(optimizer, "apply") else "apply_gradients", functools.partial(_step, tape)
    )


def replace_method(cls: type, name: str, make: Callable[[Any], Any]) -> None:
    """Put what is made of a method in its place, in the class that defines it."""
    owner = next(owner for owner in cls.__mro__ if name in vars(owner))
    setattr(owner, name, make(vars(owner)[name]))


def _result(tape: Tape, original: Callable[..., Any]) -> Callable[..., Any]:
    signature = inspect.signature(original)

    @functools.wraps(original)
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        if kwargs.get(_INTERNAL):
            return original(self, *args, **kwargs)
        args, kwargs = _cut(tape, original.__name__, signature, self, args, kwargs)
        with tape.once(original.__name__) as outermost, _placed(tape, self) as results:
            result = original(self, *args, **kwargs)
            results.append(result)
        if outermost:
            _note(tape, original.__name__, result)
        return result

    return call


@contextmanager
def _placed(tape: Tape, model: Any) -> Iterator[list[Any]]:
    """Watch where a model computes outside of `fit`, unless it has been seen to train."""
    if tape.running or any(model is known for known in tape.models):
        yield []
        return
    with tape.places.outside(model) as results:
        yield results


def watch(tape: Tape) -> None:
    """See where functions of the program's own compute outside of `fit`, each in its first call."""
    cls: Any = type(tf.function(lambda: None))
    original, seen = cls.__call__, set[int]()

    @functools.wraps(original)
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        if tape.running or id(self) in seen or not tf.executing_eagerly():
            return original(self, *args, **kwargs)
        seen.add(id(self))
        with tape.places.outside(None) as results:
            results.append(original(self, *args, **kwargs))
        return results[-1]

    call.autograph_info__ = {}  # type: ignore[attr-defined]  # AutoGraph leaves such functions alone
    if tape.places.watched:
        cls.__call__ = call


def _cut(tape: Tape, name: str, signature: inspect.Signature, self: Any, args: Any, kwargs: Any) -> tuple[Any, Any]:
    """The arguments with no more steps than a smoke run has."""
    try:
        given = signature.bind(self, *args, **kwargs)
    except TypeError:
        return args, kwargs  # the call raises what the program would have seen
    steps, most = given.arguments.get("steps"), tape.job["steps"]
    if not isinstance(steps, int) or steps <= most:
        return args, kwargs
    tape.notes[f"{most} of {steps} steps of a call outside fit were run"] = None
    tape.settings[f"call {tape.asked[name] + 1} of {name}"] = {"steps": steps}
    given.arguments["steps"] = most
    return given.args[1:], given.kwargs


def _note(tape: Tape, name: str, result: Any) -> None:
    """Keep what a call gave: one record for each array or number of it."""
    values = result if isinstance(result, dict) else dict(enumerate(tf.nest.flatten(result)))
    try:
        arrays = {str(key): np.asarray(value) for key, value in values.items()}
    except (TypeError, ValueError):
        return
    tape.asked[name] += 1
    found = [record(f"{name} {tape.asked[name]}, {key}", array) for key, array in arrays.items()]
    if len(tape.results) < _MOST_RESULTS:
        tape.results.append((name, found))
        return
    more = tape.more.setdefault(name, hashlib.blake2b(digest_size=8))
    for one in found:
        more.update(f"{one['shape']} {one['digest']}".encode())


def results(tape: Tape) -> list[WeightRecord]:
    """What calls gave; of those above the number that is kept, a digest."""
    kept = [one for _, found in tape.results for one in found]
    later: list[WeightRecord] = [
        {
            "name": f"{name}, all later of {tape.asked[name]} calls",
            "shape": [0],
            "digest": more.hexdigest(),
            "values": "",
        }
        for name, more in tape.more.items()
    ]
    return [*kept, *later]


def _step(tape: Tape, original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def apply(self: Any, *args: Any, **kwargs: Any) -> Any:
        pairs = original.__name__ == "apply_gradients"
        if pairs and args:
            args = (list(args[0]), *args[1:])  # a zip can be read only once
        with tape.once(OWN_STEP) as outermost:
            result = original(self, *args, **kwargs)
        tape.stepping.update(tape.graphs)
        if not tape.running:
            tape.count.step()
        if not tape.running:
            if all(known is not self for known in tape.optimizers):
                tape.optimizers.append(self)
                settings.of_loop(tape, self)
            tape.calls["apply_gradients"] = None
            _remember(tape, [pair[1] for pair in args[0]] if pairs and args else _variables(self, args, kwargs))
            if outermost and tf.executing_eagerly():
                tape.places.eager([pair[0] for pair in args[0]] if pairs and args else list(args[:1]))
                count(tape)
        return result

    return apply


def _variables(optimizer: Any, args: Any, kwargs: Any) -> Iterable[Any]:
    given = kwargs.get("trainable_variables", args[1] if len(args) > 1 else None)
    return given if given is not None else getattr(optimizer, "_trainable_variables", [])


def _remember(tape: Tape, variables: Iterable[Any]) -> None:
    for variable in variables:
        plain = _plain(variable)
        tape.variables.setdefault(id(plain), (str(getattr(variable, "path", getattr(variable, "name", ""))), plain))


def _plain(variable: Any) -> Any:
    """The TensorFlow variable in one of Keras."""
    return getattr(variable, "_value", variable)


def count(tape: Tape, steps: int = 1) -> None:
    """Count steps of the program's own loop, and end the program when it has taken those of a smoke run.

    Raises:
        Enough: it has.
    """
    most = tape.job["steps"]
    if tape.own_steps >= most:
        tape.end()  # it has swallowed what should have ended it
    tape.own_steps += steps
    if tape.own_steps >= most:
        tape.notes[f"the program was ended after {tape.own_steps} steps of its own training loop"] = None
        raise Enough


def loose(tape: Tape) -> list[Any]:
    """The variables that own loops have trained and no recorded model holds."""
    return [plain for _, plain in _loose(tape)]


def variables(tape: Tape) -> list[WeightRecord]:
    """What own loops have trained and no recorded model holds."""
    return [record(name, plain.numpy()) for name, plain in _loose(tape)]


def _loose(tape: Tape) -> list[tuple[str, Any]]:
    known = {id(_plain(weight)) for model in tape.models for weight in weights_of(model)}
    return [named for key, named in tape.variables.items() if key not in known]
