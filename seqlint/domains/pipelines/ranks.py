"""Which parts of a dataset's elements have no shape at all: what `from_generator` is only told the type of, and what Python functions give."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from seqlint.domains.pipelines.pipelines import Pipelines
from seqlint.run import Constant, Container, External, Result, Tuple
from seqlint.run.objects import constant
from seqlint.run.types import type_of

if TYPE_CHECKING:
    from seqlint.run import Run, Value

Part = Result | tuple["Part", ...] | dict[object, "Part"] | None
"""The call that leaves a part without a shape, or the parts of a tuple or dict; None where the shape is known, or nobody can tell."""
_KEEPS = frozenset({
    "batch", "shuffle", "repeat", "cache", "prefetch", "take", "skip", "shard", "filter", "with_options", "rebatch", "ignore_errors",
    "snapshot", "take_while",
})  # fmt: skip
_LEAVES = re.compile(
    r"tensorflow\.(cast|identity|abs|sqrt|exp|clip_by_value|divide|multiply|add|subtract|math\.(abs|sqrt|exp|log|divide|multiply|add|subtract)"
    r"|image\.(random_flip_\w+|flip_\w+|random_brightness|random_contrast|random_hue|random_saturation|adjust_\w+|per_image_standardization"
    r"|convert_image_dtype))$"
)
"""Functions that give a tensor of the shape of their first argument, also where that is unknown."""
_PYTHON = frozenset({"tensorflow.py_function", "tensorflow.numpy_function"})
_SEVERAL = frozenset({"trained", "validated", "evaluated"})
_DEEPEST = 60


class Ranks:
    """The shapes that are missing in a run."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._pipelines = run.domain(Pipelines)
        self._told = {call.result.receiver for call in run.methods("set_shape")}

    def missing(self) -> dict[Result, Result]:
        """The calls that leave a part of what a model is given without a shape, and the last step of its dataset."""
        found: dict[Result, Result] = {}
        for reading in self._pipelines.readings:
            if reading.role in _SEVERAL and reading.trainer is not None and self._is_plain(reading.trainer.result):
                for cause in _causes(self._element(reading.dataset, 0)):
                    found.setdefault(cause, reading.dataset)
        return found

    def _is_plain(self, trainer: Result) -> bool:
        """Whether a model surely is one of Keras's own, with Keras's own steps."""
        return trainer.receiver is not None and type_of(trainer.receiver) == "keras.Model"

    # -- elements ---------------------------------------------------------------------------------------------------

    def _element(self, step: Result, depth: int) -> Part:
        above = self._pipelines.parents(step)
        if depth > _DEEPEST:
            return None
        if step.method in _KEEPS and above:
            return self._element(above[0], depth + 1)
        if step.method == "zip" and above:
            return tuple(self._element(each, depth + 1) for each in above)
        if step.method == "from_generator":
            return self._of_generator(step)
        if step.method != "map":
            return None
        returned = self._run.returned(step)
        return self._of(returned[0], step, depth) if len(returned) == 1 else None

    def _of_generator(self, step: Result) -> Part:
        types, shapes = (self._pipelines.argument(step, name) for name in ("output_types", "output_shapes"))
        if (
            types is None
            or self._pipelines.argument(step, "output_signature") is not None
            or self._pipelines.hides_arguments(step)
        ):
            return None
        known = shapes is not None and shapes.constant is not None
        return _told(self._run, types, shapes if known else None, step)

    def _of(self, value: Value, step: Result, depth: int) -> Part:
        """What a value that a mapped function gives has no shape of."""
        only = value.only
        if isinstance(only, Tuple):
            return tuple(self._of(item, step, depth + 1) for item in only.items)
        if isinstance(only, Container) and only.kind == "dict":
            keys = [constant(key) for key in self._run.items(only) or ()]
            values = {key: self._run.at_key(only, key) for key in keys}
            return {key: self._of(each, step, depth + 1) for key, each in values.items() if each is not None}
        if depth > _DEEPEST or not isinstance(only, Result) or only in self._told:
            return None
        return self._of_result(only, step, depth)

    def _of_result(self, found: Result, step: Result, depth: int) -> Part:
        if found.op == "element" and isinstance(found.receiver, Result):
            return self._parameter(found, depth)
        if found.op == "item" and isinstance(found.receiver, Result):
            return self._item(found, step, depth)
        if found.op == "call" and found.name in _PYTHON:
            return self._of_python(found)
        if found.op == "call" and _LEAVES.match(found.name) and found.args:
            return self._of(found.args[0], step, depth + 1)
        if found.op == "operator" and found.name in ("+", "-", "*", "/"):
            parts = [self._of(value, step, depth + 1) for value in found.args]
            return next((part for part in parts if isinstance(part, Result)), None)
        return None

    def _parameter(self, found: Result, depth: int) -> Part:
        assert isinstance(found.receiver, Result)
        whole = self._element(found.receiver, depth + 1)
        number = int(found.name)
        if isinstance(whole, tuple):
            return whole[number] if number < len(whole) else None
        return whole if number == 0 else None

    def _item(self, found: Result, step: Result, depth: int) -> Part:
        assert isinstance(found.receiver, Result)
        whole = None if found.receiver in self._told else self._of_result(found.receiver, step, depth + 1)
        key = found.args[0].constant if found.args else ...
        if isinstance(whole, tuple):
            return whole[key] if isinstance(key, int) and -len(whole) <= key < len(whole) else None
        return whole.get(key) if isinstance(whole, dict) else None

    def _of_python(self, found: Result) -> Part:
        value = found.argument("Tout", 2)
        only = value.only if value is not None else None
        if isinstance(only, (Tuple, Container)):
            types = self._run.items(only)
            return tuple(found for _ in types) if types is not None else None
        return found if isinstance(only, (External, Constant)) else None


def _told(run: Run, types: Value, shapes: Value | None, step: Result) -> Part:
    """The parts of `output_types` that `output_shapes` says nothing of."""
    only = types.only
    if not isinstance(only, (Tuple, Container)):
        return step if isinstance(only, (External, Constant)) and _is_unknown(shapes) else None
    inner = run.items(only) or []
    if shapes is None:
        return tuple(_told(run, each, None, step) for each in inner)
    found = shapes.only
    told = run.items(found) if isinstance(found, Tuple) else None
    if told is None or len(told) != len(inner):
        return None
    return tuple(_told(run, each, shape, step) for each, shape in zip(inner, told, strict=True))


def _is_unknown(shape: Value | None) -> bool:
    if shape is None or shape.constant is None:
        return True
    only = shape.only
    made = isinstance(only, Result) and only.op == "call" and only.name == "tensorflow.TensorShape"
    return made and isinstance(only, Result) and bool(only.args) and only.args[0].constant is None


def _causes(part: Part) -> list[Result]:
    if isinstance(part, Result):
        return [part]
    inner = part.values() if isinstance(part, dict) else part or ()
    return [cause for each in inner for cause in _causes(each)]
