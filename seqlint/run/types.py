"""The library type of an object of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.knowledge.tf_data import LOADERS
from seqlint.knowledge.types import ARRAYS, DATASET, GIVES, MODEL, is_dataset_call
from seqlint.run.objects import Container, Generator, Result, Setting

if TYPE_CHECKING:
    from seqlint.run.objects import Object


def type_of(found: Object) -> str:
    """The canonical name of the library type of an object; empty where it is not known."""
    if isinstance(found, Setting):
        return type_of(found.default)
    if not isinstance(found, Result):
        return ""
    if found.type:
        return found.type
    if found.op == "call":
        return _of_call(found)
    if found.op == "item" and isinstance(found.receiver, Result):
        return DATASET if gives_datasets(found.receiver) else ""
    return ""


def _of_call(found: Result) -> str:
    name = found.name
    if name in GIVES:
        return "" if gives_datasets(found) and name != "tensorflow_datasets.load" else GIVES[name]
    if is_dataset_call(name):
        return "" if gives_datasets(found) else DATASET
    module, _, last = name.rpartition(".")
    if module == "numpy" and last in ARRAYS:
        return "numpy.ndarray"
    if module.startswith("keras.applications"):
        return MODEL
    if found.receiver is None and module and last[:1].isupper() and module.partition(".")[0] != "builtins":
        return "tensorflow.distribute.Strategy" if last.endswith("Strategy") else name
    return ""


def gives_datasets(found: Result) -> bool:
    """Whether a call gives several datasets: `split_dataset`, `subset="both"`, `tfds.load` of several splits."""
    if found.op != "call":
        return False
    if found.method == "split_dataset":
        return True
    if found.name == "tensorflow_datasets.load":
        split, info = found.keyword("split"), found.keyword("with_info")
        several = split is None or not isinstance(split.constant, str) or isinstance(split.only, Container)
        return several or (info is not None and info.constant is True)
    subset = found.keyword("subset")
    return found.method in LOADERS and subset is not None and subset.constant == "both"


def member_name(found: Object, name: str) -> str:
    """The canonical name of a member: "numpy.random.Generator.shuffle"; ".shuffle" where the type is unknown."""
    kind = type_of(found)
    if not kind and isinstance(found, Generator):
        kind = "generator"
    if name == "()":
        return f"{kind}()" if kind else "()"
    return f"{kind}.{name}" if kind else f".{name}"
