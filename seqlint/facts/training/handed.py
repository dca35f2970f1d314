"""What gives its own batches to a trainer call without being made in sight: a parameter with a class for its type, a loader of torch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import libcst as cst

if TYPE_CHECKING:
    from seqlint.facts.code.names import Names
    from seqlint.facts.training.training import Training
    from seqlint.facts.values.values import Values

HandedKind = Literal["Sequence", "torch DataLoader"]
_LOADERS = frozenset({"torch.utils.data.DataLoader", "torch.utils.data.dataloader.DataLoader"})


class Handed:
    """Sequences and loaders of one file that nothing else knows of."""

    def __init__(self, names: Names, values: Values, training: Training) -> None:
        self._names = names
        self._values = values
        self._training = training

    def kind(self, node: cst.BaseExpression) -> HandedKind | None:
        """What an expression is by its type or by torch; None for anything else."""
        if self._is_loader(node):
            return "torch DataLoader"
        return "Sequence" if self._is_annotated(node) else None

    def _is_loader(self, node: cst.BaseExpression) -> bool:
        """Whether an expression surely is made by a call of torch's class, here or in a function of another file."""
        made = self._values.of(node)
        return bool(made) and all(isinstance(one, cst.Call) and self._makes_loader(one) for one in made)

    def _makes_loader(self, call: cst.Call) -> bool:
        external = self._training.made(call)
        return self._names.qualified(call.func) in _LOADERS or (bool(external) and _LOADERS.issuperset(external))

    def _is_annotated(self, node: cst.BaseExpression) -> bool:
        """`def run(feed: Tides)`, read as it was given."""
        bindings = self._names.reaching(node) if isinstance(node, cst.Name) else ()
        if len(bindings) != 1 or not isinstance(bindings[0].node, cst.Param):
            return False
        annotation = bindings[0].node.annotation
        return annotation is not None and self._training.class_is_sequence(annotation.annotation) == "yes"
