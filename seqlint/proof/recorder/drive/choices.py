"""Which inputs may fit a parameter, the likeliest first: from its name, its uses, its default and its annotation."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .made import COUNT, FOLDER
from .uses import FRAME

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

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
        gray: whether images have one channel and no axis for it.
    """

    size: tuple[int, int] = (32, 32)
    channels: int = 3
    classes: int = 3
    item: tuple[int, ...] = (32, 32, 3)
    dimensions: tuple[int, ...] = (32, 32)
    suffixes: tuple[str, ...] = ()
    gray: bool = False


def literal(value: Any) -> Spec:
    """A plain value."""
    if isinstance(value, tuple):
        return {"make": "literal", "value": list(value), "tuple": True}
    return {"make": "literal", "value": value}


def choices(parameter: Parameter, sizes: Sizes) -> list[Spec]:
    """What may be given; empty where nothing is known of it."""
    if parameter.optional and parameter.default is not None:
        return _with_default(parameter, sizes)
    if is_other(parameter):
        return [ABSENT] if parameter.optional else []
    found = next((specs for rule in _RULES if (specs := rule(parameter, sizes))), [])
    if not parameter.optional:
        return found
    return [*found, ABSENT] if found and parameter.words & _TARGETS else [ABSENT, *found]


def is_other(parameter: Parameter) -> bool:
    """Whether a parameter is asked for what no array, list, text, path or data frame has: a database, a tokenizer."""
    uses = parameter.uses
    columns = {name for name in uses.columns if uses.collection or parameter.words & _FRAMES}
    return bool(uses.own - _OWN - columns) and not uses.called


def _with_default(parameter: Parameter, sizes: Sizes) -> list[Spec]:
    if _is_batch(parameter) and isinstance(parameter.default, int):
        return [literal(4), ABSENT]
    if isinstance(parameter.default, str) and (parameter.uses.listed or "folder" in parameter.uses.joined):
        return [*_folders(parameter, sizes), ABSENT]
    if parameter.words & {"worker", "workers"} or parameter.name == "use_multiprocessing":
        return [ABSENT]
    return [ABSENT]


_TARGETS = frozenset({"y", "label", "target", "truth", "answer", "ys", "output", "cls", "annotation"})
_MASKS = frozenset({"mask", "segmentation"})
_CALLABLES = frozenset(
    {"transform", "augmentation", "augmenter", "preprocess", "preprocessing", "preprocessor", "fn", "func", "function",
     "callback", "normalize", "normalizer", "processor", "augmentor", "aug"}
)  # fmt: skip
_FLAGS = frozenset(
    {"shuffle", "augment", "train", "training", "verbose", "fit", "flag", "rotate", "flip", "predict", "debug", "test",
     "validation", "val", "cache", "repeat", "drop", "gray", "grayscale", "normalize", "augmentation"}
)  # fmt: skip
_ASKS = frozenset({"is", "use", "do", "with", "to", "should", "has", "return"})
_DIMENSIONS = frozenset({"dim", "shape", "size", "dimension", "resolution"})
_SIDES = frozenset({"height", "width", "h", "w", "rows", "cols", "side"})
_WINDOWS = frozenset(
    {"window", "lookback", "timesteps", "timestep", "history", "length", "len", "maxlen", "past", "seq", "back"}
)
_ONES = frozenset({"stride", "step", "horizon", "ahead", "future", "rate", "delay", "forward", "skip", "factor"})
_SHARES = frozenset(
    {"ratio", "fraction", "probability", "prob", "alpha", "split", "scale", "threshold", "sigma", "percent"}
)
_FRAMES = frozenset({"df", "dataframe", "frame"})
_FRAME_USES = FRAME - {"sample", "drop", "at"}
_OWN = frozenset(name for kind in (list, dict, str, Path, np.ndarray) for name in dir(kind)) | FRAME | frozenset(
    {"values", "index", "head", "tail", "dtypes", "to_numpy", "numpy", "isin", "empty", "assign", "rename", "merge", "map"}
)  # fmt: skip
"""What arrays, lists, texts, dicts, paths and data frames have: who is asked for something else is another thing."""
_FOLDERS = frozenset({"dir", "directory", "folder", "root", "dirs"})
_PATHS = frozenset({"path", "file", "filename", "filepath", "fname"})
_IMAGES = frozenset({"image", "img", "photo", "picture", "frame", "xs", "x"})
_ARRAYS = frozenset(
    {"x", "data", "feature", "input", "array", "sample", "signal", "series", "value", "sequence", "xs", "set"}
)
_TEXTS = frozenset({"text", "sentence", "document", "corpus", "string", "review", "caption", "word"})
_IDS = frozenset({"id", "ids", "key", "item", "name"})
INDICES = frozenset({"index", "indexes", "indices", "idx", "idxs"})
_PANDAS = frozenset(
    {"shape", "values", "index", "copy", "size", "dtype", "dtypes", "T", "name", "str", "empty", "iloc", "loc"}
)


def _is_batch(parameter: Parameter) -> bool:
    return parameter.name in ("bs", "batch") or {"batch", "size"} <= parameter.words


def _function(one: Parameter, sizes: Sizes) -> list[Spec]:
    if one.uses.called or (
        one.words & _CALLABLES and not one.uses.methods and "Callable" in (one.annotation or "Callable")
    ):
        return [{"make": "callable"}, literal(None)]
    return []


def _held_out(one: Parameter, sizes: Sizes) -> list[Spec]:
    """Inputs and labels together: `validation_data`."""
    if one.words & {"validation", "val", "valid", "test", "dev"} and one.words & {"data", "set", "dataset"}:
        arrays: list[Spec] = [{"make": "array", "shape": [COUNT, 8]}, _labels(sizes)[0]]
        return [{"make": "list", "tuple": True, "items": arrays}, arrays[0]]
    return []


def _flag(one: Parameter, sizes: Sizes) -> list[Spec]:
    asked = bool(_ASKS & {word.lower() for word in one.name.split("_")[:1]})
    if one.annotation == "bool" or ((asked or one.words & _FLAGS) and not _is_structure(one)):
        on = bool(one.words & {"shuffle", "train", "training", "fit"})
        return [literal(on), literal(not on)]
    return []


def _is_structure(one: Parameter) -> bool:
    uses = one.uses
    return bool(uses.collection or uses.listed or uses.read or uses.joined or uses.methods or uses.number)


def _compared(one: Parameter, sizes: Sizes) -> list[Spec]:
    texts = [value for value in one.uses.literals if isinstance(value, str)]
    if one.uses.collection or one.uses.read or not texts:
        return []
    return [literal(value) for value in sorted(texts, key=lambda value: "train" not in value and "fit" not in value)][
        :3
    ]


def _number(one: Parameter, sizes: Sizes) -> list[Spec]:
    words = one.words
    if _is_batch(one):
        return [literal(4)]
    if words & {"seed", "state"} and not one.uses.collection:
        return [literal(7)]
    if words & {"class", "classes", "categories", "category"} and (words & {"n", "num", "number", "nb", "count"}):
        return [literal(sizes.classes)]
    if "channel" in words or words == {"depth"}:
        return [literal(sizes.channels)]
    if words & _DIMENSIONS and not words & {"vocab", "step", "buffer", "sample"}:
        return _dimensions(one, sizes)
    if words & _SIDES and not one.uses.collection:
        return [literal(sizes.size[0])]
    if one.uses.collection or one.uses.methods:
        return []
    if words & _WINDOWS:
        return [literal(3)]
    if words & _ONES:
        return [literal(1)]
    if words & _SHARES or one.annotation == "float":
        return [literal(0.5)]
    return []


def _dimensions(one: Parameter, sizes: Sizes) -> list[Spec]:
    pair, triple, side = literal(sizes.size), literal((*sizes.size, sizes.channels)), literal(sizes.size[0])
    if one.uses.parts == 3:
        return [triple, pair]
    if one.uses.number and not one.uses.collection and not one.uses.parts:
        return [side, pair]
    return [triple, pair, side] if "shape" in one.words and one.uses.parts != 2 else [pair, triple, side]


def _column_name(one: Parameter, sizes: Sizes) -> list[Spec]:
    if not (one.words & {"col", "column", "field"} or one.uses.names_columns):
        return []
    names: Spec = {"make": "texts", "classes": sizes.classes, "count": sizes.classes}
    return (
        [names, literal(one.name)] if one.name.endswith("s") else [literal(one.name)] if not one.uses.collection else []
    )


def _data_frame(one: Parameter, sizes: Sizes) -> list[Spec]:
    if not is_frame(one) or "csv" in one.uses.read:
        return []
    return [{"make": "frame", "columns": columns} for columns in _tables_of(one, sizes)]


def is_frame(one: Parameter) -> bool:
    """Whether it is a data frame, or the file of one."""
    named = one.words & _FRAMES and not one.words & _PATHS
    return bool(named or one.uses.methods & _FRAME_USES or "DataFrame" in one.annotation or "csv" in one.uses.read)


def _tables_of(one: Parameter, sizes: Sizes) -> list[dict[str, Spec]]:
    """Columns of a data frame: with labels that are numbers, and with labels that are texts."""
    numbers = {name: _column(name, uses, sizes, False) for name, uses in _columns(one)}
    if not numbers:
        first = _column("path" if one.uses.read else "value", one.uses, sizes, False)
        numbers = {"path" if one.uses.read else "value": first, "label": _labels(sizes)[0]}
    texts = {name: _column(name, uses, sizes, True) for name, uses in _columns(one)} or numbers
    return [numbers, texts]


def _columns(one: Parameter) -> Iterator[tuple[str, Uses]]:
    for name, uses in one.uses.columns.items():
        if not uses.called and name not in _PANDAS:
            yield name, uses


def _column(name: str, uses: Uses, sizes: Sizes, as_texts: bool) -> Spec:
    inner = Parameter(name, uses, False, None, "")
    if uses.read - {"csv"} or uses.joined or uses.suffixes or inner.words & _PATHS or inner.words & {"image", "img"}:
        return _files(inner, sizes)[0]
    if inner.words & _TEXTS:
        return {"make": "texts"}
    if inner.words & _IDS:
        return _names("")
    if inner.words & _TARGETS or inner.words & {"class", "category"}:
        return {"make": "texts", "classes": sizes.classes} if as_texts else _labels(sizes)[0]
    return {"make": "array", "shape": [COUNT]}


def _listed(one: Parameter, sizes: Sizes) -> list[Spec]:
    return _folders(one, sizes) if one.uses.listed else []


def _folders(one: Parameter, sizes: Sizes) -> list[Spec]:
    suffixes = [suffix for suffix in sizes.suffixes if "." in suffix and not suffix.endswith((".py", ".h5", ".keras"))]
    mask = {"channels": 1, "classes_of_pixels": 2} if one.words & _MASKS else {"channels": sizes.channels}
    base = {
        "make": "folder", "folder": one.name.strip("_"), "size": list(sizes.size), "item": list(sizes.item), **mask,
    }  # fmt: skip
    several = [{**base, "suffixes": suffixes[:4]}] if not one.uses.listed and suffixes else []
    flat = [{**base, "suffixes": [suffix]} for suffix in (*suffixes[:2], ".png")]
    nested = [{**base, "suffixes": [suffixes[0] if suffixes else ".png"], "classes": True}]
    slashed = [{**several[0], "slash": True} if several else {**flat[0], "slash": True}]
    return [*several, *flat, *nested, *slashed]


def _tables(one: Parameter, sizes: Sizes) -> list[Spec]:
    if "csv" not in one.uses.read:
        return []
    tables = _tables_of(one, sizes) if any(_columns(one)) else []
    made: list[Spec] = [{"make": "file", "name": f"{one.name}.csv", "columns": columns} for columns in tables]
    return [*made, {"make": "file", "name": f"{one.name}.csv"}]


def _read(one: Parameter, sizes: Sizes) -> list[Spec]:
    uses = one.uses
    if uses.joined == {"folder"} and not uses.collection:
        return _folders(one, sizes)
    if uses.collection and (uses.read or "name" in uses.joined):
        return _files(one, sizes)
    if uses.collection and uses.joined:
        return [_names(""), *_folders(one, sizes)]
    if uses.read and not uses.collection:
        kinds = {"npy": ".npy", "image": ".png", "csv": ".csv", "file": ".txt"}
        suffix = next(kinds[kind] for kind in ("image", "npy", "csv", "file") if kind in uses.read)
        return [{"make": "file", "name": f"{one.name}{suffix}", "item": [COUNT, *sizes.item]}]
    return []


def _files(one: Parameter, sizes: Sizes) -> list[Spec]:
    """Paths of files; names alone where a folder is put in front of them; without the suffix where that is put behind."""
    known = [suffix for suffix in sizes.suffixes if suffix not in (".py", ".h5", ".keras", ".csv")]
    suffix = ".npy" if "npy" in one.uses.read else known[0] if known else ".png"
    mask = {"channels": 1, "classes_of_pixels": 2} if one.words & _MASKS else {"channels": sizes.channels}
    spec = {"make": "paths", "suffix": suffix, "size": list(sizes.size), "item": list(sizes.item), **mask}
    whole: Spec = {**spec, "folder": one.name.strip("_@")}
    bare = _names("" if one.uses.suffixes else suffix)
    found = [bare, whole] if "name" in one.uses.joined else [whole, bare]
    return [*found, {**whole, "array": True}]


def _names(suffix: str) -> Spec:
    return {"make": "paths", "folder": "", "suffix": suffix}


def _keyed(one: Parameter, sizes: Sizes) -> list[Spec]:
    """A dict whose keys are the items of another parameter."""
    if not one.uses.keyed_by or one.uses.ranks or one.uses.methods & {"shape", "iloc", "loc"}:
        return []
    values = _labels(sizes)[0] if one.words & _TARGETS else {"make": "array", "shape": [COUNT, *sizes.item]}
    if not one.words & _TARGETS | (one.words & {"dict", "map", "mapping"}):
        return []
    keys = min(one.uses.keyed_by)
    return [{"make": "mapping", "keys": {"make": "same", "as": keys}, "values": values}, *_targets(one, sizes)]


def _targets(one: Parameter, sizes: Sizes) -> list[Spec]:
    if one.words & _MASKS:
        return [{"make": "array", "shape": [COUNT, *sizes.size, 1]}, *_labels(sizes)]
    if one.words & {"weight"}:
        return [{"make": "array", "shape": [COUNT]}]
    if one.words & _TARGETS and (one.uses.collection or not one.uses.number):
        return [
            *_labels(sizes),
            {"make": "array", "shape": [COUNT, 1]},
            {"make": "array", "shape": [COUNT, *sizes.item]},
        ]
    return []


def _labels(sizes: Sizes) -> list[Spec]:
    ints: Spec = {"make": "ints", "shape": [COUNT], "classes": sizes.classes}
    return [ints, {**ints, "onehot": True}, {**ints, "list": True}]


def _ids(one: Parameter, sizes: Sizes) -> list[Spec]:
    if one.words & INDICES:
        return [{"make": "ints", "shape": [COUNT], "classes": COUNT}]
    if one.words & _IDS and (one.uses.collection or not _is_structure(one)):
        return [_names(""), {"make": "ints", "shape": [COUNT], "classes": COUNT}]
    return []


def _writings(one: Parameter, sizes: Sizes) -> list[Spec]:
    return [{"make": "texts"}] if one.words & _TEXTS and not one.uses.number else []


def _class_names(one: Parameter, sizes: Sizes) -> list[Spec]:
    if not one.words & {"class", "classes", "category", "categories"}:
        return []
    names: Spec = {"make": "texts", "classes": sizes.classes, "count": sizes.classes}
    return [names] if one.uses.collection else [literal(sizes.classes), names]


def _places(one: Parameter, sizes: Sizes) -> list[Spec]:
    if one.words & _FOLDERS:
        return _folders(one, sizes)
    if one.words & _PATHS:
        uses = one.uses
        plain = [] if uses.collection or uses.read or uses.listed else [literal(f"{FOLDER}/{one.name}")]
        return [*plain, *_files(one, sizes), *_folders(one, sizes)]
    return []


def _arrays(one: Parameter, sizes: Sizes) -> list[Spec]:
    if not (one.uses.collection or one.words & (_ARRAYS | _IMAGES)):
        return []
    shapes = [(8,), sizes.item, (8, 3), ()]
    if one.words & (_IMAGES - {"x", "xs"}):
        shapes = [(*sizes.size, sizes.channels), (8,), sizes.size, ()]
    if one.uses.ranks > 1:
        shapes.sort(key=lambda shape: abs(len(shape) + 1 - one.uses.ranks))
    if one.words & {"series", "signal"}:
        shapes = [(), (8,), (8, 3)]
    arrays: list[Spec] = [{"make": "array", "shape": [COUNT, *shape]} for shape in shapes]
    pairs: Spec = {"make": "pairs", "items": [arrays[0], _labels(sizes)[0]]}
    files = _files(one, sizes)[0]
    return [*arrays, pairs, {"make": "pairs", "items": [{**files, "folder": one.name}, _labels(sizes)[0]]}, files]


def _plain_number(one: Parameter, sizes: Sizes) -> list[Spec]:
    if one.annotation in ("int", "float") or one.uses.number:
        return [literal(4)]
    if one.annotation == "str":
        return [literal("text")]
    words = one.words & {
        "n",
        "num",
        "number",
        "nb",
        "count",
        "epoch",
        "max",
        "min",
        "size",
        "steps",
        "patience",
        "interval",
    }
    return [literal(4)] if words and not _is_structure(one) else []


_RULES: tuple[Callable[[Parameter, Sizes], list[Spec]], ...] = (
    _function, _held_out, _compared, _flag, _data_frame, _listed, _tables, _number, _column_name, _read, _keyed, _targets, _class_names,
    _ids, _writings, _places, _arrays, _plain_number,
)  # fmt: skip
