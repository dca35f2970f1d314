"""Batches of one replica that are given where those of all replicas together belong."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from seqlint.domains.pipelines.pipelines import Pipelines
from seqlint.domains.strategies.strategies import Strategies
from seqlint.run import Result

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Call, Object, Run, Value

REPLICATE = frozenset({"MirroredStrategy", "MultiWorkerMirroredStrategy", "TPUStrategy"})
_COUNT = "num_replicas_in_sync"
_UNITS = r"(?:replicas?|devices?|gpus?|cores?|workers?)"
_LOCAL = re.compile(rf"(?i).*per_?{_UNITS}.*|(?:local|{_UNITS})_?batch(?:_?size)?")
_BATCH = re.compile(r"(?i).*(?:batch|global).*")
_BATCHES = ("batch", "padded_batch")
_DEPTH = 12

Why = Literal["name", "rate", "product"]
"""What shows that the batch of one replica is meant: its name; a learning rate that is multiplied by the number of replicas; a product of the
same number with them, which is used elsewhere."""


@dataclass(frozen=True, eq=False)
class LocalBatch:
    """A size of batches.

    Attributes:
        node: the step, or the call of `fit`, that gets it.
        is_step: whether that is a step of a chain.
        size: how it is written; empty where it is long.
    """

    node: ast.AST
    is_step: bool
    size: str
    why: Why


class LocalBatches:
    """The sizes of the batches that several replicas share out."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._pipelines = run.domain(Pipelines)
        self._strategies = run.domain(Strategies)

    @cached_property
    def all(self) -> tuple[LocalBatch, ...]:
        """Each place once, in running order."""
        found: dict[ast.AST, LocalBatch] = {}
        places = [*self._of_datasets(), *self._of_arrays()]
        scaled = any(_counts(each) for _, _, value, _ in places for each in value)
        for node, given, value, is_step in places:
            why = self._why(given, value)
            if why is not None and not (scaled and why != "name"):
                found.setdefault(node, LocalBatch(node, is_step, self._text(given), why))
        return tuple(found.values())

    def _text(self, node: ast.expr) -> str:
        text = self._run.text(node)
        return text if "\n" not in text and len(text) < 40 else ""

    # -- batches ------------------------------------------------------------------------------------------------------

    def _of_datasets(self) -> Iterator[tuple[ast.AST, ast.expr, Value, bool]]:
        for step in (*self._trained(), *self._distributed()):
            line = self._pipelines.line(step)
            batches = [each for each in line if each.method in _BATCHES]
            if len(batches) != 1 or any(each.method in ("unbatch", "rebatch") for each in line):
                continue
            value, node = self._pipelines.argument(batches[0], "batch_size"), batches[0].node
            given = _argument(node, "batch_size", 0)
            call = self._run.call_of.get(batches[0])
            if (
                value is not None
                and given is not None
                and node is not None
                and call
                and self._run.is_here(call.context)
            ):
                yield node, self._handed(given, call), value, True

    def _trained(self) -> Iterator[Result]:
        for reading in self._pipelines.readings:
            if reading.role == "trained" and reading.trainer is not None and self._replicates(reading.trainer):
                yield reading.dataset

    def _distributed(self) -> Iterator[Result]:
        """The datasets that a loop of one's own gets, where they are distributed whole."""
        for call in self._run.methods("experimental_distribute_dataset"):
            strategy, given = call.result.receiver, call.result.args[:1]
            known = isinstance(strategy, Result) and self._strategies.kind(strategy) in REPLICATE
            dataset = given[0].only if given and known else None
            if isinstance(dataset, Result) and self._pipelines.is_step(dataset):
                yield dataset

    def _of_arrays(self) -> Iterator[tuple[ast.AST, ast.expr, Value, bool]]:
        """`fit(x, y, batch_size=...)`."""
        for call in self._run.methods("fit"):
            value, given = call.result.keyword("batch_size"), _argument(call.node, "batch_size", -1)
            if value is None or given is None or not self._run.is_here(call.context) or not self._replicates(call):
                continue
            yield call.node, self._handed(given, call), value, False

    def _replicates(self, call: Call) -> bool:
        over = self._strategies.over(call)
        return bool(over) and over <= REPLICATE

    def _handed(self, given: ast.expr, call: Call) -> ast.expr:
        """What the caller in this file hands over, where a function gives its parameter of that name on."""
        for outer in reversed(call.context.stack):
            named = [
                keyword.value for keyword in outer.keywords if isinstance(given, ast.Name) and keyword.arg == given.id
            ]
            local = [
                each for each in (*outer.args, *named) if isinstance(given, ast.Name) and _LOCAL.fullmatch(_word(each))
            ]
            if len(local) == 1:
                return local[0]
        return given

    # -- what is meant ------------------------------------------------------------------------------------------------

    def _why(self, given: ast.expr, value: Value) -> Why | None:
        if any(_counts(each) for each in value):
            return None
        if _LOCAL.fullmatch(_word(given)):
            return "name"
        word = _word(given)
        if word and word in self._multiplied:
            return "product"
        return "rate" if isinstance(value.constant, int) and self._scales_rate else None

    @cached_property
    def _multiplied(self) -> frozenset[str]:
        """The names of sizes that the file multiplies by the number of replicas."""
        tree = self._run.machine.main.tree
        found = [word for node in ast.walk(tree) if isinstance(node, ast.BinOp) for word in _factor(node)]
        return frozenset(word for word in found if _BATCH.fullmatch(word))

    @cached_property
    def _scales_rate(self) -> bool:
        """Whether every optimizer of the run gets a learning rate that the number of replicas is in."""
        made = [
            call for call in self._run.calls if call.name.startswith(("keras.optimizers.", "tensorflow.optimizers."))
        ]
        made = [call for call in made if ".schedules." not in call.name]
        rates = [call.result.keyword("learning_rate") or (call.result.args or (None,))[0] for call in made]
        return bool(rates) and all(rate is not None and any(_multiplies(each) for each in rate) for rate in rates)


def _argument(node: ast.AST | None, name: str, place: int) -> ast.expr | None:
    """An argument of a call as it is written."""
    if not isinstance(node, ast.Call):
        return None
    named = next((keyword.value for keyword in node.keywords if keyword.arg == name), None)
    return named if named is not None or not 0 <= place < len(node.args) else node.args[place]


def _word(node: ast.expr) -> str:
    """The name that an expression ends in: of a variable, an attribute, a key."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Subscript):
        key = node.slice
        return key.value if isinstance(key, ast.Constant) and isinstance(key.value, str) else ""
    return node.attr if isinstance(node, ast.Attribute) else ""


def _factor(node: ast.BinOp) -> set[str]:
    """`BATCH` in `BATCH * strategy.num_replicas_in_sync`."""
    if not isinstance(node.op, ast.Mult):
        return set()
    sides = (node.left, node.right)
    return {_word(side) for side, other in zip(sides, sides[::-1], strict=True) if _word(other) == _COUNT} - {""}


def _counts(found: Object, depth: int = _DEPTH) -> bool:
    """Whether the number of replicas has a part in a value, or may have: it is not all known."""
    if not isinstance(found, Result):
        return type(found).__name__ == "Unknown"
    if _COUNT in found.name or not depth:
        return True
    inner = [each for value in (*found.args, *(value for _, value in found.keywords)) for each in value]
    return any(_counts(each, depth - 1) for each in (*inner, *([found.receiver] if found.receiver is not None else [])))


def _multiplies(found: Object) -> bool:
    """`0.1 * strategy.num_replicas_in_sync`."""
    if not isinstance(found, Result) or found.op != "operator" or found.name != "*":
        return False
    return any(_COUNT in each.name for value in found.args for each in value if isinstance(each, Result))
