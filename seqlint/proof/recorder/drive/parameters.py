"""The parameters of a constructor, and what their names say."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .uses import FRAME

if TYPE_CHECKING:
    from .made import Spec
    from .uses import Uses

ABSENT: Spec = {"make": "absent"}
"""The parameter is not given, so that its default counts."""
_WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")


@dataclass(frozen=True)
class Parameter:
    """One parameter: its default counts only where `optional`."""

    name: str
    uses: Uses
    optional: bool
    default: Any
    annotation: str

    @property
    def words(self) -> frozenset[str]:
        """The words of its name, in small letters, a plural also as a singular."""
        found = [word.lower() for word in _WORD.findall(self.name)]
        return frozenset(found) | {word[:-1] for word in found if word.endswith("s") and len(word) > 3}


@dataclass
class Sizes:
    """What all inputs of one class share, so that they fit each other.

    Attributes:
        size: height and width of images.
        item: shape of what one file of numbers holds.
        suffixes: of files, as the module names them.
        keys: names by which the module takes parts of a file.
        features: of records, as the module declares them.
        gray: whether images have one channel and no axis for it.
    """

    size: tuple[int, int] = (32, 32)
    channels: int = 3
    classes: int = 3
    item: tuple[int, ...] = (32, 32, 3)
    dimensions: tuple[int, ...] = (32, 32)
    suffixes: tuple[str, ...] = ()
    gray: bool = False
    keys: tuple[str, ...] = ()
    features: dict[str, list[Any]] = field(default_factory=dict)


def literal(value: Any) -> Spec:
    """A plain value."""
    if isinstance(value, tuple):
        return {"make": "literal", "value": list(value), "tuple": True}
    return {"make": "literal", "value": value}


TARGETS = frozenset({"y", "label", "target", "truth", "answer", "ys", "output", "cls", "annotation"})
MASKS = frozenset({"mask", "segmentation"})
CALLABLES = frozenset(
    {"transform", "augmentation", "augmenter", "preprocess", "preprocessing", "preprocessor", "fn", "func", "function",
     "callback", "normalize", "normalizer", "processor", "augmentor", "aug"}
)  # fmt: skip
FLAGS = frozenset(
    {"shuffle", "augment", "train", "training", "verbose", "fit", "flag", "rotate", "flip", "predict", "debug", "test",
     "validation", "val", "cache", "repeat", "drop", "gray", "grayscale", "normalize", "augmentation"}
)  # fmt: skip
ASKS = frozenset({"is", "use", "do", "with", "to", "should", "has", "return"})
DIMENSIONS = frozenset({"dim", "shape", "size", "dimension", "resolution"})
SIDES = frozenset({"height", "width", "h", "w", "rows", "cols", "side"})
WINDOWS = frozenset(
    {"window", "lookback", "timesteps", "timestep", "history", "length", "len", "maxlen", "past", "seq", "back"}
)
ONES = frozenset({"stride", "step", "horizon", "ahead", "future", "rate", "delay", "forward", "skip", "factor"})
SHARES = frozenset(
    {"ratio", "fraction", "probability", "prob", "alpha", "split", "scale", "threshold", "sigma", "percent"}
)
FRAMES = frozenset({"df", "dataframe", "frame"})
FRAME_USES = FRAME - {"sample", "drop", "at"}
OWN = frozenset(name for kind in (list, dict, str, Path, np.ndarray) for name in dir(kind)) | FRAME | frozenset(
    {"values", "index", "head", "tail", "dtypes", "to_numpy", "numpy", "isin", "empty", "assign", "rename", "merge", "map"}
)  # fmt: skip
"""What arrays, lists, texts, dicts, paths and data frames have: who is asked for something else is another thing."""
FOLDERS = frozenset({"dir", "directory", "folder", "root", "dirs"})
PATHS = frozenset({"path", "file", "filename", "filepath", "fname"})
IMAGES = frozenset({"image", "img", "photo", "picture", "frame", "xs", "x"})
ARRAYS = frozenset(
    {"x", "data", "feature", "input", "array", "sample", "signal", "series", "value", "sequence", "xs", "set"}
)
TEXTS = frozenset({"text", "sentence", "document", "corpus", "string", "review", "caption", "word"})
IDS = frozenset({"id", "ids", "key", "item", "name"})
INDICES = frozenset({"index", "indexes", "indices", "idx", "idxs"})
PANDAS = frozenset(
    {"shape", "values", "index", "copy", "size", "dtype", "dtypes", "T", "name", "str", "empty", "iloc", "loc"}
)


def is_structure(one: Parameter) -> bool:
    """Whether its uses say more of it than its name."""
    uses = one.uses
    return bool(uses.collection or uses.listed or uses.read or uses.joined or uses.methods or uses.number)
