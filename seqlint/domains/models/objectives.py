"""Calls of `compile`: which losses and metrics they give a model, and what is trained with them."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from seqlint.domains.models.heads import Head, Heads
from seqlint.knowledge.canonical_names import MODEL
from seqlint.knowledge.losses import WITH_LOGITS_FIRST, plain
from seqlint.run import Constant, Container, External, Instance, Result, Tuple, constant
from seqlint.run.attributes import inherits

if TYPE_CHECKING:
    from seqlint.run import Call, Object, Run, Value

_HOMES = ("keras.losses.", "keras.metrics.")
_USES = ("fit", "fit_generator", "train_on_batch", "evaluate", "evaluate_generator", "test_on_batch")
_OWN = frozenset({"train_step", "test_step", "compute_loss", "compile", "fit"})


@dataclass(frozen=True, eq=False)
class Measure:
    """A loss or a metric of Keras.

    Attributes:
        name: its one name: "mean_squared_error"; that of a metric may be "accuracy".
        made: the call that makes it; None where it is given as text or function.
        from_logits: None where that is not known.
        value: what is given for it.
        number: its place in a list of metrics.
    """

    name: str
    made: Result | None
    from_logits: bool | None
    value: Value
    number: int = 0


@dataclass(frozen=True, eq=False)
class Objective:
    """A call of `compile`, of a model with one output.

    Attributes:
        model: what is compiled.
        loss: None where it is not one of Keras, or not known.
        metrics: those of Keras that are known.
        head: the end of the model; None where it is not known.
        uses: the calls that train or score with it, and nothing else does.
    """

    call: Call
    model: Object
    loss: Measure | None
    metrics: tuple[Measure, ...]
    head: Head | None
    uses: tuple[Call, ...]

    @property
    def is_eager(self) -> bool:
        """Whether each step runs as plain Python."""
        return constant(self.call.result.keyword("run_eagerly")) is True


class Objectives:
    """The calls of `compile` of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._heads = run.domain(Heads)

    @cached_property
    def all(self) -> tuple[Objective, ...]:
        """Those of models that surely are of Keras and train with the loss that they are given, in running order."""
        calls = [call for call in self._run.methods("compile") if _is_of_model(call)]
        return tuple(self._compiled(call, calls) for call in calls)

    def _compiled(self, call: Call, calls: list[Call]) -> Objective:
        model = call.result.receiver
        assert model is not None
        later = [
            other.context.clock
            for other in calls
            if other.result.receiver is model
            and other.context.clock > call.context.clock
            and not other.context.guards - call.context.guards
        ]
        end = min(later, default=float("inf"))
        uses = tuple(
            use
            for use in self._run.methods(*_USES)
            if use.result.receiver is model
            and call.context.clock < use.context.clock < end
            and not use.context.excludes(call.context)
        )
        at = call.context
        if uses:  # layers may be added after `compile`
            first = uses[0].context
            at = replace(at, clock=first.clock, guards=at.guards | first.guards)
        loss = self._one(self.argument(call, "loss"))
        return Objective(call, model, loss, self._metrics(call), self._heads.of(model, at), uses)

    def is_replaced(self, compiled: Objective) -> bool:
        """Whether a later `compile` of the same model takes its place before anything uses it."""
        return not compiled.uses and any(
            other.model is compiled.model and other.call.context.clock > compiled.call.context.clock
            for other in self.all
        )

    # -- arguments --------------------------------------------------------------------------------------------------

    def argument(self, call: Call, name: str) -> Value | None:
        """What `compile` gets for the loss or the metrics."""
        given = call.result.keyword(name)
        if given is None and name == "loss" and len(call.result.args) > 1:
            return call.result.args[1]
        return given

    def _metrics(self, call: Call) -> tuple[Measure, ...]:
        given = self.argument(call, "metrics")
        only = given.only if given is not None else None
        items = self._run.items(only) if isinstance(only, (Container, Tuple)) else [given] if given is not None else []
        if isinstance(only, Container) and only.kind == "dict":
            items = []
        found = ((number, self._one(item)) for number, item in enumerate(items or ()))
        return tuple(replace(each, number=number) for number, each in found if each is not None)

    def _one(self, given: Value | None) -> Measure | None:
        """The loss or metric of Keras that a value is; of a list of one it is the item."""
        only = given.only if given is not None else None
        if isinstance(only, (Container, Tuple)) and not (isinstance(only, Container) and only.kind == "dict"):
            items = self._run.items(only)
            return self._one(items[0]) if items is not None and len(items) == 1 else None
        if given is None:
            return None
        if isinstance(only, Constant) and isinstance(only.value, str):
            return Measure(plain(only.value), None, False, given)
        if isinstance(only, External) and only.name.startswith(_HOMES):
            return Measure(plain(only.name), None, False, given)
        if not isinstance(only, Result) or only.op != "call":
            return None
        if only.name == "functools.partial" and only.args and isinstance(only.args[0].only, External):
            inner = only.args[0].only
            return Measure(plain(inner.name), only, _logits(only), given) if inner.name.startswith(_HOMES) else None
        return (
            Measure(plain(only.name), only, _logits(only), given)
            if only.receiver is None and only.name.startswith(_HOMES)
            else None
        )


def _logits(made: Result) -> bool | None:
    """Whether a loss takes logits."""
    given = made.keyword("from_logits")
    if given is None and made.args and made.method in WITH_LOGITS_FIRST:
        given = made.args[0]
    if given is None:
        return None if any(key in ("*", "**") for key, _ in made.keywords) else False
    found = constant(given)
    return found if isinstance(found, bool) else None


def _is_of_model(call: Call) -> bool:
    receiver = call.result.receiver
    if isinstance(receiver, Instance):
        own = {getattr(one, "name", "") for one in receiver.cls.node.body}
        return inherits(receiver.cls, MODEL) and own.isdisjoint(_OWN)
    return call.name == "keras.Model.compile"


def compile_place(run: Run, compiled: Objective, name: str) -> ast.AST | None:
    """What this file writes for an argument of `compile`; the call where it is given in another way.

    Where `compile` is called in another file, it is the call that leads there, if the last layer is made here; else that file shows what is
    wrong by itself.
    """
    node = compiled.call.node
    if not run.is_here(compiled.call.context) or not isinstance(node, ast.Call):
        here = compiled.head is not None and run.is_own(compiled.head.layer.node)
        return run.place(compiled.call) if here else None
    named = next((keyword.value for keyword in node.keywords if keyword.arg == name), None)
    if (
        named is None
        and name == "loss"
        and len(node.args) > 1
        and not any(isinstance(arg, ast.Starred) for arg in node.args[:2])
    ):
        named = node.args[1]
    return named or node.func


def metric_place(run: Run, compiled: Objective, metric: Measure) -> ast.AST | None:
    """What this file writes for a metric; the list, or the call of `compile`, where it is not written in its list."""
    node = compile_place(run, compiled, "metrics")
    if isinstance(node, (ast.List, ast.Tuple)) and not any(isinstance(each, ast.Starred) for each in node.elts):
        return node.elts[metric.number]
    return node
