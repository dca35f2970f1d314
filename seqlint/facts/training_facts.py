"""What is known of the training in a file: calls, data that reach them, callbacks, strategies, metrics."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from seqlint.facts.callbacks.callbacks import CallbackLists
from seqlint.facts.callbacks.deciders import Deciders
from seqlint.facts.callbacks.decisions import Decisions
from seqlint.facts.callbacks.list_uses import ListUses
from seqlint.facts.callbacks.logs import Logs
from seqlint.facts.callbacks.outside import CallbacksOutside
from seqlint.facts.classes.effects import Effects
from seqlint.facts.classes.hooks import EpochHooks
from seqlint.facts.code.reasons import Reasons
from seqlint.facts.code_facts import CodeFacts
from seqlint.facts.datasets.datasets import Datasets
from seqlint.facts.datasets.distributed import DistributedDatasets
from seqlint.facts.datasets.generators import Generators
from seqlint.facts.failures.errors import Errors
from seqlint.facts.metrics.compiles import Compiles
from seqlint.facts.metrics.metric_names import MetricNames
from seqlint.facts.metrics.metrics import Metrics
from seqlint.facts.metrics.outputs import ModelOutputs
from seqlint.facts.metrics.states import MetricStates
from seqlint.facts.numbers.quantities import Quantities
from seqlint.facts.orders.compared import Comparisons
from seqlint.facts.orders.containers import Containers
from seqlint.facts.orders.own_orders import OwnOrders
from seqlint.facts.orders.unread import UnreadOrders
from seqlint.facts.orders.wrong_rows import RowTakers
from seqlint.facts.project.loaded import loaded_with
from seqlint.facts.training.bundles import Bundles
from seqlint.facts.training.evidence import Evidence
from seqlint.facts.training.feeds import Feeds
from seqlint.facts.training.hidden_fits import HiddenFits
from seqlint.facts.training.loading import Loading
from seqlint.facts.training.missed_errors import MissedErrors
from seqlint.facts.training.optimizers import Optimizers
from seqlint.facts.training.packages import Packages
from seqlint.facts.training.replica_values import ReplicaValues
from seqlint.facts.training.scopes import ScopeMisses
from seqlint.facts.training.signs import Signs
from seqlint.facts.training.strategies import Strategies
from seqlint.facts.training.trained import Trainings
from seqlint.facts.training.training import Training
from seqlint.facts.training.workers import Workers
from seqlint.facts.values.frames import Flow
from seqlint.facts.values.origins import Origins


class TrainingFacts(CodeFacts):
    """What the code of one file trains, and with what."""

    @cached_property
    def training(self) -> Training:
        """Calls that train, evaluate or predict."""
        return Training(self.tree, self.names, self.values, self._classes, self.code_calls)

    @cached_property
    def feeds(self) -> Feeds:
        """What kind of data reaches a trainer call, and what a list of it holds."""
        return Feeds(self.tree, self.names, self.values, self.training, self.code_calls)

    @cached_property
    def bundles(self) -> Bundles:
        """Sequences in lists that reach a trainer call."""
        return Bundles(self.names, self._classes, self.training, self.feeds, self.evidence)

    @cached_property
    def trained(self) -> Trainings:
        """Which fits train on which classes, and what the instances were made with."""
        return Trainings(self.tree, self.names, self.values, self._classes, self.training, self.feeds, self.code_calls)

    def _loaded_elsewhere(self, name: str) -> frozenset[str]:
        return loaded_with(self.project, Path(self.source.path), name) if self.project is not None else frozenset()

    @cached_property
    def loading(self) -> Loading:
        """Which Sequences are loaded by several workers, or in processes."""
        tree, names, values, training = self.tree, self.names, self.values, self.training
        has_setters = self.keras.lines != {"2"}
        found = (self._classes, training, self.trained, self.feeds)
        return Loading(tree, names, values, *found, has_setters=has_setters, elsewhere=self._loaded_elsewhere)

    @cached_property
    def evidence(self) -> Evidence:
        """What speaks for a receiver being a Keras model, and for code that is kept for an older Keras."""
        signs = Signs(self.tree, self.names, self._classes, self.feeds, self.callback_lists)
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
        return Effects(self.tree, self.names, self.values, self._classes, self.training)

    @cached_property
    def callback_lists(self) -> CallbackLists:
        """The callbacks of every fit, in order."""
        return CallbackLists(self.names, self.values, self._classes, self.training, self.lists)

    @cached_property
    def logs(self) -> Logs:
        """Where hooks read `logs`."""
        return Logs(self.tree, self.names, self.values, self.code_calls, self.callbacks)

    @cached_property
    def list_uses(self) -> ListUses:
        """Places that take a value of `logs` for a list."""
        return ListUses(self.tree, self.names, self.code_calls, self.logs)

    @cached_property
    def deciders(self) -> Deciders:
        """Which callbacks decide something from a logged value."""
        return Deciders(self.tree, self.names, self.values, self.reasons, self.logs)

    @cached_property
    def strategies(self) -> Strategies:
        """`tf.distribute` strategies, and where each holds."""
        return Strategies(self.tree, self.names, self.values, self.code_calls)

    @cached_property
    def replica_values(self) -> ReplicaValues:
        """Values of single replicas by which custom loops decide."""
        tree, names, values, calls = self.tree, self.names, self.values, self.code_calls
        computed = Reasons(tree, names, values, calls, self._changes, tests=False)
        return ReplicaValues(tree, names, values, calls, self.strategies, computed)

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
        return Decisions(self.deciders, self.strategies, self.workers, CallbacksOutside(self.files))

    @cached_property
    def optimizers(self) -> Optimizers:
        """Optimizers of Keras, and their learning rates."""
        return Optimizers(self.tree, self.names, self.values, self.training, self.evidence)

    @cached_property
    def _flow(self) -> Flow:
        return Flow(self.tree, self.names, self.values, self._classes, self.code_calls)

    @cached_property
    def origins(self) -> Origins:
        """Where values are made, each with the calls that lead there."""
        return Origins(self._flow, self.code_calls, self._classes, self.training)

    @cached_property
    def datasets(self) -> Datasets:
        """tf.data datasets as chains of calls."""
        return Datasets(self.tree, self.names, self.values, self.origins, self.training)

    @cached_property
    def distributed(self) -> DistributedDatasets:
        """Datasets that are distributed by hand."""
        return DistributedDatasets(self.tree, self.names, self.values, self.datasets, self.strategies, self.training)

    @cached_property
    def generators(self) -> Generators:
        """Generators: whether they end, what they yield, which of them reach a model."""
        return Generators(self.tree, self.names, self.values, self.code_calls, self.training)

    @cached_property
    def metrics(self) -> Metrics:
        """What `compile` asks for, and the names under which fits log."""
        tree, names, values, classes = self.tree, self.names, self.values, self._classes
        compiles = Compiles(tree, names, values, classes, self.training, self.trained, self.origins)
        metric_names = MetricNames(tree, names, values, classes, self.code_calls)
        outputs = ModelOutputs(tree, names, values, classes, self.origins)
        found = (compiles, metric_names, outputs, self.origins, self.lists, self.callback_lists, self.logs)
        return Metrics(tree, names, values, classes, self.training, *found)

    @cached_property
    def metric_states(self) -> MetricStates:
        """Variables that metrics make by hand."""
        return MetricStates(self.tree, self.names, self.values, self._classes, self.strategies)

    @cached_property
    def hidden_fits(self) -> HiddenFits:
        """Handlers that hide the failure of a fit."""
        return HiddenFits(self.tree, self.names, self.code_calls, self.training, self.evidence, self.handlers)

    @cached_property
    def missed_errors(self) -> MissedErrors:
        """Handlers of a fit, for errors of its data that never match."""
        tree, names, values, calls = self.tree, self.names, self.values, self.code_calls
        errors = Errors(names, self.project, self.module_name)
        return MissedErrors(tree, names, values, calls, self.training, self._classes, errors, self.files)

    @cached_property
    def quantities(self) -> Quantities:
        """Numbers that different functions share, and whose items they count."""
        return Quantities(self.names, self.values, self._classes, self.numbers, self.trained)

    @cached_property
    def containers(self) -> Containers:
        """What holds rows: arrays, lists, pandas."""
        return Containers(self.tree, self.names, self.origins)

    @cached_property
    def comparisons(self) -> Comparisons:
        """Predictions that are held against labels in another order."""
        tree, names, values = self.tree, self.names, self.values
        found = (self.training, self.feeds, self.datasets, self.reasons, self.own_orders)
        return Comparisons(tree, names, values, *found)

    @cached_property
    def own_orders(self) -> OwnOrders:
        """Sequences that are shuffled as soon as they are made."""
        return OwnOrders(self.tree, self.names, self.values, self._classes, self.shuffles, self.files)

    @cached_property
    def unread_orders(self) -> UnreadOrders:
        """Epoch hooks that shuffle an order which no batch uses."""
        return UnreadOrders(self.tree, self.names, self.values, self._classes, self.hooks, self.shuffles)

    @cached_property
    def row_takers(self) -> RowTakers:
        """Where rows are taken by a shuffled index, and wrongly."""
        return RowTakers(self.tree, self.names, self.values, self._classes, self.shuffles, self.containers)
