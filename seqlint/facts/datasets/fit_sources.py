"""What gives its own batches to a trainer call, and how many parts each of them has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import libcst as cst

from seqlint.facts.values.values import Constant

if TYPE_CHECKING:
    from seqlint.facts.batches.batches import Batches
    from seqlint.facts.batches.forms import Forms
    from seqlint.facts.classes.classes import ClassFacts
    from seqlint.facts.datasets.chains import Chain, Link
    from seqlint.facts.datasets.datasets import Datasets
    from seqlint.facts.datasets.generators import Generators
    from seqlint.facts.training.input_kinds import InputKinds
    from seqlint.facts.training.training import Training
    from seqlint.facts.values.values import Values

SourceKind = Literal["Sequence", "generator", "dataset"]

_KEEP_PARTS = frozenset({"shuffle", "batch", "prefetch", "cache", "repeat", "take", "skip", "shard", "with_options"})
_OF_FILES = ("flow_from_directory", "flow_from_dataframe")
_LABELLED = "image_dataset_from_directory"


class FitSources:
    """Sequences, generators and datasets, where one surely is what a trainer call is given."""

    def __init__(
        self, values: Values, training: Training, input_kinds: InputKinds, batches: Batches, forms: Forms,
        datasets: Datasets, generators: Generators,
    ) -> None:  # fmt: skip
        self._values = values
        self._training = training
        self._input_kinds = input_kinds
        self._batches = batches
        self._forms = forms
        self._datasets = datasets
        self._generators = generators

    def kind(self, node: cst.BaseExpression) -> SourceKind | None:
        """What an expression surely is; None where it may be anything else, arrays too."""
        found = self._input_kinds.kind(node)
        if found == "sequence":
            return "Sequence"
        if found == "generator":
            return "generator"
        chain = self._datasets.chain(node)
        if found == "dataset" and chain is None:
            return "dataset" if self._input_kinds.is_made_externally(node) else None
        return "dataset" if chain is not None and self._is_dataset(chain) else None

    def _is_dataset(self, chain: Chain) -> bool:
        if any(link.name == "tfds.load" and "batch_size" in link.arguments for link in chain.all()):
            return False  # `batch_size=-1` gives arrays
        ends = chain.links[-1:] or chain.heads
        return all(end is not None and self._datasets.link(end.node) is not None for end in ends)

    # -- parts ------------------------------------------------------------------------------------------------------

    def width(self, node: cst.BaseExpression) -> int | None:
        """How many parts every batch surely has: 2 for inputs and targets, 3 with weights."""
        kind = self.kind(node)
        if kind == "Sequence":
            found = {self._of_maker(call) for call in self._input_kinds.makers(node)}
        elif kind == "generator":
            found = set(self._generators.widths(node))
        else:
            chain = self._datasets.chain(node)
            found = {self._of_chain(chain)} if kind == "dataset" and chain is not None else set()
        return found.pop() if len(found) == 1 else None

    def _of_maker(self, call: cst.Call) -> int | None:
        owner = self._training.class_of(call)
        if owner is not None:
            return self._of_class(owner)
        if not isinstance(call.func, cst.Attribute) or call.func.attr.value not in _OF_FILES:
            return None
        mode = next((a.value for a in call.args if a.keyword is not None and a.keyword.value == "class_mode"), None)
        known = self._values.constant(mode) if mode is not None else Constant("categorical")
        return None if known is None or known.value is None else 2

    def _of_class(self, owner: ClassFacts) -> int | None:
        method = owner.method("__getitem__")
        makers = [maker for maker in self._batches.makers if method is not None and maker.function is method[1]]
        found = {
            len(form.parts) if form.kind == "tuple" and not form.repeated else None
            for maker in makers[:1]
            for _, forms in self._forms.made(maker)
            for form in forms
        }
        return found.pop() if len(found) == 1 else None

    def _of_chain(self, chain: Chain) -> int | None:
        source = chain.source
        if source is None or any(not _KEEP_PARTS.issuperset(link.does) for link in chain.links[1:]):
            return None
        return 2 if source.name == _LABELLED and _has_labels(source) else self._of_slices(source)

    def _of_slices(self, source: Link) -> int | None:
        tensors = source.arg("tensors") if source.name == "from_tensor_slices" else None
        value = self._values.only(tensors) if tensors is not None else None
        return len(value.elements) if isinstance(value, cst.Tuple) else None


def _has_labels(source: Link) -> bool:
    return not {"labels", "label_mode"} & source.arguments.keys()
