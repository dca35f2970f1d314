"""Metrics that a program keeps itself: those of own loops that are never set back, and classes that forget what came before."""

from __future__ import annotations

import ast
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from seqlint.domains.pipelines.draws import contents
from seqlint.run import Function, Instance, Result, Value
from seqlint.run.attributes import inherits, lookup

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Call, Context, Object, Run, Value
    from seqlint.run.objects import Class

_METRICS = frozenset({"keras.metrics.Metric", "keras.Metric"})
_RESETS = ("reset_state", "reset_states", "reset_metrics")
_Loop = ast.For | ast.While


@dataclass(frozen=True, eq=False)
class NeverReset:
    """A metric whose result is read after each epoch of an own loop, and that is never set back.

    Attributes:
        read: the call of `result`.
        loop: that of the epochs.
    """

    read: Call
    loop: _Loop

    @property
    def place(self) -> ast.AST:
        """Where the loop reads it: the call of `result`, or of what leads there."""
        inside = {*ast.walk(self.loop)}
        return next(each for each in (*self.read.context.stack, self.read.node) if each in inside)


@dataclass(frozen=True, eq=False)
class Assigned:
    """A value of one batch in `update_state` that takes the place of what earlier batches gave.

    Attributes:
        node: the call of `assign`, or the attribute that gets the value.
        cls: the metric.
        name: the attribute.
    """

    node: ast.AST
    context: Context
    cls: Class
    name: str


class OwnMetrics:
    """The metrics of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run

    # -- own loops --------------------------------------------------------------------------------------------------

    @property
    def never_reset(self) -> Iterator[NeverReset]:
        """Each metric of an own loop that keeps what earlier epochs gave, once."""
        updates: dict[Object, list[Call]] = defaultdict(list)
        reads: dict[Object, list[Call]] = defaultdict(list)
        reset, given = set[object](), set[object]()
        for call in self._run.calls:
            metric, method = call.result.receiver, call.result.method
            if not isinstance(metric, Result) or not metric.name.startswith("keras.metrics.") or metric.op != "call":
                continue
            if method == "update_state" or call.result.name.endswith("()"):
                updates[metric].append(call)
            elif method == "result":
                reads[metric].append(call)
            elif method in _RESETS:
                reset.add(metric)
        for read in self._run.reads:
            given |= {each for each in read.value if read.kind == "give"}
        if any(self._run.methods("reset_metrics")) or not self._run.complete:
            return
        for metric, found in reads.items():
            if metric in reset or metric in given or metric in self._compiled:
                continue
            never = next((each for call in found if (each := self._never(call, updates[metric])) is not None), None)
            if never is not None:
                yield never

    @cached_property
    def _compiled(self) -> set[Object]:
        """What `compile` and classes of models get: Keras sets it back by itself."""
        values = [value for call in self._run.methods("compile") for _, value in call.result.keywords]
        return {part for value in values for part in contents(self._run, value)}

    def _never(self, read: Call, updates: list[Call]) -> NeverReset | None:
        """The loop in which a metric is updated by an inner loop, and read after that, again and again."""
        again = [each for each in self._run.called(read.name) if each.result.receiver is read.result.receiver]
        if sum(each.node is read.node for each in again) < 2:
            return None
        for update in updates:
            if update.context.clock > read.context.clock or read.context.excludes(update.context):
                continue
            outer = self._common_loop(read, update)
            if outer is not None:
                return NeverReset(read, outer)
        return None

    def _common_loop(self, read: Call, update: Call) -> _Loop | None:
        """A loop of this file around both, with an inner one around the update alone."""
        for loop, inside in self._loops.items():
            if not _is_inside(read, inside) or not _is_inside(update, inside):
                continue
            inner = [nodes for each, nodes in self._loops.items() if each is not loop and each in inside]
            around = any(_is_inside(update, nodes) for nodes in inner)
            if around and not any(_is_inside(read, nodes) for nodes in inner):
                return loop
        return None

    @cached_property
    def _loops(self) -> dict[_Loop, set[ast.AST]]:
        """The loops of this file, each with all that is inside it."""
        loops = [each for each in ast.walk(self._run.tree) if isinstance(each, (ast.For, ast.While))]
        return {loop: {*ast.walk(loop)} for loop in loops}

    # -- classes ----------------------------------------------------------------------------------------------------

    @property
    def assigned(self) -> Iterator[Assigned]:
        """Each place where a metric makes its result that of the last batch, once."""
        seen: set[ast.AST] = set()
        for cls in self._run.machine.classes:
            updates, result = _method(self._run, cls, "update_state"), _method(self._run, cls, "result")
            if updates is None or result is None or not inherits(cls, _METRICS):
                continue
            read = {*_attributes(result.node)}
            for found, value in (*self._by_call(cls), *self._by_store(cls)):
                here = found.node in {*ast.walk(updates.node)} or any(
                    each in {*ast.walk(updates.node)} for each in found.context.stack
                )
                if found.node in seen or not here or found.name not in read or _is_at_times(found, updates.node):
                    continue
                if self._is_of_batch_alone(value, updates):
                    seen.add(found.node)
                    yield found

    def _by_call(self, cls: Class) -> Iterator[tuple[Assigned, Value]]:
        """`self.value.assign(...)`."""
        for call in self._run.methods("assign"):
            name = self._names.get(call.result.receiver or call)
            if name is not None and call.result.args:
                yield Assigned(call.node, call.context, cls, name), call.result.args[0]

    def _by_store(self, cls: Class) -> Iterator[tuple[Assigned, Value]]:
        """`self.value = ...`, where what is assigned is not worked out of `self.value`."""
        for store in self._run.stores:
            if not isinstance(store.owner, Instance) or store.owner.cls is not cls:
                continue
            if store.node not in self._grown:
                yield Assigned(store.node, store.context, cls, store.name), store.value

    @cached_property
    def _grown(self) -> set[ast.AST]:
        """The attributes that an assignment of this file works out of themselves."""
        found: set[ast.AST] = set()
        for each in ast.walk(self._run.tree):
            if isinstance(each, ast.AugAssign):
                found.add(each.target)
            if isinstance(each, ast.Assign):
                read = {*_attributes(each.value)}
                found |= {
                    target for target in each.targets if isinstance(target, ast.Attribute) and target.attr in read
                }
        return found

    @cached_property
    def _names(self) -> dict[object, str]:
        """The attributes of objects that hold a variable."""
        found: dict[object, str] = {}
        for store in self._run.stores:
            only = store.value.only
            if isinstance(store.owner, Instance) and isinstance(only, Result) and only.op == "call":
                found[only] = store.name
        return found

    def _is_of_batch_alone(self, value: Value, updates: Function) -> bool:
        """Whether what is assigned is worked out of the batch, and of no variable of the metric."""
        parts = [*contents(self._run, value)]
        own = [each.arg for each in updates.node.args.args[1:3]]
        of_batch = any(isinstance(each, Result) and each.op == "parameter" and each.name in own for each in parts)
        kept = any(each in self._names for each in parts if each not in value.objects)
        unknown = any(isinstance(each, Instance) for each in parts)
        return of_batch and not kept and not unknown


def _method(run: Run, cls: Class, name: str) -> Function | None:
    value = lookup(run.machine, cls, name).value
    only = value.only if value is not None else None
    return only if isinstance(only, Function) else None


def _is_at_times(found: Assigned, function: ast.AST) -> bool:
    """Whether it happens under a condition, such as for the first batch alone; one on an argument left out does not count."""
    tests = [each for each in ast.walk(function) if isinstance(each, ast.If) and found.node in {*ast.walk(each)}]
    return any("self" in _words(each.test) for each in tests) or bool(found.context.guards)


def _words(node: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def _attributes(node: ast.AST) -> Iterator[str]:
    return (each.attr for each in ast.walk(node) if isinstance(each, ast.Attribute))


def _is_inside(call: Call, nodes: set[ast.AST]) -> bool:
    return call.node in nodes or any(each in nodes for each in call.context.stack)
