"""Reads batches before a train step that XLA compiles, since no operation inside such a function can be read.

The program keeps its XLA: what is computed, and how, stays what it is without the recorder.
"""

from __future__ import annotations

import functools
import inspect
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import tensorflow as tf

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_STEP = "train_step"
_KERAS_STEPS = frozenset({"one_step_on_data", "run_step"})
"""The functions of Keras 3 and tf-keras that take one batch, and are compiled where the step is."""


class Outside:
    """How many calls are under way whose batch was read before them."""

    def __init__(self) -> None:
        self.depth = 0

    @contextmanager
    def read(self) -> Iterator[None]:
        """Mark a call whose batch has been read."""
        self.depth += 1
        try:
            yield
        finally:
            self.depth -= 1


def instrument(outside: Outside, read: Callable[[Any], None]) -> None:
    """Have each call of a compiled train step hand its batch to `read` first, in the context of each replica."""
    cls: Any = type(tf.function(lambda: None))
    original = cls.__call__

    @functools.wraps(original)
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        if not args or not _is_compiled_step(self):
            return original(self, *args, **kwargs)
        in_each_replica(read, args[0])
        with outside.read():
            return original(self, *args, **kwargs)

    call.autograph_info__ = {}  # type: ignore[attr-defined]  # AutoGraph leaves such functions alone
    cls.__call__ = call


def inside() -> bool:
    """Whether XLA will compile what is traced now."""
    graph = tf.compat.v1.get_default_graph()
    with suppress(ImportError, AttributeError):
        from tensorflow.python.ops import control_flow_util

        return bool(control_flow_util.GraphOrParentsInXlaContext(graph))
    return False


def in_each_replica(read: Callable[[Any], None], data: Any) -> None:
    """Hand a batch to a function in the context of each replica."""
    if tf.distribute.in_cross_replica_context():
        tf.distribute.get_strategy().run(read, args=(data,))
    else:
        read(data)


def _is_compiled_step(function: Any) -> bool:
    if not getattr(function, "_jit_compile", False) or tf.config.functions_run_eagerly():
        return False
    inner = inspect.unwrap(function.python_function)
    return getattr(inner, "__name__", "") in _KERAS_STEPS and _STEP in _mentioned(inner)


def _mentioned(function: Any) -> set[str]:
    """Names of what a function calls: attributes, and functions that it holds."""
    held = inspect.getclosurevars(function).nonlocals.values()
    return {*function.__code__.co_names, *(str(getattr(item, "__name__", "")) for item in held)}
