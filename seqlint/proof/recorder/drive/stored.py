"""Inputs that lie on disk, or in a data frame that names what does: files, folders, tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import formats
from .made import COUNT, FOLDER
from .parameters import FOLDERS, FRAME_USES, FRAMES, IDS, MASKS, PANDAS, PATHS, TARGETS, TEXTS, Parameter, literal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .made import Spec
    from .parameters import Sizes
    from .uses import Uses


NAMED = "class-"
"""What columns are called whose names a parameter holds: they may be features, and then no two rows are the same."""


def data_frame(one: Parameter, sizes: Sizes) -> list[Spec]:
    """Data frames with the columns that are used, for what is one."""
    if not is_frame(one) or "csv" in one.uses.read:
        return []
    return [{"make": "frame", "columns": columns} for columns in _tables_of(one, sizes)]


def is_frame(one: Parameter) -> bool:
    """Whether it is a data frame, or the file of one."""
    named = one.words & FRAMES and not one.words & PATHS
    return bool(named or one.uses.methods & FRAME_USES or "DataFrame" in one.annotation or "csv" in one.uses.read)


def _tables_of(one: Parameter, sizes: Sizes) -> list[dict[str, Spec]]:
    """Columns of a data frame: with labels that are numbers, and with labels that are texts."""
    numbers = {name: _column(name, uses, sizes, False) for name, uses in _columns(one)}
    if not numbers:
        first = _column("path" if one.uses.read else "value", one.uses, sizes, False)
        numbers = {"path" if one.uses.read else "value": first, "label": label_sets(sizes)[0]}
    texts = {name: _column(name, uses, sizes, True) for name, uses in _columns(one)} or numbers
    return [numbers, texts]


def _columns(one: Parameter) -> Iterator[tuple[str, Uses]]:
    for name, uses in one.uses.columns.items():
        if not uses.called and name not in PANDAS:
            yield name, uses


def _column(name: str, uses: Uses, sizes: Sizes, as_texts: bool) -> Spec:
    inner = Parameter(name, uses, False, None, "")
    if uses.read - {"csv"} or uses.joined or uses.suffixes or inner.words & PATHS or inner.words & {"image", "img"}:
        return file_paths(inner, sizes)[0]
    if name.startswith(NAMED):
        return {"make": "array", "shape": [COUNT]}
    if inner.words & TEXTS:
        return {"make": "texts"}
    if inner.words & IDS:
        return sample_names("")
    if inner.words & TARGETS or inner.words & {"class", "category"}:
        return {"make": "texts", "classes": sizes.classes} if as_texts else label_sets(sizes)[0]
    return {"make": "array", "shape": [COUNT]}


def listed_folders(one: Parameter, sizes: Sizes) -> list[Spec]:
    """Folders for what is listed."""
    return folders(one, sizes) if one.uses.listed else []


def folders(one: Parameter, sizes: Sizes) -> list[Spec]:
    """Folders with one file a sample: of each suffix that the code names, of one of them, or in folders of classes."""
    suffixes = [suffix for suffix in sizes.suffixes if "." in suffix and not suffix.endswith((".py", ".h5", ".keras"))]
    mask = {"channels": 1, "classes_of_pixels": 2} if one.words & MASKS else {"channels": sizes.channels}
    base = {
        "make": "folder", "folder": one.name.strip("_"), "size": list(sizes.size), "item": list(sizes.item), **mask,
    }  # fmt: skip
    several = [{**base, "suffixes": suffixes[:4]}] if not one.uses.listed and suffixes else []
    flat = [{**base, "suffixes": [suffix]} for suffix in (*suffixes[:2], ".png")]
    nested = [{**base, "suffixes": [suffixes[0] if suffixes else ".png"], "classes": True}]
    slashed = [{**several[0], "slash": True} if several else {**flat[0], "slash": True}]
    return [*several, *flat, *nested, *slashed]


def csv_files(one: Parameter, sizes: Sizes) -> list[Spec]:
    """Tables on disk, for what is read as one."""
    if "csv" not in one.uses.read:
        return []
    tables = _tables_of(one, sizes) if any(_columns(one)) else []
    made: list[Spec] = [{"make": "file", "name": f"{one.name}.csv", "columns": columns} for columns in tables]
    return [*made, {"make": "file", "name": f"{one.name}.csv"}]


def stored_files(one: Parameter, sizes: Sizes) -> list[Spec]:
    """Files, their names, or their folder, for what the code reads or makes paths of."""
    uses = one.uses
    if uses.joined == {"folder"} and not uses.collection:
        return folders(one, sizes)
    if uses.collection and (uses.read or "name" in uses.joined):
        return file_paths(one, sizes)
    if uses.collection and uses.joined:
        return [sample_names(""), *folders(one, sizes)]
    if uses.read and not uses.collection:
        return _one_file(one, sizes)
    return []


_KINDS = {
    "image": ".png", "npy": ".npy", "hdf5": ".h5", "records": ".tfrecord", "raw": formats.RAW, "csv": ".csv", "file": ".txt",
}  # fmt: skip


def _one_file(one: Parameter, sizes: Sizes) -> list[Spec]:
    """A file with all samples, of the kind that is read."""
    kind = next(kind for kind in _KINDS if kind in one.uses.read)
    spec: Spec = {"make": "file", "name": f"{one.name}{_KINDS[kind]}", "item": [COUNT, *sizes.item]}
    if kind == "raw":
        return [{**spec, "numbers": count} for count in (formats.FEW, formats.MANY)]
    if kind in ("hdf5", "records"):
        return [{**spec, **_inside(sizes), "item": list(item)} for item in (sizes.item, (8,))]
    return [spec]


def _inside(sizes: Sizes) -> Spec:
    return {"keys": list(sizes.keys), "features": sizes.features, "size": list(sizes.size), "channels": sizes.channels}


def file_paths(one: Parameter, sizes: Sizes) -> list[Spec]:
    """Paths of files; names alone where a folder is put in front of them; without the suffix where that is appended."""
    known = [suffix for suffix in sizes.suffixes if suffix not in (".py", ".h5", ".keras", ".csv")]
    inner = {name: _KINDS[name] for name in ("npy", "hdf5", "records") if name in one.uses.read}
    suffix = next(iter(inner.values()), known[0] if known else ".png")
    mask = {"channels": 1, "classes_of_pixels": 2} if one.words & MASKS else {"channels": sizes.channels}
    spec = {"make": "paths", "suffix": suffix, **_inside(sizes), "item": list(sizes.item), **mask}
    whole: Spec = {**spec, "folder": one.name.strip("_@")}
    bare = sample_names("" if one.uses.suffixes else suffix)
    found = [bare, whole] if "name" in one.uses.joined else [whole, bare]
    return [*found, {**whole, "array": True}]


def sample_names(suffix: str) -> Spec:
    """The names of the samples, with or without a suffix; no files are made."""
    return {"make": "paths", "folder": "", "suffix": suffix}


def label_sets(sizes: Sizes) -> list[Spec]:
    """Labels: ints, one-hot rows, and a list of ints."""
    ints: Spec = {"make": "ints", "shape": [COUNT], "classes": sizes.classes}
    return [ints, {**ints, "onehot": True}, {**ints, "list": True}]


def named_places(one: Parameter, sizes: Sizes) -> list[Spec]:
    """Folders and paths, for what is only called so."""
    if one.words & FOLDERS:
        return folders(one, sizes)
    if one.words & PATHS:
        uses = one.uses
        plain = [] if uses.collection or uses.read or uses.listed else [literal(f"{FOLDER}/{one.name}")]
        return [*plain, *file_paths(one, sizes), *folders(one, sizes)]
    return []
