"""Ends loops inside of graphs, such as `for step in tf.range(10_000)`, once they have taken the training steps of a smoke run.

A variable counts the steps of optimizers in such loops; loops that train nothing run as they are.
"""

from __future__ import annotations

import functools
import inspect
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import tensorflow as tf

from . import compiled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .tape import Tape

_STEPS = ("apply_gradients", "minimize", "apply", "step", "train")
"""What names of functions hold that may take a step."""


class Count:
    """How many steps optimizers took in loops of the graph that runs.

    Attributes:
        depth: how many loops the code is in that is being traced.
    """

    def __init__(self) -> None:
        self.depth = 0
        self._variable: Any = None

    @property
    def variable(self) -> Any:
        """The counter, which belongs to no strategy."""
        if self._variable is None:
            from tensorflow.python.ops.resource_variable_ops import ResourceVariable

            with tf.init_scope(), tf.device("CPU:0"):
                self._variable = ResourceVariable(0, trainable=False, dtype=tf.int64, name="steps")
        return self._variable

    def step(self) -> None:
        """Note that a step is traced."""
        if self.depth and not tf.executing_eagerly() and not compiled.inside():
            self.variable.assign_add(1)

    def taken(self) -> int:
        """The steps since this was last asked."""
        if self._variable is None:
            return 0
        steps = int(self._variable.numpy())
        self._variable.assign(0)
        return steps


def instrument(tape: Tape) -> None:
    """Patch the loops that AutoGraph makes, for the rest of this process."""
    from tensorflow.python.autograph.operators import control_flow

    control_flow._tf_while_stmt = _counted(tape, control_flow._tf_while_stmt)


def _counted(tape: Tape, original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def while_stmt(test: Callable[[], Any], body: Callable[[], Any], *args: Any, **kwargs: Any) -> Any:
        if tape.running or not tape.graphs or compiled.inside() or not _may_train(body):
            return original(test, body, *args, **kwargs)
        count, most = tape.count.variable, tape.job["steps"]

        def inner() -> Any:
            tape.count.depth += 1
            try:
                return body()
            finally:
                tape.count.depth -= 1

        return original(lambda: tf.logical_and(test(), count.read_value() < most), inner, *args, **kwargs)

    return while_stmt


def _may_train(body: Any) -> bool:
    """Whether the code of a loop names something that may take a step; a graph that is exported should hold nothing of ours."""
    return any(part in name for name in _named(body, 3) for part in _STEPS)


def _named(function: Any, deep: int) -> Iterator[str]:
    code = getattr(function, "__code__", None)
    if code is None:
        return
    yield from (*code.co_names, *code.co_freevars)
    with suppress(ValueError, TypeError):
        held = inspect.getclosurevars(function).nonlocals.values() if deep else ()
        for inner in held:
            if inspect.isfunction(inner):
                yield from _named(inner, deep - 1)
