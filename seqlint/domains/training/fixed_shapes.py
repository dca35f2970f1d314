"""Whether a program needs batches of one size: on a TPU, for layers with a state, for inputs that name their batch."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from seqlint.run import constant

if TYPE_CHECKING:
    from seqlint.run import Call, Run

_SHAPES = ("batch_shape", "batch_input_shape")


class FixedShapes:
    """The needs of a run's models for the size of a batch."""

    def __init__(self, run: Run) -> None:
        self._run = run

    @cached_property
    def are_needed(self) -> bool:
        """Whether something in the program asks for whole batches."""
        return any(_asks(call) for call in self._run.calls)


def _asks(call: Call) -> bool:
    result = call.result
    if "TPU" in result.name or "tpu" in result.name.split("."):
        return True
    if constant(result.keyword("stateful")) is True or any(result.keyword(name) is not None for name in _SHAPES):
        return True
    return result.method in ("Input", "InputLayer") and result.keyword("batch_size") is not None
