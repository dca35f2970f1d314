"""Which things of a run are models of Keras."""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING

from seqlint.knowledge.types import MODEL
from seqlint.run import External, Instance, Result
from seqlint.run.attributes import lineage, lookup
from seqlint.run.types import type_of

if TYPE_CHECKING:
    from seqlint.run import Object, Run

_ALONE = frozenset({
    "fit_generator", "evaluate_generator", "predict_generator", "train_on_batch", "test_on_batch", "predict_on_batch",
    "get_layer", "count_params", "reset_states", "make_train_function",
})  # fmt: skip
"""No object of another library in wide use has these methods."""
_KEYWORDS = {
    "compile": frozenset({"optimizer", "loss", "metrics", "loss_weights"}),
    "fit": frozenset({"validation_data", "validation_split", "callbacks", "steps_per_epoch", "initial_epoch", "class_weight"}),
}  # fmt: skip
"""What only a model of Keras is given, in a file that imports Keras and no other library with models like it."""
_BASES = frozenset({"keras.Model", "keras.Sequential"})
_ROOTS = ("tensorflow", "keras", "tf_keras")
_OTHERS = frozenset(
    {
        "torch",
        "mxnet",
        "paddle",
        "stable_baselines",
        "stable_baselines3",
        "lightning",
        "pytorch_lightning",
        "transformers",
    }
)


class KerasModels:
    """The models of Keras in a run."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def is_model(self, found: Object | None) -> bool:
        """Whether something surely is a model: Keras makes it, its class is one, or it is used as no other thing is."""
        if isinstance(found, Instance):
            return any(isinstance(each, External) and each.name in _BASES for each in lineage(found.cls))
        if not isinstance(found, Result):
            return False
        return type_of(found) in (MODEL, *_BASES) or found.term in self._used

    def has_own(self, found: Object | None, name: str) -> bool:
        """Whether the class of an object of the program has a method itself."""
        return isinstance(found, Instance) and lookup(self._run.machine, found.cls, name).value is not None

    @cached_property
    def imported(self) -> frozenset[str]:
        """The packages that the file imports, by the first part of their names."""
        found = set()
        for node in ast.walk(self._run.tree):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
            found |= {name.partition(".")[0] for name in names}
        return frozenset(found)

    @cached_property
    def of_keras(self) -> bool:
        """Whether the file imports Keras or TensorFlow, and no other library with models like those of Keras."""
        return not self.imported.isdisjoint(_ROOTS) and self.imported.isdisjoint(_OTHERS)

    @cached_property
    def _used(self) -> frozenset[int]:
        """The terms of what is compiled or trained as only a model of Keras can be."""
        if not self.of_keras:
            return frozenset()
        found = set()
        for call in self._run.calls:
            receiver = call.result.receiver
            if isinstance(receiver, Result) and call.name.startswith(".") and self._is_telling(call.result):
                found.add(receiver.term)
        return frozenset(found)

    def _is_telling(self, result: Result) -> bool:
        if result.method in _ALONE:
            return True
        named = {name for name, _ in result.keywords}
        return not named.isdisjoint(_KEYWORDS.get(result.method, ()))
