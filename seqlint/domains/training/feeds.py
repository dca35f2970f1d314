"""Calls of models with what they are given: arguments by their names, data by their roles."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from seqlint.knowledge.signatures import SIGNATURES
from seqlint.run.objects import constant

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Call, Run, Value

FeedRole = Literal["trained", "validated", "evaluated", "predicted"]
STEPS_OF: dict[FeedRole, str] = {
    "trained": "steps_per_epoch",
    "validated": "validation_steps",
    "evaluated": "steps",
    "predicted": "steps",
}
"""The argument that says how many batches a role reads."""
_ROWS_OF: dict[FeedRole, str] = {
    "trained": "samples_per_epoch",
    "validated": "nb_val_samples",
    "evaluated": "val_samples",
    "predicted": "val_samples",
}
"""That of Keras 1, which counts rows; later ones refuse it."""


@dataclass(frozen=True, eq=False)
class Feed:
    """What a call of a model gets in one role.

    Attributes:
        name: the parameter: "x", "generator" or "validation_data".
    """

    call: Call
    role: FeedRole
    name: str
    value: Value


def argument(call: Call, name: str) -> Value | None:
    """An argument of `fit` and its like by the name of its parameter, however it is given; None where it is left out."""
    given = call.result.keyword(name)
    names = SIGNATURES.get(call.result.method, ())
    place = names.index(name) if given is None and name in names else -1
    return call.result.args[place] if 0 <= place < len(call.result.args) else given


def argument_node(run: Run, call: Call, name: str) -> ast.expr | None:
    """What this file writes for an argument, by keyword or by place; None where stars hide it, or the call is in another file."""
    if not run.is_here(call.context) or not isinstance(call.node, ast.Call):
        return None
    written = run.written(call, name)
    names = SIGNATURES.get(call.result.method, ())
    place = names.index(name) if name in names else -1
    if written is not None or any(isinstance(each, ast.Starred) for each in call.node.args):
        return written
    return call.node.args[place] if 0 <= place < len(call.node.args) else None


def handed_to(run: Run, start: str, name: str) -> Iterator[tuple[str, ast.expr]]:
    """The names of calls of a library that get an argument by `**`, as `SGD(**settings)` may get `lr`, each `**` once."""
    seen = set[ast.expr]()
    for call in run.calls:
        place = run.handed(call, name) if call.name.startswith(start) else None
        if place is not None and place not in seen and isinstance(call.node, ast.Call):
            seen.add(place)
            yield run.text(call.node.func), place


def hides_arguments(call: Call) -> bool:
    """Whether stars hide some of the arguments."""
    return any(name in ("*", "**") for name, _ in call.result.keywords)


class Feeds:
    """The calls of models in a run."""

    def __init__(self, run: Run) -> None:
        self._run = run

    @cached_property
    def calls(self) -> tuple[Call, ...]:
        """Every call that may be one of a model, in running order."""
        return tuple(call for call in self._run.methods(*SIGNATURES) if call.result.receiver is not None)

    @cached_property
    def all(self) -> tuple[Feed, ...]:
        """Everything that such a call reads, in running order."""
        return tuple(feed for call in self.calls for feed in _of(call))

    def steps(self, feed: Feed) -> Value | Literal["unknown"] | None:
        """How many batches Keras is told to read; None where it is told nothing, *unknown* also where it is told a number of rows."""
        given = argument(feed.call, STEPS_OF[feed.role])
        if given is None and feed.call.result.method.endswith("_generator"):
            given = argument(feed.call, "steps")
        if given is None:
            counted = feed.call.result.keyword(_ROWS_OF[feed.role]) is not None
            return "unknown" if counted or hides_arguments(feed.call) else None
        return None if constant(given) is None else given

    def epochs(self, call: Call) -> int | None:
        """How many epochs a call trains, settings by their defaults; None where that is not known."""
        given = argument(call, "epochs")
        if given is None:
            return None if hides_arguments(call) else 1
        number = given.constant
        return number if isinstance(number, int) and not isinstance(number, bool) else None


def _of(call: Call) -> Iterator[Feed]:
    method = call.result.method
    role: FeedRole = "trained"
    if method.startswith(("evaluate", "test")):
        role = "evaluated"
    if method.startswith("predict"):
        role = "predicted"
    name = "generator" if method.endswith("_generator") else "x"
    data = argument(call, name)
    if data is not None:
        yield Feed(call, role, name, data)
    validation = argument(call, "validation_data")
    if validation is not None and constant(validation) is not None:
        yield Feed(call, "validated", "validation_data", validation)


def feed_node(run: Run, feed: Feed) -> ast.AST | None:
    """Where a reader of this file sees what a call is given: the argument, or the call that leads there."""
    return argument_node(run, feed.call, feed.name) or run.place(feed.call)


def last_argument(run: Run, call: Call) -> ast.expr | None:
    """The last argument by place that this file writes for a call; None where there is none, or another way to give them."""
    if not run.is_here(call.context) or not isinstance(call.node, ast.Call) or call.node.keywords:
        return None
    last = call.node.args[-1] if call.node.args else None
    return last if not isinstance(last, (ast.Starred, ast.GeneratorExp)) else None
