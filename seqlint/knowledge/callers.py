"""When a function that is an argument runs, and what it gets.

TensorFlow traces the function of `map` once: Python in it runs once for the whole dataset. `py_function` runs it for each row, and
`from_generator` for each pass.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from seqlint.knowledge.types import DATASET

CallerKind = Literal["script", "traced", "python", "generator", "callback"]
"""*script*: at once; *traced*: once, by TensorFlow; *python*: for each row; *generator*: for each pass; *callback*: for each epoch."""


@dataclass(frozen=True)
class Caller:
    """How a library calls a function that it gets.

    Attributes:
        kind: when it runs.
        function_arguments: the arguments that are functions.
        gets: the argument whose items it gets, if it is not the rows of the receiver.
    """

    kind: CallerKind
    function_arguments: tuple[int | str, ...]
    gets: int | str | None = None


_TRACED = {
    "map": ("map_func",), "filter": ("predicate",), "flat_map": ("map_func",), "interleave": ("map_func",), "scan": ("scan_func",),
    "take_while": ("predicate",), "reduce": ("reduce_func",), "group_by_window": ("key_func", "reduce_func"),
    "bucket_by_sequence_length": ("element_length_func",), "rejection_resample": ("class_func",), "map_and_batch": ("map_func",),
}  # fmt: skip
_NOT_FIRST = {"scan": 1, "reduce": 1}
_PYTHON = frozenset({"tensorflow.py_function", "tensorflow.numpy_function", "tensorflow.py_func"})
_INLINE = frozenset({
    "tensorflow.cond", "tensorflow.map_fn", "tensorflow.vectorized_map", "tensorflow.while_loop", "tensorflow.switch_case", "builtins.filter",
    "builtins.sorted", "builtins.max", "builtins.min", "tensorflow.nest.map_structure", "functools.reduce", "tensorflow.case",
    "tensorflow.distribute.Strategy.run", "tensorflow.recompute_grad", "tensorflow.stop_gradient",
})  # fmt: skip
_LIBRARIES = frozenset({
    "tensorflow", "keras", "numpy", "pandas", "sklearn", "scipy", "os", "sys", "math", "random", "json", "csv", "re", "glob", "pathlib", "time",
    "datetime", "builtins", "itertools", "functools", "collections", "argparse", "logging", "matplotlib", "PIL", "cv2", "skimage",
    "tensorflow_datasets", "shutil", "pickle", "h5py", "copy", "string", "typing", "imageio", "librosa", "nibabel", "tqdm", "absl",
    "types", "warnings", "contextlib", "tempfile", "subprocess", "multiprocessing", "threading", "dataclasses", "enum", "abc", "io",
    "seaborn", "wandb", "mlflow", "yaml", "uuid", "hashlib", "zipfile", "tarfile", "urllib", "requests", "gc", "platform", "operator",
    "statistics", "decimal", "fractions", "struct", "base64", "gzip", "tensorflow_addons", "tensorflow_hub", "tensorflow_text", "inspect",
})  # fmt: skip

_OF_MODELS = frozenset(
    {"compile", "fit", "evaluate", "predict", "fit_generator", "evaluate_generator", "predict_generator"}
)


@lru_cache(maxsize=4_096)
def of(name: str) -> Caller | None:
    """How a library calls the functions among its arguments; None where it does not, or nobody knows."""
    home, _, method = name.rpartition(".")
    if home in (DATASET, "", "tensorflow.data.experimental") and method in _TRACED:
        return Caller("traced", (_NOT_FIRST.get(method, 0), *_TRACED[method]))
    if name in _PYTHON:
        return Caller("python", (0, "func"), 1)
    if method == "from_generator":
        return Caller("generator", (0, "generator"), 3)
    if name.startswith("keras.layers.Lambda"):
        return Caller("traced", (0, "function"))
    if name == "keras.callbacks.LearningRateScheduler":
        return Caller("callback", (0, "schedule"))
    if name in _INLINE:
        return Caller("script", ())
    return None


@lru_cache(maxsize=4_096)
def is_known(name: str) -> bool:
    """Whether a library is known well enough to say that it changes no list or dict that it only gets."""
    return name.partition(".")[0].rstrip("()") in _LIBRARIES


def keeps_lists(name: str) -> bool:
    """Whether a call changes no list or dict that it gets: that of a known library, or of a method that a model of unknown class has."""
    return is_known(name) or name.rpartition(".")[2] in _OF_MODELS
