"""Scopes of `tf.distribute`: what is made in one, and what is made outside and then used inside."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from seqlint.knowledge.types import MODEL
from seqlint.run import Instance, Result
from seqlint.run.types import type_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Call, Context, Object, Run

_STRATEGY = "tensorflow.distribute.Strategy"
_ALONE = ("get_strategy", "OneDeviceStrategy")
"""Strategies without replicas of their own."""
_TRAINS = frozenset({"compile", "fit"})


@dataclass(frozen=True, eq=False)
class ModelOutside:
    """A model that is made in no scope, and compiled or trained in one.

    Attributes:
        node: what makes it, as the function that compiles it sees that: `self.build()`.
        call: the call of `compile` or `fit`.
        model: what the call is asked of, as written.
        strategy: what makes the strategy.
    """

    node: ast.AST
    call: Call
    model: str
    strategy: Result


class Scopes:
    """The scopes of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def models_outside(self) -> Iterator[ModelOutside]:
        """Each model that is made outside of the scope that its `compile` is in, wherever the two stand."""
        for call in self._run.methods(*_TRAINS):
            strategy = scope_of(call.context)
            made = self._made(call.result.receiver) if strategy is not None else None
            asked = call.node.func if isinstance(call.node, ast.Call) else None
            if strategy is None or made is None or not isinstance(asked, ast.Attribute):
                continue
            node, context = made
            if not context.within and self._run.is_here(call.context):
                yield ModelOutside(self._seen_from(call, node, context), call, self._run.text(asked.value), strategy)

    def _made(self, model: Object | None) -> tuple[ast.AST, Context] | None:
        """What makes a model, and where; None where that is not known."""
        if isinstance(model, Instance) and model in self._run.machine.births and model.node is not None:
            return model.node, self._run.machine.births[model]
        call = self._run.call_of.get(model) if isinstance(model, Result) else None
        return (call.node, call.context) if call is not None and type_of(call.result) == MODEL else None

    def _seen_from(self, call: Call, node: ast.AST, context: Context) -> ast.AST:
        """The call in the function of another call that leads to a node."""
        shared = 0
        for one, other in zip(call.context.stack, context.stack, strict=False):
            if one is not other:
                break
            shared += 1
        return context.stack[shared] if len(context.stack) > shared else node


def scope_of(context: Context) -> Result | None:
    """The strategy whose scope code is in: one with replicas of its own."""
    for each in reversed(context.within):
        if isinstance(each, Result) and each.name == f"{_STRATEGY}.scope" and isinstance(each.receiver, Result):
            return None if each.receiver.method in _ALONE else each.receiver
    return None
