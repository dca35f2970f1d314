"""The copy of Keras 2 that TensorFlow keeps for itself, `tensorflow.python.keras`: what of it works with models of Keras 3.

Measured with Keras 3.3 and 3.15, on TensorFlow 2.16 and 2.21. What holds no layer, and asks the model for nothing that Keras 3 lacks, works.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

if TYPE_CHECKING:
    from collections.abc import Sequence

    from seqlint.facts.code.mentions import Mention, Mentions

OWN_COPY = "tensorflow.python.keras"
"""Its name."""

_CALLBACKS = (
    "CSVLogger", "Callback", "EarlyStopping", "History", "LambdaCallback", "ProgbarLogger", "RemoteMonitor", "TerminateOnNaN",
)  # fmt: skip
_BACKEND = ("epsilon", "get_value", "image_data_format", "set_value")
_LOSSES = (
    "BinaryCrossentropy", "CategoricalCrossentropy", "CategoricalHinge", "CosineSimilarity", "Hinge", "Huber", "KLDivergence", "LogCosh",
    "MeanAbsoluteError", "MeanAbsolutePercentageError", "MeanSquaredError", "MeanSquaredLogarithmicError", "Poisson", "SquaredHinge",
    "binary_crossentropy", "categorical_crossentropy", "kullback_leibler_divergence", "logcosh", "mean_absolute_error",
    "mean_squared_error", "poisson",
)  # fmt: skip
_METRICS = (
    "AUC", "Accuracy", "BinaryAccuracy", "CategoricalAccuracy", "CategoricalCrossentropy", "CosineSimilarity", "MeanAbsoluteError",
    "MeanSquaredError", "Precision", "Recall", "RootMeanSquaredError", "TopKCategoricalAccuracy", "mean_absolute_error",
)  # fmt: skip
_ACTIVATIONS = (
    "elu", "exponential", "gelu", "hard_sigmoid", "linear", "relu", "selu", "sigmoid", "softmax", "softplus", "softsign", "swish", "tanh",
)  # fmt: skip
_INITIALIZERS = (
    "Constant", "GlorotNormal", "GlorotUniform", "HeNormal", "HeUniform", "Identity", "LecunNormal", "LecunUniform", "Ones",
    "Orthogonal", "RandomNormal", "RandomUniform", "TruncatedNormal", "VarianceScaling", "Zeros",
)  # fmt: skip
WORKING = frozenset({
    *(f"activations.{name}" for name in _ACTIVATIONS), *(f"initializers.{name}" for name in _INITIALIZERS),
    *(f"callbacks.{name}" for name in _CALLBACKS), *(f"backend.{name}" for name in _BACKEND),
    *(f"losses.{name}" for name in _LOSSES), *(f"metrics.{name}" for name in _METRICS),
    "utils.np_utils.normalize", "utils.np_utils.to_categorical", "utils.data_utils.get_file",
})  # fmt: skip
"""Below its name: what works."""

FAILING = {
    "callbacks.LearningRateScheduler": "ValueError 'Optimizer must have a \"lr\" attribute'",
    "callbacks.ModelCheckpoint": "ValueError or TypeError for `options`",
    "callbacks.ReduceLROnPlateau": "AttributeError at `optimizer.lr`",
    "callbacks.TensorBoard": "AttributeError at `_train_counter`",
}
"""Callbacks that do not, and what `fit` raises."""

MISSING = (
    "applications", "datasets", "estimator", "layers.preprocessing", "layers.wrappers", "preprocessing", "utils.multi_gpu_utils",
    "utils.to_categorical", "utils.plot_model", "wrappers",
)  # fmt: skip
"""What older TensorFlows had in it, and 2.16 and 2.21 have not."""


class OwnCopy:
    """What a file takes from it."""

    def __init__(self, mentions: Mentions) -> None:
        self._mentions = mentions

    def works(self, mention: Mention) -> bool:
        """Whether all that an import takes from it, or the file reaches through that, works with models of Keras 3."""
        if _below(mention.name) in WORKING:
            return True
        if not isinstance(mention.node, cst.ImportAlias):
            return False
        if not self._mentions.uses(mention) and not _missing(_below(mention.name)):  # an editor may have added it
            return True
        reached = (one.name for one in self._mentions.reached if f"{one.name}.".startswith(f"{mention.name}."))
        names = {_below(name) for name in reached if name.startswith(f"{OWN_COPY}.")}
        return not names.isdisjoint(WORKING) and all(map(_leads_to_what_works, names))

    def fails_with_keras_3(self, taken: Sequence[Mention]) -> bool:
        """Whether nothing is wrong with these names but that some are callbacks that models of Keras 3 fail with."""
        return not all(map(self.works, taken)) and all(
            _below(mention.name) in FAILING or self.works(mention) for mention in taken
        )

    def fate(self, taken: Sequence[Mention]) -> tuple[str, str]:
        """What is wrong with an import that takes these names, and what becomes of a program of Keras 3."""
        names = [_below(mention.name) for mention in taken]
        if all(map(self.works, taken)):
            return "is private", "its content changes from release to release, but this works with models of Keras 3"
        copy = "is TensorFlow's own copy of Keras 2"
        missing = next(filter(None, map(_missing, names)), "")
        if missing:
            return copy, f"it has no `{missing}` in TensorFlow 2.16 and later: ImportError"
        first = next((name for name in names if name in FAILING), "")
        if self.fails_with_keras_3(taken):
            return copy, f"its `{first.rpartition('.')[2]}` raises {FAILING[first]} with a model of Keras 3"
        fit = "`fit` of its models raises AttributeError with TensorFlow 2.15 and later"
        return copy, f"Keras refuses its layers and Sequences, and {fit}"


def _missing(name: str) -> str:
    """The part of a name that newer releases of TensorFlow do not have."""
    return next((one for one in MISSING if f"{name}.".startswith(f"{one}.")), "")


def _below(name: str) -> str:
    return name.removeprefix(f"{OWN_COPY}.")


def _leads_to_what_works(name: str) -> bool:
    """A name that works, one on the way to it, or something that is asked of it."""
    return any(f"{one}.".startswith(f"{name}.") or name.startswith(f"{one}.") for one in WORKING)
