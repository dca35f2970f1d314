"""What is asked of another file of the project."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import libcst as cst

    from seqlint.facts.callbacks.deciders import Deciders
    from seqlint.facts.classes.classes import ClassFacts
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.external.files import Files
    from seqlint.facts.failures.swallows import Swallows
    from seqlint.facts.numbers.numbers import Numbers
    from seqlint.facts.project import Project
    from seqlint.facts.training.callback_lists import CallbackLists
    from seqlint.facts.training.evidence import Evidence
    from seqlint.facts.training.fit_bindings import FitBindings
    from seqlint.facts.training.missed_errors import MissedErrors
    from seqlint.facts.training.replica_scaling import ReplicaScaling
    from seqlint.facts.training.scalars import Scalars
    from seqlint.facts.training.strategies import Strategies
    from seqlint.facts.training.training import Training
    from seqlint.facts.values.values import Values
    from seqlint.sources import Source


class ExternalFile(Protocol):
    """The part of `Facts` that other files are asked for, so that this room lies below it."""

    @property
    def source(self) -> Source:
        """The text."""

    @property
    def project(self) -> Project | None:
        """The project, seen from the file."""

    @property
    def module_name(self) -> str:
        """The import name."""

    @property
    def files(self) -> Files:
        """The files that its own names lead to."""

    @property
    def tree(self) -> Tree:
        """Nodes, parents, spans."""

    @property
    def names(self) -> Names:
        """What names mean."""

    @property
    def values(self) -> Values:
        """Where values come from."""

    @property
    def numbers(self) -> Numbers:
        """Numbers that expressions surely are."""

    @property
    def module(self) -> cst.Module:
        """The root of the tree."""

    @property
    def classes(self) -> tuple[ClassFacts, ...]:
        """Every class of the file."""

    @property
    def sequences(self) -> tuple[ClassFacts, ...]:
        """The classes that surely are a Sequence or PyDataset."""

    @property
    def callbacks(self) -> tuple[ClassFacts, ...]:
        """The classes that surely are a Callback."""

    @property
    def callback_lists(self) -> CallbackLists:
        """The callbacks of every fit."""

    @property
    def deciders(self) -> Deciders:
        """Which callbacks decide by a logged value."""

    @property
    def training(self) -> Training:
        """Calls that train, evaluate or predict."""

    @property
    def fit_bindings(self) -> FitBindings:
        """Which fits train on which classes."""

    @property
    def evidence(self) -> Evidence:
        """What speaks for a receiver being a Keras model."""

    @property
    def strategies(self) -> Strategies:
        """`tf.distribute` strategies."""

    @property
    def replica_scaling(self) -> ReplicaScaling:
        """Which values of a replica are divided by the whole batch already."""

    @property
    def scalars(self) -> Scalars:
        """Expressions that surely are one number for all rows of a batch."""

    @property
    def swallows(self) -> Swallows:
        """Handlers that hide failures on the way to a batch."""

    @property
    def missed_errors(self) -> MissedErrors:
        """Errors of data, and what raises them."""

    def end(self) -> None:
        """Let go of all that was worked out."""
