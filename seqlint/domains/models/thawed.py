"""Pretrained models that are set free while their batch normalisation goes on in training mode."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from seqlint.domains.models.freezes import root_of
from seqlint.domains.models.made_of import made_of
from seqlint.run import Result
from seqlint.run.objects import constant

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Call, Object, Run, Store, Value

_NORMALISED = re.compile(r"(ResNet|Inception|Xception|MobileNet|DenseNet|EfficientNet|NASNet|RegNet)\w*")
"""Models of `keras.applications` with batch normalisation."""
_TRAINS = ("fit", "fit_generator", "train_on_batch")


@dataclass(frozen=True, eq=False)
class Thawed:
    """A pretrained model that is set free after a training in which it was frozen.

    Attributes:
        node: the statement that sets it free.
        base: the call that makes it.
        fit: the training after it.
        is_flagged: whether it is called with `training=False`, which `fit` of Keras 3 replaces in a functional model.
    """

    node: ast.AST
    base: Result
    fit: Call
    is_flagged: bool


class ThawedModels:
    """Such models of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run

    @cached_property
    def all(self) -> tuple[Thawed, ...]:
        """Each model once, at the last statement that sets it free."""
        found: dict[Object, Thawed] = {}
        if self._spares_by_kind:
            return ()
        for store in self._run.stores:
            if store.name != "trainable" or store.owner is None or constant(store.value) is not True:
                continue
            base = root_of(store.owner)
            fit = self._fit_after(store, base) if _is_normalised(base) else None
            if fit is None or not isinstance(base, Result) or not self._was_frozen(store, base):
                continue
            flagged = self._flagged(base)
            is_functional = isinstance(fit.result.receiver, Result) and fit.result.receiver.name == "keras.Model"
            if not flagged or (is_functional and all(constant(each) is False for each in flagged)):
                found[base] = Thawed(store.node, base, fit, bool(flagged))
        return tuple(found.values())

    @cached_property
    def _spares_by_kind(self) -> bool:
        """Whether the program asks which layers are batch normalisation: it keeps them frozen, or may."""
        asked = (node for node in ast.walk(self._run.tree) if isinstance(node, (ast.If, ast.IfExp, ast.comprehension)))
        tests = (each for node in asked for each in (node.ifs if isinstance(node, ast.comprehension) else [node.test]))
        return any(re.search(r"BatchNorm|['\"_]bn", ast.unparse(test)) for test in tests)

    def _was_frozen(self, store: Store, base: Result) -> bool:
        """Whether it was frozen in a training before."""
        earlier = (
            each.context.clock
            for each in self._run.stores
            if each.name == "trainable" and constant(each.value) is False and each.owner and root_of(each.owner) is base
        )
        frozen, freed = min(earlier, default=None), store.context.clock
        return frozen is not None and any(frozen < fit.context.clock < freed for fit in self._fits_of(base))

    def _flagged(self, base: Result) -> list[Value]:
        """What its calls give for `training`."""
        calls = (call.result for call in self._run.calls if call.result.receiver is base and call.name.endswith("()"))
        given = (call.argument("training", 1) for call in calls)
        return [each for each in given if each is not None]

    def _fit_after(self, store: Store, base: Object) -> Call | None:
        return next((fit for fit in self._fits_of(base) if fit.context.clock > store.context.clock), None)

    def _fits_of(self, base: Object) -> Iterator[Call]:
        """The trainings of models that have a part."""
        for call in self._run.methods(*_TRAINS):
            model = call.result.receiver
            if model is not None and any(part is base for part in made_of(self._run, model, call.context)):
                yield call


def _is_normalised(found: Object) -> bool:
    return (
        isinstance(found, Result)
        and found.op == "call"
        and found.name.startswith("keras.applications.")
        and _NORMALISED.fullmatch(found.method) is not None
    )
