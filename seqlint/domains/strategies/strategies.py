"""Which `tf.distribute` strategies a model is made and trained under, and how their workers share out a dataset."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from seqlint.domains.pipelines.pipelines import Pipelines
from seqlint.run import External, Result
from seqlint.run.objects import constant

if TYPE_CHECKING:
    import ast
    from collections.abc import Iterator

    from seqlint.domains.pipelines.pipelines import Reading
    from seqlint.run import Call, Object, Run
    from seqlint.run.trace import Context, Store

_LIBRARY = "tensorflow.distribute."
_WORKERS = "MultiWorkerMirroredStrategy"
_STEPS = {"trained": "steps_per_epoch", "validated": "validation_steps", "evaluated": "steps"}
_IN_MEMORY = frozenset({"from_generator", "from_tensor_slices", "from_tensors", "random", "range"})
_FROM_FILES = frozenset({"FixedLengthRecordDataset", "TFRecordDataset", "TextLineDataset", "interleave", "list_files"})
_WORKER = re.compile(r"(?i)(?:task|worker)_*(?:id|index|rank)|(?:global_)?rank")
_POLICY = re.compile(r".*\.AutoShardPolicy\.(\w+)")

Lost = Literal["off", "file", "split"]
"""*off*: `AutoShardPolicy.OFF` and no number of steps; *file*: `AutoShardPolicy.FILE` without files; *split*: split by hand, and shared out again."""


@dataclass(frozen=True, eq=False)
class Uncovered:
    """A dataset of which the workers don't read all rows together.

    Attributes:
        node: what makes it so: the assignment of the policy, or the step that splits.
        is_step: whether that is a step of a chain.
        reading: who reads it.
        steps: the argument of that reader which would say how many steps there are.
    """

    lost: Lost
    node: ast.AST
    is_step: bool
    reading: Reading
    steps: str


class Strategies:
    """The strategies of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._pipelines = run.domain(Pipelines)

    def over(self, call: Call) -> frozenset[str]:
        """The classes of the strategies that a call of `fit` or `evaluate` runs under, such as "MirroredStrategy"."""
        model = call.result.receiver
        if model is None:
            return frozenset()
        made = self._run.call_of.get(model) if isinstance(model, Result) else None
        contexts = [call.context, *([made.context] if made is not None else []), *self._compiled.get(model.term, ())]
        return frozenset(name for context in contexts for name in self._entered(context))

    def _entered(self, context: Context) -> Iterator[str]:
        for each in context.within:
            strategy = each.receiver if isinstance(each, Result) and each.method == "scope" else None
            if isinstance(strategy, Result) and strategy.name.startswith(_LIBRARY):
                yield self.kind(strategy)

    def kind(self, strategy: Result) -> str:
        """The class of a strategy; one that is made for a single device is a OneDeviceStrategy."""
        given = strategy.argument("devices", 0)
        items = self._run.items(given) if given is not None and strategy.method == "MirroredStrategy" else None
        return "OneDeviceStrategy" if items is not None and len(items) == 1 else strategy.method

    @cached_property
    def _compiled(self) -> dict[int, list[Context]]:
        found: dict[int, list[Context]] = {}
        for call in self._run.methods("compile"):
            if call.result.receiver is not None:
                found.setdefault(call.result.receiver.term, []).append(call.context)
        return found

    # -- what the workers read ------------------------------------------------------------------------------------

    @cached_property
    def uncovered(self) -> tuple[Uncovered, ...]:
        """The datasets that several workers don't cover, each cause once, in running order."""
        found: dict[ast.AST, Uncovered] = {}
        for reading in self._pipelines.readings:
            if reading.trainer is None or reading.role not in _STEPS or self.over(reading.trainer) != {_WORKERS}:
                continue
            for lost in self._of(reading):
                found.setdefault(lost.node, lost)
        return tuple(found.values())

    def _of(self, reading: Reading) -> Iterator[Uncovered]:
        line = self._pipelines.line(reading.dataset)
        policies = list(dict.fromkeys(self._policies(line)))
        steps = _STEPS[reading.role]
        if len(policies) > 1 or (not policies and any(step.method == "with_options" for step in line)):
            return
        policy, place = policies[0] if policies else ("AUTO", None)
        if policy == "OFF" and place is not None and not self._counts(reading, steps) and not _repeats(line):
            yield Uncovered("off", *place, reading, steps)
        elif policy == "FILE" and place is not None and line[-1].method in _IN_MEMORY and not _reads_files(line):
            yield Uncovered("file", *place, reading, steps)
        elif policy in ("AUTO", "DATA"):
            split = next((step for step in line if step.method == "shard" and self._by_worker(step)), None)
            if split is not None and split.node is not None and split.module is self._run.machine.main:
                yield Uncovered("split", split.node, True, reading, steps)

    def _counts(self, reading: Reading, steps: str) -> bool:
        """Whether the call says how many steps it takes, or may do so."""
        assert reading.trainer is not None
        keywords = dict(reading.trainer.result.keywords)
        return "**" in keywords or (steps in keywords and constant(keywords[steps]) is not None)

    def _policies(self, line: tuple[Result, ...]) -> Iterator[tuple[str, tuple[ast.AST, bool] | None]]:
        """The policies that the options of a chain ask for, with the place to look at and whether that is a step."""
        for step in line:
            given = self._pipelines.argument(step, "options") if step.method == "with_options" else None
            for options in given if given is not None else ():
                for store in self._stores_of(options):
                    for value in store.value:
                        match = _POLICY.fullmatch(value.name) if isinstance(value, External) else None
                        yield (match[1] if match else "?"), self._place(store, step)

    def _stores_of(self, options: Object) -> Iterator[Store]:
        for store in self._run.stores:
            owner = store.owner.receiver if isinstance(store.owner, Result) else None
            if store.name == "auto_shard_policy" and owner is not None and owner.term == options.term:
                yield store

    def _place(self, store: Store, step: Result) -> tuple[ast.AST, bool] | None:
        if self._run.is_here(store.context):
            return store.node, False
        call = self._run.call_of.get(step)
        node = self._run.place(call) if call is not None else None
        return (node, node is step.node) if node is not None else None

    def _by_worker(self, step: Result) -> bool:
        """Whether `shard` takes its number from the worker that it runs on."""
        index = self._pipelines.argument(step, "index")
        found = index.only if index is not None else None
        return isinstance(found, Result) and _is_of_worker(found)


def _is_of_worker(found: Result) -> bool:
    """`strategy.cluster_resolver.task_id`, `config["task"]["index"]`, `int(os.environ["WORKER_INDEX"])`."""
    if found.op == "call" and found.method in ("int", "get", "getenv"):
        inner = found.args[0].only if found.args else None
        if isinstance(inner, Result):
            return _is_of_worker(inner)
        return bool(found.args) and _is_worker(constant(found.args[0]))
    if found.op == "item" and found.args:
        key, outer = constant(found.args[0]), found.receiver
        in_task = isinstance(outer, Result) and outer.op == "item" and constant(outer.args[0]) == "task"
        return (key == "index" and in_task) or _is_worker(key)
    return found.op == "attribute" and _is_worker(found.name.rpartition(".")[2])


def _is_worker(word: object) -> bool:
    return isinstance(word, str) and _WORKER.fullmatch(word) is not None


def _repeats(line: tuple[Result, ...]) -> bool:
    return any(step.method == "repeat" for step in line)


def _reads_files(line: tuple[Result, ...]) -> bool:
    return any(step.method in _FROM_FILES for step in line)
