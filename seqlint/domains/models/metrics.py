"""Metrics that count something else than a reader of their name thinks."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from seqlint.domains.models.fit_labels import FitLabels
from seqlint.domains.models.objectives import Measure, Objective, Objectives
from seqlint.knowledge.losses import BINARY, OF_NUMBERS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Result, Run

_ACCURACIES = frozenset({"accuracy", "acc"})
_THRESHOLDS = frozenset({"binary_accuracy", "precision", "recall"})
_FAKES = re.compile(r"discriminat|critic|(?<![a-z])gan(?![a-z])", re.IGNORECASE)
_MEASURED = frozenset({"linear", "relu"})


@dataclass(frozen=True, eq=False)
class CountedBy:
    """A metric of a model."""

    compiled: Objective
    metric: Measure


class AccuraciesOf:
    """The accuracies of a run that count something else than rows that are right."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._compiles = run.domain(Objectives)
        self._labels = run.domain(FitLabels)

    @cached_property
    def logits(self) -> tuple[CountedBy, ...]:
        """Metrics that compare logits with 0.5: of models that end in one, under a binary loss."""
        return tuple(self._logits())

    @cached_property
    def measurements(self) -> tuple[CountedBy, ...]:
        """Accuracies of models whose labels are measurements."""
        return tuple(self._measurements())

    def _logits(self) -> Iterator[CountedBy]:
        for compiled in self._compiles.all:
            loss, head = compiled.loss, compiled.head
            if (
                loss is None
                or loss.name not in BINARY
                or not loss.from_logits
                or head is None
                or head.activation != "linear"
            ):
                continue
            if self._compiles.is_replaced(compiled):
                continue
            for metric in compiled.metrics:
                plain = (
                    metric.name in _ACCURACIES and metric.made is None and head.units == 1 and head.reshaped_by is None
                )
                if plain or (metric.name in _THRESHOLDS and _has_no_threshold(metric.made)):
                    yield CountedBy(compiled, metric)

    def _measurements(self) -> Iterator[CountedBy]:
        for compiled in self._compiles.all:
            loss, head = compiled.loss, compiled.head
            if loss is None or loss.name not in OF_NUMBERS or head is None or head.activation not in _MEASURED:
                continue
            if self._compiles.is_replaced(compiled):
                continue
            for metric in compiled.metrics:
                # Who names the kind of accuracy means labels of that kind.
                is_meant = metric.name in ("binary_accuracy", "categorical_accuracy")
                if (is_meant or metric.name in _ACCURACIES) and self._are_measured(compiled, is_meant=is_meant):
                    yield CountedBy(compiled, metric)

    def _are_measured(self, compiled: Objective, *, is_meant: bool) -> bool:
        """Whether no label of the model is known to be one of a class."""
        targets = [self._labels.of(use) for use in compiled.uses]
        own = any(self._labels.is_its_own_input(use) for use in compiled.uses)
        if any(target.kind in ("classes", "one-hot", "several") for target in targets):
            return False
        return (
            own
            or any(target.kind == "real" for target in targets)
            or (not is_meant and _is_one_number(compiled) and not self._tells_real_from_fake)
        )

    @cached_property
    def _tells_real_from_fake(self) -> bool:
        """Whether a file speaks of discriminators: they learn 0 and 1 by least squares, and their labels may be elsewhere."""
        names = (
            getattr(node, "id", "") or getattr(node, "attr", "") or getattr(node, "name", "")
            for node in ast.walk(self._run.tree)
        )
        return any(isinstance(name, str) and _FAKES.search(name) for name in names)


def _is_one_number(compiled: Objective) -> bool:
    """Whether a model gives one number without a bound, as a regression does, and least squares for two classes."""
    return compiled.head is not None and compiled.head.units == 1 and compiled.head.activation == "linear"


def _has_no_threshold(made: Result | None) -> bool:
    if made is None:
        return True
    return not made.args and all(name not in ("threshold", "thresholds", "**", "*") for name, _ in made.keywords)
