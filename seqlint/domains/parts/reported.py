"""Fits that stop or save by the rows which are reported as a test."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from seqlint.domains.parts.counted import Counted, Reader
from seqlint.domains.parts.fed import Fed, Feds
from seqlint.domains.parts.part import relation
from seqlint.domains.pipelines.draws import contents
from seqlint.run import Container, Result

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Object, Run, Value

_DECIDERS = ("EarlyStopping", "ReduceLROnPlateau", "ModelCheckpoint")
_CALLBACKS_PLACE = 5
_FIGURES = ("sklearn.metrics.", "keras.metrics.", "keras.losses.")
_MEANS = frozenset({"mean", "sum", "average", "count_nonzero", "reduce_mean", "reduce_sum", "update_state", "norm"})


@dataclass(frozen=True, eq=False)
class Reported:
    """A fit that decides by rows which are scored as a test later.

    Attributes:
        decider: the name of the callback that decides.
        reader: the score.
    """

    fed: Fed
    decider: str
    reader: Reader


class ReportedTests:
    """The tests of a run by whose scores something was chosen."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._feds = run.domain(Feds)
        self._counted = run.domain(Counted)

    def all(self) -> Iterator[Reported]:
        """Each fit whose validation rows are called a test and scored after it, where no other rows are."""
        for fed in self._feds.all:
            decider = (
                self._decider(fed) if fed.validation is not None and fed.relation in ("disjoint", "unknown") else None
            )
            if decider is None:
                continue
            later = [each for each in self._counted.readers if self._scores(each, fed)]
            same = [each for each in later if each.own and relation(fed.validation, each.own[0]) == "same"]
            scored = next((each for each in same if self._is_figure(each)), None)
            if scored is not None and len(same) == len(later) and self._is_called_test(fed, scored):
                yield Reported(fed, decider, scored)

    def _scores(self, reader: Reader, fed: Fed) -> bool:
        """Whether a reader scores rows that the fit does not train on, after it."""
        if reader.role not in ("evaluate", "predict") or reader.call.context.clock < fed.call.context.clock:
            return False
        return not reader.own or relation(fed.train, reader.own[0]) not in ("same", "part")

    def _is_figure(self, reader: Reader) -> bool:
        """Whether what a reader gives becomes a figure: predictions may be drawn or shown alone."""
        return reader.role != "predict" or reader.call.result in self._compared

    @cached_property
    def _compared(self) -> frozenset[Object]:
        """What functions of metrics and means get."""
        calls = (call for call in self._run.calls if call.name.startswith(_FIGURES) or call.result.method in _MEANS)
        given = (value for call in calls for value in (*call.result.args, *(each for _, each in call.result.keywords)))
        return frozenset(each for value in given for each in contents(self._run, value))

    def _is_called_test(self, fed: Fed, reader: Reader) -> bool:
        nodes = [self._run.written(fed.call, "validation_data"), *getattr(reader.call.node, "args", [])[:1]]
        here = self._run.is_here(fed.call.context) and self._run.is_here(reader.call.context)
        return here and any("test" in name.lower() for node in nodes if node is not None for name in _names(node))

    def _decider(self, fed: Fed) -> str | None:
        given = fed.call.result.keyword("callbacks")
        if given is None and len(fed.call.result.args) > _CALLBACKS_PLACE and fed.call.result.method == "fit":
            given = fed.call.result.args[_CALLBACKS_PLACE]
        return next((name for each in self._listed(given) if (name := _decides(each)) is not None), None)

    def _listed(self, value: Value | None) -> Iterator[Object]:
        for each in value or ():
            if isinstance(each, Container):
                pieces = [piece.value for piece in self._run.pieces(each)]
                yield from (part for item in (self._run.items(each) or pieces) for part in item)
            else:
                yield each


def _decides(found: Object) -> str | None:
    """The name of a callback that stops, saves or changes the learning rate by a score of validation."""
    if not isinstance(found, Result) or found.method not in _DECIDERS:
        return None
    monitor = found.keyword("monitor") or (found.args[0] if found.args and found.method != "ModelCheckpoint" else None)
    if monitor is not None and not (isinstance(monitor.constant, str) and monitor.constant.startswith("val_")):
        return None
    best = found.keyword("save_best_only")
    if found.method == "ModelCheckpoint" and (best is None or best.constant is not True):
        return None
    return found.method


def _names(node: ast.AST) -> Iterator[str]:
    for each in ast.walk(node):
        if isinstance(each, ast.Name):
            yield each.id
        elif isinstance(each, ast.Attribute):
            yield each.attr
        elif isinstance(each, ast.Constant) and isinstance(each.value, str):
            yield each.value
