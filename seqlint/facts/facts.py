"""All that is known about one file, each part worked out when it is first asked for."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.batches.absent import Absent
from seqlint.facts.batches.advances import Advances
from seqlint.facts.batches.batches import Batches
from seqlint.facts.batches.buffers import Buffers
from seqlint.facts.batches.carried import Carries
from seqlint.facts.batches.decodes import Decodes
from seqlint.facts.batches.doubles import Doubles
from seqlint.facts.batches.extents import Extents
from seqlint.facts.batches.handlers import Handlers
from seqlint.facts.batches.indexes import Indexes
from seqlint.facts.batches.lengths import BatchCounts
from seqlint.facts.batches.losses import Losses
from seqlint.facts.batches.numpy_draws import NumpyDraws
from seqlint.facts.batches.ragged import RaggedArrays
from seqlint.facts.batches.refused import RefusedUpdates
from seqlint.facts.batches.reseeds import Reseeds
from seqlint.facts.batches.samples import Samples
from seqlint.facts.batches.structures import Structures
from seqlint.facts.batches.swallows import Swallows
from seqlint.facts.batches.tensor_ops import TensorOps
from seqlint.facts.batches.unwritten import UnwrittenRows
from seqlint.facts.batches.variants import Variants
from seqlint.facts.batches.varying import Varying
from seqlint.facts.batches.windows import Windows
from seqlint.facts.callbacks.callbacks import CallbackLists
from seqlint.facts.callbacks.deciders import Deciders
from seqlint.facts.callbacks.decisions import Decisions
from seqlint.facts.callbacks.list_uses import ListUses
from seqlint.facts.callbacks.logs import Logs
from seqlint.facts.classes.attributes import Attributes
from seqlint.facts.classes.called import Called
from seqlint.facts.classes.classes import Classes, ClassFacts
from seqlint.facts.classes.cuts import Cuts
from seqlint.facts.classes.effects import Effects
from seqlint.facts.classes.handles import Handles
from seqlint.facts.classes.hooks import EpochHooks
from seqlint.facts.classes.inits import reaches_base
from seqlint.facts.classes.lengths import Lengths
from seqlint.facts.classes.setups import Setups
from seqlint.facts.classes.steppings import Steppings
from seqlint.facts.classes.wrapped import Wrappers
from seqlint.facts.classes.writes import Writes
from seqlint.facts.code.calls import Calls
from seqlint.facts.code.main import Main
from seqlint.facts.code.members import Members
from seqlint.facts.code.mentions import Mentions
from seqlint.facts.code.names import Names
from seqlint.facts.code.reasons import Reasons
from seqlint.facts.code.same import Same
from seqlint.facts.code.scopes import Scopes
from seqlint.facts.code.tree import Tree, is_keyword
from seqlint.facts.datasets.datasets import Datasets
from seqlint.facts.datasets.distributed import DistributedDatasets
from seqlint.facts.datasets.generators import Generators
from seqlint.facts.datasets.mapped import Mapped
from seqlint.facts.datasets.shells import Shells
from seqlint.facts.keras import KerasInUse, backends
from seqlint.facts.metrics.compiles import Compiles
from seqlint.facts.metrics.metric_names import MetricNames
from seqlint.facts.metrics.metrics import Metrics
from seqlint.facts.metrics.outputs import ModelOutputs
from seqlint.facts.metrics.states import MetricStates
from seqlint.facts.metrics.step_results import StepResults
from seqlint.facts.numbers.counts import Counts
from seqlint.facts.numbers.numbers import Numbers
from seqlint.facts.numbers.pixels import Pixels
from seqlint.facts.numbers.quantities import Quantities
from seqlint.facts.numbers.shapes import Shapes
from seqlint.facts.orders.compared import Comparisons
from seqlint.facts.orders.containers import Containers
from seqlint.facts.orders.mixes import Mixes
from seqlint.facts.orders.shuffles import Shuffles
from seqlint.facts.orders.takers import Takers
from seqlint.facts.orders.unread import UnreadOrders
from seqlint.facts.orders.wrong_rows import RowTakers
from seqlint.facts.project.loaded import loaded_with
from seqlint.facts.training.elsewhere import Elsewhere
from seqlint.facts.training.evidence import Evidence
from seqlint.facts.training.feeds import Feeds
from seqlint.facts.training.hidden_fits import HiddenFits
from seqlint.facts.training.loading import Loading
from seqlint.facts.training.missed_errors import MissedErrors
from seqlint.facts.training.optimizers import Optimizers
from seqlint.facts.training.replica_values import ReplicaValues
from seqlint.facts.training.scopes import ScopeMisses
from seqlint.facts.training.signs import Signs
from seqlint.facts.training.sources import BatchSources
from seqlint.facts.training.steps import StepCounts
from seqlint.facts.training.strategies import Strategies
from seqlint.facts.training.trained import Trainings
from seqlint.facts.training.training import Training
from seqlint.facts.training.workers import Workers
from seqlint.facts.values.changes import Changes
from seqlint.facts.values.forms import Forms
from seqlint.facts.values.frames import Flow
from seqlint.facts.values.lists import Lists
from seqlint.facts.values.origins import Origins
from seqlint.facts.values.values import Values
from seqlint.model import Finding

if TYPE_CHECKING:
    from seqlint.facts.project import Project
    from seqlint.sources import Source


class Facts:
    """All that is known about one file. Each part is worked out when it is first asked for."""

    def __init__(self, source: Source, module: cst.Module, keras: KerasInUse, project: Project | None = None) -> None:
        self.source = source
        self.module = module
        self.keras = keras
        self.project = project

    @cached_property
    def tree(self) -> Tree:
        """Nodes, parents, spans."""
        return Tree(self.source, self.module)

    @cached_property
    def names(self) -> Names:
        """What names mean."""
        return Names(self.tree, Scopes(self.tree, self.module_name), self.project)

    @cached_property
    def mentions(self) -> Mentions:
        """Names of libraries as this file spells them."""
        return Mentions(self.tree, self.names)

    @cached_property
    def values(self) -> Values:
        """Where values come from."""
        return Values(self.tree, self.names)

    @cached_property
    def _classes(self) -> Classes:
        return Classes(self.names, self.values, self.project)

    @cached_property
    def code_calls(self) -> Calls:
        """Which function of this file a call runs, and what it hands over."""
        return Calls(self.tree, self.names, self.values, self._classes)

    @cached_property
    def main(self) -> Main:
        """What runs when the file is imported."""
        return Main(self.tree, self.code_calls)

    @cached_property
    def _changes(self) -> Changes:
        return Changes(self.tree, self.names, self.values, self._classes, self.code_calls)

    @cached_property
    def lists(self) -> Lists:
        """What a list holds, in order, however it was built."""
        return Lists(self.tree, self.names, self.values, self.code_calls, self._changes)

    @cached_property
    def reasons(self) -> Reasons:
        """What a value hangs on."""
        return Reasons(self.tree, self.names, self.values, self.code_calls, self._changes)

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
        """What is made outside of the scope that it belongs into."""
        return ScopeMisses(self.tree, self.names, self.values, self.strategies, self.training)

    @cached_property
    def workers(self) -> Workers:
        """Several processes that train one model."""
        return Workers(self.tree, self.names, self.values, self.strategies)

    @cached_property
    def decisions(self) -> Decisions:
        """Which callbacks decide by a number of one replica, or in one process alone."""
        return Decisions(self.deciders, self.strategies, self.workers)

    @cached_property
    def training(self) -> Training:
        """Calls that train, evaluate or predict."""
        return Training(self.tree, self.names, self.values, self._classes)

    @cached_property
    def sources(self) -> BatchSources:
        """What gives its own batches to a trainer call."""
        found = (self.batches, self.forms, self.datasets, self.generators)
        return BatchSources(self.values, self.training, self.feeds, *found)

    @cached_property
    def elsewhere(self) -> Elsewhere:
        """What other files of the project do with classes of this one."""
        return Elsewhere(self)

    @cached_property
    def trained(self) -> Trainings:
        """Which fits train on which classes, and what the instances were made with."""
        return Trainings(self.tree, self.names, self.values, self._classes, self.training, self.feeds, self.code_calls)

    @cached_property
    def feeds(self) -> Feeds:
        """What kind of data reaches a trainer call, and what a list of it holds."""
        return Feeds(self.tree, self.names, self.values, self.training, self.code_calls)

    @cached_property
    def loading(self) -> Loading:
        """Which Sequences are loaded by several workers, or in processes."""
        tree, names, values, training = self.tree, self.names, self.values, self.training
        has_setters = self.keras.lines != {"2"}
        found = (self._classes, training, self.trained, self.feeds)
        return Loading(tree, names, values, *found, has_setters=has_setters, elsewhere=self._loaded_elsewhere)

    def _loaded_elsewhere(self, name: str) -> frozenset[str]:
        return loaded_with(self.project, Path(self.source.path), name) if self.project is not None else frozenset()

    @cached_property
    def evidence(self) -> Evidence:
        """What speaks for a receiver being a Keras model, and for code that is kept for an older Keras."""
        signs = Signs(self.tree, self.names, self._classes, self.feeds, self.callback_lists)
        return Evidence(self.tree, self.names, self.values, self._classes, self.training, signs)

    @cached_property
    def optimizers(self) -> Optimizers:
        """Optimizers of Keras, and their learning rates."""
        return Optimizers(self.tree, self.names, self.values, self.training, self.evidence)

    @cached_property
    def same(self) -> Same:
        """Whether an expression has the same value at another place."""
        return Same(self.tree, self.names, self.values)

    @cached_property
    def numbers(self) -> Numbers:
        """Numbers that expressions surely are, and lengths of what is written out."""
        return Numbers(self.tree, self.names, self.values, lambda node: self.shapes.length(node))

    @cached_property
    def counts(self) -> Counts:
        """Quotients such as the number of batches, with their rounding."""
        return Counts(self.tree, self.names, self.values, self.numbers, self.code_calls)

    @cached_property
    def quantities(self) -> Quantities:
        """Numbers that different functions share, and whose items they count."""
        return Quantities(self.names, self.values, self._classes, self.numbers, self.trained)

    @cached_property
    def windows(self) -> Windows:
        """How Sequences cut batches out of their samples."""
        return Windows(self.batches, self.quantities)

    @cached_property
    def batch_counts(self) -> BatchCounts:
        """The `__len__` of Sequences, and the batches that they count."""
        found = (self.counts, self.values, self.numbers, self.quantities)
        return BatchCounts(self._classes, self.batches, self.windows, *found)

    @cached_property
    def step_counts(self) -> StepCounts:
        """Counts of steps beside data with a length of their own."""
        numbers = (self.values, self.counts, self.numbers, self.quantities, self.code_calls)
        return StepCounts(*numbers, self.feeds, self.training, self.trained, self.batch_counts)

    @cached_property
    def shapes(self) -> Shapes:
        """Shapes and types of arrays, as far as literals carry."""
        return Shapes(self.names, self.values, self.numbers, self.code_calls, self.keras.lines)

    @cached_property
    def forms(self) -> Forms:
        """How batches, and what functions return, are built of tuples, lists, dicts and arrays."""
        return Forms(self.batches, self._classes, self.numbers, self.shapes)

    @cached_property
    def batches(self) -> Batches:
        """What makes batches, and what each of them holds."""
        return Batches(self._flow, self._classes, self.training, self.evidence, self.code_calls)

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
        return DistributedDatasets(self.tree, self.names, self.datasets, self.strategies, self.training)

    @cached_property
    def mapped(self) -> Mapped:
        """What the functions run that datasets are handed."""
        return Mapped(self.tree, self.names, self.values, self._classes, self.lists)

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
    def step_results(self) -> StepResults:
        """What custom steps of models return."""
        return StepResults(self.tree, self.names, self.values, self._classes)

    @cached_property
    def attributes(self) -> Attributes:
        """What methods do to the attributes of `self`."""
        return Attributes(self.tree, self.names, self.values, self._classes, self.code_calls)

    @cached_property
    def called(self) -> Called:
        """Whether anything but Keras calls a method."""
        return Called(self.tree, self.names, self.values, self._classes, self.project)

    @cached_property
    def setups(self) -> Setups:
        """Which attributes of an instance are set when."""
        return Setups(self.tree, self.names, self.values, self.attributes)

    @cached_property
    def steppings(self) -> Steppings:
        """Numbers of the instance that hooks step."""
        return Steppings(self.tree, self.names, self.values, self._classes, self.attributes, self.code_calls)

    @cached_property
    def lengths(self) -> Lengths:
        """What hooks do to attributes on which `__len__` hangs."""
        return Lengths(self.tree, self.values, self._classes, self.attributes, self.steppings)

    @cached_property
    def wrappers(self) -> Wrappers:
        """Sequences that hand on the batches of another."""
        return Wrappers(self.tree, self.names, self.values, self._classes, self.training)

    @cached_property
    def members(self) -> Members:
        """The attributes of `self` that code uses."""
        return Members(self.tree, self.values, self.writes)

    @cached_property
    def writes(self) -> Writes:
        """What functions write outside their own instance."""
        return Writes(self.tree, self.names, self.values, self._classes)

    @cached_property
    def advances(self) -> Advances:
        """Iterators that `__getitem__` reads on."""
        return Advances(self.batches, self.attributes, self.code_calls)

    @cached_property
    def carried(self) -> Carries:
        """What `__getitem__` changes on its own instance."""
        return Carries(self.batches, self.attributes, self.advances, self.training)

    @cached_property
    def reseeds(self) -> Reseeds:
        """Seeds that are set on the way to a batch."""
        return Reseeds(self.batches, self.attributes, self.writes, self.training)

    @cached_property
    def indexes(self) -> Indexes:
        """Whether batches hang on the index that they are asked for."""
        return Indexes(self.batches, self.code_calls, self.counts, self.advances, self.carried)

    @cached_property
    def shells(self) -> Shells:
        """Sequences that are nothing but a tf.data dataset."""
        known = (self.attributes, self.advances, self.datasets, self.counts)
        return Shells(self.tree, self.names, self.values, *known)

    @cached_property
    def hooks(self) -> EpochHooks:
        """The epoch hooks of Sequences, and what they do."""
        return EpochHooks(self.tree, self._classes, self.training, self.writes)

    @cached_property
    def effects(self) -> Effects:
        """Whether what a hook writes can change the training."""
        return Effects(self.tree, self.names, self.values, self._classes, self.training)

    @cached_property
    def cuts(self) -> Cuts:
        """Which statements of a method can leave it together."""
        return Cuts(self.tree, self.names, self.values, self._classes, self.members)

    @cached_property
    def doubles(self) -> Doubles:
        """Arrays of batches that are float64."""
        return Doubles(self.batches, self.numbers, self.shapes, Pixels(self.names, self.values))

    @cached_property
    def refused(self) -> RefusedUpdates:
        """Augmented assignments on the way to a batch that NumPy refuses."""
        return RefusedUpdates(self.batches, self.numbers, self.shapes, Pixels(self.names, self.values))

    @cached_property
    def numpy_draws(self) -> NumpyDraws:
        """Random numbers of NumPy on the way to a batch."""
        return NumpyDraws(self.batches)

    @cached_property
    def tensor_ops(self) -> TensorOps:
        """TensorFlow on the way to a batch."""
        return TensorOps(self.batches, self.training, self.evidence)

    @cached_property
    def handles(self) -> Handles:
        """Files that Sequences keep open."""
        return Handles(self.tree, self.names, self.values, self.attributes)

    @cached_property
    def decodes(self) -> Decodes:
        """Samples that are decoded one after the other."""
        return Decodes(self.batches)

    @cached_property
    def buffers(self) -> Buffers:
        """Arrays that several batches are filled into."""
        return Buffers(self.batches, self.attributes)

    @cached_property
    def unwritten(self) -> UnwrittenRows:
        """Rows of batches that stay as they were made."""
        return UnwrittenRows(self.batches, self.counts)

    @cached_property
    def structures(self) -> Structures:
        """Lists that stand for a structure inside a batch."""
        return Structures(self.batches, self.code_calls)

    @cached_property
    def varying(self) -> Varying:
        """What differs from batch to batch, and what one instance never changes."""
        return Varying(self.batches)

    @cached_property
    def absent(self) -> Absent:
        """Batches that are None, and items of a batch that are None."""
        return Absent(self.batches, self.varying, self.handlers, self._classes)

    @cached_property
    def samples(self) -> Samples:
        """Lists of samples on their way into a batch."""
        return Samples(self.batches, self.structures)

    @cached_property
    def ragged(self) -> RaggedArrays:
        """Arrays that samples of unlike shape would break."""
        return RaggedArrays(self._flow, self.samples)

    @cached_property
    def extents(self) -> Extents:
        """Sizes that hang on the batch."""
        return Extents(self.batches, self.varying, self.samples)

    @cached_property
    def variants(self) -> Variants:
        """Batches of one maker that are not built alike."""
        return Variants(self.batches, self.forms, self.varying)

    @cached_property
    def handlers(self) -> Handlers:
        """What each `except` catches, and what it does with it."""
        return Handlers(self.tree, self.names, self.code_calls)

    @cached_property
    def hidden_fits(self) -> HiddenFits:
        """Handlers that hide the failure of a fit."""
        return HiddenFits(self.tree, self.names, self.code_calls, self.training, self.evidence, self.handlers)

    @cached_property
    def losses(self) -> Losses:
        """Samples that are left out of one part of a batch and not of another."""
        return Losses(self.batches, self.handlers)

    @cached_property
    def swallows(self) -> Swallows:
        """Broad handlers on the way to a batch behind which a failure goes on as something else."""
        return Swallows(self.batches, self.handlers, self.losses, self.code_calls)

    @cached_property
    def shuffles(self) -> Shuffles:
        """Calls that bring rows into a random order."""
        return Shuffles(self.tree, self.names, self.values)

    @cached_property
    def takers(self) -> Takers:
        """What works with the None of a call that gives nothing back."""
        return Takers(self.tree, self.names, self.values, self.code_calls)

    @cached_property
    def comparisons(self) -> Comparisons:
        """Predictions that are held against labels in another order."""
        tree, names, values = self.tree, self.names, self.values
        return Comparisons(tree, names, values, self.training, self.feeds, self.datasets, self.reasons)

    @cached_property
    def mixes(self) -> Mixes:
        """Inputs and targets that are brought into orders of their own."""
        tree, names, values, calls = self.tree, self.names, self.values, self.code_calls
        return Mixes(tree, names, values, self._classes, calls, self.attributes, self.training, self.shuffles)

    @cached_property
    def unread_orders(self) -> UnreadOrders:
        """Epoch hooks that shuffle what no batch is taken through."""
        return UnreadOrders(self.tree, self.names, self.values, self._classes, self.hooks, self.shuffles)

    @cached_property
    def missed_errors(self) -> MissedErrors:
        """Handlers round a fit for errors of its data that never match."""
        tree, names, values, calls = self.tree, self.names, self.values, self.code_calls
        return MissedErrors(tree, names, values, calls, self.training)

    @cached_property
    def row_takers(self) -> RowTakers:
        """Where rows are taken by a shuffled index, and wrongly."""
        return RowTakers(self.tree, self.names, self.values, self._classes, self.shuffles, self.containers)

    @cached_property
    def containers(self) -> Containers:
        """What holds rows: arrays, lists, pandas."""
        return Containers(self.tree, self.names, self.origins)

    @cached_property
    def runs_tensorflow(self) -> bool:
        """Whether Keras can be on TensorFlow here: the file sets no other backend."""
        chosen = backends(self.source.text)
        return not chosen or "tensorflow" in chosen

    @cached_property
    def module_name(self) -> str:
        """The import name of the file; empty outside a project."""
        return self.project.module_name(Path(self.source.path)) if self.project is not None else ""

    # -- questions that rules ask most ------------------------------------------------------------------------------

    @property
    def classes(self) -> tuple[ClassFacts, ...]:
        """Every class of the file, in reading order."""
        return self._classes.all

    def class_facts(self, node: cst.ClassDef) -> ClassFacts:
        """The facts of one class."""
        return self._classes.of(node)

    @cached_property
    def sequences(self) -> tuple[ClassFacts, ...]:
        """The classes that surely are a Sequence or PyDataset."""
        return tuple(found for found in self.classes if found.is_a("sequence") == "yes")

    @cached_property
    def callbacks(self) -> tuple[ClassFacts, ...]:
        """The classes that surely are a Callback."""
        return tuple(found for found in self.classes if found.is_a("callback") == "yes")

    def qualified(self, node: cst.CSTNode) -> str | None:
        """The canonical name of an expression, such as "keras.callbacks.EarlyStopping"; None if unsure."""
        return self.names.qualified(node)

    def reaches_base_init(self, owner: ClassFacts) -> bool:
        """Whether making an instance of a Sequence surely or possibly runs the `__init__` of its base."""
        return reaches_base(self.tree, owner)

    def given(self, keyword: str) -> frozenset[str]:
        """The constants, as text, that the file gives for a keyword argument anywhere, such as `name="accuracy"`."""
        values = (argument.value for argument in self.tree.all(cst.Arg) if is_keyword(argument, keyword))
        found = (self.values.constant(value) for value in values)
        return frozenset(str(constant.value) for constant in found if constant is not None)

    def calls(self, *names: str) -> tuple[cst.Call, ...]:
        """The calls of a canonical name, in reading order."""
        return tuple(node for node in self.tree.all(cst.Call) if self.names.qualified(node.func) in names)

    def span(self, node: cst.CSTNode) -> tuple[int, int]:
        """Where a node starts and ends, in bytes."""
        return self.tree.span(node)

    def text(self, node: cst.CSTNode) -> str:
        """The source text of a node."""
        return self.tree.text(node)

    def finding(self, node: cst.CSTNode, message: str) -> Finding:
        """A finding that points at a node. For a definition or a compound statement it points at the first line."""
        return Finding(*self.pointer(node), message)

    def pointer(self, node: cst.CSTNode) -> tuple[int, int]:
        """The span that a reader should look at: the node, or the head of a definition or compound statement."""
        if isinstance(node, (cst.FunctionDef, cst.ClassDef)):
            start = self.span(node.name)[0] - len("def " if isinstance(node, cst.FunctionDef) else "class ")
            return start, self.span(node.name)[1]
        start, end = self.span(node)
        if isinstance(node, (cst.BaseCompoundStatement, cst.ExceptHandler)):
            end = min(end, self.span(node.body)[0]) if isinstance(node, cst.ExceptHandler) else end
            head = self.source.utf8[start:end].split(b"\n", 1)[0]
            return start, start + len(head.rstrip())
        return start, end
