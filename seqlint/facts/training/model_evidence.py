"""What a trainer call itself, and the imports of its file, say about its receiver."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.scopes import dotted
from seqlint.knowledge.canonical_names import canonical
from seqlint.knowledge.other_frameworks import HELPERS_OF_SKLEARN, LIKE_KERAS, OTHER_MODELS
from seqlint.knowledge.signatures import SIGNATURES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.classes.classes import Classes
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.training.callback_lists import CallbackLists
    from seqlint.facts.training.input_kinds import InputKinds
    from seqlint.facts.training.training import TrainerCall

_MODEL = re.compile(r"(?:^model|models?|nets?|networks?|autoencoder|discriminator|critic)(?:_?\d+)?$", re.IGNORECASE)
_NO_MODEL = re.compile(
    r"trainer|learner|wrapper|pipe(?:line)?|tuner|search|scaler|experiment|runner",
    re.IGNORECASE,
)
_SHARED_METHODS = ("fit", "evaluate", "predict")
_SHARED_ARGUMENTS = frozenset({"x", "y", "sample_weight", "steps"})
_KERAS_ALONE = frozenset({
    "steps_per_epoch", "validation_steps", "validation_freq", "validation_batch_size", "validation_split", "validation_data",
    "initial_epoch", "max_queue_size", "use_multiprocessing",
    "samples_per_epoch", "nb_val_samples", "max_q_size", "pickle_safe",
})  # fmt: skip
"""No model of another library takes these, but for those in `LIKE_KERAS`. `workers` and `epochs` are not among them."""


class ModelEvidence:
    """The signs that a receiver is a Keras model, whatever makes it."""

    def __init__(self, tree: Tree, classes: Classes, input_kinds: InputKinds, callback_lists: CallbackLists) -> None:
        self._tree = tree
        self._classes = classes
        self._input_kinds = input_kinds
        self._callback_lists = callback_lists

    # -- the file ---------------------------------------------------------------------------------------------------

    @cached_property
    def imports_keras(self) -> bool:
        """Whether the file imports Keras or TensorFlow anywhere."""
        return any(canonical(name).partition(".")[0] in ("keras", "tensorflow") for name in self._imported)

    @cached_property
    def of_keras(self) -> bool:
        """Whether the file imports Keras, or makes something of it: a Sequence, a Callback, a Model."""
        owners = self._classes.all
        return self.imports_keras or any(
            owner.is_a("sequence") == "yes" or owner.is_a("callback") == "yes" or owner.is_a("model") == "yes"
            for owner in owners
        )

    @cached_property
    def others(self) -> bool:
        """Whether the file imports another library with models."""
        return any(name.partition(".")[0] in OTHER_MODELS and not _is_helper(name) for name in self._imported)

    @cached_property
    def _alike(self) -> bool:
        return any(name.partition(".")[0] in LIKE_KERAS for name in self._imported)

    @cached_property
    def _imported(self) -> tuple[str, ...]:
        """What the file imports from other packages, such as "sklearn.metrics" for `from sklearn import metrics`."""
        found = [dotted(alias.name) for node in self._tree.all(cst.Import) for alias in node.names]
        for node in self._tree.all(cst.ImportFrom):
            if node.module is None or node.relative:
                continue
            names = [] if isinstance(node.names, cst.ImportStar) else [dotted(alias.name) for alias in node.names]
            found += [f"{dotted(node.module)}.{name}" for name in names] or [dotted(node.module)]
        return tuple(found)

    # -- the call ---------------------------------------------------------------------------------------------------

    def named(self, call: TrainerCall) -> bool:
        """Whether the receiver is called like a model."""
        return _MODEL.search(identifier(call.receiver)) is not None

    def named_otherwise(self, call: TrainerCall) -> bool:
        """Whether the receiver is called like something that has a `fit` and is no model, or holds one."""
        return not self.named(call) and _NO_MODEL.search(identifier(call.receiver)) is not None

    def strong(self, call: TrainerCall) -> bool:
        """Whether only a Keras model takes what it is given, or has the method, as far as libraries in wide use go."""
        if self._is_given_keras(call):
            return True
        alone = call.method not in _SHARED_METHODS or not _KERAS_ALONE.isdisjoint(self._keywords(call))
        return alone and self.of_keras and not self._alike

    def weak(self, call: TrainerCall) -> bool:
        """Whether a model by its name is called as one of Keras, where no other library's model is seen."""
        if not self.named(call) or not self.of_keras or self.others:
            return False
        own = set(SIGNATURES[call.method]) - _SHARED_ARGUMENTS
        return call.method == "evaluate" or not own.isdisjoint(self._keywords(call))

    def _keywords(self, call: TrainerCall) -> Iterator[str]:
        for argument in call.node.args:
            if argument.keyword is not None:
                yield argument.keyword.value
            elif argument.star == "**":
                yield from self._input_kinds.options(argument.value) or ()

    def _is_given_keras(self, call: TrainerCall) -> bool:
        """Whether the data is surely a Sequence or a tf.data dataset, or a callback surely one of Keras."""
        if any(self._input_kinds.kind(data) in ("sequence", "dataset") for _, data in call.feeds):
            return True
        if self.named(call) and any(self._holds_sequence(data) for _, data in call.feeds):
            return True
        return self._has_callback(call)

    def _holds_sequence(self, data: cst.BaseExpression) -> bool:
        held = self._input_kinds.collected(data)
        return held is not None and any(self._input_kinds.kind(element) == "sequence" for element in held.elements)

    def _has_callback(self, call: TrainerCall) -> bool:
        members = (
            member for found in self._callback_lists.all if found.fit.node is call.node for member in found.members
        )
        return any(
            any(base.startswith("keras.callbacks.") for base in (member.name or "", *member.bases))
            or (member.owner is not None and member.owner.is_a("callback") == "yes")
            for member in members
        )


def identifier(receiver: cst.BaseExpression) -> str:
    """The last name of an expression: "model" for `self.model`, "build_net" for `build_net()`, "nets" for `nets[0]`."""
    if isinstance(receiver, cst.Call):
        return identifier(receiver.func)
    if isinstance(receiver, cst.Subscript):
        return identifier(receiver.value)
    if isinstance(receiver, cst.Attribute):
        return receiver.attr.value
    return receiver.value if isinstance(receiver, cst.Name) else ""


def _is_helper(name: str) -> bool:
    root, _, rest = name.partition(".")
    return root == "sklearn" and rest.partition(".")[0] in HELPERS_OF_SKLEARN
