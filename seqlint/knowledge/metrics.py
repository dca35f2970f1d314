"""The metrics of Keras: their names in logs, where their constructors take a name, and whether more is better.

Measured with small fits on Keras 3.15.1, Keras 3.3.3 and tf-keras 2.21.
"""

from __future__ import annotations

import re
from typing import Literal

Direction = Literal["max", "min", "unknown"]
"""Whether a higher value is better, or a lower one."""

NUMBERED = frozenset({
    "AUC", "BinaryIoU", "FalseNegatives", "FalsePositives", "IoU", "MeanIoU", "MeanMetricWrapper", "MeanRelativeError", "Metric",
    "OneHotIoU", "OneHotMeanIoU", "Precision", "PrecisionAtRecall", "Recall", "RecallAtPrecision", "SensitivityAtSpecificity",
    "SpecificityAtSensitivity", "TrueNegatives", "TruePositives",
})  # fmt: skip
"""The classes of `keras.metrics` whose objects are numbered ("auc", "auc_1"); all others have a fixed name."""

CLASSES = NUMBERED | {
    "BinaryAccuracy", "BinaryCrossentropy", "CategoricalAccuracy", "CategoricalCrossentropy", "CategoricalHinge",
    "CosineSimilarity", "F1Score", "FBetaScore", "Hinge", "KLDivergence", "LogCoshError", "MeanAbsoluteError",
    "MeanAbsolutePercentageError", "MeanSquaredError", "MeanSquaredLogarithmicError", "Poisson", "R2Score",
    "RootMeanSquaredError", "SparseCategoricalAccuracy", "SparseCategoricalCrossentropy", "SparseTopKCategoricalAccuracy",
    "SquaredHinge", "TopKCategoricalAccuracy",
}  # fmt: skip
"""The classes whose name can be given as a text. On Keras 2 the value then has the default name of the class."""

DEFAULTS = {"FBetaScore": "fbeta_score", "LogCoshError": "logcosh", "Huber": "huber_loss"}
DEFAULTS_2 = {"KLDivergence": "kullback_leibler_divergence"}
FUNCTIONS_2 = {
    "mse": "mean_squared_error", "mae": "mean_absolute_error", "mape": "mean_absolute_percentage_error",
    "msle": "mean_squared_logarithmic_error", "kld": "kl_divergence", "kullback_leibler_divergence": "kl_divergence",
    "logcosh": "log_cosh",
}  # fmt: skip
"""Functions of Keras 2 that are the same as another, whose `__name__` they have; in small or capital letters."""
CAPITAL_FUNCTIONS = frozenset({"MSE", "MAE", "MAPE", "MSLE", "KLD"})

_RISING = frozenset({
    "Accuracy", "BinaryAccuracy", "CategoricalAccuracy", "SparseCategoricalAccuracy", "TopKCategoricalAccuracy",
    "SparseTopKCategoricalAccuracy", "AUC", "Precision", "Recall", "PrecisionAtRecall", "RecallAtPrecision", "SensitivityAtSpecificity",
    "SpecificityAtSensitivity", "BinaryIoU", "IoU", "MeanIoU", "OneHotIoU", "OneHotMeanIoU", "F1Score", "FBetaScore", "R2Score",
    "CosineSimilarity",
})  # fmt: skip
_WITHOUT = frozenset({
    "Mean", "Sum", "MeanTensor", "MeanMetricWrapper", "MeanRelativeError", "Metric", "TruePositives", "TrueNegatives", "FalsePositives",
    "FalseNegatives",
})  # fmt: skip
"""Classes of which Keras 3 does not know whether more is better."""
_RISES = re.compile(
    r"acc|auc|precision|recall|f1|f2|fbeta|fscore|f_score|iou|io_u|jaccard|dice|psnr|ssim|r2|kappa|mcc|ndcg|sensitivity|specificity",
    re.IGNORECASE,
)
_FALLS = re.compile(r"loss|err|mse|mae|rmse|mape|msle|entropy|dist|perplexity|divergence|hinge|poisson", re.IGNORECASE)
_SECOND = frozenset({"FalseNegatives", "FalsePositives", "MeanIoU", "MeanMetricWrapper", "OneHotMeanIoU",
                     "SparseTopKCategoricalAccuracy", "TopKCategoricalAccuracy", "TrueNegatives", "TruePositives"})  # fmt: skip
_THIRD = frozenset({"BinaryIoU", "F1Score", "IoU", "OneHotIoU", "R2Score"})
_FOURTH = frozenset({"AUC", "FBetaScore", "Precision", "PrecisionAtRecall", "Recall", "RecallAtPrecision",
                     "SensitivityAtSpecificity", "SpecificityAtSensitivity"})  # fmt: skip
_SAME = (
    {"acc", "accuracy", "binary_accuracy", "categorical_accuracy", "sparse_categorical_accuracy"},
    {"mse", "mean_squared_error"},
    {"mae", "mean_absolute_error"},
    {"mape", "mean_absolute_percentage_error"},
    {"msle", "mean_squared_logarithmic_error"},
    {"kld", "kl_divergence", "kullback_leibler_divergence"},
    {"rmse", "root_mean_squared_error"},
    {"lr", "learning_rate"},
)


def snake(name: str) -> str:
    """A name as Keras writes it: "BinaryIoU" is "binary_io_u"."""
    name = re.sub(r"\W+", "", name)
    name = re.sub("(.)([A-Z][a-z]+)", r"\1_\2", name)
    return re.sub("([a-z])([A-Z])", r"\1_\2", name).lower()


def direction_of_class(metric: str) -> Direction:
    """Whether Keras 3 takes more of a metric for better, by the class of `keras.metrics` or `keras.losses`; unknown: it raises."""
    return "max" if metric in _RISING else "unknown" if metric in _WITHOUT else "min"


def direction_of_text(metric: str) -> Direction:
    """The same for a metric that is given as a text."""
    cls = next((name for name in CLASSES if metric in (name, snake(name))), "")
    if cls:
        return direction_of_class(cls)
    return "max" if metric.endswith(("acc", "accuracy")) or metric == "cosine_similarity" else "min"


def direction_of_word(name: str) -> Direction:
    """Whether more is better, by what a name says: more "dice" is better, and less "dice_loss"."""
    if _FALLS.search(name):
        return "unknown" if _RISES.search(name) and not name.endswith("loss") else "min"
    return "max" if _RISES.search(name) else "unknown"


def name_place(metric: str) -> int:
    """Which positional argument of a class of `keras.metrics` is the name, from 0."""
    return 1 if metric in _SECOND else 2 if metric in _THIRD else 3 if metric in _FOURTH else 0


def are_the_same(one: str, other: str) -> bool:
    """Whether two names mean the same metric: "acc" and "accuracy", "mse" and "mean_squared_error", "myF1" and "my_f1"."""
    if _bare(one) == _bare(other):
        return True
    return any(one in names and other in names for names in _SAME)


def _bare(name: str) -> str:
    return name.replace("_", "").replace("-", "").replace(" ", "").lower()
