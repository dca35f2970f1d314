"""Models that are trained or evaluated and that nobody compiles."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from seqlint.domains.models.compiles import Compiles
from seqlint.run import Container, External, Instance, Result, Tuple
from seqlint.run.attributes import lineage

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Call, Object, Run, Value

_MADE = ("keras.Model", "keras.Sequential", "keras.clone_model")
_NEED = ("fit", "fit_generator", "evaluate", "evaluate_generator", "train_on_batch", "test_on_batch")
_HARMLESS = ("keras.", "tensorflow.", "numpy.", "builtins.")


class Uncompiled:
    """The calls of a run that need a compiled model and have none."""

    def __init__(self, run: Run) -> None:
        self._run = run

    @cached_property
    def all(self) -> tuple[Call, ...]:
        """The first such call of each model that this program makes, in running order."""
        found: dict[object, Call] = {}
        for call in self._run.methods(*_NEED):
            model = call.result.receiver
            if not isinstance(model, Result) or model.op != "call" or model.name not in _MADE:
                continue
            if call.name.startswith("keras.Model.") and self._run.complete and self._is_alone(model, call):
                found.setdefault(model.node, call)
        return tuple(found.values())

    def _is_alone(self, model: Result, use: Call) -> bool:
        """Whether nothing compiles a model: neither the program, nor code that is not seen and gets it."""
        if self._run.domain(Compiles).is_compiled(model) or self._may_be_any:
            return False
        return not any(self._hands(call, model) for call in self._run.calls) and not self._is_kept(model)

    @cached_property
    def _may_be_any(self) -> bool:
        """Whether some call of `compile` is of a thing that nobody knows."""
        return any(not _is_known(call.result.receiver) for call in self._run.methods("compile"))

    def _hands(self, call: Call, model: Result) -> bool:
        """Whether code that is not seen gets a model, or what is made of it."""
        if call.name.startswith(_HARMLESS) or call.result.receiver is model:
            return False
        values = (*call.result.args, *(value for _, value in call.result.keywords))
        return any(model in self._inside(value) for value in values)

    def _inside(self, value: Value) -> Iterator[Object]:
        for each in value:
            yield each
            if isinstance(each, (Container, Tuple)):
                for item in self._run.items(each) or ():
                    yield from item

    def _is_kept(self, model: Result) -> bool:
        """Whether it is put where other files find it: an attribute of an object that this program does not make itself."""
        owners = [store.owner for store in self._run.stores if model in store.value.objects]
        return any(not isinstance(owner, Container) and not self._is_made_here(owner) for owner in owners)

    def _is_made_here(self, owner: Object | None) -> bool:
        born = self._run.machine.births.get(owner) if isinstance(owner, Instance) else None
        return born is not None and all(phase.kind == "script" for phase in born.phases)


def _is_known(found: Object | None) -> bool:
    """Whether one knows which model is compiled; an object that is no model has its `compile` from a class that is not seen."""
    if isinstance(found, Result):
        return found.op == "call" and found.name.startswith("keras.")
    lines = lineage(found.cls) if isinstance(found, Instance) else ()
    return any(isinstance(each, External) and each.name.startswith("keras.") for each in lines)
