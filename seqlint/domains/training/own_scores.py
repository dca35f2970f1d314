"""Steps by hand that score a model, and call it as if they trained it."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from seqlint.domains.training.own_steps import OwnSteps
from seqlint.run import Instance, Result, Unknown
from seqlint.run.objects import constant

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Call, Run

_SCORES = re.compile(
    r"_?(distributed_)?(test|val|valid|validate|validation|eval|evaluate|evaluation|dev)(_(step|one_step|batch|epoch|loop|on_batch|fn|model))?"
)
_ON_PURPOSE = re.compile(
    r"monte.?carlo|mc_?drop|mcd_|uncertain|bayes|pix2pix|discriminator|gan\b|adabn|test.?time", re.IGNORECASE
)


@dataclass(frozen=True, eq=False)
class TrainingScore:
    """A call with `training=True` in what a step of scoring runs.

    Attributes:
        step: the name of the function that scores.
        is_in_step: whether the call is in that very function; else a helper of it makes the call.
    """

    call: Call
    step: str
    is_in_step: bool


class OwnScores:
    """Such calls of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._steps = run.domain(OwnSteps)

    @cached_property
    def all(self) -> tuple[TrainingScore, ...]:
        """Each call once, in running order."""
        found: dict[ast.AST | None, TrainingScore] = {}
        if self._names and not any(_ON_PURPOSE.search(word) for word in _words(self._run.tree)):
            for call in self._run.calls:
                step = self._step(call) if self._is_as_in_training(call) else None
                if step is not None:
                    found.setdefault(call.node, TrainingScore(call, step, self._names.get(call.node) == step))
        return tuple(found.values())

    def _is_as_in_training(self, call: Call) -> bool:
        """Whether a model or layer that minds is called with the constant True."""
        given = call.result.keyword("training")
        if given is None or constant(given) is not True or not call.result.args or not self._run.is_here(call.context):
            return False
        if any(isinstance(each, Result) and each.method == "GradientTape" for each in call.context.within):
            return False
        called = call.result.receiver
        if isinstance(called, (Result, Instance)) and not isinstance(called, Unknown):
            minds = self._steps.layer_of(called)
            return bool(minds) or (isinstance(called, Result) and called.op in ("parameter", "attribute"))
        return False

    def _step(self, call: Call) -> str | None:
        """The function that scores, on the way to a call; None where a loop there may draw several answers for one row."""
        ways = [each for node in (call.node, *call.context.stack) if (each := self._names.get(node)) is not None]
        return next((name for name in ways if _SCORES.fullmatch(name)), None)

    @cached_property
    def _names(self) -> dict[ast.AST, str]:
        """The name of the function that each call of this file is in."""
        return dict(_inside(self._run.tree, ""))


def _inside(node: ast.AST, name: str) -> Iterator[tuple[ast.AST, str]]:
    for child in ast.iter_child_nodes(node):
        own = child.name if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)) else name
        if isinstance(child, ast.Call) and own:
            yield child, own
        yield from _inside(child, own)


def _words(tree: ast.AST) -> Iterator[str]:
    """The names and texts of a file."""
    for node in ast.walk(tree):
        for name in ("id", "attr", "name", "arg", "value"):
            word = getattr(node, name, None)
            if isinstance(word, str):
                yield word
