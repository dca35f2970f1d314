"""What is known of the training in a file: calls, data that reach them, callbacks, strategies, metrics."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from seqlint.facts.batches.quantities import Quantities
from seqlint.facts.callbacks.deciders import Deciders
from seqlint.facts.callbacks.decisions import Decisions
from seqlint.facts.callbacks.kept_state import KeptStates
from seqlint.facts.callbacks.list_uses import ListUses
from seqlint.facts.callbacks.logs import Logs
from seqlint.facts.code.exception_classes import Errors
from seqlint.facts.code_facts import CodeFacts
from seqlint.facts.datasets.datasets import Datasets
from seqlint.facts.datasets.distributed import DistributedDatasets
from seqlint.facts.datasets.generators import Generators
from seqlint.facts.external.callbacks import ExternalCallbacks
from seqlint.facts.flow.allocation_sites import AllocationSites
from seqlint.facts.flow.backward_slice import BackwardSlice
from seqlint.facts.flow.call_frames import Flow
from seqlint.facts.hooks.effects import Effects
from seqlint.facts.hooks.hooks import EpochHooks
from seqlint.facts.metrics.compiles import Compiles
from seqlint.facts.metrics.states import MetricStates
from seqlint.facts.numbers.row_containers import Containers
from seqlint.facts.orders.shuffled import SeparateMoves
from seqlint.facts.orders.worker_orders import WorkerOrders
from seqlint.facts.project.loaded import loaded_with
from seqlint.facts.replicas.rank_collectives import RankCollectives
from seqlint.facts.replicas.scalar_losses import ScalarLosses
from seqlint.facts.replicas.uneven_starts import UnevenStarts
from seqlint.facts.training.bundles import Bundles
from seqlint.facts.training.callback_lists import CallbackLists
from seqlint.facts.training.evidence import Evidence
from seqlint.facts.training.fit_bindings import FitBindings
from seqlint.facts.training.hidden_fits import HiddenFits
from seqlint.facts.training.input_kinds import InputKinds
from seqlint.facts.training.loading import Loading
from seqlint.facts.training.missed_errors import MissedErrors
from seqlint.facts.training.model_evidence import ModelEvidence
from seqlint.facts.training.optimizers import Optimizers
from seqlint.facts.training.packages import Packages
from seqlint.facts.training.replica_means import ReplicaMeans
from seqlint.facts.training.replica_scaling import ReplicaScaling
from seqlint.facts.training.replica_values import ReplicaValues
from seqlint.facts.training.scalars import Scalars
from seqlint.facts.training.strategies import Strategies
from seqlint.facts.training.strategy_runs import StrategyRuns
from seqlint.facts.training.strategy_scopes import ScopeMisses
from seqlint.facts.training.training import Training
from seqlint.facts.training.workers import Workers

if TYPE_CHECKING:
    from seqlint.facts.training.training import TrainerCall
    from seqlint.run import Call


class TrainingFacts(CodeFacts):
    """What the code of one file trains, and with what."""

    @cached_property
    def training(self) -> Training:
        """Calls that train, evaluate or predict."""
        return Training(self.tree, self.names, self.values, self._classes, self.call_graph)

    @cached_property
    def input_kinds(self) -> InputKinds:
        """What kind of data reaches a trainer call, and what a list of it holds."""
        return InputKinds(self.tree, self.names, self.values, self.training, self.call_graph)

    @cached_property
    def bundles(self) -> Bundles:
        """Sequences in lists that reach a trainer call."""
        return Bundles(self.names, self._classes, self.training, self.input_kinds, self.evidence)

    @cached_property
    def fit_bindings(self) -> FitBindings:
        """Which fits train on which classes, and what the instances were made with."""
        return FitBindings(
            self.tree, self.names, self.values, self._classes, self.training, self.input_kinds, self.call_graph
        )

    def _loaded_externally(self, name: str) -> frozenset[str]:
        return loaded_with(self.project, Path(self.source.path), name) if self.project is not None else frozenset()

    @cached_property
    def loading(self) -> Loading:
        """Which Sequences are loaded by several workers, or in processes."""
        tree, names, values, training = self.tree, self.names, self.values, self.training
        has_setters = self.keras.lines != {"2"}
        found = (self._classes, training, self.fit_bindings, self.input_kinds)
        return Loading(tree, names, values, *found, has_setters=has_setters, external=self._loaded_externally)

    @cached_property
    def evidence(self) -> Evidence:
        """What speaks for a receiver being a Keras model, and for code that is kept for an older Keras."""
        signs = ModelEvidence(self.tree, self._classes, self.input_kinds, self.callback_lists)
        return Evidence(self.tree, self.names, self.values, self._classes, self.training, signs)

    @cached_property
    def packages(self) -> Packages:
        """Which of two versions of Keras a model comes from."""
        return Packages(self.names, self.values, self.mentions, self.source.text, legacy=self.keras.legacy)

    @cached_property
    def hooks(self) -> EpochHooks:
        """The epoch hooks of Sequences, and what they do."""
        return EpochHooks(self.tree, self._classes, self.training, self.writes)

    @cached_property
    def effects(self) -> Effects:
        """Whether what a hook writes can change the training."""
        return Effects(self.tree, self.names, self._classes, self.training)

    @cached_property
    def callback_lists(self) -> CallbackLists:
        """The callbacks of every fit, in order."""
        return CallbackLists(self.names, self.values, self._classes, self.training, self.lists)

    @cached_property
    def logs(self) -> Logs:
        """Where hooks read `logs`."""
        return Logs(self.tree, self.names, self.values, self.call_graph, self.callbacks)

    @cached_property
    def list_uses(self) -> ListUses:
        """Places that take a value of `logs` for a list."""
        return ListUses(self.tree, self.names, self.call_graph, self.logs)

    @cached_property
    def kept_states(self) -> KeptStates:
        """What callbacks decide by, and no training begins anew."""
        return KeptStates(self.tree, self.values, self.attributes, self.deciders, self.callbacks)

    @cached_property
    def deciders(self) -> Deciders:
        """Which callbacks decide something from a logged value."""
        return Deciders(self.tree, self.names, self.values, self.backward_slice, self.logs)

    @cached_property
    def strategies(self) -> Strategies:
        """`tf.distribute` strategies, and where each holds."""
        return Strategies(self.tree, self.names, self.values, self.call_graph)

    @cached_property
    def strategy_runs(self) -> StrategyRuns:
        """Which `strategy.run` gives a value, and what its function returns."""
        return StrategyRuns(self.tree, self.names, self.values, self.call_graph, self.strategies)

    @cached_property
    def replica_values(self) -> ReplicaValues:
        """Values of single replicas by which custom loops decide."""
        tree, names, values, calls = self.tree, self.names, self.values, self.call_graph
        computed = BackwardSlice(tree, names, values, calls, self._mutations, tests=False)
        return ReplicaValues(tree, names, values, self.strategies, self.strategy_runs, computed)

    @cached_property
    def replica_scaling(self) -> ReplicaScaling:
        """Which values of a replica are divided by the whole batch already."""
        tree, names, values, calls = self.tree, self.names, self.values, self.call_graph
        return ReplicaScaling(tree, names, values, calls, self.strategy_runs, self._replica_scaling_of)

    def _replica_scaling_of(self, name: str) -> ReplicaScaling | None:
        return other.replica_scaling if (other := self.files.defining(name)) is not None else None

    @cached_property
    def replica_means(self) -> ReplicaMeans:
        """Means over replicas of values that are divided by the whole batch already."""
        tree, names, values, calls = self.tree, self.names, self.values, self.call_graph
        found = (self.strategies, self.strategy_runs, self.replica_scaling, self._replica_scaling_of)
        return ReplicaMeans(tree, names, values, calls, *found)

    @cached_property
    def scope_misses(self) -> ScopeMisses:
        """What is made outside of the scope that it belongs to."""
        return ScopeMisses(self.tree, self.names, self.values, self.strategies, self.training)

    @cached_property
    def workers(self) -> Workers:
        """Several processes that train one model."""
        return Workers(self.tree, self.names, self.values, self.strategies)

    @cached_property
    def decisions(self) -> Decisions:
        """Which callbacks decide by a number of one replica, or in one process alone."""
        return Decisions(self.deciders, self.strategies, self.workers, ExternalCallbacks(self.files).deciding)

    @cached_property
    def optimizers(self) -> Optimizers:
        """Optimizers of Keras, and their learning rates."""
        return Optimizers(self.tree, self.names, self.values, self.training, self.evidence)

    @cached_property
    def _flow(self) -> Flow:
        return Flow(self.tree, self.names, self.values, self._classes, self.call_graph)

    @cached_property
    def allocation_sites(self) -> AllocationSites:
        """Where values are made, each with the calls that lead there."""
        return AllocationSites(self._flow, self.call_graph, self._classes, self.training.class_of)

    @cached_property
    def datasets(self) -> Datasets:
        """tf.data datasets as chains of calls."""
        return Datasets(self.tree, self.names, self.values, self.allocation_sites, self.training)

    @cached_property
    def distributed(self) -> DistributedDatasets:
        """Datasets that are distributed by hand."""
        return DistributedDatasets(self.tree, self.names, self.values, self.datasets, self.strategies, self.training)

    @cached_property
    def generators(self) -> Generators:
        """Generators, and how many parts each of their batches has."""
        return Generators(self.tree, self.names, self.values, self.call_graph)

    @cached_property
    def compiles(self) -> Compiles:
        """The calls of `compile`, and which of them hold when a fit runs."""
        found = (self.training, self.fit_bindings, self.allocation_sites)
        return Compiles(self.tree, self.names, self.values, self._classes, *found)

    @cached_property
    def rank_collectives(self) -> RankCollectives:
        """What waits for all ranks of Horovod, and runs on some of them only."""
        tree, names, values, calls = self.tree, self.names, self.values, self.call_graph
        found = (self.workers, self.training, self.callback_lists, self.compiles)
        return RankCollectives(tree, names, values, calls, *found)

    @cached_property
    def uneven_starts(self) -> UnevenStarts:
        """What trains under Horovod from other weights on each rank."""
        tree, names, values, calls = self.tree, self.names, self.values, self.call_graph
        found = (self.workers, self.training, self.callback_lists, self.rank_collectives)
        return UnevenStarts(tree, names, values, calls, *found)

    @cached_property
    def metric_states(self) -> MetricStates:
        """Variables that metrics make by hand."""
        return MetricStates(self.tree, self.names, self.values, self._classes, self.strategies)

    @cached_property
    def scalars(self) -> Scalars:
        """Expressions that surely are one number for all rows of a batch."""
        tree, names, values, calls = self.tree, self.names, self.values, self.call_graph
        computed = BackwardSlice(tree, names, values, calls, self._mutations, tests=False)
        return Scalars(tree, names, values, calls, computed, self.replica_scaling, self._scalars_of)

    def _scalars_of(self, name: str) -> Scalars | None:
        return other.scalars if (other := self.files.defining(name)) is not None else None

    @cached_property
    def scalar_losses(self) -> ScalarLosses:
        """Losses that give one number for a batch, of models that several replicas train."""
        tree, names, values = self.tree, self.names, self.values
        found = (self.training, self.strategies, self.compiles, self.scalars, self._scalars_of)
        return ScalarLosses(tree, names, values, self._classes, *found)

    @cached_property
    def hidden_fits(self) -> HiddenFits:
        """Handlers that hide the failure of a fit."""
        return HiddenFits(self.tree, self.names, self.call_graph, self.training, self.evidence, self.handlers)

    @cached_property
    def missed_errors(self) -> MissedErrors:
        """Handlers of a fit, for errors of its data that never match."""
        tree, names, values, calls = self.tree, self.names, self.values, self.call_graph
        errors = Errors(names, self.project, self.module_name)
        return MissedErrors(tree, names, values, calls, self.training, self._classes, errors, self._missed_errors_of)

    def _missed_errors_of(self, name: str) -> MissedErrors | None:
        other = self.files.defining(name)
        return other.missed_errors if other is not None else None

    @cached_property
    def quantities(self) -> Quantities:
        """Numbers that different functions share, and whose items they count."""
        return Quantities(self.names, self.values, self._classes, self.numbers, self.fit_bindings)

    @cached_property
    def containers(self) -> Containers:
        """What holds rows: arrays, lists, pandas."""
        return Containers(self.names, self.allocation_sites)

    @cached_property
    def worker_orders(self) -> WorkerOrders:
        """Shuffles that each process does for itself, where all of them need one order."""
        tree, names, values, calls = self.tree, self.names, self.values, self.call_graph
        found = (self.shuffles, self.training, self.strategies, self.workers)
        return WorkerOrders(tree, names, values, self._classes, calls, *found)

    @cached_property
    def separate_moves(self) -> SeparateMoves:
        """Inputs and targets that are brought into orders of their own."""
        return SeparateMoves(self.tree, self.run, self.training, self.shuffles)

    def trainer_call(self, call: Call) -> TrainerCall | None:
        """The call of the run as facts know it; None where it is in another file, or no call of a trainer."""
        node = self.call_node(call.node) if self.run.is_here(call.context) else None
        return next((each for each in self.training.calls if each.node is node), None)
