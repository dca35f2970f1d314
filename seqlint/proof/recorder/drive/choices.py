"""Which inputs may fit a parameter, the likeliest first: from its name, its uses, its default and its annotation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .made import COUNT
from .parameters import (
    ABSENT,
    ARRAYS,
    ASKS,
    CALLABLES,
    DIMENSIONS,
    FLAGS,
    FRAMES,
    IDS,
    IMAGES,
    INDICES,
    MASKS,
    ONES,
    OWN,
    PATHS,
    SHARES,
    SIDES,
    TARGETS,
    TEXTS,
    WINDOWS,
    is_structure,
    literal,
)
from .stored import (
    csv_files,
    data_frame,
    file_paths,
    folders,
    label_sets,
    listed_folders,
    named_places,
    sample_names,
    stored_files,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from .made import Spec
    from .parameters import Parameter, Sizes


def choices(parameter: Parameter, sizes: Sizes) -> list[Spec]:
    """What may be given; empty where nothing is known of it."""
    if parameter.optional and parameter.default is not None:
        return _with_default(parameter, sizes)
    if is_other(parameter):
        return [ABSENT] if parameter.optional else []
    found = next((specs for rule in _RULES if (specs := rule(parameter, sizes))), [])
    if not parameter.optional:
        return found
    return [*found, ABSENT] if found and parameter.words & TARGETS else [ABSENT, *found]


def is_other(parameter: Parameter) -> bool:
    """Whether a parameter is asked for what no array, list, text, path or data frame has: a database, a tokenizer."""
    uses = parameter.uses
    columns = {name for name in uses.columns if uses.collection or parameter.words & FRAMES}
    return bool(uses.own - OWN - columns) and not uses.called


def _with_default(parameter: Parameter, sizes: Sizes) -> list[Spec]:
    if is_batch(parameter) and isinstance(parameter.default, int):
        return [literal(4), ABSENT]
    if isinstance(parameter.default, str) and (parameter.uses.listed or "folder" in parameter.uses.joined):
        return [*folders(parameter, sizes), ABSENT]
    if parameter.words & {"worker", "workers"} or parameter.name == "use_multiprocessing":
        return [ABSENT]
    return [ABSENT]


def is_batch(parameter: Parameter) -> bool:
    """Whether a parameter is the number of samples in a batch."""
    return parameter.name in ("bs", "batch") or {"batch", "size"} <= parameter.words


def _function(one: Parameter, sizes: Sizes) -> list[Spec]:
    if one.uses.called or (
        one.words & CALLABLES and not one.uses.methods and "Callable" in (one.annotation or "Callable")
    ):
        return [{"make": "callable"}, literal(None)]
    return []


def _held_out(one: Parameter, sizes: Sizes) -> list[Spec]:
    """Inputs and labels together: `validation_data`."""
    if one.words & {"validation", "val", "valid", "test", "dev"} and one.words & {"data", "set", "dataset"}:
        arrays: list[Spec] = [{"make": "array", "shape": [COUNT, 8]}, label_sets(sizes)[0]]
        return [{"make": "list", "tuple": True, "items": arrays}, arrays[0]]
    return []


def _flag(one: Parameter, sizes: Sizes) -> list[Spec]:
    asked = bool(ASKS & {word.lower() for word in one.name.split("_")[:1]})
    if one.annotation == "bool" or ((asked or one.words & FLAGS) and not is_structure(one)):
        on = bool(one.words & {"shuffle", "train", "training", "fit"})
        return [literal(on), literal(not on)]
    return []


def _compared(one: Parameter, sizes: Sizes) -> list[Spec]:
    texts = [value for value in one.uses.literals if isinstance(value, str)]
    if one.uses.collection or one.uses.read or not texts:
        return []
    return [literal(value) for value in sorted(texts, key=lambda value: "train" not in value and "fit" not in value)][
        :3
    ]


def _number(one: Parameter, sizes: Sizes) -> list[Spec]:
    words = one.words
    if is_batch(one):
        return [literal(4)]
    if words & {"seed", "state"} and not one.uses.collection:
        return [literal(7)]
    if words & {"class", "classes", "categories", "category"} and (words & {"n", "num", "number", "nb", "count"}):
        return [literal(sizes.classes)]
    if "channel" in words or words == {"depth"}:
        return [literal(sizes.channels)]
    if words & DIMENSIONS and not words & {"vocab", "step", "buffer", "sample"}:
        return _dimensions(one, sizes)
    if words & SIDES and not (one.uses.collection or one.uses.names_columns or words & PATHS):
        return [literal(sizes.size[0])]
    if one.uses.collection or one.uses.methods:
        return []
    if words & WINDOWS:
        return [literal(3)]
    if words & ONES:
        return [literal(1)]
    if words & SHARES or one.annotation == "float":
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


def _keyed(one: Parameter, sizes: Sizes) -> list[Spec]:
    """A dict whose keys are the items of another parameter."""
    if not one.uses.keyed_by or one.uses.ranks or one.uses.methods & {"shape", "iloc", "loc"}:
        return []
    values = label_sets(sizes)[0] if one.words & TARGETS else {"make": "array", "shape": [COUNT, *sizes.item]}
    if not one.words & TARGETS | (one.words & {"dict", "map", "mapping"}):
        return []
    keys = min(one.uses.keyed_by)
    return [{"make": "mapping", "keys": {"make": "same", "as": keys}, "values": values}, *_targets(one, sizes)]


def _targets(one: Parameter, sizes: Sizes) -> list[Spec]:
    if one.words & MASKS:
        return [{"make": "array", "shape": [COUNT, *sizes.size, 1]}, *label_sets(sizes)]
    if one.words & {"weight"}:
        return [{"make": "array", "shape": [COUNT]}]
    if one.words & TARGETS and (one.uses.collection or not one.uses.number):
        return [
            *label_sets(sizes),
            {"make": "array", "shape": [COUNT, 1]},
            {"make": "array", "shape": [COUNT, *sizes.item]},
        ]
    return []


def _ids(one: Parameter, sizes: Sizes) -> list[Spec]:
    if one.words & INDICES:
        return [{"make": "ints", "shape": [COUNT], "classes": COUNT}]
    if one.words & IDS and (one.uses.collection or not is_structure(one)):
        return [sample_names(""), {"make": "ints", "shape": [COUNT], "classes": COUNT}]
    return []


def _writings(one: Parameter, sizes: Sizes) -> list[Spec]:
    return [{"make": "texts"}] if one.words & TEXTS and not one.uses.number else []


def _class_names(one: Parameter, sizes: Sizes) -> list[Spec]:
    if not one.words & {"class", "classes", "category", "categories"}:
        return []
    names: Spec = {"make": "texts", "classes": sizes.classes, "count": sizes.classes}
    return [names] if one.uses.collection else [literal(sizes.classes), names]


def _arrays(one: Parameter, sizes: Sizes) -> list[Spec]:
    if not (one.uses.collection or one.words & (ARRAYS | IMAGES)):
        return []
    shapes = [(8,), sizes.item, (8, 3), ()]
    if one.words & (IMAGES - {"x", "xs"}):
        shapes = [(*sizes.size, sizes.channels), (8,), sizes.size, ()]
    if one.uses.ranks > 1:
        shapes.sort(key=lambda shape: abs(len(shape) + 1 - one.uses.ranks))
    if one.words & {"series", "signal"}:
        shapes = [(), (8,), (8, 3)]
    arrays: list[Spec] = [{"make": "array", "shape": [COUNT, *shape]} for shape in shapes]
    pairs: Spec = {"make": "pairs", "items": [arrays[0], label_sets(sizes)[0]]}
    files = file_paths(one, sizes)[0]
    return [*arrays, pairs, {"make": "pairs", "items": [{**files, "folder": one.name}, label_sets(sizes)[0]]}, files]


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
    return [literal(4)] if words and not is_structure(one) else []


_RULES: tuple[Callable[[Parameter, Sizes], list[Spec]], ...] = (
    _function, _held_out, _compared, _flag, data_frame, listed_folders, csv_files, _number, _column_name, stored_files, _keyed, _targets, _class_names,
    _ids, _writings, named_places, _arrays, _plain_number,
)  # fmt: skip
