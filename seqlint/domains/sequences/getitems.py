"""What runs for each batch of a Sequence, wherever it stands: seeds, and changes of what outlives the batch."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from seqlint.domains.values.arrays import Arrays
from seqlint.domains.values.numbers import Numbers
from seqlint.run import Constant, Container, Result
from seqlint.run.attributes import lineage
from seqlint.run.objects import constant

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Call, Context, Instance, Phase, Run, Value

_SEEDS = ("numpy.random.seed", "random.seed", "tensorflow.random.set_seed", "keras.utils.set_random_seed")
_RESTORES = frozenset({"set_state", "setstate"})
_TAKES = frozenset({"pop", "popleft", "popitem"})
_BATCH = "__getitem__"


@dataclass(frozen=True, eq=False)
class InBatch:
    """Something that happens each time that Keras asks for a batch.

    Attributes:
        node: where this file does it, or calls what does it.
        owner: the name of the class of the Sequence.
        external: whether another file does it.
        way: the calls of this file that lead to it.
    """

    node: ast.AST
    owner: str
    external: bool
    way: tuple[ast.AST, ...] = ()


class Getitems:
    """What the batches of a run do."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def reseeds(self) -> Iterator[InBatch]:
        """Seeds that are set to the same number for each batch, and numbers that are drawn after them."""
        for call in self._run.called(*_SEEDS):
            phase = batch_phase(call.context)
            seed = call.result.args[0] if call.result.args else None
            if phase is not None and seed is not None and _is_fixed(seed) and self._draws_after(call, phase):
                yield from self._placed(call.node, call.context)

    def _draws_after(self, seed: Call, phase: Phase) -> bool:
        module = "numpy.random." if seed.name.startswith(("numpy", "keras")) else f"{seed.name.rpartition('.')[0]}."
        calls = [call for call in self._run.calls if phase in call.context.phases]
        if any(call.result.method in _RESTORES for call in calls):
            return False
        later = [call.name for call in calls if call.context.clock > seed.context.clock]
        return any(name.startswith(module) and name not in _SEEDS for name in later)

    def takes(self) -> Iterator[InBatch]:
        """Items that are taken out of a list or deque which outlives the batch."""
        for store in self._run.stores:
            phase = batch_phase(store.context)
            if phase is None or store.name not in _TAKES or not isinstance(store.owner, Container):
                continue
            if store.owner.kind == "list" and self._run.machine.born[store.owner.serial] < phase.clock:
                yield from self._placed(store.node, store.context)
        for call in self._run.methods("popleft", "pop"):
            phase, holder = batch_phase(call.context), call.result.receiver
            if (
                phase is None
                or not isinstance(holder, Result)
                or not holder.name.startswith(("collections.deque", "builtins.list"))
            ):
                continue
            if holder.clock < phase.clock:
                yield from self._placed(call.node, call.context)

    def float64_arrays(self) -> Iterator[tuple[ast.AST, str]]:
        """What makes an array of a batch float64 in a function of this file, with the name of the class. Vectors weigh nothing."""
        arrays = self._run.domain(Arrays)
        set_to = [value for call in self._run.methods("set_floatx") for value in call.result.args]
        if any(constant(value) == "float64" for value in set_to):
            return
        for batch in self._run.batches:
            if batch.source is None:
                continue
            for value in self._run.items(batch.value) or [batch.value]:
                made, found = arrays.of(value), value.only
                if made is None or made.dtype != "float64" or (made.rank or 0) < 2 or not isinstance(found, Result):
                    continue
                if (
                    found.op in ("operator", "call")
                    and found.module is self._run.machine.main
                    and found.node is not None
                ):
                    yield found.node, batch.source.cls.name

    def float_lengths(self) -> Iterator[tuple[ast.AST, str]]:
        """Where a `__len__` of this file returns a float, with the name of its class."""
        for instance, value in self._run.machine.lengths.items():
            node = self._returned(instance)
            if node is None or not (instance.made or self._is_last(instance)):
                continue
            if self._run.domain(Numbers).of(value) == "float":
                yield node, instance.cls.name

    def _is_last(self, instance: Instance) -> bool:
        """Whether no class of this file is made from that of an object, so that its methods are those that run."""
        return not any(instance.cls in lineage(each)[1:] for each in self._run.machine.classes)

    def _returned(self, instance: Instance) -> ast.AST | None:
        """The one expression that the `__len__` of a class of this file returns."""
        for statement in instance.cls.node.body:
            if isinstance(statement, ast.FunctionDef) and statement.name == "__len__":
                found = [node.value for node in ast.walk(statement) if isinstance(node, ast.Return)]
                here = instance.cls.frame.module is self._run.machine.main
                return found[0] if len(found) == 1 and here else None
        return None

    def _placed(self, node: ast.AST, context: Context) -> Iterator[InBatch]:
        here = node if self._run.is_here(context) else self._run.leads_to(context)
        owner = self._owner(context)
        if here is not None and owner:
            yield InBatch(here, owner, here is not node, context.stack)

    def _owner(self, context: Context) -> str:
        for batch in self._run.batches:
            if batch.source is not None and batch_phase(batch.context) is batch_phase(context):
                return batch.source.cls.name
        return ""


def batch_phase(context: Context) -> Phase | None:
    """The phase in which Keras asks a Sequence for a batch, where code runs in one."""
    return next((phase for phase in context.phases if phase.kind == "sequence" and phase.method == _BATCH), None)


def _is_fixed(seed: Value) -> bool:
    """Whether a seed is one number: a constant, or an attribute that nothing counts on."""
    return isinstance(seed.only, Constant) and isinstance(seed.constant, int)
