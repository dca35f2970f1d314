"""Losses that take something else than the last layer of their model gives."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from seqlint.domains.models.objectives import Objective, Objectives
from seqlint.knowledge.losses import BINARY, CATEGORICAL, OF_PROBABILITIES, SPARSE
from seqlint.run import Instance, Result

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.domains.models.heads import Head
    from seqlint.domains.models.objectives import Measure
    from seqlint.run import Call, Run

Fault = Literal["softmax of one", "one class", "no probabilities", "twice", "twice undone", "not exclusive"]
"""*softmax of one*: always 1. *one class*: a categorical loss of a single output. *no probabilities*: any numbers where probabilities are
wanted. *twice*: probabilities where logits are wanted. *twice undone*: the same, but TensorFlow takes the numbers before the activation. *not
exclusive*: probabilities of their own for classes of which only one can be."""
_ANY_NUMBERS = frozenset(
    {"linear", "relu", "tanh", "elu", "selu", "leaky_relu", "prelu", "thresholded_relu", "softsign"}
)
_OF_LOSS = {**dict.fromkeys(CATEGORICAL | SPARSE, "softmax"), **dict.fromkeys(BINARY, "sigmoid")}


@dataclass(frozen=True, eq=False)
class Unlike:
    """A loss and a last layer that do not go together.

    Attributes:
        is_alone: whether nothing else changes with the loss: no other model is compiled with the same object, and no policy of mixed
            precision puts a cast between the last layer and the loss.
    """

    compiled: Objective
    loss: Measure | None
    head: Head
    fault: Fault
    is_alone: bool = True


class UnlikeLosses:
    """The faults of a run, each `compile` once, in running order."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._compiles = run.domain(Objectives)

    @cached_property
    def all(self) -> tuple[Unlike, ...]:
        """Every fault."""
        return tuple(self._all())

    def of(self, call: Call) -> Unlike | None:
        """The fault of a call of `compile`."""
        return next((each for each in self.all if each.compiled.call is call), None)

    def _all(self) -> Iterator[Unlike]:
        for compiled in self._compiles.all:
            if compiled.head is None or self._compiles.is_replaced(compiled) or self._is_a_part(compiled):
                continue
            if not compiled.uses and not self._run.is_here(compiled.call.context):
                continue  # a helper of another file that compiles to look at a model, as checkers of exercises do
            fault = _fault(compiled, compiled.head)
            if fault is not None:
                yield Unlike(compiled, compiled.loss, compiled.head, fault, self._is_alone(compiled))

    def _is_alone(self, compiled: Objective) -> bool:
        if any(True for _ in self._run.methods("set_global_policy", "set_policy", "set_dtype_policy")):
            return False
        made = compiled.loss.made if compiled.loss is not None else None
        return made is None or not any(
            other.loss is not None and other.loss.made is made for other in self._compiles.all if other is not compiled
        )

    def _is_a_part(self, compiled: Objective) -> bool:
        """Whether a model is only used as a layer of another one, as the generator of a GAN: then its own loss trains nothing."""
        if compiled.uses:
            return False
        is_layer = any(call.name.endswith("()") and call.result.receiver is compiled.model for call in self._run.calls)
        listed = isinstance(compiled.model, (Result, Instance)) and any(
            value.only is compiled.model for call in self._run.methods("add") for value in call.result.args
        )
        return is_layer or listed


def _fault(compiled: Objective, head: Head) -> Fault | None:
    loss = compiled.loss
    if head.activation == "softmax" and head.units == 1 and not _is_imported(head):
        return "softmax of one"
    if loss is None or loss.name not in OF_PROBABILITIES or loss.from_logits is None or not head.activation:
        return None
    if head.units == 1 and loss.name in CATEGORICAL | SPARSE:
        return "one class" if head.reshaped_by is None else None
    if loss.from_logits:
        return _of_logits(compiled, loss, head)
    if head.activation in _ANY_NUMBERS:
        return "no probabilities" if head.activation == "linear" or compiled.uses else None
    several = head.units is not None and head.units > 1
    return "not exclusive" if head.activation == "sigmoid" and several and loss.name in CATEGORICAL | SPARSE else None


def _of_logits(compiled: Objective, loss: Measure, head: Head) -> Fault | None:
    if head.activation not in ("softmax", "sigmoid"):
        return None
    if head.reshaped_by is not None or (compiled.is_eager and head.by_function):
        return "twice"
    return "twice undone" if _OF_LOSS[loss.name] == head.activation else None


def _is_imported(head: Head) -> bool:
    return not head.layer.name.startswith("keras.layers.")
