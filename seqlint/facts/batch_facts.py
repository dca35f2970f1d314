"""What is known of the batches that a file makes."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from seqlint.domains.sequences.miscounts import Miscounts
from seqlint.facts.batches.batches import Batches
from seqlint.facts.batches.decodes import Decodes
from seqlint.facts.batches.extents import Extents
from seqlint.facts.batches.float64_arrays import Float64Arrays
from seqlint.facts.batches.forms import Forms
from seqlint.facts.batches.lengths import BatchCounts
from seqlint.facts.batches.one_hots import OneHots
from seqlint.facts.batches.ragged import RaggedArrays
from seqlint.facts.batches.samples import Samples
from seqlint.facts.batches.step_counts import StepCounts
from seqlint.facts.batches.structures import Structures
from seqlint.facts.batches.tensor_ops import TensorOps
from seqlint.facts.batches.variants import Variants
from seqlint.facts.batches.varying import Varying
from seqlint.facts.batches.windows import Windows
from seqlint.facts.datasets.dataset_wrappers import DatasetWrappers
from seqlint.facts.datasets.fit_sources import FitSources
from seqlint.facts.external.swallows import ExternalSwallows
from seqlint.facts.failures.absent import Absent
from seqlint.facts.failures.missing_names import MissingNames
from seqlint.facts.failures.partial_drops import PartialDrops
from seqlint.facts.failures.refused import RefusedUpdates
from seqlint.facts.failures.swallows import Swallows
from seqlint.facts.failures.unbound import UnboundNames
from seqlint.facts.failures.unwritten import UnwrittenRows
from seqlint.facts.numbers.loaded import LoadedPixels
from seqlint.facts.numbers.pixels import Pixels
from seqlint.facts.state.advances import Advances
from seqlint.facts.state.altered import Alterations
from seqlint.facts.state.buffers import Buffers
from seqlint.facts.state.getitem_mutations import GetitemMutations
from seqlint.facts.state.indexes import Indexes
from seqlint.facts.state.numpy_draws import NumpyDraws
from seqlint.facts.state.reseeds import Reseeds
from seqlint.facts.training.handed import Handed
from seqlint.facts.training.switches import Switches
from seqlint.facts.training_facts import TrainingFacts

if TYPE_CHECKING:
    from seqlint.domains.sequences.miscounts import How, Miscounted


class BatchFacts(TrainingFacts):
    """What the batches of one file hold, and what goes wrong on the way to them."""

    @cached_property
    def fit_sources(self) -> FitSources:
        """What gives its own batches to a trainer call."""
        found = (self.batches, self.forms, self.datasets, self.generators)
        return FitSources(self.values, self.training, self.input_kinds, *found)

    @cached_property
    def handed(self) -> Handed:
        """Sequences that a parameter's type tells of, and loaders of torch."""
        return Handed(self.names, self.values, self.training)

    @cached_property
    def windows(self) -> Windows:
        """How Sequences cut batches out of their samples."""
        return Windows(self.batches, self.quantities)

    @cached_property
    def batch_counts(self) -> BatchCounts:
        """The `__len__` of Sequences, and the batches that they count."""
        found = (self.counts, self.values, self.numbers, self.quantities, self.switches)
        return BatchCounts(self._classes, self.batches, self.windows, *found)

    def miscounted(self, how: How) -> tuple[Miscounted, ...]:
        """Sequences that count their batches wrongly in one way, where the text of this file alone does not tell."""
        found = (each for each in self.run.domain(Miscounts).all if each.how == how)
        return tuple(
            each for each in found if not any(self.batch_counts.judges(self.class_of(one.cls)) for one in each.sources)
        )

    @cached_property
    def step_counts(self) -> StepCounts:
        """Counts of steps that are given together with data of a known length."""
        numbers = (self.values, self.counts, self.numbers, self.quantities, self.call_graph)
        return StepCounts(*numbers, self.input_kinds, self.training, self.fit_bindings, self.batch_counts)

    @cached_property
    def pixels(self) -> Pixels:
        """Arrays that hold the pixels of images as they were read."""
        return Pixels(self.names, self.values)

    @cached_property
    def forms(self) -> Forms:
        """How batches, and what functions return, are built of tuples, lists, dicts and arrays."""
        return Forms(self.batches, self._classes, self.numbers, self.shapes, self.pixels)

    @cached_property
    def batches(self) -> Batches:
        """What makes batches, and what each of them holds."""
        return Batches(self._flow, self._classes, self.training, self.evidence, self.call_graph, self.subclasses)

    @cached_property
    def advances(self) -> Advances:
        """Iterators that `__getitem__` reads on."""
        return Advances(self.batches, self.attributes, self.call_graph)

    @cached_property
    def getitem_mutations(self) -> GetitemMutations:
        """What `__getitem__` changes on its own instance."""
        return GetitemMutations(self.batches, self.attributes, self.advances, self.training)

    @cached_property
    def altered(self) -> Alterations:
        """Rows of the instance that `__getitem__` changes where they are."""
        return Alterations(self.batches, self.attributes, self.shapes, self.containers)

    @cached_property
    def reseeds(self) -> Reseeds:
        """Seeds that are set on the way to a batch."""
        return Reseeds(self.batches, self.attributes, self.writes, self.training)

    @cached_property
    def indexes(self) -> Indexes:
        """Whether batches depend on the index that they are asked for."""
        return Indexes(self.batches, self.call_graph, self.counts, self.advances, self.getitem_mutations)

    @cached_property
    def dataset_wrappers(self) -> DatasetWrappers:
        """Sequences that are nothing but a tf.data dataset."""
        known = (self.advances, self.datasets, self.counts)
        return DatasetWrappers(self.tree, self.names, self.values, *known)

    @cached_property
    def float64_arrays(self) -> Float64Arrays:
        """Arrays of batches that are float64."""
        return Float64Arrays(self.batches, self.numbers, self.shapes, self.pixels)

    @cached_property
    def refused(self) -> RefusedUpdates:
        """Augmented assignments on the way to a batch that NumPy refuses."""
        loaded = LoadedPixels(self.tree, self.names, self.values, self.allocation_sites)
        return RefusedUpdates(self.batches, self.numbers, self.shapes, self.pixels, loaded)

    @cached_property
    def missing_names(self) -> MissingNames:
        """Names of NumPy on the way to a batch that no NumPy has."""
        return MissingNames(self.batches)

    @cached_property
    def unbound(self) -> UnboundNames:
        """Local names on the way to a batch that are read before they have a value."""
        return UnboundNames(self.batches)

    @cached_property
    def numpy_draws(self) -> NumpyDraws:
        """Random numbers of NumPy on the way to a batch."""
        return NumpyDraws(self.batches)

    @cached_property
    def switches(self) -> Switches:
        """Code that an instance never runs, or always."""
        return Switches(self._flow, self.training, self.fit_bindings, self.loading)

    @cached_property
    def tensor_ops(self) -> TensorOps:
        """TensorFlow on the way to a batch."""
        return TensorOps(self.batches, self.training, self.evidence, self.switches)

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
        return Structures(self.batches, self.call_graph)

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
        """Sizes that depend on the batch."""
        return Extents(self.batches, self.varying, self.samples)

    @cached_property
    def one_hots(self) -> OneHots:
        """Labels that are made one-hot by what their own batch holds."""
        return OneHots(self.batches, self.varying)

    @cached_property
    def variants(self) -> Variants:
        """Batches of one maker that are not built alike."""
        return Variants(self.batches, self.forms, self.varying)

    @cached_property
    def partial_drops(self) -> PartialDrops:
        """Samples that are left out of one part of a batch and not of another."""
        return PartialDrops(self.batches, self.handlers)

    @cached_property
    def swallows(self) -> Swallows:
        """Broad handlers on the way to a batch that turn a failure into something else."""
        return Swallows(self.batches, self.handlers, self.partial_drops, self.call_graph)

    @cached_property
    def external_swallows(self) -> ExternalSwallows:
        """Functions of other files that hide failures on the way to a batch."""
        return ExternalSwallows(self.batches, self.swallows, self.files)
